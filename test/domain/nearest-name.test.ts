import fc from 'fast-check';

import { editDistance, isOneLetterAway, nearestName } from '../../src/domain/nearest-name.ts';
import { propertyRuns } from '../support/scope.ts';

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

describe('a name that is one letter away', () => {
  it('is one whose distance is 1 or 0', () => {
    // Few letters, so that many names are near. One has two code units; the lower case of another adds a combining
    // mark.
    const name = fc.array(fc.constantFrom('a', 'B', 'b', '😀', '😃', 'İ'), { maxLength: 6 });
    fc.assert(
      fc.property(name, name, (one, other) => {
        const [a, b] = [one.join(''), other.join('')];
        expect(isOneLetterAway(a, b)).toBe(editDistance(a, b) <= 1);
      }),
      { numRuns: propertyRuns(2000) },
    );
  });
});

describe('the nearest name', () => {
  it('is the one with the fewest wrong letters, if any is near', () => {
    expect(nearestName('websit', ['text', 'website', 'date'])).toBe('website');
    expect(nearestName('phon', ['phone', 'photo'])).toBe('phone');
    expect(nearestName('xyz', ['text', 'website'])).toBeNull();
    expect(nearestName('x', [])).toBeNull();
  });
});
