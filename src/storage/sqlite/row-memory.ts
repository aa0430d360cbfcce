/**
 * Rows that nearly every request reads, remembered until anything at all is written to the store, whichever process
 * writes it: to ask whether something was costs a fraction of what it costs to read a row.
 */

import { LRUCache } from 'lru-cache';

import type { LogicalTime } from '../logical-clock.ts';

/** Where rows are read from. */
export interface Versioned {
  /** Different after every commit, whoever made it; others' after `asOf` need not be noticed. */
  version(asOf?: LogicalTime): number;
}

/** Rows remembered at a time, of which each is small. */
const MAX_ROWS = 2_000;

export class RowMemory<T extends object> {
  readonly #source: Versioned;
  readonly #rows = new LRUCache<string, T>({ max: MAX_ROWS });
  #version: number | null = null;

  constructor(source: Versioned) {
    this.#source = source;
  }

  /**
   * @param read gives null where there is no row, which is not remembered: strangers could fill the memory with that
   * @param asOf how old the row may be; by default it is as new as the call
   * @returns the row, frozen: it may be given to many
   */
  get(key: string, asOf: LogicalTime | undefined, read: () => T | null): T | null {
    // Asked before the row is read: what is read then may be newer, and is forgotten the sooner.
    const version = this.#source.version(asOf);
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

/** All of it: a row is plain data. */
function freeze<T extends object>(row: T): T {
  for (const value of Object.values(row)) {
    if (typeof value === 'object' && value !== null) freeze(value as object);
  }
  return Object.freeze(row);
}
