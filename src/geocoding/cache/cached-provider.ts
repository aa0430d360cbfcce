/** A remote provider with a result cache, request coalescing and a daily quota. */

import { LRUCache } from 'lru-cache';

import type { StoredGeocode, StoredPlace } from '../../domain/geocode.ts';
import { normaliseAddress } from '../address.ts';
import type { GeocodeCache } from './cache.ts';
import type { GeocodeOutcome, OnCall } from '../events.ts';
import { outcomeOf } from '../events.ts';
import { addressNotFound } from '../resilience/failures.ts';
import type { GeocodingCandidate, GeocodingResult } from '../geocoder.ts';
import { GEOCODING_PRECISIONS, resultOf } from '../geocoder.ts';
import { digestOf } from '../resilience/per-key-cache.ts';
import type { Candidates, Lookup, Provider, ProviderResult, Question } from '../providers/provider.ts';
import { assertShortEnough } from '../providers/requests.ts';
import type { GeocodeQuota, QuotaLimits } from '../resilience/quota.ts';
import { QuotaError, quotaUsedUp } from '../resilience/quota.ts';
import type { GuardedProvider } from '../resilience/guarded-provider.ts';
import { SingleFlight } from '../resilience/single-flight.ts';
import type { Bounds, Time } from '../resilience/time.ts';

/** Milliseconds that a process keeps the candidates of an address, while a user chooses one. */
export const CANDIDATES_AGE_MS = 60 * 60 * 1000;
/** Milliseconds that "not found" is cached. No terms limit it, but new houses are built. */
export const NEGATIVE_AGE_MS = 60 * 60 * 1000;
/** Milliseconds after which a cache operation counts as failed. */
const CACHE_TIMEOUT_MS = 2_000;
/** Addresses whose candidates are kept. */
const MAX_CANDIDATE_LISTS = 1_000;

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

export interface ProviderQuery<Kind extends Question['kind'] = Question['kind']> {
  readonly lookup: Lookup & { readonly kind: Kind };
  readonly mapId: string | null;
  readonly tokenId: string | null;
  readonly requestId?: string | undefined;
}

interface CandidateList {
  readonly candidates: readonly GeocodingCandidate[];
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

interface CacheKey {
  readonly key: string;
  /** The map that owns the entry; null if maps share it. */
  readonly mapId: string | null;
}

export class CachedProvider {
  readonly provider: Provider;
  readonly #guarded: GuardedProvider;
  readonly #options: CachedProviderOptions;
  readonly #flights: SingleFlight<GeocodingResult>;
  readonly #candidateFlights: SingleFlight<readonly GeocodingCandidate[]>;
  readonly #candidateLists = new LRUCache<string, CandidateList>({ max: MAX_CANDIDATE_LISTS });

  constructor(guarded: GuardedProvider, options: CachedProviderOptions) {
    this.provider = guarded.provider;
    this.#guarded = guarded;
    this.#options = options;
    this.#flights = new SingleFlight(options.time);
    this.#candidateFlights = new SingleFlight(options.time);
  }

  /** @throws ServiceError as in the port, or if the store cannot count; the signal's reason */
  async geocode(query: ProviderQuery<'forward'>, bounds: Bounds): Promise<GeocodingResult> {
    // Checked first: normalising 64 kB of combining marks takes half a second.
    assertShortEnough(this.provider, query.lookup);
    const key = cacheKeyOf(this.provider, query);
    if (key === null) return bestOf(this.provider, await this.#call(query, bounds));
    return share(this.#flights, key, bounds, (shared) => this.#geocodeCached(key, query, shared));
  }

  /** As {@link geocode}, with all candidates. The first is cached as the result of the address. */
  async candidates(query: ProviderQuery<'forward'>, bounds: Bounds): Promise<readonly GeocodingCandidate[]> {
    assertShortEnough(this.provider, query.lookup);
    const key = cacheKeyOf(this.provider, query);
    if (key === null) return (await this.#call(query, bounds)).map(toCandidate);
    return share(this.#candidateFlights, key, bounds, (shared) => this.#candidatesCached(key, query, shared));
  }

  /**
   * Results that are not cached: of a point, and of a text that is being typed.
   *
   * @throws ServiceError as {@link geocode}
   */
  async uncached(query: ProviderQuery<'reverse' | 'suggest'>, bounds: Bounds): Promise<Candidates> {
    assertShortEnough(this.provider, query.lookup);
    return this.#call(query, bounds);
  }

  async #geocodeCached(
    key: CacheKey,
    query: ProviderQuery<'forward'>,
    bounds: Bounds,
  ): Promise<GeocodingResult> {
    const start = this.#options.time.now();
    const cached = await this.#readCache(key.key, query.requestId);
    if (cached !== null) this.#reportHit(query, cached === 'not found' ? 'not_found' : 'found', start);
    if (cached === 'not found') throw addressNotFound(this.provider.title);
    return cached ?? bestOf(this.provider, await this.#callAndCache(key, query, bounds));
  }

  async #candidatesCached(
    key: CacheKey,
    query: ProviderQuery,
    bounds: Bounds,
  ): Promise<readonly GeocodingCandidate[]> {
    const { time, clock } = this.#options;
    const start = time.now();
    const known = this.#candidateLists.get(key.key);
    if (known !== undefined && known.expiresAt > clock()) {
      this.#reportHit(query, 'found', start);
      return known.candidates;
    }
    // The cache holds one result per address, so only a cached "not found" saves the call.
    if ((await this.#readCache(key.key, query.requestId)) === 'not found') {
      this.#reportHit(query, 'not_found', start);
      throw addressNotFound(this.provider.title);
    }
    return (await this.#callAndCache(key, query, bounds)).map(toCandidate);
  }

  async #callAndCache(key: CacheKey, query: ProviderQuery, bounds: Bounds): Promise<Candidates> {
    try {
      const candidates = await this.#call(query, bounds);
      this.#keepCandidates(key, candidates);
      const { provider: _, ...place } = bestOf(this.provider, candidates);
      await this.#writeCache(key, place, query.requestId);
      return candidates;
    } catch (error) {
      if (outcomeOf(error) === 'not_found') await this.#writeCache(key, null, query.requestId);
      throw error;
    }
  }

  #keepCandidates({ key }: CacheKey, results: Candidates): void {
    const { terms } = this.provider;
    const candidates = results.map(toCandidate);
    this.#candidateLists.set(key, {
      candidates: terms.keepsText
        ? candidates
        : candidates.map((candidate) => ({ ...candidate, formattedAddress: null })),
      expiresAt: this.#options.clock() + Math.min(CANDIDATES_AGE_MS, terms.maxAgeMs ?? Infinity),
    });
  }

  async #call(query: ProviderQuery, bounds: Bounds): Promise<Candidates> {
    const start = this.#options.time.now();
    try {
      const candidates = await this.#guarded.lookUp(query.lookup, bounds, () => this.#takeQuota(query));
      this.#report(query, 'found', start, false);
      return candidates;
    } catch (error) {
      const outcome = error instanceof QuotaError ? 'quota' : outcomeOf(error);
      this.#report(query, bounds.signal.aborted ? 'aborted' : outcome, start, false);
      throw error;
    }
  }

  async #takeQuota({ tokenId, mapId }: ProviderQuery): Promise<void> {
    const { quota, quotaLimits, clock } = this.#options;
    if (quotaLimits.token <= 0 && quotaLimits.map <= 0) return;
    const now = clock();
    const usedUp = await quota.take({ token: tokenId, map: mapId }, quotaLimits, now);
    if (usedUp !== null) throw quotaUsedUp(usedUp, quotaLimits, now);
  }

  async #readCache(
    key: string,
    requestId: string | undefined,
  ): Promise<GeocodingResult | 'not found' | null> {
    const { cache, clock } = this.#options;
    const now = clock();
    const entry = await this.#tryCache(requestId, () => cache.get(key, now), null);
    if (entry === null || (entry.expiresAt !== null && entry.expiresAt <= now)) return null;
    return readEntry(this.provider, entry);
  }

  async #writeCache(
    { key, mapId }: CacheKey,
    place: StoredPlace | null,
    requestId: string | undefined,
  ): Promise<void> {
    const { cache, clock } = this.#options;
    const { name, terms } = this.provider;
    const storedAt = clock();
    const age = place === null ? NEGATIVE_AGE_MS : terms.maxAgeMs;
    const expiresAt = age === null ? null : storedAt + age;
    const entry = { key, provider: name, mapId, place, storedAt, expiresAt };
    await this.#tryCache(requestId, () => cache.put(entry), undefined);
  }

  /** Reports a cache that fails or is slow, and continues without it: a result matters more than its price. */
  async #tryCache<T>(requestId: string | undefined, operation: () => Promise<T>, fallback: T): Promise<T> {
    const { time, onCacheFailure } = this.#options;
    const done = new AbortController();
    const timeout = time.sleep(CACHE_TIMEOUT_MS, done.signal).then((): never => {
      throw new Error(`The geocode cache did not respond within ${CACHE_TIMEOUT_MS} ms.`);
    });
    try {
      // Started in a promise, so that a synchronous throw fails the same way.
      return await Promise.race([Promise.resolve().then(operation), timeout]);
    } catch (error) {
      onCacheFailure(error, requestId);
      return fallback;
    } finally {
      done.abort();
    }
  }

  #reportHit(query: ProviderQuery, outcome: 'found' | 'not_found', start: number): void {
    this.#report(query, outcome, start, true);
  }

  #report({ requestId }: ProviderQuery, outcome: GeocodeOutcome, start: number, isCacheHit: boolean): void {
    const { time, onCall } = this.#options;
    onCall({
      provider: this.provider.name,
      outcome,
      milliseconds: time.now() - start,
      isCacheHit,
      requestId,
    });
  }
}

/** Coalesces equal concurrent queries into one. */
async function share<T>(
  flights: SingleFlight<T>,
  { key }: CacheKey,
  bounds: Bounds,
  work: (bounds: Bounds) => Promise<T>,
): Promise<T> {
  for (;;) {
    const { isFirst, result } = flights.join(key, bounds, work);
    try {
      return await result;
    } catch (error) {
      // The exhausted quota is that of the first caller; the others try with their own.
      if (isFirst || !(error instanceof QuotaError)) throw error;
    }
  }
}

function toCandidate({ parts: _, ...candidate }: ProviderResult): GeocodingCandidate {
  return candidate;
}

function bestOf({ terms }: Provider, candidates: Candidates): GeocodingResult {
  const result = resultOf(candidates);
  return terms.keepsText ? result : { ...result, label: null };
}

/** Part of the key: results of before house numbers were compared, and without labels, are not used any more. */
const CACHE_FORMAT = '2';

/** Null if the terms allow caching only for a map, and the query names none. */
function cacheKeyOf(
  { name, baseUrl, terms: { scope } }: Provider,
  { lookup, mapId }: ProviderQuery<'forward'>,
): CacheKey | null {
  const owner = { map: mapId, key: lookup.key, everybody: '' }[scope];
  if (owner === null) return null;
  // The server is part of the key: the operator's own server may give other results than the public one.
  const server = [CACHE_FORMAT, name, baseUrl, scope, owner] as const;
  const key = digestOf(...server, areaText(lookup.area), normaliseAddress(lookup.address));
  return { key, mapId: scope === 'map' ? mapId : null };
}

function areaText(area: Lookup['area']): string {
  if (area === null) return '';
  const { countries, bounds, language } = area;
  return JSON.stringify([
    countries,
    bounds && [bounds.south, bounds.west, bounds.north, bounds.east],
    language,
  ]);
}

/** Null if another program wrote the entry. */
function readEntry({ shownName }: Provider, { place }: StoredGeocode): GeocodingResult | 'not found' | null {
  if (place === null) return 'not found';
  const { placeId, latitude, longitude, label = null, isAmbiguous = false } = place;
  const precision = GEOCODING_PRECISIONS.find((known) => known === place.precision);
  if (precision === undefined) return null;
  return { placeId, latitude, longitude, provider: shownName, precision, label, isAmbiguous };
}
