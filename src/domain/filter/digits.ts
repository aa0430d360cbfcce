/**
 * Digits of 32-bit integers, by lookup tables. `Number.prototype.toString` treats numbers from 2**31 on as fractions, which
 * takes ten times as long, and each location has dozens of them.
 */

/** All pairs of base-36 digits. */
const BASE36_PAIRS = tableOf(36 ** 2, 36);
/** All pairs of hexadecimal digits. */
const HEX_BYTES = tableOf(2 ** 8, 16);

function tableOf(size: number, base: number): readonly string[] {
  return Array.from({ length: size }, (_, value) => value.toString(base).padStart(2, '0'));
}

/** @param bits signed or unsigned 32-bit integer @returns 7 digits */
export function base36Of(bits: number): string {
  const low = bits >>> 0;
  const middle = Math.floor(low / 36 ** 2);
  const high = Math.floor(middle / 36 ** 2);
  const highest = high >= 36 ** 2 ? 1 : 0;
  return `${highest}${BASE36_PAIRS[high - highest * 36 ** 2]}${BASE36_PAIRS[middle % 36 ** 2]}${BASE36_PAIRS[low % 36 ** 2]}`;
}

/** @param bits signed or unsigned 32-bit integer @returns 8 digits */
export function hexOf(bits: number): string {
  return `${HEX_BYTES[bits >>> 24]}${HEX_BYTES[(bits >>> 16) & 0xff]}${HEX_BYTES[(bits >>> 8) & 0xff]}${HEX_BYTES[bits & 0xff]}`;
}
