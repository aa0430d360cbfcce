/** Integers of JSON that a double would round are kept as strings of their digits, and counted for the report. */

import { findUnsafeInteger, quoteUnsafeIntegers } from '../../domain/json/json-integers.ts';

/** Names that the note lists. */
const LISTED = 5;

export class LargeIntegers {
  readonly #paths = new Set<string>();
  #count = 0;

  /** @returns the same JSON, with such integers as strings */
  keep(json: string): string {
    if (findUnsafeInteger(json) === null) return json;
    const { text, paths } = quoteUnsafeIntegers(json);
    this.#count += paths.length;
    for (const path of paths) if (this.#paths.size <= LISTED) this.#paths.add(path);
    return text;
  }

  /** As a sentence; none where there were no such integers. */
  notes(): readonly string[] {
    if (this.#count === 0) return [];
    const listed = [...this.#paths].slice(0, LISTED).join(', ') + (this.#paths.size > LISTED ? ', …' : '');
    const what = this.#count === 1 ? '1 integer' : `${this.#count} integers`;
    return [`${what} beyond ±9007199254740991 became strings of the same digits: ${listed}.`];
  }
}
