/** The port for answers that are kept, and the one in memory. How long they may be kept is said in terms.ts. */

import { LRUCache } from 'lru-cache';

import type { StoredGeocode } from '../domain/geocode.ts';

export interface GeocodeCache {
  /**
   * The entry with that key, or null; never one that has expired.
   *
   * @param now milliseconds since the epoch
   * @throws anything: it counts as if there were no entry
   */
  get(key: string, now: number): Promise<StoredGeocode | null>;
  /**
   * Keeps the entry in the place of an earlier one with its key.
   *
   * @throws anything: the answer is given all the same, and will be asked for again
   */
  put(entry: StoredGeocode): Promise<void>;
}

/** Forgets the least recently used first. For tests, and for a process without a store. */
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
