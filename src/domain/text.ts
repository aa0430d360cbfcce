/** Rules for stored strings: every store and every JSON parser must keep them unchanged. */

import { badUserInput } from '../errors.ts';

/** C0, DEL and C1, as a character class of a regular expression. */
export const CONTROL_CHARACTERS = '\\u0000-\\u001f\\u007f-\\u009f';
const CONTROL_CHARACTER = new RegExp(`[${CONTROL_CHARACTERS}]`);

/** Number of Unicode code points; lone surrogates count as one. */
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

export function hasControlCharacter(text: string): boolean {
  return CONTROL_CHARACTER.test(text);
}

/** Whether the text has 1 to `maxLength` code points, no control characters and no lone surrogates. */
export function isPlainText(text: string, maxLength: number): boolean {
  if (text === '' || hasControlCharacter(text) || !text.isWellFormed()) return false;
  return countCodePoints(text) <= maxLength;
}

/** As {@link isPlainText}, and not blank. */
export function isLabel(text: string, maxLength: number): boolean {
  return isPlainText(text, maxLength) && !isBlank(text);
}

export function isBlank(text: string): boolean {
  return text.trim() === '';
}

/**
 * Refuses NUL characters, where some stores end a string, and lone surrogates, which UTF-8 cannot encode.
 *
 * @param label name in the error message, e.g. `name`
 */
export function assertStorable(text: string, label: string): void {
  if (text.includes('\0')) {
    throw badUserInput(`${label} contains a NUL character (U+0000), which is not allowed.`);
  }
  if (!text.isWellFormed()) {
    throw badUserInput(`${label} contains a lone surrogate; only well-formed Unicode is allowed.`);
  }
}

/** Quotes, escapes and shortens an input for an error message. */
export function quote(text: string): string {
  const shown = text.length > 60 ? `${text.slice(0, 57)}...` : text;
  return JSON.stringify(shown.toWellFormed());
}

/** Compares by code point, as UTF-8 bytes sort. */
export function compareCodePoints(a: string, b: string): number {
  if (a === b) return 0;
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
