/** A daily quota of calls to providers, by token and by map: a port, the one in memory, and what clients are told. */

import { ServiceError } from '../errors.ts';
import { toWholeSeconds } from './failures.ts';

export interface QuotaScopes {
  /** Identifier of the token that asks, and of the map; null where there is none, which then counts for nothing. */
  readonly token: string | null;
  readonly map: string | null;
}

export interface QuotaLimits {
  /** Calls a day, in UTC; 0 is without limit. */
  readonly token: number;
  readonly map: number;
}

export interface GeocodeQuota {
  /**
   * Counts one call for each scope that has a limit, or, where one of them has reached it, for none. Atomic: calls at
   * the same time never pass a limit together.
   *
   * @param now milliseconds since the epoch; the counts of its day in UTC ({@link quotaDay}) matter, older ones are to
   *   be removed
   * @returns the scope that is used up; null where the call is counted
   */
  take(scopes: QuotaScopes, limits: QuotaLimits, now: number): Promise<'token' | 'map' | null>;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** Of the caller's own, unlike a provider's limit: others who wait for the same address may well ask. */
export class QuotaError extends ServiceError {}

/** Days since the epoch, in UTC. */
export function quotaDay(now: number): number {
  return Math.floor(now / DAY_MS);
}

/** @param now milliseconds since the epoch */
export function quotaUsedUp(scope: 'token' | 'map', limits: QuotaLimits, now: number): QuotaError {
  const retryAfterSeconds = toWholeSeconds(((quotaDay(now) + 1) * DAY_MS - now) / 1000);
  return new QuotaError(
    'RATE_LIMITED',
    `The daily quota of this ${scope}, ${limits[scope]} geocoded addresses, is used up; it starts anew at midnight UTC.`,
    { retryAfterSeconds },
  );
}

export class MemoryGeocodeQuota implements GeocodeQuota {
  #day = Number.NaN;
  readonly #counts = new Map<string, number>();

  take(scopes: QuotaScopes, limits: QuotaLimits, now: number): Promise<'token' | 'map' | null> {
    if (this.#day !== quotaDay(now)) this.#counts.clear();
    this.#day = quotaDay(now);
    const counted = (['token', 'map'] as const).filter(
      (scope) => scopes[scope] !== null && limits[scope] > 0,
    );
    const countOf = (scope: 'token' | 'map') => this.#counts.get(`${scope}:${scopes[scope]}`) ?? 0;
    const usedUp = counted.find((scope) => countOf(scope) >= limits[scope]);
    if (usedUp !== undefined) return Promise.resolve(usedUp);
    for (const scope of counted) this.#counts.set(`${scope}:${scopes[scope]}`, countOf(scope) + 1);
    return Promise.resolve(null);
  }
}
