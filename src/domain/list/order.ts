/**
 * Order keys: a location's `order` encoded into a string whose UTF-8 bytes sort as the contract (§3) requires, so that
 * stores only compare bytes.
 *
 * A key is one class character and then
 *
 *   0  a negative number   (999 - exponent), nines' complement of the digits, `~`
 *   1  zero
 *   2  a positive number   exponent, digits
 *   3  any other text      the text itself (UTF-8 byte order is code point order)
 *
 * where the number is 0.DIGITS × 10^exponent without leading or trailing zeros in DIGITS, and the exponent is written
 * with 500 added, as three digits. Orders have at most 257 digits, so exponents span -255..257. `~` sorts after every
 * digit: of two negative numbers, the one with more digits is the smaller.
 */

import { badUserInput } from '../../errors.ts';
import { compareCodePoints, isPlainText } from '../text.ts';

/** Byte-sortable form of an order; opaque outside this module. */
export type OrderKey = string;

/** Maximum code points of an order that a caller sets. */
export const MAX_ORDER_LENGTH = 256;

/** An order that sorts by value: sign, whole digits, fraction digits. */
export const DECIMAL = /^(-?)([0-9]+)(?:\.([0-9]+))?$/;
const WHOLE_NUMBER = /^[0-9]+$/;
/** Exact as a double, which is much faster than a BigInt. */
const SMALL_WHOLE_NUMBER = /^[0-9]{1,15}$/;
const EXPONENT_BIAS = 500;
/** Digits neither begin nor end with a zero; complemented digits of negative numbers, not with a nine. */
const ENCODED_NUMBER =
  /^(?:2(?<exponent>[0-9]{3})(?<digits>[1-9](?:[0-9]*[1-9])?)|0(?<mirrored>[0-9]{3})(?<complement>[0-8](?:[0-9]*[0-8])?)~)$/;

/**
 * Checks an order given by a caller.
 *
 * @param label name in the error message: `order` or `offset`
 * @throws ServiceError BAD_USER_INPUT
 */
export function assertOrder(order: string, label: string): void {
  if (!isOrder(order)) {
    throw badUserInput(
      `${label} must be 1 to ${MAX_ORDER_LENGTH} characters without control characters or lone surrogates.`,
    );
  }
}

/** As {@link assertOrder}, and also accepts the number after 256 nines, which only an append can make. */
export function assertAnyOrder(order: string, label: string): void {
  if (order.length === MAX_ORDER_LENGTH + 1 && WHOLE_NUMBER.test(order)) return;
  assertOrder(order, label);
}

/** Checks the start of a page. */
export function assertOffset(offset: string): void {
  assertAnyOrder(offset, 'offset');
}

function isOrder(order: string): boolean {
  return isPlainText(order, MAX_ORDER_LENGTH);
}

/** The nearest double if the text is a decimal number in the syntax of orders; else null. */
export function decimalOf(text: string): number | null {
  return DECIMAL.test(text) ? Number(text) : null;
}

/** Encodes an order that {@link assertOrder} accepts, or that {@link nextWholeNumber} made. */
export function encodeOrder(order: string): OrderKey {
  const match = DECIMAL.exec(order);
  if (match === null) return `3${order}`;
  const [, sign = '', whole = '', fraction = ''] = match;
  return encodeDecimal(sign === '-', whole, fraction);
}

function encodeDecimal(negative: boolean, whole: string, fraction: string): OrderKey {
  const digits = trimTrailingZeros(whole + fraction);
  const firstDigit = countLeadingZeros(digits);
  if (firstDigit === digits.length) return '1';
  const exponent = whole.length - firstDigit + EXPONENT_BIAS;
  const significant = digits.slice(firstDigit);
  return negative
    ? `0${threeDigits(999 - exponent)}${ninesComplement(significant)}~`
    : `2${threeDigits(exponent)}${significant}`;
}

function countLeadingZeros(digits: string): number {
  let count = 0;
  while (digits.charCodeAt(count) === 48) count += 1;
  return count;
}

function trimTrailingZeros(digits: string): string {
  let end = digits.length;
  while (end > 0 && digits.charCodeAt(end - 1) === 48) end -= 1;
  return digits.slice(0, end);
}

function threeDigits(number: number): string {
  return String(number).padStart(3, '0');
}

function ninesComplement(digits: string): string {
  let complement = '';
  for (let index = 0; index < digits.length; index += 1) complement += 57 - digits.charCodeAt(index);
  return complement;
}

/** Whether the key encodes a number rather than a text. */
export function isNumberKey(key: OrderKey): boolean {
  return !key.startsWith('3');
}

/** Whether {@link encodeOrder} can have made the key. Validates keys in cursors. */
export function isOrderKey(key: string): boolean {
  if (key === '1') return true;
  if (!isNumberKey(key)) return isOrder(key.slice(1)) && !DECIMAL.test(key.slice(1));
  const { exponent, digits, mirrored, complement } = ENCODED_NUMBER.exec(key)?.groups ?? {};
  if (exponent !== undefined && digits !== undefined) {
    const whole = Number(exponent) - EXPONENT_BIAS;
    const isAppended = whole === MAX_ORDER_LENGTH + 1 && digits.length <= whole;
    return isAppended || shortestLength(whole, digits.length) <= MAX_ORDER_LENGTH;
  }
  if (mirrored === undefined || complement === undefined) return false;
  return 1 + shortestLength(999 - Number(mirrored) - EXPONENT_BIAS, complement.length) <= MAX_ORDER_LENGTH;
}

/** Length of the shortest decimal for 0.DIGITS × 10^exponent. */
function shortestLength(exponent: number, digits: number): number {
  if (exponent <= 0) return '0.'.length - exponent + digits;
  return exponent >= digits ? exponent : digits + 1;
}

/** Compares keys by their UTF-8 bytes, as every store must. JavaScript's `<` compares UTF-16 units. */
export function compareOrderKeys(a: OrderKey, b: OrderKey): number {
  if (a === b) return 0;
  // Keys of numbers are ASCII, where both comparisons agree.
  if (isNumberKey(a) || isNumberKey(b)) return a < b ? -1 : 1;
  return compareCodePoints(a, b);
}

/** The larger of two numbers; ignores an order that is a text. */
export function largerNumber(largest: string | null, order: string): string | null {
  const key = encodeOrder(order);
  if (!isNumberKey(key)) return largest;
  if (largest === null) return order;
  return compareOrderKeys(encodeOrder(largest), key) < 0 ? order : largest;
}

/**
 * The order of an appended location if the last one is not a text: the next whole number after the largest number ever
 * used in the map; `"1"` in a new map.
 */
export function nextWholeNumber(largest: string | null): string {
  if (largest === null) return '1';
  if (SMALL_WHOLE_NUMBER.test(largest)) return String(Number(largest) + 1);
  const match = DECIMAL.exec(largest);
  if (match === null) throw new TypeError('The largest number of a map must be a decimal number.');
  const [, sign = '', whole = '', fraction = ''] = match;
  const truncated = BigInt(whole) * (sign === '-' ? -1n : 1n);
  const hasFraction = trimTrailingZeros(fraction) !== '';
  // Truncation has already rounded a negative fraction up.
  return String(sign === '-' && hasFraction ? truncated : truncated + 1n);
}
