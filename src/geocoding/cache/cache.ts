/** The port for cached results, and its in-memory adapter. */

import { LRUCache } from 'lru-cache';

import type { StoredGeocode } from '../../domain/geocode.ts';

export interface GeocodeCache {
  /**
   * Null if there is no entry or it has expired.
   *
   * @param now milliseconds since the epoch
   * @throws anything: callers treat a failure as a miss
   */
  get(key: string, now: number): Promise<StoredGeocode | null>;
  /**
   * Replaces an entry with the same key.
   *
   * @throws anything: callers return the result uncached
   */
  put(entry: StoredGeocode): Promise<void>;
}

/** Evicts the least recently used entry first. For tests, and for a process without a store. */
export class MemoryGeocodeCache implements GeocodeCache {
  readonly #entries: LRUCache<string, StoredGeocode>;

  constructor(limit = 10_000) {
    this.#entries = new LRUCache({ max: limit });
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: string, now: number): Promise<StoredGeocode | null> {
    const entry = this.#entries.get(key);
    if ((entry?.expiresAt ?? Infinity) > now) return Promise.resolve(entry ?? null);
    this.#entries.delete(key);
    return Promise.resolve(null);
  }

  put(entry: StoredGeocode): Promise<void> {
    this.#entries.set(entry.key, entry);
    return Promise.resolve();
  }
}
