/** Text search, compared with a second implementation of the rules. */

import fc from 'fast-check';

import {
  eachWordBeginning,
  matchesSearch,
  normalizeText,
  readSearchQuery,
  searchedText,
} from '../../../src/domain/filter/search-text.ts';
import { expectRefused } from '../refused.ts';
import { literally } from './literally.ts';
import { isFound, normalized } from './reference.ts';
import { propertyRuns } from '../../support/scope.ts';

const finds = (query: string, ...texts: string[]) =>
  matchesSearch(readSearchQuery(query, 'filter.search'), texts.map(searchedText));

/** Difficult characters: case, marks, composition, scripts without spaces, lone surrogates. */
const CHARACTERS = [
  ...'aAbBéÉ\u0301\u0308ßẞæÆœøØđðþłıİħςΣσ',
  ...'東京とうドがか\u3099\u309aไทยກខ្មмйЙ\u05b0\u05d0\u0627\u064e',
  ...' .,-_12②½ﬁǅ\u{1d400}\u{10428}\u{20000}\u{1f600}',
];
/**
 * Few characters, so that apostrophes occur between letters, digits, marks, scripts without spaces, lone surrogates and
 * one another.
 */
const AROUND_APOSTROPHES = [..."ab'\u2019\u02bc\uff07\u0149 1\u0301\u3099京\u{10428}\ud801"];
const text = fc.oneof(
  fc.string({ unit: fc.constantFrom(...CHARACTERS), maxLength: 12 }),
  fc.string({ unit: fc.constantFrom(...AROUND_APOSTROPHES), maxLength: 12 }),
);

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
    ['guys', "Guy's", true],
    ["guy's", "Guy's", true],
    ['guy’s', 'Guys', true],
    ['s', "Guy's", true],
    ["guy's", 'Guy S.', false],
    ['oneill', 'O’Neill', true],
    ['neill', 'Oʼneill', true],
    ['eill', "O'Neill", false],
    ["o'neill", 'O’NEILL', true],
    ['o neill', "O'Neill", true],
    ["o'n", "O'Neill", true],
    ["o'", "O'Neill", true],
    ["o'neill", 'Neill', false],
    ['darc', 'd＇Arc', true],
    ['arc', 'd\u0301＇Arc', true],
    ['ab', "a''b", false],
    ['ab', 'aʼʼb', false],
    ['ʼb', "a' ʼb", true],
    ['abc', "a'b’c", true],
    ['bc', "a'b’c", true],
    ['90s', "90's", false],
    ['n', "rock 'n' roll", true],
    ['rockn', "rock 'n' roll", false],
    ['京都', "東'京’都", true],
    ['東京都', "東'京’都", true],
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

  it('ignores an apostrophe after the last code point that it reads', () => {
    const blank = ' '.repeat(1_997);
    expect(finds('ab', `${blank}a'bc`)).toBe(true);
    expect(finds('abc', `${blank}a'bc`)).toBe(false);
    expect(finds('ab', `${blank} a'bc`)).toBe(false);
  });

  it('marks the beginning of each matching word, and no other', () => {
    fc.assert(
      fc.property(text, (from) => {
        const searched = searchedText(from);
        const shown: string[] = [];
        eachWordBeginning(searched, (word) => shown.push(word));
        for (const word of shown) expect(matchesSearch([word], [searched])).toBe(true);
        const runs = searched.text.match(/[\p{L}\p{N}]+/gu) ?? [];
        const ends = runs.flatMap((run) => [...run].map((_, at) => [...run].slice(at).join('')));
        const found = ends.filter((end) => matchesSearch([end], [searched]));
        expect(found.filter((end) => !shown.some((word) => word.startsWith(end)))).toEqual([]);
      }),
      { numRuns: propertyRuns(3000) },
    );
  });

  it('finds what the reference finds', () => {
    fc.assert(
      fc.property(text, fc.array(text, { minLength: 1, maxLength: 3 }), fc.nat(), (other, texts, at) => {
        // Half of the queries are parts of the texts.
        const [from] = texts as [string];
        for (const query of [other, [...from].slice(at % 12).join('')]) {
          if (!/[\p{L}\p{N}]/u.test(normalized(query)) || [...query].length > 12) continue;
          expect([query, texts, finds(query, ...texts)]).toEqual([query, texts, isFound(query, texts)]);
        }
      }),
      { numRuns: propertyRuns(6000) },
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
