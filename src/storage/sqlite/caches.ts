/**
 * Caches of rows and of pages as JSON, valid until the next write.
 *
 * Rows are dropped at every commit to the store, by any process: checking for one costs a fraction of reading a row.
 * Pages are stored under their map's revision, which every write to the map's list changes in its transaction.
 */

import { LRUCache } from 'lru-cache';

import type { LocationTemplate } from '../../domain/location-template.ts';
import type { PageRequest } from '../../domain/paging/paging.ts';
import type { SortKey } from '../../domain/list/sort-key.ts';
import type { ReadTimestamp } from '../read-timestamp.ts';
import type { LocationsJson } from '../storage.ts';

/** The source of the cached rows. */
export interface Versioned {
  /** Differs after every commit. May ignore commits of other processes after `readTimestamp`. */
  version(readTimestamp?: ReadTimestamp): number;
}

/** All rows are small. */
const MAX_ROWS = 2_000;

export class RowCache<T extends object> {
  readonly #source: Versioned;
  readonly #rows = new LRUCache<string, T>({ max: MAX_ROWS });
  #version: number | null = null;

  constructor(source: Versioned) {
    this.#source = source;
  }

  /**
   * @param readTimestamp how stale the row may be; by default it is as new as the call
   * @param read returns null for a missing row, which is not cached: strangers could fill the cache with them
   * @returns the row, frozen, since callers share it
   */
  get(key: string, readTimestamp: ReadTimestamp | undefined, read: () => T | null): T | null {
    // Read before the row: a row newer than its version is only dropped earlier.
    const version = this.#source.version(readTimestamp);
    if (version !== this.#version) {
      this.#rows.clear();
      this.#version = version;
    }
    const cached = this.#rows.get(key);
    if (cached !== undefined) return cached;
    const row = read();
    if (row !== null) this.#rows.set(key, freeze(row));
    return row;
  }
}

/** Freezes plain data recursively. */
function freeze<T extends object>(row: T): T {
  for (const value of Object.values(row)) {
    if (typeof value === 'object' && value !== null) freeze(value as object);
  }
  return Object.freeze(row);
}

/**
 * Keys of pages requested once. Only pages requested again are cached, so that a walk through a large map does not
 * evict popular pages.
 */
const MAX_REQUESTED_ONCE = 2_000;
/** Memory of an entry, without its JSON. */
const ENTRY_BYTES = 1_000;

export interface PageCache {
  /** @param revision of the map, read before `read` is called */
  get(
    mapId: string,
    revision: number,
    page: PageRequest<SortKey>,
    template: LocationTemplate,
    read: () => LocationsJson,
  ): LocationsJson;
}

/** @param maxBytes of all pages together; 0 disables the cache */
export function createPageCache(maxBytes: number): PageCache {
  if (maxBytes === 0) return { get: (_mapId, _revision, _page, _template, read) => read() };
  const pages = new LRUCache<string, LocationsJson>({
    maxSize: maxBytes,
    sizeCalculation: ({ json }) => json.bytes.length + ENTRY_BYTES,
  });
  const requestedOnce = new LRUCache<string, true>({ max: MAX_REQUESTED_ONCE });
  return {
    get(mapId, revision, page, template, read) {
      const key = [mapId, revision, template.key, keyOf(page)].join('\0');
      const cached = pages.get(key);
      if (cached !== undefined) return cached;
      const loaded = read();
      if (requestedOnce.has(key)) pages.set(key, loaded);
      else requestedOnce.set(key, true);
      return loaded;
    },
  };
}

/** Includes every member, so that none can be forgotten. No value contains a NUL. */
function keyOf(request: object): string {
  let key = '';
  for (const [name, value] of Object.entries(request) as [string, unknown][]) {
    key += `${name}\0${typeof value === 'object' && value !== null ? `{${keyOf(value)}}` : String(value)}\0`;
  }
  return key;
}
