/** Search, against a second statement of the rules. */

import fc from 'fast-check';

import {
  matchesSearch,
  normalizeText,
  readSearchQuery,
  searchedText,
} from '../../../src/domain/filter/search-text.ts';
import { expectRefused } from '../refused.ts';
import { literally } from './literally.ts';
import { isFound, normalized } from './reference.ts';

const finds = (query: string, ...texts: string[]) =>
  matchesSearch(readSearchQuery(query, 'filter.search'), texts.map(searchedText));

/** Characters that are hard: case, marks, composition, scripts without spaces, halves of pairs. */
const CHARACTERS = [
  ...'aAbBéÉ\u0301\u0308ßẞæÆœøØđðþłıİħςΣσ',
  ...'東京とうドがか\u3099\u309aไทยກខ្មмйЙ\u05b0\u05d0\u0627\u064e',
  ...' .,-_12②½ﬁǅ\u{1d400}\u{10428}\u{20000}\u{1f600}',
];
const text = fc.string({ unit: fc.constantFrom(...CHARACTERS), maxLength: 12 });

describe('a search', () => {
  it.each<[string, string, boolean]>([
    ['cafe', 'Café Paris', true],
    ['CAFÉ', 'cafe', true],
    ['paris cafe', 'Café Paris', true],
    ['caf', 'Café', true],
    ['afe', 'Café', false],
    ['strasse', 'Hauptstraße', false],
    ['hauptstrasse', 'HAUPTSTRASSE', true],
    ['strasse', 'Straße', true],
    ['oe', 'Œuvre', true],
    ['odos', 'ὁδός', false],
    ['οδοσ', 'ὁδός', true],
    ['京都', '東京都', true],
    ['都京', '東京都', false],
    ['ラーメン', '博多ラーメン', true],
    ['ーメン', 'ラーメン', false],
    ['か', 'が', false],
    ['กรุง', 'สวัสดีกรุงเทพ', true],
    ['fi', 'ﬁn', true],
    ['12', 'No. 12a', true],
    ['2', '12', false],
    ['שלום', 'שָׁלוֹם', true],
  ])('for %j in %j: %j', (query, found, expected) => {
    expect(finds(query, found)).toBe(expected);
    expect(isFound(query, [found])).toBe(expected);
  });

  it('finds each of its words in any of the texts', () => {
    expect(finds('pizza roma', 'Pizza', 'Roma')).toBe(true);
    expect(finds('pizza milano', 'Pizza', 'Roma')).toBe(false);
  });

  it('reads the first 2,000 code points of a text', () => {
    const emoji = '\u{1f600}'.repeat(1995);
    expect(finds('abcde', `${emoji}abcdefgh`)).toBe(true);
    expect(finds('abcdef', `${emoji}abcdefgh`)).toBe(false);
  });

  it('finds what the reference finds', () => {
    fc.assert(
      fc.property(text, fc.array(text, { minLength: 1, maxLength: 3 }), fc.nat(), (other, texts, at) => {
        // Half of the queries are taken from the texts.
        const [from] = texts as [string];
        for (const query of [other, [...from].slice(at % 12).join('')]) {
          if (!/[\p{L}\p{N}]/u.test(normalized(query)) || [...query].length > 12) continue;
          expect([query, texts, finds(query, ...texts)]).toEqual([query, texts, isFound(query, texts)]);
        }
      }),
      { numRuns: 3000 },
    );
  });

  it('normalises every code point as the reference does', () => {
    const differing: string[] = [];
    for (let point = 0; point < 0x110000; point += 1) {
      if (point >= 0xd800 && point <= 0xdfff) continue;
      const character = String.fromCodePoint(point);
      if (normalizeText(character) !== normalized(character)) differing.push(character);
    }
    expect(differing).toEqual([]);
  });

  it.each([
    ['empty', '', '1 to 256 characters'],
    ['over 256 characters', 'a '.repeat(129), '1 to 256 characters'],
    ['without a letter or digit', '.,-', '1 to 10 words'],
    ['of 11 words', 'a b c d e f g h i j k', '1 to 10 words'],
    ['with a word of 65 characters', 'a'.repeat(65), 'more than 64 characters'],
  ])('is refused when it is %s', (_what, query, message) => {
    const refused = expectRefused(() => readSearchQuery(query, 'filter.search'), literally(message));
    expect(refused).toContain('filter.search');
  });
});
