/**
 * Text as searches see it (capabilities §10 and §16): without case and marks, as runs of letters and digits. Apostrophes
 * between letters do not end a run. Prefixes and orders by name use {@link normalizeText} only, which keeps apostrophes,
 * since a prefix may end at one.
 */

import { badUserInput } from '../../errors.ts';
import { countCodePoints } from '../text.ts';
import { MAX_QUERY_LENGTH, MAX_RUN_LENGTH, MAX_RUNS } from './search-limits.ts';

/** All marks except the two of Japanese that change the letter before them. */
const MARKS = /(?![\u3099\u309a])\p{M}/gu;
const FOLDED = /[ßæœøđðþłıħς]/g;
const FOLDS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ı: 'i',
  ħ: 'h',
  ς: 'σ',
};

// eslint-disable-next-line no-control-regex -- matches all of ASCII
const ASCII = /^[\x00-\x7f]*$/;

/** The form in which texts are compared: NFKD, without case and marks. */
export function normalizeText(text: string): string {
  // Fast path: most texts are ASCII.
  if (ASCII.test(text)) return text.toLowerCase();
  return text
    .normalize('NFKD')
    .replace(MARKS, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(FOLDED, (letter) => FOLDS[letter] ?? letter);
}

const RUN = /[\p{L}\p{N}]+/gu;
const ENDS_WITH_RUN = /[\p{L}\p{N}]$/u;
/** Scripts without spaces: a word may begin at any character. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const WITHOUT_SPACES = new RegExp(`^${UNSPACED.source}`, 'u');

/** Maximum searched code points of a text. */
const SEARCHED_LENGTH = 2_000;

/** A searched text. */
export interface SearchedText {
  /** Normalized, without apostrophes between letters. */
  readonly text: string;
  /** Ascending UTF-16 indexes in `text` of the letters after removed apostrophes. Words begin there, too. */
  readonly joints: ReadonlySet<number>;
}

const APOSTROPHE = /['\u2019\u02bc]/;
/** U+02BC is a letter in Unicode, but counts as an apostrophe here. */
const JOINING_APOSTROPHE = /(?<=(?!\u02bc)\p{L})['\u2019\u02bc](?=(?!\u02bc)\p{L})/gu;
const NO_JOINTS: ReadonlySet<number> = new Set();

/** @param normalized result of {@link normalizeText} */
export function withoutApostrophes(normalized: string): SearchedText {
  // Fast path: most texts have none.
  if (!APOSTROPHE.test(normalized)) return { text: normalized, joints: NO_JOINTS };
  const joints = new Set<number>();
  let text = '';
  let end = 0;
  for (const { index } of normalized.matchAll(JOINING_APOSTROPHE)) {
    text += normalized.slice(end, index);
    joints.add(text.length);
    end = index + 1;
  }
  return { text: text + normalized.slice(end), joints };
}

/** The runs of a query; all of them must match. */
export type SearchQuery = readonly string[];

/**
 * @param label name in error messages, e.g. `filter.search`
 * @throws ServiceError BAD_USER_INPUT
 */
export function readSearchQuery(query: string, label: string): SearchQuery {
  if (query === '' || countCodePoints(query) > MAX_QUERY_LENGTH) {
    throw badUserInput(`${label} must be 1 to ${MAX_QUERY_LENGTH} characters.`);
  }
  const runs = withoutApostrophes(normalizeText(query)).text.match(RUN) ?? [];
  if (runs.length < 1 || runs.length > MAX_RUNS) {
    throw badUserInput(`${label} must contain 1 to ${MAX_RUNS} words: sequences of letters or digits.`);
  }
  if (runs.some((run) => countCodePoints(run) > MAX_RUN_LENGTH)) {
    throw badUserInput(`${label} contains a word of more than ${MAX_RUN_LENGTH} characters.`);
  }
  return [...new Set(runs)];
}

/** Prepares a location's text for {@link matchesSearch}. */
export function searchedText(text: string): SearchedText {
  return withoutApostrophes(normalizeText(firstCodePoints(text, SEARCHED_LENGTH)));
}

/** Whether {@link searchedText} certainly reads the whole text. */
export function isSearchedWhole(text: string): boolean {
  return text.length <= SEARCHED_LENGTH;
}

function firstCodePoints(text: string, count: number): string {
  if (text.length <= count) return text;
  let end = 0;
  for (let left = count; left > 0 && end < text.length; left -= 1) {
    end += unitsAt(text, end);
  }
  return text.slice(0, end);
}

/**
 * Calls `show` with each start of a word and the rest of its run.
 *
 * @param show also gets whether the word starts inside of a run of a script without spaces. A callback, since a generator
 *   would take a good part of the indexing time
 */
export function eachWordBeginning({ text, joints }: SearchedText, show: ShowWord): void {
  if (ASCII.test(text)) {
    eachAsciiWord(text, joints, show);
    return;
  }
  let start = 0;
  for (const run of text.match(RUN) ?? []) {
    show(run, false);
    const isUnspaced = UNSPACED.test(run);
    if (!isUnspaced && joints.size === 0) continue;
    // There are no letters or digits between two runs.
    start = text.indexOf(run, start);
    for (let at = unitsAt(run, 0); at < run.length; at += unitsAt(run, at)) {
      const isInside = isUnspaced && beginsWithoutSpaces(run.slice(at, at + 2));
      if (isInside || joints.has(start + at)) show(run.slice(at), isInside);
    }
    start += run.length;
  }
}

type ShowWord = (word: string, isInside: boolean) => void;

/** Twice as fast as a regular expression. */
function eachAsciiWord(text: string, joints: SearchedText['joints'], show: ShowWord): void {
  let start = 0;
  for (let index = 0; index <= text.length; index += 1) {
    if (index < text.length && isLetterOrDigit(text.charCodeAt(index))) continue;
    if (index > start) show(text.slice(start, index), false);
    if (joints.size > 0) {
      for (let at = start + 1; at < index; at += 1) if (joints.has(at)) show(text.slice(at, index), false);
    }
    start = index + 1;
  }
}

/** Whether the UTF-16 unit is a-z or 0-9. */
export function isLetterOrDigit(unit: number): boolean {
  return (unit >= 0x61 && unit <= 0x7a) || (unit >= 0x30 && unit <= 0x39);
}

/** Whether the text begins with a character of a script without spaces. */
export function beginsWithoutSpaces(text: string): boolean {
  return WITHOUT_SPACES.test(text);
}

/** Number of UTF-16 units of the character. */
function unitsAt(text: string, at: number): number {
  return (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
}

export function matchesSearch(query: SearchQuery, texts: readonly SearchedText[]): boolean {
  return query.every((run) => texts.some((text) => holdsWord(text, run)));
}

/** Whether a word of the text begins with the run. */
function holdsWord({ text, joints }: SearchedText, run: string): boolean {
  for (let at = text.indexOf(run); at !== -1; at = text.indexOf(run, at + 1)) {
    if (isRunOrUnspaced(text, at) || joints.has(at)) return true;
  }
  return false;
}

/**
 * Whether a run begins at the index, or any word may.
 *
 * @param at index of a letter or a digit
 */
function isRunOrUnspaced(text: string, at: number): boolean {
  // Two UTF-16 units contain the code point before.
  if (!ENDS_WITH_RUN.test(text.slice(Math.max(0, at - 2), at))) return true;
  return WITHOUT_SPACES.test(text.slice(at, at + 2));
}
