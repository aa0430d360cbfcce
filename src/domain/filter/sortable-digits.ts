/** Values as hexadecimal digits that sort by value, and prefixes that cover a range of them. */

import { hexOf } from './digits.ts';

const STRING_BYTES = 6;

const DOUBLE = new DataView(new ArrayBuffer(8));

/** 16 hexadecimal digits that sort by value. */
export function digitsOfNumber(value: number): string {
  // Adding 0 turns -0 into 0.
  DOUBLE.setFloat64(0, value + 0);
  const [high, low] = [DOUBLE.getUint32(0), DOUBLE.getUint32(4)];
  const isNegative = high >= 0x80000000;
  return hexOf(isNegative ? ~high : high ^ 0x80000000) + hexOf(isNegative ? ~low : low);
}

export function digitsOfString(text: string, padding: string): string {
  // Each UTF-16 unit has at least one byte.
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
/** Offset that makes every instant since year 0 positive. */
const INSTANT_OFFSET = 2 ** 46;

export function digitsOfInstant(milliseconds: number): string {
  const instant = milliseconds + INSTANT_OFFSET;
  const high = Math.floor(instant / 2 ** 32);
  return hexOf(high).slice(16 - INSTANT_DIGITS) + hexOf(instant - high * 2 ** 32);
}

/** Digits after the common prefix of both bounds. More are more precise, but cost up to 30 terms each. */
const EXACT_DIGITS = 3;
/** Minimum digits. The first three of a number only give its power of two. */
const NUMBER_DIGITS = 6;
/** Precision of some hours. */
const INSTANT_EXACT_DIGITS = 7;
/** Precision of two bytes. */
const STRING_DIGITS = 4;

/** Inclusive; null means no bound. */
export interface Bounds<T> {
  readonly from: T | null;
  readonly to: T | null;
}

/** Prefixes that cover the digits of all numbers within the bounds. */
export function prefixesOfNumbers({ from, to }: Bounds<number>): readonly string[] {
  return prefixesBetween(digitsOfNumber(from ?? -Infinity), digitsOfNumber(to ?? Infinity), NUMBER_DIGITS);
}

export function prefixesOfStrings({ from, to }: Bounds<string>): readonly string[] {
  const length = 2 * STRING_BYTES;
  const first = from === null ? '0'.repeat(length) : digitsOfString(from, '0');
  const last = to === null ? 'f'.repeat(length) : digitsOfString(to, 'f');
  return prefixesBetween(first, last, STRING_DIGITS);
}

/** @param bounds milliseconds since the epoch */
export function prefixesOfInstants({ from, to }: Bounds<number>): readonly string[] {
  const first = from === null ? '0'.repeat(INSTANT_DIGITS) : digitsOfInstant(from);
  const last = to === null ? 'f'.repeat(INSTANT_DIGITS) : digitsOfInstant(to);
  return prefixesBetween(first, last, INSTANT_EXACT_DIGITS);
}

/**
 * Prefixes that cover all digits from `first` to `last`, and a little more; none if first > last.
 *
 * @param first has as many digits as `last`
 * @param least minimum digits of a prefix
 */
function prefixesBetween(first: string, last: string, least: number): readonly string[] {
  if (first > last) return [];
  let shared = 0;
  while (shared < first.length && first[shared] === last[shared]) shared += 1;
  const length = Math.min(first.length, Math.max(least, shared + EXACT_DIGITS));
  const prefixes: string[] = [];
  collect(first.slice(0, shared), first.slice(0, length), last.slice(0, length), prefixes);
  return prefixes;
}

/** Adds the largest complete subtrees of the digit tree between two leaves, inclusive. */
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
