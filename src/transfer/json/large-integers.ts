/** Keeps integers that a double would round as strings, and reports them. */

import { findUnsafeInteger, quoteUnsafeIntegers } from '../../domain/json/json-integers.ts';
import type { Message } from '../message.ts';
import { message } from '../message.ts';

/** Maximum paths in the note. */
const MAX_LISTED = 5;

export class LargeIntegers {
  readonly #paths = new Set<string>();
  #count = 0;

  /** @returns the JSON with such integers as strings */
  keep(json: string): string {
    if (findUnsafeInteger(json) === null) return json;
    const { text, paths } = quoteUnsafeIntegers(json);
    this.#count += paths.length;
    for (const path of paths) if (this.#paths.size <= MAX_LISTED) this.#paths.add(path);
    return text;
  }

  /** A sentence for the report, if there were such integers. */
  notes(): readonly Message[] {
    if (this.#count === 0) return [];
    const listed =
      [...this.#paths].slice(0, MAX_LISTED).join(', ') + (this.#paths.size > MAX_LISTED ? ', …' : '');
    const what = this.#count === 1 ? '1 integer' : `${this.#count} integers`;
    const text = `${what} beyond ±9007199254740991 became strings of the same digits: ${listed}.`;
    return [message('largeIntegers', text, { count: this.#count, paths: listed })];
  }
}
