/** New orders between two existing ones (capabilities §9). */

import { compareOrderKeys, DECIMAL, encodeOrder, isNumberKey, nextWholeNumber } from './order.ts';
import { countCodePoints } from '../text.ts';

/** Maximum code points of a generated order. Callers may set longer ones. */
export const MAX_CHOSEN_LENGTH = 64;

export interface Gap {
  /** The order before the gap; null at the start of the list. */
  readonly low: string | null;
  /** The order after the gap; null at the end of the list. */
  readonly high: string | null;
  /** The largest number ever used as an order in the map. Only used at the end of the list. */
  readonly largestNumber: string | null;
}

/**
 * Ascending orders strictly between `low` and `high`, short and evenly spread: decimals, or texts between texts. At either
 * end of the list they are whole numbers.
 *
 * @returns null if `count` orders of the maximum length do not fit
 */
export function ordersBetween({ low, high, largestNumber }: Gap, count: number): readonly string[] | null {
  const orders = chooseOrders(low, high, largestNumber, count);
  return orders !== null && isShort(orders) ? orders : null;
}

function isShort(orders: readonly string[]): boolean {
  return orders.every((order) => countCodePoints(order) <= MAX_CHOSEN_LENGTH);
}

function chooseOrders(
  low: string | null,
  high: string | null,
  largestNumber: string | null,
  count: number,
): readonly string[] | null {
  if (low !== null && high !== null && compareOrderKeys(encodeOrder(low), encodeOrder(high)) >= 0)
    return null;
  if (low !== null && isText(low)) return textsBetween(low, high, count);
  if (high !== null && !isText(high)) {
    return low === null ? wholeNumbersBefore(high, count) : decimalsBetween(low, high, count);
  }
  if (high !== null) return low === null ? wholeNumbersAfter(null, count) : wholeNumbersAfter(low, count);
  const unused = largestNumber === null ? null : wholeNumbersAfter(largestNumber, count);
  return unused !== null && isShort(unused) ? unused : wholeNumbersAfter(low, count);
}

function isText(order: string): boolean {
  return !isNumberKey(encodeOrder(order));
}

function wholeNumbersAfter(number: string | null, count: number): readonly string[] {
  const first = BigInt(nextWholeNumber(number));
  return Array.from({ length: count }, (_, index) => String(first + BigInt(index)));
}

/** The last one is the largest whole number below `number`. */
function wholeNumbersBefore(number: string, count: number): readonly string[] {
  const units = scaled(number, 0, 'up');
  return Array.from({ length: count }, (_, index) => String(units - BigInt(count - index)));
}

/** More decimal places than a generated order can have. */
const MAX_PLACES = MAX_CHOSEN_LENGTH;

function decimalsBetween(low: string, high: string, count: number): readonly string[] | null {
  for (let places = 0; places <= MAX_PLACES; places += 1) {
    const first = scaled(low, places, 'down') + 1n;
    const last = scaled(high, places, 'up') - 1n;
    const room = last - first + 1n;
    if (room < BigInt(count)) continue;
    return Array.from({ length: count }, (_, index) =>
      toDecimal(first + (room * BigInt(2 * index + 1)) / BigInt(2 * count), places),
    );
  }
  return null;
}

/** A decimal in units of 10^-places, rounded if it has more digits. */
function scaled(decimal: string, places: number, rounding: 'up' | 'down'): bigint {
  const [, sign, whole = '0', fraction = ''] = DECIMAL.exec(decimal) ?? [];
  const kept = BigInt(whole + fraction.slice(0, places).padEnd(places, '0'));
  const isCut = /[1-9]/.test(fraction.slice(places));
  const units = sign === '-' ? -kept : kept;
  // Cutting off digits rounds towards zero.
  if (isCut && rounding === 'up' && sign !== '-') return units + 1n;
  if (isCut && rounding === 'down' && sign === '-') return units - 1n;
  return units;
}

function toDecimal(units: bigint, places: number): string {
  const sign = units < 0n ? '-' : '';
  const digits = String(units < 0n ? -units : units).padStart(places + 1, '0');
  const whole = digits.slice(0, digits.length - places);
  const fraction = digits.slice(digits.length - places).replace(/0+$/, '');
  return fraction === '' ? sign + whole : `${sign}${whole}.${fraction}`;
}

/** Bisects the gap, which keeps the texts short. */
function textsBetween(low: string, high: string | null, count: number): readonly string[] | null {
  if (count === 0) return [];
  if (high === null) return textsAfter(low, count);
  const middle = textBetween([...low], [...high]);
  if (middle === null) return null;
  const before = Math.floor((count - 1) / 2);
  const left = textsBetween(low, middle, before);
  const right = textsBetween(middle, high, count - 1 - before);
  return left === null || right === null ? null : [...left, middle, ...right];
}

function textsAfter(low: string, count: number): readonly string[] | null {
  const texts: string[] = [];
  for (let last: string = low; texts.length < count;) {
    const next = textAfter([...last].slice(0, MAX_CHOSEN_LENGTH));
    if (next === null) return null;
    texts.push(next);
    last = next;
  }
  return texts;
}

/** Increments the last character that can grow, so that repeated appends do not lengthen the text. */
function textAfter(low: readonly string[]): string | null {
  for (let at = low.length - 1; at >= 0; at -= 1) {
    const next = characterAfter(low[at] ?? '');
    if (next !== null) return asText([...low.slice(0, at), next].join(''));
  }
  return low.length < MAX_CHOSEN_LENGTH ? asText(`${low.join('')}${MIDDLE}`) : null;
}

/** @param high greater than `low` */
function textBetween(low: readonly string[], high: readonly string[]): string | null {
  let prefix = '';
  /** Whether the prefix still equals that of `low`, and of `high`. */
  let isLow = true;
  let isHigh = true;
  for (let at = 0; at <= MAX_CHOSEN_LENGTH; at += 1) {
    const above = isLow ? (low[at]?.codePointAt(0) ?? BEFORE_ALL) : BEFORE_ALL;
    const below = isHigh ? high[at]?.codePointAt(0) : AFTER_ALL;
    // The prefix is the whole of `high`, so nothing smaller begins with it.
    if (below === undefined) return null;
    const between = characterBetween(above, below);
    if (between !== null) return asText(prefix + between);
    // No character fits here: follow one of the two, and look at the next character.
    const follows = above === BEFORE_ALL ? below : above;
    if (follows !== below) isHigh = false;
    if (follows !== above) isLow = false;
    prefix += String.fromCodePoint(follows);
  }
  return null;
}

const BEFORE_ALL = -1;
const AFTER_ALL = 0x110000;
/** Readable characters in code point order. */
const READABLE = [...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'];
const MIDDLE = 'U';
/** Code points allowed in orders, as inclusive ranges: no control characters, no surrogates. */
const RANGES = [
  [0x20, 0x7e],
  [0xa0, 0xd7ff],
  [0xe000, 0x10ffff],
] as const;

/** Prefers readable characters. */
function characterBetween(above: number, below: number): string | null {
  const readable = READABLE.filter((character) => {
    const point = character.charCodeAt(0);
    return point > above && point < below;
  });
  const middle = readable[Math.floor(readable.length / 2)];
  if (middle !== undefined) return middle;
  for (const [first, last] of RANGES) {
    const [from, to] = [Math.max(first, above + 1), Math.min(last, below - 1)];
    if (from <= to) return String.fromCodePoint(Math.floor((from + to) / 2));
  }
  return null;
}

/** The next readable character, else the next allowed one. */
function characterAfter(character: string): string | null {
  const point = character.codePointAt(0) ?? AFTER_ALL;
  const readable = READABLE.find((other) => other.charCodeAt(0) > point);
  if (readable !== undefined) return readable;
  const range = RANGES.find(([, last]) => last > point);
  return range === undefined ? null : String.fromCodePoint(Math.max(range[0], point + 1));
}

/** Makes a text that would be read as a number slightly larger, so that it is not. */
function asText(order: string): string {
  return isText(order) ? order : `${order}${MIDDLE}`;
}
