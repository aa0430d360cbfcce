/**
 * Remembers rows that nearly every request reads, until anything is written to the store, by any process. To ask whether
 * something was written costs a fraction of reading a row.
 */

import { LRUCache } from 'lru-cache';

import type { LocationTemplate } from '../../domain/location-template.ts';
import type { PageRequest } from '../../domain/paging.ts';
import type { SortKey } from '../../domain/sort-key.ts';
import type { ReadTimestamp } from '../read-timestamp.ts';
import type { LocationsJson } from '../storage.ts';

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

/**
 * Pages that were asked for once. Only their keys are kept, so that a walk through a large map does not drive out the
 * pages that are asked for often.
 */
const MAX_SEEN = 2_000;
/** Memory that an entry takes beside its JSON. */
const ENTRY_BYTES = 1_000;

export interface PageCache {
  /** @param revision of the map; read before `read` is called */
  get(
    mapId: string,
    revision: number,
    page: PageRequest<SortKey>,
    template: LocationTemplate,
    read: () => LocationsJson,
  ): LocationsJson;
}

/** @param maxBytes of all pages together; 0 keeps none */
export function createPageCache(maxBytes: number): PageCache {
  if (maxBytes === 0) return { get: (_mapId, _revision, _page, _template, read) => read() };
  const pages = new LRUCache<string, LocationsJson>({
    maxSize: maxBytes,
    sizeCalculation: ({ json }) => json.bytes.length + ENTRY_BYTES,
  });
  const seen = new LRUCache<string, true>({ max: MAX_SEEN });
  return {
    get(mapId, revision, page, template, read) {
      const key = [mapId, revision, template.key, keyOf(page)].join('\0');
      const kept = pages.get(key);
      if (kept !== undefined) return kept;
      const made = read();
      if (seen.has(key)) pages.set(key, made);
      else seen.set(key, true);
      return made;
    },
  };
}

/** Made of all members, so that none can be forgotten. No value holds a NUL. */
function keyOf(request: object): string {
  let key = '';
  for (const [name, value] of Object.entries(request) as [string, unknown][]) {
    key += `${name}\0${typeof value === 'object' && value !== null ? `{${keyOf(value)}}` : String(value)}\0`;
  }
  return key;
}
