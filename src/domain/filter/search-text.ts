/**
 * Text as a search sees it (capabilities §10 and §16): without case and marks, as runs of letters and digits, which go on
 * over an apostrophe between letters. Prefixes and orders by name compare {@link normalizeText} alone, where apostrophes
 * stay: a prefix may end at one.
 */

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

/** A text that is searched. */
export interface SearchedText {
  /** Normalised, and without the apostrophes between letters. */
  readonly text: string;
  /** Where the letters that followed these apostrophes stand in `text`, in UTF-16 units, ascending. Words begin there too. */
  readonly joints: ReadonlySet<number>;
}

const APOSTROPHE = /['\u2019\u02bc]/;
/** U+02BC is a letter by itself, but here it is what stands between letters. */
const JOINING_APOSTROPHE = /(?<=(?!\u02bc)\p{L})['\u2019\u02bc](?=(?!\u02bc)\p{L})/gu;
const NO_JOINTS: ReadonlySet<number> = new Set();

/** @param normalized as {@link normalizeText} made it */
export function withoutApostrophes(normalized: string): SearchedText {
  // Most texts hold none.
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
  const runs = withoutApostrophes(normalizeText(query)).text.match(RUN) ?? [];
  if (runs.length < 1 || runs.length > MAX_RUNS) {
    throw badUserInput(`${label} must hold 1 to ${MAX_RUNS} words: sequences of letters or digits.`);
  }
  if (runs.some((run) => countCodePoints(run) > MAX_RUN_LENGTH)) {
    throw badUserInput(`${label} holds a word of more than ${MAX_RUN_LENGTH} characters.`);
  }
  return [...new Set(runs)];
}

/** A location's text for {@link matchesSearch}. */
export function searchedText(text: string): SearchedText {
  return withoutApostrophes(normalizeText(firstCodePoints(text, SEARCHED_LENGTH)));
}

/** Whether {@link searchedText} reads the whole text; false also for some of which it does. */
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
 * @param show told whether the word begins inside of a run since its script has no spaces. (Called, since generators take a
 *   good part of an index's cost)
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
    // Nothing of a run stands between the run before and this one.
    start = text.indexOf(run, start);
    for (let at = unitsAt(run, 0); at < run.length; at += unitsAt(run, at)) {
      const isInside = isUnspaced && beginsWithoutSpaces(run.slice(at, at + 2));
      if (isInside || joints.has(start + at)) show(run.slice(at), isInside);
    }
    start += run.length;
  }
}

type ShowWord = (word: string, isInside: boolean) => void;

/** In half the time that an expression takes. */
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

export function matchesSearch(query: SearchQuery, texts: readonly SearchedText[]): boolean {
  return query.every((run) => texts.some((text) => holdsWord(text, run)));
}

/** Whether a word that begins with the run stands in the text. */
function holdsWord({ text, joints }: SearchedText, run: string): boolean {
  for (let at = text.indexOf(run); at !== -1; at = text.indexOf(run, at + 1)) {
    if (isRunOrUnspaced(text, at) || joints.has(at)) return true;
  }
  return false;
}

/**
 * Whether a run begins there, or any word may.
 *
 * @param at where a letter or a digit stands
 */
function isRunOrUnspaced(text: string, at: number): boolean {
  // Two UTF-16 units hold the code point before, whatever it is.
  if (!ENDS_WITH_RUN.test(text.slice(Math.max(0, at - 2), at))) return true;
  return WITHOUT_SPACES.test(text.slice(at, at + 2));
}
