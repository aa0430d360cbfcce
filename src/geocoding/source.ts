/**
 * A remote provider with what is around it: the cache, one call for equal questions at the same time, and the quota.
 */

import type { StoredGeocode, StoredPlace } from '../domain/geocode.ts';
import { normaliseAddress } from './address.ts';
import type { GeocodeCache } from './cache.ts';
import type { OnCall } from './events.ts';
import { outcomeOf } from './events.ts';
import { addressNotFound } from './failures.ts';
import type { GeocodingResult } from './geocoder.ts';
import { GEOCODING_PRECISIONS } from './geocoder.ts';
import { digestOf } from './keyed-state.ts';
import type { Lookup, Provider } from './provider.ts';
import { assertShortEnough } from './provider.ts';
import type { GeocodeQuota, QuotaLimits } from './quota.ts';
import { QuotaError, quotaUsedUp } from './quota.ts';
import type { Remote } from './remote.ts';
import { SingleFlight } from './single-flight.ts';
import { NEGATIVE_AGE_MS, TERMS } from './terms.ts';
import type { Bounds, Time } from './time.ts';

/** Milliseconds that the cache may take for one call. After that it counts as failed. */
const CACHE_PATIENCE_MS = 2_000;

export interface SourceOptions {
  readonly cache: GeocodeCache;
  readonly quota: GeocodeQuota;
  readonly quotaLimits: QuotaLimits;
  readonly time: Time;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  readonly onCall: OnCall;
  readonly onCacheFailure: (error: unknown) => void;
}

export interface SourceQuery {
  readonly lookup: Lookup;
  readonly mapId: string | null;
  readonly tokenId: string | null;
}

export interface Source {
  readonly provider: Provider;
  /** @throws ServiceError as the port says, or when the store cannot count; the signal's reason */
  geocode(query: SourceQuery, bounds: Bounds): Promise<GeocodingResult>;
}

interface CacheSlot {
  /** The entry's key. */
  readonly key: string;
  readonly mapId: string | null;
}

export function createSource(remote: Remote, options: SourceOptions): Source {
  const { cache, quota, quotaLimits, time, clock, onCall, onCacheFailure } = options;
  const { provider } = remote;
  const terms = TERMS[provider.name];
  const flights = new SingleFlight<GeocodingResult>(time);

  const count = async ({ tokenId, mapId }: SourceQuery): Promise<void> => {
    if (quotaLimits.token <= 0 && quotaLimits.map <= 0) return;
    const now = clock();
    const usedUp = await quota.take({ token: tokenId, map: mapId }, quotaLimits, now);
    if (usedUp !== null) throw quotaUsedUp(usedUp, quotaLimits, now);
  };

  const call = async (query: SourceQuery, bounds: Bounds): Promise<GeocodingResult> => {
    const start = time.now();
    const tell = (outcome: ReturnType<typeof outcomeOf>) =>
      onCall({ provider: provider.name, outcome, milliseconds: time.now() - start, isCacheHit: false });
    try {
      const result = await remote.lookUp(query.lookup, bounds, () => count(query));
      tell('found');
      return result;
    } catch (error) {
      if (bounds.signal.aborted) tell('aborted');
      else tell(error instanceof QuotaError ? 'quota' : outcomeOf(error));
      throw error;
    }
  };

  /**
   * The entry of the cache. A cache that fails, or is too slow, counts as empty: the answer matters more than its
   * price.
   */
  const recall = async (key: string): Promise<GeocodingResult | 'unknown' | null> => {
    const start = time.now();
    const now = clock();
    const entry = await patiently(() => cache.get(key, now), null);
    if (entry === null || (entry.expiresAt !== null && entry.expiresAt <= now)) return null;
    const kept = readEntry(provider, entry);
    const outcome = kept === 'unknown' ? 'not_found' : 'found';
    const milliseconds = time.now() - start;
    if (kept !== null) onCall({ provider: provider.name, outcome, milliseconds, isCacheHit: true });
    return kept;
  };

  /** An answer that cannot be kept is still given. */
  const keep = async ({ key, mapId }: CacheSlot, place: StoredPlace | null): Promise<void> => {
    const storedAt = clock();
    const age = place === null ? NEGATIVE_AGE_MS : terms.maxAgeMs;
    const expiresAt = age === null ? null : storedAt + age;
    const entry = { key, provider: provider.name, mapId, place, storedAt, expiresAt };
    await patiently(() => cache.put(entry), undefined);
  };

  const patiently = async <T>(work: () => Promise<T>, otherwise: T): Promise<T> => {
    const over = new AbortController();
    const impatience = time.sleep(CACHE_PATIENCE_MS, over.signal).then((): never => {
      throw new Error('The cache of geocodes did not answer in time.');
    });
    try {
      // A cache that throws before it returns a promise fails like any other.
      return await Promise.race([Promise.resolve().then(work), impatience]);
    } catch (error) {
      onCacheFailure(error);
      return otherwise;
    } finally {
      over.abort();
    }
  };

  const recallOrCall = async (
    slot: CacheSlot,
    query: SourceQuery,
    bounds: Bounds,
  ): Promise<GeocodingResult> => {
    const kept = await recall(slot.key);
    if (kept === 'unknown') throw addressNotFound(provider.title);
    if (kept !== null) return kept;
    try {
      const result = await call(query, bounds);
      const { placeId, latitude, longitude, precision } = result;
      await keep(slot, { placeId, latitude, longitude, precision });
      return result;
    } catch (error) {
      if (outcomeOf(error) === 'not_found') await keep(slot, null);
      throw error;
    }
  };

  return {
    provider,
    async geocode(query, bounds) {
      // First of all, since normalising 64 kB of combining marks takes half a second.
      assertShortEnough(provider, query.lookup);
      const slot = slotOf(provider, query);
      if (slot === null) return call(query, bounds);
      for (;;) {
        const { isFirst, result } = flights.board(slot.key, bounds, (shared) =>
          recallOrCall(slot, query, shared),
        );
        try {
          return await result;
        } catch (error) {
          // The quota that is used up is another caller's, not this one's.
          if (isFirst || !(error instanceof QuotaError)) throw error;
        }
      }
    },
  };
}

/**
 * Where an answer is cached and shared; null when the terms only allow to keep it for a map, and the query names none.
 */
function slotOf({ name, baseUrl }: Provider, { lookup, mapId }: SourceQuery): CacheSlot | null {
  const { scope } = TERMS[name];
  const owner = { map: mapId, key: lookup.key, everybody: '' }[scope];
  if (owner === null) return null;
  // The server is part of the key: an answer of the operator's own server is not an answer of the public one.
  const key = digestOf(name, baseUrl, scope, owner, normaliseAddress(lookup.address));
  return { key, mapId: scope === 'map' ? mapId : null };
}

/** What the entry says; null when it was not written by this program. */
function readEntry({ name }: Provider, { place }: StoredGeocode): GeocodingResult | 'unknown' | null {
  if (place === null) return 'unknown';
  const { placeId, latitude, longitude } = place;
  const precision = GEOCODING_PRECISIONS.find((known) => known === place.precision);
  return precision === undefined ? null : { placeId, latitude, longitude, provider: name, precision };
}
