/**
 * The terms that a location is found by in an index of words: those of its texts, and its properties' values. All terms
 * are made of what SQLite's `ascii` tokenizer takes for a word, and a term's beginning is also the beginning of what it
 * stands for.
 *
 *   w WORD                  a word's first characters, normalised
 *   v FIELD t TEXT : HASH   a string: its normalised beginning, and a hash of it all
 *   v FIELD s BYTES         a string: its first bytes, which sort as the strings do
 *   v FIELD n BYTES         a number, or a string that is a decimal: bytes that sort by value
 *   v FIELD d MILLISECONDS  a string that is a day or an instant
 *   v FIELD b, z, o         a boolean, null, anything else
 *
 * FIELD is a hash of the property's name. A term may be shared by more than it stands for: whoever finds a location by its
 * terms asks the filter again.
 */

import type { JsonValue } from '../json/json.ts';
import { decimalOf } from '../list/order.ts';
import { base36Of, hexOf } from './digits.ts';
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

/** A term of an index, or the beginning of terms. */
export interface Term {
  readonly text: string;
  readonly isPrefix: boolean;
}

/** Code points of a word that its term holds. */
const WORD_LENGTH = 16;
/** Where any character begins a word, more would be as many terms as the text is long, each as long as that. */
const UNSPACED_WORD_LENGTH = 2;
const TEXT_LENGTH = 40;
const STRING_BYTES = 6;

/** Each once. */
export function termsOf(location: Pick<Filtered, 'name' | 'properties'>): readonly string[] {
  const text = textOfTerms(location);
  return text === '' ? [] : [...new Set(text.slice(1).split(' '))];
}

/**
 * The terms as one text, each after a space; a word as often as it stands in the location.
 *
 * @param start put before each term
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

/** @param start put before each word */
function textOfWords(text: SearchedText, start: string): string {
  let terms = '';
  eachWordBeginning(text, (word, isInside) => {
    terms += start + firstOf(word, isInside ? UNSPACED_WORD_LENGTH : WORD_LENGTH);
  });
  return terms;
}

/** Each after what `field` begins with. */
function textOfString(field: string, text: string, normalized: string): string {
  const number = decimalOf(text);
  const span = readSpan(text);
  return (
    (number === null ? '' : numberTerm(field, number)) +
    textTerm(field, text, normalized) +
    `${field}s${bytesOfString(text, '0')}` +
    (span === null ? '' : `${field}d${bytesOfInstant(span.first)}`)
  );
}

/** What a word of a search is found by. */
export function termOfWord(run: string): Term {
  return { text: `w${beginningOf(run)}`, isPrefix: true };
}

/** Whether the term of a word finds nothing that has not the word. */
export function isWholeInTerm(run: string): boolean {
  return beginningOf(run) === run;
}

function beginningOf(run: string): string {
  return firstOf(run, beginsWithoutSpaces(run) ? UNSPACED_WORD_LENGTH : WORD_LENGTH);
}

/** What every location is found by that has the property. */
export function termOfField(name: string): Term {
  return { text: fieldOf(name), isPrefix: true };
}

/** What equal values are found by; also strings and numbers of one value. */
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
  // Half a character is the beginning of a whole one, whose bytes are others.
  const whole = prefix.replace(/[\ud800-\udbff]$/, '');
  return { text: `${fieldOf(name)}t${encode(firstOf(whole, TEXT_LENGTH))}`, isPrefix: true };
}

/** Inclusive; null is no bound. */
export interface Bounds<T> {
  readonly from: T | null;
  readonly to: T | null;
}

export function termsOfNumbers(name: string, { from, to }: Bounds<number>): readonly Term[] {
  return prefixesBetween(
    `${fieldOf(name)}n`,
    bytesOfNumber(from ?? -Infinity),
    bytesOfNumber(to ?? Infinity),
    NUMBER_DIGITS,
  );
}

export function termsOfStrings(name: string, { from, to }: Bounds<string>): readonly Term[] {
  const last = 'f'.repeat(2 * STRING_BYTES);
  return prefixesBetween(
    `${fieldOf(name)}s`,
    from === null ? '0'.repeat(2 * STRING_BYTES) : bytesOfString(from, '0'),
    to === null ? last : bytesOfString(to, 'f'),
    STRING_DIGITS,
  );
}

/** @param bounds milliseconds since the epoch */
export function termsOfInstants(name: string, { from, to }: Bounds<number>): readonly Term[] {
  return prefixesBetween(
    `${fieldOf(name)}d`,
    from === null ? '0'.repeat(INSTANT_DIGITS) : bytesOfInstant(from),
    to === null ? 'f'.repeat(INSTANT_DIGITS) : bytesOfInstant(to),
    INSTANT_EXACT_DIGITS,
  );
}

function numberIn(value: JsonValue): number | null {
  if (typeof value === 'number') return value;
  return typeof value === 'string' ? decimalOf(value) : null;
}

function numberTerm(field: string, value: number): string {
  return `${field}n${bytesOfNumber(value)}`;
}

const COLON = encode(':');

function textTerm(field: string, text: string, normalized: string): string {
  return `${field}t${encode(firstOf(normalized, TEXT_LENGTH))}${COLON}${hashOf(text)}`;
}

function otherTerm(field: string, value: JsonValue): string {
  if (value === null) return `${field}z`;
  return typeof value === 'boolean' ? `${field}b${value ? 1 : 0}` : `${field}o`;
}

/** Characters of a term before its kind. */
export const FIELD_LENGTH = 8;

/** Maps have few names, again and again. */
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

/** Puts characters in place of those that end a word. They are of Latin-1: strings of it are made and stored sooner. */
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

/** Its first code points. */
function firstOf(text: string, count: number): string {
  if (text.length <= count) return text;
  const start = text.slice(0, count);
  if (!HIGH_SURROGATE.test(start)) return start;
  return Array.from(text.slice(0, 2 * count))
    .slice(0, count)
    .join('');
}

const DOUBLE = new DataView(new ArrayBuffer(8));

/** 16 hexadecimal digits that sort by value. */
function bytesOfNumber(value: number): string {
  // Adding 0 makes a positive zero of a negative one.
  DOUBLE.setFloat64(0, value + 0);
  const [high, low] = [DOUBLE.getUint32(0), DOUBLE.getUint32(4)];
  const isNegative = high >= 0x80000000;
  return hexOf(isNegative ? ~high : high ^ 0x80000000) + hexOf(isNegative ? ~low : low);
}

function bytesOfString(text: string, padding: string): string {
  // Each UTF-16 unit is a byte at least.
  const start = text.slice(0, STRING_BYTES);
  let digits = '';
  for (let index = 0; index < start.length; index += 1) {
    const unit = start.charCodeAt(index);
    if (unit >= 0x80) {
      digits = Buffer.from(start).toString('hex', 0, STRING_BYTES);
      break;
    }
    digits += HEX_OF_ASCII[unit] ?? '';
  }
  return digits.padEnd(2 * STRING_BYTES, padding);
}

const HEX_OF_ASCII = Array.from({ length: 0x80 }, (_, unit) => unit.toString(16).padStart(2, '0'));

const INSTANT_DIGITS = 13;
/** Makes every instant from the year 0 on positive. */
const INSTANT_OFFSET = 2 ** 46;

function bytesOfInstant(milliseconds: number): string {
  const instant = milliseconds + INSTANT_OFFSET;
  const high = Math.floor(instant / 2 ** 32);
  return hexOf(high).slice(16 - INSTANT_DIGITS) + hexOf(instant - high * 2 ** 32);
}

/** Digits after those that both bounds share. More are nearer to the bounds, and up to 30 terms each. */
const EXACT_DIGITS = 3;
/** Digits that are looked at in any case. Of a number, the first three say no more than its size by powers of two. */
const NUMBER_DIGITS = 6;
/** Some hours. */
const INSTANT_EXACT_DIGITS = 7;
/** Two bytes. */
const STRING_DIGITS = 4;

/**
 * Beginnings that hold all digits from `first` to `last`, and a little more; none where first > last.
 *
 * @param first of as many digits as `last`
 * @param least digits that are looked at
 */
function prefixesBetween(start: string, first: string, last: string, least: number): readonly Term[] {
  if (first > last) return [];
  let shared = 0;
  while (shared < first.length && first[shared] === last[shared]) shared += 1;
  const length = Math.min(first.length, Math.max(least, shared + EXACT_DIGITS));
  const prefixes: string[] = [];
  collect(first.slice(0, shared), first.slice(0, length), last.slice(0, length), prefixes);
  return prefixes.map((prefix) => ({ text: start + prefix, isPrefix: true }));
}

/** Adds the largest whole branches of the digits' tree between two leaves, both included. */
function collect(branch: string, first: string, last: string, prefixes: string[]): void {
  const depth = branch.length;
  const isWhole = /^0*$/.test(first.slice(depth)) && /^f*$/.test(last.slice(depth));
  if (isWhole) {
    prefixes.push(branch);
    return;
  }
  const [low, high] = [parseInt(first.charAt(depth), 16), parseInt(last.charAt(depth), 16)];
  for (let digit = low; digit <= high; digit += 1) {
    const child = branch + digit.toString(16);
    collect(
      child,
      digit === low ? first : child.padEnd(first.length, '0'),
      digit === high ? last : child.padEnd(last.length, 'f'),
      prefixes,
    );
  }
}
