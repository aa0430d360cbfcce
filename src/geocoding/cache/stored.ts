/** The cache and quotas of geocoding, kept in the store: all gateways share them, and they survive a restart. */

import type { StoredGeocode } from '../../domain/geocode.ts';
import type { GeocodeCache } from './cache.ts';
import type { GeocodeQuota, QuotaLimits, QuotaScopes } from '../resilience/quota.ts';
import { quotaDay } from '../resilience/quota.ts';

/** What this needs of the storage port. Written out, since adapters of one port do not know another port. */
export interface GeocodeStore {
  getGeocode(key: string, now: number): Promise<StoredGeocode | null>;
  putGeocode(entry: StoredGeocode): Promise<void>;
  takeQuota(
    counts: readonly { readonly name: string; readonly limit: number }[],
    expiresAt: number,
  ): Promise<string | null>;
}

const DAY_MS = 24 * 60 * 60 * 1000;

export function storedCache(store: GeocodeStore): GeocodeCache {
  return {
    // The store returns only what `put` was given.
    get: (key, now) => store.getGeocode(key, now),
    put: (entry) => store.putGeocode(entry),
  };
}

export function storedQuota(store: GeocodeStore): GeocodeQuota {
  return {
    async take(scopes, limits, now) {
      const day = quotaDay(now);
      const counted = countedScopes(scopes, limits);
      const counts = counted.map((scope) => ({
        name: `geocodes ${day} ${scope} ${scopes[scope] ?? ''}`,
        limit: limits[scope],
      }));
      if (counts.length === 0) return null;
      const usedUp = await store.takeQuota(counts, (day + 1) * DAY_MS);
      return counted.find((_scope, index) => counts[index]?.name === usedUp) ?? null;
    },
  };
}

function countedScopes(scopes: QuotaScopes, limits: QuotaLimits) {
  return (['token', 'map'] as const).filter((scope) => scopes[scope] !== null && limits[scope] > 0);
}
