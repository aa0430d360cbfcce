/**
 * Remembers rows that nearly every request reads, until anything is written to the store, by any process. To ask whether
 * something was written costs a fraction of reading a row.
 */

import { LRUCache } from 'lru-cache';

import type { ReadTimestamp } from '../read-timestamp.ts';

/** What rows are read from. */
export interface Versioned {
  /** A number that is another after every commit. Commits of other processes after `readTimestamp` need not be noticed. */
  version(readTimestamp?: ReadTimestamp): number;
}

/** Rows that are remembered at a time. Each is small. */
const MAX_ROWS = 2_000;

export class RowCache<T extends object> {
  readonly #source: Versioned;
  readonly #rows = new LRUCache<string, T>({ max: MAX_ROWS });
  #version: number | null = null;

  constructor(source: Versioned) {
    this.#source = source;
  }

  /**
   * @param readTimestamp how old the row may be; by default it is as new as the call
   * @param read gives null when there is no row. That is not remembered: strangers could fill the memory with it
   * @returns the row, frozen, since many callers get the same one
   */
  get(key: string, readTimestamp: ReadTimestamp | undefined, read: () => T | null): T | null {
    // Asked before the row is read. A row that is newer than the version is only forgotten sooner.
    const version = this.#source.version(readTimestamp);
    if (version !== this.#version) {
      this.#rows.clear();
      this.#version = version;
    }
    const known = this.#rows.get(key);
    if (known !== undefined) return known;
    const row = read();
    if (row !== null) this.#rows.set(key, freeze(row));
    return row;
  }
}

/** Freezes a row, which is plain data, in all its depth. */
function freeze<T extends object>(row: T): T {
  for (const value of Object.values(row)) {
    if (typeof value === 'object' && value !== null) freeze(value as object);
  }
  return Object.freeze(row);
}
