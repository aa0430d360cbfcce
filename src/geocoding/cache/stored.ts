/** The geocoding cache and quotas in the store: shared by all servers, and kept across restarts. */

import type { StoredGeocode } from '../../domain/geocode.ts';
import type { GeocodeCache } from './cache.ts';
import type { GeocodeQuota, QuotaLimits, QuotaScopes } from '../resilience/quota.ts';
import { quotaDay } from '../resilience/quota.ts';

/** The part of the storage port used here. Declared again, because geocoding may not import storage. */
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
