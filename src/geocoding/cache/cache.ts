/** The port for cached results, and the adapter in memory. A provider's terms say how long. */

import { LRUCache } from 'lru-cache';

import type { StoredGeocode } from '../../domain/geocode.ts';

export interface GeocodeCache {
  /**
   * The entry with that key; null when there is none or it has expired.
   *
   * @param now milliseconds since the epoch
   * @throws anything: it counts as if there were no entry
   */
  get(key: string, now: number): Promise<StoredGeocode | null>;
  /**
   * Keeps the entry and replaces an earlier one with the same key.
   *
   * @throws anything: the answer is still given, and the address is asked again next time
   */
  put(entry: StoredGeocode): Promise<void>;
}

/** Forgets the least recently used entry first. For tests, and for a process without a store. */
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
