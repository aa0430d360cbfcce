/** Cached geocodes, and quotas of geocoding: part of the storage port. */

import type { StoredGeocode } from '../domain/geocode.ts';

/** A counter with a limit, such as a token's geocoded addresses per day. */
export interface QuotaCount {
  readonly name: string;
  readonly limit: number;
}

export interface GeocodeStorage {
  /** The geocode stored under the key; null where there is none, or it has expired by `now`. */
  getGeocode(key: string, now: number): Promise<StoredGeocode | null>;
  /** Stores a geocode, and replaces an earlier one with its key. */
  putGeocode(geocode: StoredGeocode): Promise<void>;
  /**
   * Increments all counters, or none when one has reached its limit. Concurrent calls never exceed a limit together.
   *
   * @param expiresAt when the counters are removed
   * @returns the name of a counter at its limit; null when all were incremented
   */
  takeQuota(counts: readonly QuotaCount[], expiresAt: number): Promise<string | null>;
}
