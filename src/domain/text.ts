/** Rules for strings that are stored: only what every store and every JSON reader can hold unchanged. */

import { badUserInput } from '../errors.ts';

/** C0, DEL and C1, as they stand between the brackets of a regular expression. */
export const CONTROL_CHARACTERS = '\\u0000-\\u001f\\u007f-\\u009f';
const CONTROL_CHARACTER = new RegExp(`[${CONTROL_CHARACTERS}]`);

/** Number of Unicode code points; a lone surrogate counts as one. */
export function countCodePoints(text: string): number {
  let count = 0;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    const isLowHalf = unit >= 0xdc00 && unit <= 0xdfff && index > 0 && isHighSurrogate(text, index - 1);
    if (!isLowHalf) count += 1;
  }
  return count;
}

function isHighSurrogate(text: string, index: number): boolean {
  const unit = text.charCodeAt(index);
  return unit >= 0xd800 && unit <= 0xdbff;
}

/** True for C0, DEL and C1. */
export function hasControlCharacter(text: string): boolean {
  return CONTROL_CHARACTER.test(text);
}

/** Whether a text has 1 to `maxLength` code points, no control character and no lone surrogate. */
export function isPlainText(text: string, maxLength: number): boolean {
  if (text === '' || hasControlCharacter(text) || !text.isWellFormed()) return false;
  return countCodePoints(text) <= maxLength;
}

export function isBlank(text: string): boolean {
  return text.trim() === '';
}

/**
 * Refuses what cannot be stored unchanged: a NUL (some stores end a string there) and a lone surrogate (it has no
 * UTF-8 form).
 *
 * @param label how the message names the input, e.g. `name`
 */
export function assertStorable(text: string, label: string): void {
  if (text.includes('\0')) {
    throw badUserInput(`${label} contains a NUL character (U+0000), which is not allowed.`);
  }
  if (!text.isWellFormed()) {
    throw badUserInput(`${label} contains a lone surrogate; only well-formed Unicode is allowed.`);
  }
}

/** A short, printable form of an input for an error message: quoted, escaped, at most 60 characters. */
export function quote(text: string): string {
  const shown = text.length > 60 ? `${text.slice(0, 57)}...` : text;
  return JSON.stringify(shown.toWellFormed());
}

/** By Unicode code point, as UTF-8 bytes sort. */
export function compareCodePoints(a: string, b: string): number {
  if (a === b) return 0;
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
