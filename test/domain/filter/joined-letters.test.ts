import { hasJoinedLetters } from '../../../src/domain/filter/joined-letters.ts';

const ofText = (text: string) => hasJoinedLetters('-', JSON.stringify({ Note: text }));

describe('a location with words joined across an apostrophe', () => {
  it.each<[string, string, object, boolean]>([
    ['in its name', "Guy's", {}, true],
    ['in a text', 'Guys', { Note: 'O’Neill' }, true],
    ['but not in a text', 'Guys', { Note: "rock 'n' roll, 90's" }, false],
    ['but not at the top', 'Guys', { Notes: ["l'eau"], "l'eau": 1 }, false],
    ['but not in what is searched', 'Guys', { Note: `${'x '.repeat(1_000)}l'eau` }, false],
  ])('is detected: %s', (_what, name, properties, expected) => {
    expect(hasJoinedLetters(name, JSON.stringify(properties))).toBe(expected);
  });

  it('is detected by every character that normalises to an apostrophe, and by no other', () => {
    const found: string[] = [];
    for (let point = 0; point < 0x110000; point += 1) {
      const character = String.fromCodePoint(point);
      if (ofText(`a${character}b`)) found.push(character);
    }
    expect(found).toEqual(["'", 'ŉ', 'ʼ', '’', '＇']);
  });

  it('is not detected if its properties are malformed', () => {
    expect(hasJoinedLetters("Guy's", '{"Name":')).toBe(false);
  });
});
