import { editDistance, nearestName } from '../../src/domain/nearest-name.ts';

describe('the distance between two names', () => {
  for (const [one, other, distance] of [
    ['', '', 0],
    ['abc', 'ABC', 0],
    ['abc', '', 3],
    ['DATABSE_URL', 'DATABASE_URL', 1],
    ['potr', 'port', 1],
    ['ca', 'abc', 3],
    ['kitten', 'sitting', 3],
    ['😀a', '😀b', 1],
  ] as const) {
    it(`is ${distance} from "${one}" to "${other}", and back`, () => {
      expect([editDistance(one, other), editDistance(other, one)]).toEqual([distance, distance]);
    });
  }
});

describe('the nearest name', () => {
  it('is the one with the fewest wrong letters, where it is near at all', () => {
    expect(nearestName('websit', ['text', 'website', 'date'])).toBe('website');
    expect(nearestName('phon', ['phone', 'photo'])).toBe('phone');
    expect(nearestName('xyz', ['text', 'website'])).toBeNull();
    expect(nearestName('x', [])).toBeNull();
  });
});
