/** Measures the JSON of a value without writing it. */

import { JsonText } from './json-text.ts';

/** Characters that JSON escapes, and surrogates, which it may escape. */
const ESCAPED = /["\\\u0000-\u001f\ud800-\udfff]/; // eslint-disable-line no-control-regex -- JSON escapes them

/**
 * Whether the value's JSON in UTF-8 is longer than the limit, where counting stops. `deeper`: it nests too deep to be
 * measured.
 */
export function judgeJson(value: unknown, limit: number): 'within' | 'longer' | 'deeper' {
  const measure = new JsonMeasure();
  if (measure.bytesOf(value, limit) !== null) return 'within';
  return measure.isTooDeep ? 'deeper' : 'longer';
}

/** Sizes of larger values are cached, since aliases may repeat one value many times. */
const LONG_BYTES = 1_000;
/** More levels of nesting than any response or accepted input has, and few enough for the stack. */
const MAX_DEPTH = 1_000;

export class JsonMeasure {
  #left = 0;
  #depth = 0;
  #isTooDeep = false;
  #long: Map<object, number> | null = null;

  /** @returns the bytes of the value's JSON in UTF-8; null beyond the limit, or if it nests too deep */
  bytesOf(value: unknown, limit: number): number | null {
    // Subtraction from Infinity would have no effect.
    const most = Math.min(limit, Number.MAX_SAFE_INTEGER);
    this.#left = most;
    const left = this.#add(value);
    return left < 0 ? null : most - left;
  }

  get isTooDeep(): boolean {
    return this.#isTooDeep;
  }

  /** @returns the rest of the limit */
  #add(value: unknown): number {
    if (this.#left < 0) return this.#left;
    if (typeof value === 'string') this.#left -= bytesOfString(value);
    else if (typeof value !== 'object' || value === null) this.#left -= String(value).length;
    else if (value instanceof JsonText) this.#left -= value.byteLength;
    else this.#addMembers(value);
    return this.#left;
  }

  #addMembers(value: object): void {
    if (this.#depth === MAX_DEPTH) {
      this.#isTooDeep = true;
      this.#left = -1;
      return;
    }
    const known = this.#long?.get(value);
    const before = this.#left;
    this.#depth += 1;
    if (known !== undefined) this.#left -= known;
    else if (Array.isArray(value)) this.#addArray(value);
    else this.#addObject(value);
    this.#depth -= 1;
    const bytes = before - this.#left;
    // Beyond the limit the count is incomplete.
    if (bytes > LONG_BYTES && this.#left >= 0) (this.#long ??= new Map()).set(value, bytes);
  }

  #addArray(items: readonly unknown[]): void {
    // Brackets and commas.
    this.#left -= Math.max(2, items.length + 1);
    for (const item of items) if (this.#add(item) < 0) return;
  }

  #addObject(object: object): void {
    let members = 0;
    for (const key in object) {
      const value = (object as Record<string, unknown>)[key];
      if (value === undefined) continue;
      members += 1;
      // A colon.
      this.#left -= bytesOfString(key) + 1;
      if (this.#add(value) < 0) return;
    }
    this.#left -= Math.max(2, members + 1);
  }
}

/** Up to this length, looking at each character takes less time than calls into native code. */
const SHORT = 40;
const [QUOTE, BACKSLASH, FIRST_PRINTABLE, FIRST_OF_TWO_BYTES] = [0x22, 0x5c, 0x20, 0x80];

function bytesOfString(text: string): number {
  return isShortAndPlain(text) ? text.length + 2 : bytesOfAnyString(text);
}

function isShortAndPlain(text: string): boolean {
  if (text.length > SHORT) return false;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit < FIRST_PRINTABLE || unit >= FIRST_OF_TWO_BYTES || unit === QUOTE || unit === BACKSLASH)
      return false;
  }
  return true;
}

function bytesOfAnyString(text: string): number {
  return ESCAPED.test(text) ? Buffer.byteLength(JSON.stringify(text)) : Buffer.byteLength(text) + 2;
}

/** A lower bound of the value's JSON in bytes. Fast, to refuse large values early. */
export function leastJsonBytes(value: unknown): number {
  if (typeof value === 'string') return value.length + 2;
  if (typeof value !== 'object' || value === null) return 1;
  let bytes = 2;
  for (const key in value) {
    if (!Array.isArray(value)) bytes += key.length + 3;
    bytes += leastJsonBytes((value as Record<string, unknown>)[key]);
  }
  return bytes;
}
