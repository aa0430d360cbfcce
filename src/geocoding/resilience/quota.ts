/** A daily quota of calls to providers, for each token and each map: the port, the one in memory, and the error. */

import { ServiceError } from '../../errors.ts';
import { toWholeSeconds } from './failures.ts';

export interface QuotaScopes {
  /** Ids of the asking token and of the map; null for none, which is not counted. */
  readonly token: string | null;
  readonly map: string | null;
}

export interface QuotaLimits {
  /** Calls a day, in UTC; 0 is no limit. */
  readonly token: number;
  readonly map: number;
}

export interface GeocodeQuota {
  /**
   * Counts one call for each scope that has a limit. When one of them has reached its limit, counts nothing. Atomic:
   * simultaneous calls never pass a limit together.
   *
   * @param now milliseconds since the epoch. Only the counts of its day in UTC ({@link quotaDay}) matter; older ones
   *   are to be removed
   * @returns the scope whose quota is used up; null when the call was counted
   */
  take(scopes: QuotaScopes, limits: QuotaLimits, now: number): Promise<'token' | 'map' | null>;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** The caller's own quota. Unlike a provider's limit, it does not concern others who wait for the same address. */
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
