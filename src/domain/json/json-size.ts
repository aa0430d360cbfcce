/** Measures the JSON of a value without writing it. */

import { JsonText } from './json-text.ts';

/** Characters that JSON escapes, and surrogates, which it may escape. */
const ESCAPED = /["\\\u0000-\u001f\ud800-\udfff]/; // eslint-disable-line no-control-regex -- they are what is looked for

/**
 * Whether the value's JSON, in UTF-8, is longer than the limit. Counting stops there. `deeper`: it nests so deep that it
 * was not looked at any further.
 */
export function judgeJson(value: unknown, limit: number): 'within' | 'longer' | 'deeper' {
  const measure = new JsonMeasure();
  if (measure.bytesOf(value, limit) !== null) return 'within';
  return measure.isTooDeep ? 'deeper' : 'longer';
}

/** The sizes of longer values are remembered, since many aliases may repeat one string. */
const LONG_BYTES = 1_000;
/** Levels of nesting: no answer, and no input that is taken, has so many. More would end the stack. */
const MAX_DEPTH = 1_000;

export class JsonMeasure {
  #left = 0;
  #depth = 0;
  #isTooDeep = false;
  readonly #long = new Map<object, number>();

  /** @returns the bytes of the value's JSON in UTF-8; null when they are more than the limit, or it nests too deep */
  bytesOf(value: unknown, limit: number): number | null {
    // Of Infinity nothing could be taken.
    const most = Math.min(limit, Number.MAX_SAFE_INTEGER);
    this.#left = most;
    const left = this.#add(value);
    return left < 0 ? null : most - left;
  }

  get isTooDeep(): boolean {
    return this.#isTooDeep;
  }

  /** @returns what is left of the limit */
  #add(value: unknown): number {
    if (this.#left < 0) return this.#left;
    if (typeof value === 'string') this.#left -= bytesOfString(value);
    else if (typeof value !== 'object' || value === null) this.#left -= String(value).length;
    else if (value instanceof JsonText) this.#left -= value.byteLength;
    else this.#addMembers(value);
    return this.#left;
  }

  #addMembers(value: object): void {
    // No answer and no input that is taken nests so deep; the stack would end.
    if (this.#depth === MAX_DEPTH) {
      this.#isTooDeep = true;
      this.#left = -1;
      return;
    }
    const known = this.#long.get(value);
    const before = this.#left;
    this.#depth += 1;
    if (known !== undefined) this.#left -= known;
    else if (Array.isArray(value)) this.#addArray(value);
    else this.#addObject(value);
    this.#depth -= 1;
    const bytes = before - this.#left;
    // Beyond the limit it was not counted to its end.
    if (bytes > LONG_BYTES && this.#left >= 0) this.#long.set(value, bytes);
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

function bytesOfString(text: string): number {
  return ESCAPED.test(text) ? Buffer.byteLength(JSON.stringify(text)) : Buffer.byteLength(text) + 2;
}

/** Bytes of JSON that the value takes at least. Fast, to refuse early what is too long. */
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
