/** Text as a search sees it (capabilities §10): without case and marks, as runs of letters and digits. */

import { badUserInput } from '../../errors.ts';
import { countCodePoints } from '../text.ts';

/** All marks but the two of Japanese, which make another letter of the one before. */
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

// eslint-disable-next-line no-control-regex -- all that is ASCII
const ASCII = /^[\x00-\x7f]*$/;

/** The form in which texts are compared. */
export function normalizeText(text: string): string {
  // Most texts are, and nothing else is to be done for them.
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
/** Scripts that are written without spaces: a word may begin at any character. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const WITHOUT_SPACES = new RegExp(`^${UNSPACED.source}`, 'u');

const MAX_QUERY_LENGTH = 256;
const MAX_RUNS = 10;
const MAX_RUN_LENGTH = 64;
/** Code points of a text that are searched. */
const SEARCHED_LENGTH = 2_000;

/** The runs of a query; all of them must be found. */
export type SearchQuery = readonly string[];

/**
 * @param label how the message names the input, e.g. `filter.search`
 * @throws ServiceError BAD_USER_INPUT
 */
export function readSearchQuery(query: string, label: string): SearchQuery {
  if (query === '' || countCodePoints(query) > MAX_QUERY_LENGTH) {
    throw badUserInput(`${label} must be 1 to ${MAX_QUERY_LENGTH} characters.`);
  }
  const runs = normalizeText(query).match(RUN) ?? [];
  if (runs.length < 1 || runs.length > MAX_RUNS) {
    throw badUserInput(`${label} must hold 1 to ${MAX_RUNS} words: sequences of letters or digits.`);
  }
  if (runs.some((run) => countCodePoints(run) > MAX_RUN_LENGTH)) {
    throw badUserInput(`${label} holds a word of more than ${MAX_RUN_LENGTH} characters.`);
  }
  return [...new Set(runs)];
}

/** A location's text, normalised for {@link matchesSearch}. */
export function searchedText(text: string): string {
  return normalizeText(firstCodePoints(text, SEARCHED_LENGTH));
}

/** Whether {@link searchedText} is the whole text, normalised; false also for some of which it is. */
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
 * Shows each beginning of a word, with what follows of its run.
 *
 * @param text as {@link searchedText} made it
 * @param show told whether the beginning is inside of a run. (Called, since generators take a good part of an index's cost)
 */
export function eachWordBeginning(text: string, show: (word: string, isInside: boolean) => void): void {
  if (ASCII.test(text)) {
    eachAsciiRun(text, show);
    return;
  }
  for (const run of text.match(RUN) ?? []) {
    show(run, false);
    if (!UNSPACED.test(run)) continue;
    for (let at = unitsAt(run, 0); at < run.length; at += unitsAt(run, at)) {
      const word = run.slice(at);
      if (beginsWithoutSpaces(word)) show(word, true);
    }
  }
}

/** In half the time that an expression takes. */
function eachAsciiRun(text: string, show: (word: string, isInside: boolean) => void): void {
  let start = 0;
  for (let index = 0; index < text.length; index += 1) {
    if (isLetterOrDigit(text.charCodeAt(index))) continue;
    if (index > start) show(text.slice(start, index), false);
    start = index + 1;
  }
  if (start < text.length) show(text.slice(start), false);
}

/** Whether the UTF-16 unit is one of a to z and 0 to 9. */
export function isLetterOrDigit(unit: number): boolean {
  return (unit >= 0x61 && unit <= 0x7a) || (unit >= 0x30 && unit <= 0x39);
}

/** Whether a text begins with a character of a script that is written without spaces. */
export function beginsWithoutSpaces(text: string): boolean {
  return WITHOUT_SPACES.test(text);
}

/** The UTF-16 units of the character there. */
function unitsAt(text: string, at: number): number {
  return (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
}

/** @param texts as {@link searchedText} made them */
export function matchesSearch(query: SearchQuery, texts: readonly string[]): boolean {
  return query.every((run) => texts.some((text) => holdsWord(text, run)));
}

/** Whether a word that begins with the run stands in the text. */
function holdsWord(text: string, run: string): boolean {
  for (let at = text.indexOf(run); at !== -1; at = text.indexOf(run, at + 1)) {
    if (isWordBeginning(text, at)) return true;
  }
  return false;
}

/** @param at where a letter or a digit stands */
function isWordBeginning(text: string, at: number): boolean {
  // Two UTF-16 units hold the code point before, whatever it is.
  if (!ENDS_WITH_RUN.test(text.slice(Math.max(0, at - 2), at))) return true;
  return WITHOUT_SPACES.test(text.slice(at, at + 2));
}
