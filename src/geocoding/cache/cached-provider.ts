/**
 * A remote provider with what is around it: the cache, one call for equal questions at the same time, and the quota.
 */

import { LRUCache } from 'lru-cache';

import type { StoredGeocode, StoredPlace } from '../../domain/geocode.ts';
import { normaliseAddress } from '../address.ts';
import type { GeocodeCache } from './cache.ts';
import type { GeocodeOutcome, OnCall } from '../events.ts';
import { outcomeOf } from '../events.ts';
import { addressNotFound } from '../resilience/failures.ts';
import type { GeocodingCandidate, GeocodingResult } from '../geocoder.ts';
import { GEOCODING_PRECISIONS, MAX_CANDIDATES } from '../geocoder.ts';
import { digestOf } from '../resilience/per-key-cache.ts';
import type { Candidates, Lookup, Provider } from '../providers/provider.ts';
import { assertShortEnough } from '../providers/provider.ts';
import type { GeocodeQuota, QuotaLimits } from '../resilience/quota.ts';
import { QuotaError, quotaUsedUp } from '../resilience/quota.ts';
import type { GuardedProvider } from '../resilience/guarded-provider.ts';
import { SingleFlight } from '../resilience/single-flight.ts';
import type { Bounds, Time } from '../resilience/time.ts';

/** Milliseconds that a process keeps all candidates of an address, while somebody chooses one. */
export const CANDIDATES_AGE_MS = 60 * 60 * 1000;
/** Milliseconds that "not found" is cached. No terms limit it, but new houses are built. */
export const NEGATIVE_AGE_MS = 60 * 60 * 1000;
/** Milliseconds that the cache may take for one call. After that it counts as failed. */
const CACHE_PATIENCE_MS = 2_000;
/** Addresses whose candidates are remembered. */
const MAX_CACHED = 1_000;

export interface CachedProviderOptions {
  readonly cache: GeocodeCache;
  readonly quota: GeocodeQuota;
  readonly quotaLimits: QuotaLimits;
  readonly time: Time;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  readonly onCall: OnCall;
  readonly onCacheFailure: (error: unknown, requestId: string | undefined) => void;
}

export interface ProviderQuery {
  readonly lookup: Lookup;
  readonly mapId: string | null;
  readonly tokenId: string | null;
  readonly requestId?: string | undefined;
}

export interface CachedProvider {
  readonly provider: Provider;
  /** @throws ServiceError as the port says, or when the store cannot count; the signal's reason */
  geocode(query: ProviderQuery, bounds: Bounds): Promise<GeocodingResult>;
  /** As {@link geocode}. The first is kept like the answer of one. */
  candidates(query: ProviderQuery, bounds: Bounds): Promise<readonly GeocodingCandidate[]>;
}

interface CachedGeocode {
  readonly candidates: readonly GeocodingCandidate[];
  /** Milliseconds since the epoch. */
  readonly until: number;
}

interface CacheKey {
  /** The entry's key. */
  readonly key: string;
  readonly mapId: string | null;
}

export function createCachedProvider(
  remote: GuardedProvider,
  options: CachedProviderOptions,
): CachedProvider {
  const { cache, quota, quotaLimits, time, clock, onCall, onCacheFailure } = options;
  const { provider } = remote;
  const { terms } = provider;
  const flights = new SingleFlight<GeocodingResult>(time);
  const candidateFlights = new SingleFlight<readonly GeocodingCandidate[]>(time);
  const remembered = new LRUCache<string, CachedGeocode>({ max: MAX_CACHED });

  const count = async ({ tokenId, mapId }: ProviderQuery): Promise<void> => {
    if (quotaLimits.token <= 0 && quotaLimits.map <= 0) return;
    const now = clock();
    const usedUp = await quota.take({ token: tokenId, map: mapId }, quotaLimits, now);
    if (usedUp !== null) throw quotaUsedUp(usedUp, quotaLimits, now);
  };

  const reportCall = (
    { requestId }: ProviderQuery,
    outcome: GeocodeOutcome,
    start: number,
    isCacheHit: boolean,
  ) => onCall({ provider: provider.name, outcome, milliseconds: time.now() - start, isCacheHit, requestId });

  const call = async (query: ProviderQuery, bounds: Bounds): Promise<Candidates> => {
    const start = time.now();
    const report = (outcome: ReturnType<typeof outcomeOf>) => reportCall(query, outcome, start, false);
    try {
      const candidates = await remote.lookUp(query.lookup, bounds, () => count(query));
      report('found');
      return candidates;
    } catch (error) {
      if (bounds.signal.aborted) report('aborted');
      else report(error instanceof QuotaError ? 'quota' : outcomeOf(error));
      throw error;
    }
  };

  const reportHit = (query: ProviderQuery, outcome: 'found' | 'not_found', start: number) =>
    reportCall(query, outcome, start, true);

  /**
   * The entry of the cache. A cache that fails, or is too slow, counts as empty: the answer matters more than its
   * price.
   */
  const recall = async (
    key: string,
    requestId: string | undefined,
  ): Promise<GeocodingResult | 'unknown' | null> => {
    const now = clock();
    const entry = await patiently(requestId, () => cache.get(key, now), null);
    if (entry === null || (entry.expiresAt !== null && entry.expiresAt <= now)) return null;
    return readEntry(provider, entry);
  };

  /** An answer that cannot be kept is still given. */
  const keep = async (
    { key, mapId }: CacheKey,
    place: StoredPlace | null,
    requestId: string | undefined,
  ): Promise<void> => {
    const storedAt = clock();
    const age = place === null ? NEGATIVE_AGE_MS : terms.maxAgeMs;
    const expiresAt = age === null ? null : storedAt + age;
    const entry = { key, provider: provider.name, mapId, place, storedAt, expiresAt };
    await patiently(requestId, () => cache.put(entry), undefined);
  };

  const patiently = async <T>(
    requestId: string | undefined,
    work: () => Promise<T>,
    otherwise: T,
  ): Promise<T> => {
    const over = new AbortController();
    const impatience = time.sleep(CACHE_PATIENCE_MS, over.signal).then((): never => {
      throw new Error('The cache of geocodes did not answer in time.');
    });
    try {
      // A cache that throws before it returns a promise fails like any other.
      return await Promise.race([Promise.resolve().then(work), impatience]);
    } catch (error) {
      onCacheFailure(error, requestId);
      return otherwise;
    } finally {
      over.abort();
    }
  };

  const recallOrCall = async (
    slot: CacheKey,
    query: ProviderQuery,
    bounds: Bounds,
  ): Promise<GeocodingResult> => {
    const start = time.now();
    const kept = await recall(slot.key, query.requestId);
    if (kept !== null) reportHit(query, kept === 'unknown' ? 'not_found' : 'found', start);
    if (kept === 'unknown') throw addressNotFound(provider.title);
    return kept ?? bestOf(await callAndKeep(slot, query, bounds));
  };

  const callAndKeep = async (slot: CacheKey, query: ProviderQuery, bounds: Bounds): Promise<Candidates> => {
    try {
      const candidates = await call(query, bounds);
      const { placeId, latitude, longitude, precision } = candidates[0];
      await keep(slot, { placeId, latitude, longitude, precision }, query.requestId);
      return candidates;
    } catch (error) {
      if (outcomeOf(error) === 'not_found') await keep(slot, null, query.requestId);
      throw error;
    }
  };

  const recallOrCallAll = async (
    slot: CacheKey,
    query: ProviderQuery,
    bounds: Bounds,
  ): Promise<readonly GeocodingCandidate[]> => {
    const start = time.now();
    const known = remembered.get(slot.key);
    if (known !== undefined && known.until > clock()) {
      reportHit(query, 'found', start);
      return known.candidates;
    }
    // A kept answer is one place alone, so only that there is none saves the call.
    if ((await recall(slot.key, query.requestId)) === 'unknown') {
      reportHit(query, 'not_found', start);
      throw addressNotFound(provider.title);
    }
    const candidates = await callAndKeep(slot, query, bounds);
    const until = clock() + Math.min(CANDIDATES_AGE_MS, terms.maxAgeMs ?? Infinity);
    const kept = terms.keepsText
      ? candidates
      : candidates.map((candidate) => ({ ...candidate, formattedAddress: null }));
    remembered.set(slot.key, { candidates: kept, until });
    return candidates;
  };

  /** Once for all who ask for the same at the same time. */
  const share = async <T>(
    shared: SingleFlight<T>,
    { key }: CacheKey,
    bounds: Bounds,
    work: (bounds: Bounds) => Promise<T>,
  ): Promise<T> => {
    for (;;) {
      const { isFirst, result } = shared.join(key, bounds, work);
      try {
        return await result;
      } catch (error) {
        // The quota that is used up is another caller's, not this one's.
        if (isFirst || !(error instanceof QuotaError)) throw error;
      }
    }
  };

  return {
    provider,
    async geocode(query, bounds) {
      // First of all, since normalising 64 kB of combining marks takes half a second.
      assertShortEnough(provider, query.lookup);
      const slot = slotOf(provider, query);
      if (slot === null) return bestOf(await call(query, bounds));
      return share(flights, slot, bounds, (shared) => recallOrCall(slot, query, shared));
    },
    async candidates(query, bounds) {
      const wide = { ...query, lookup: { ...query.lookup, limit: MAX_CANDIDATES } };
      assertShortEnough(provider, wide.lookup);
      const slot = slotOf(provider, query);
      if (slot === null) return call(wide, bounds);
      return share(candidateFlights, slot, bounds, (shared) => recallOrCallAll(slot, wide, shared));
    },
  };
}

function bestOf([{ formattedAddress: _, ...best }]: Candidates): GeocodingResult {
  return best;
}

/**
 * Where an answer is cached and shared; null when the terms only allow to keep it for a map, and the query names none.
 */
function slotOf(
  { name, baseUrl, terms: { scope } }: Provider,
  { lookup, mapId }: ProviderQuery,
): CacheKey | null {
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
