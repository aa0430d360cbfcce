/**
 * The index terms of a location: the words of its texts, and the values of its properties. Terms consist of characters
 * that SQLite's `ascii` tokenizer takes for a word. A prefix of a term is the term of a prefix.
 *
 *   w WORD                  a word's first characters, normalised
 *   v FIELD t TEXT : HASH   a string: its normalised beginning, and a hash of it all
 *   v FIELD s BYTES         a string: its first bytes, which sort as the strings do
 *   v FIELD n BYTES         a number, or a string that is a decimal: bytes that sort by value
 *   v FIELD d MILLISECONDS  a string that is a day or an instant
 *   v FIELD b, z, o         a boolean, null, anything else
 *
 * FIELD is a hash of the property's name. Different values may share a term, so the filter must check every match.
 */

import type { JsonValue } from '../json/json.ts';
import { decimalOf } from '../list/order.ts';
import { base36Of } from './digits.ts';
import { readSpan } from './instant.ts';
import type { Filtered } from './matcher.ts';
import type { SearchedText } from './search-text.ts';
import {
  beginsWithoutSpaces,
  eachWordBeginning,
  isLetterOrDigit,
  isSearchedWhole,
  normalizeText,
  searchedText,
  withoutApostrophes,
} from './search-text.ts';
import type { Bounds } from './sortable-digits.ts';
import {
  digitsOfInstant,
  digitsOfNumber,
  digitsOfString,
  prefixesOfInstants,
  prefixesOfNumbers,
  prefixesOfStrings,
} from './sortable-digits.ts';

/** An index term, or a prefix of terms. */
export interface Term {
  readonly text: string;
  readonly isPrefix: boolean;
}

/** Maximum code points of a word in its term. */
const WORD_LENGTH = 16;
/** The same for scripts where every character begins a word, which would otherwise give very many long terms. */
const UNSPACED_WORD_LENGTH = 2;
const TEXT_LENGTH = 40;

/** Without duplicates. */
export function termsOf(location: Pick<Filtered, 'name' | 'properties'>): readonly string[] {
  const text = textOfTerms(location);
  return text === '' ? [] : [...new Set(text.slice(1).split(' '))];
}

/**
 * The terms as one text, each after a space. Words are repeated as often as the location has them.
 *
 * @param start prefix of each term
 */
export function textOfTerms({ name, properties }: Pick<Filtered, 'name' | 'properties'>, start = ''): string {
  const word = ` ${start}w`;
  let terms = textOfWords(searchedText(name), word);
  for (const [key, value] of Object.entries(properties)) {
    const field = ` ${start}${fieldOf(key)}`;
    if (typeof value !== 'string') {
      terms += typeof value === 'number' ? numberTerm(field, value) : otherTerm(field, value);
      continue;
    }
    const normalized = normalizeText(value);
    if (value !== name)
      terms += textOfWords(
        isSearchedWhole(value) ? withoutApostrophes(normalized) : searchedText(value),
        word,
      );
    terms += textOfString(field, value, normalized);
  }
  return terms;
}

/** @param start prefix of each word */
function textOfWords(text: SearchedText, start: string): string {
  let terms = '';
  eachWordBeginning(text, (word, isInside) => {
    terms += start + firstOf(word, isInside ? UNSPACED_WORD_LENGTH : WORD_LENGTH);
  });
  return terms;
}

/** Each with the prefix `field`. */
function textOfString(field: string, text: string, normalized: string): string {
  const number = decimalOf(text);
  const span = readSpan(text);
  return (
    (number === null ? '' : numberTerm(field, number)) +
    textTerm(field, text, normalized) +
    `${field}s${digitsOfString(text, '0')}` +
    (span === null ? '' : `${field}d${digitsOfInstant(span.first)}`)
  );
}

/** The lookup of a search word. */
export function termOfWord(run: string): Term {
  return { text: `w${beginningOf(run)}`, isPrefix: true };
}

/** Whether every match of the word's term has the word. */
export function isWholeInTerm(run: string): boolean {
  return beginningOf(run) === run;
}

function beginningOf(run: string): string {
  return firstOf(run, beginsWithoutSpaces(run) ? UNSPACED_WORD_LENGTH : WORD_LENGTH);
}

/** The lookup of all locations with the property. */
export function termOfField(name: string): Term {
  return { text: fieldOf(name), isPrefix: true };
}

/** The lookup of a value; strings and numbers of the same value share it. */
export function termOfValue(name: string, value: JsonValue): Term {
  const field = fieldOf(name);
  const number = numberIn(value);
  if (number !== null) return { text: numberTerm(field, number), isPrefix: false };
  return {
    text: typeof value === 'string' ? textTerm(field, value, normalizeText(value)) : otherTerm(field, value),
    isPrefix: false,
  };
}

/** @param prefix normalised */
export function termOfPrefix(name: string, prefix: string): Term {
  // Drop half a character: its bytes are no prefix of those of the whole one.
  const whole = prefix.replace(/[\ud800-\udbff]$/, '');
  return { text: `${fieldOf(name)}t${encode(firstOf(whole, TEXT_LENGTH))}`, isPrefix: true };
}

export function termsOfNumbers(name: string, bounds: Bounds<number>): readonly Term[] {
  return prefixTerms(`${fieldOf(name)}n`, prefixesOfNumbers(bounds));
}

export function termsOfStrings(name: string, bounds: Bounds<string>): readonly Term[] {
  return prefixTerms(`${fieldOf(name)}s`, prefixesOfStrings(bounds));
}

/** @param bounds milliseconds since the epoch */
export function termsOfInstants(name: string, bounds: Bounds<number>): readonly Term[] {
  return prefixTerms(`${fieldOf(name)}d`, prefixesOfInstants(bounds));
}

function prefixTerms(field: string, prefixes: readonly string[]): readonly Term[] {
  return prefixes.map((prefix) => ({ text: field + prefix, isPrefix: true }));
}

function numberIn(value: JsonValue): number | null {
  if (typeof value === 'number') return value;
  return typeof value === 'string' ? decimalOf(value) : null;
}

function numberTerm(field: string, value: number): string {
  return `${field}n${digitsOfNumber(value)}`;
}

const COLON = encode(':');

function textTerm(field: string, text: string, normalized: string): string {
  return `${field}t${encode(firstOf(normalized, TEXT_LENGTH))}${COLON}${hashOf(text)}`;
}

function otherTerm(field: string, value: JsonValue): string {
  if (value === null) return `${field}z`;
  return typeof value === 'boolean' ? `${field}b${value ? 1 : 0}` : `${field}o`;
}

/** Length of a term before its kind. */
export const FIELD_LENGTH = 8;

/** Maps have few different names. */
const FIELDS = new Map<string, string>();
const MAX_FIELDS = 1_000;

function fieldOf(name: string): string {
  const known = FIELDS.get(name);
  if (known !== undefined) return known;
  const field = `v${hashOf(name)}`;
  if (FIELDS.size < MAX_FIELDS) FIELDS.set(name, field);
  return field;
}

/** FNV-1a, 32 bits, over UTF-16 units; seven characters. */
function hashOf(text: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return base36Of(hash);
}

/** Replaces characters that end a word by Latin-1 ones: Latin-1 strings are faster to create and smaller. */
function encode(text: string): string {
  let encoded = '';
  let end = 0;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit >= 0x80 || isLetterOrDigit(unit)) continue;
    encoded += text.slice(end, index) + String.fromCharCode(0x80 + unit);
    end = index + 1;
  }
  return encoded + text.slice(end);
}

const HIGH_SURROGATE = /[\ud800-\udbff]/;

/** The first code points of a text. */
function firstOf(text: string, count: number): string {
  if (text.length <= count) return text;
  const start = text.slice(0, count);
  if (!HIGH_SURROGATE.test(start)) return start;
  return Array.from(text.slice(0, 2 * count))
    .slice(0, count)
    .join('');
}
