/** The daily quota of provider calls per token and per map: the port, the in-memory adapter and the error. */

import { ServiceError } from '../../errors.ts';
import { toWholeSeconds } from './failures.ts';

export interface QuotaScopes {
  /** Ids of the caller's token and of the map; null for none, which is not counted. */
  readonly token: string | null;
  readonly map: string | null;
}

export interface QuotaLimits {
  /** Calls per day (UTC); 0 for no limit. */
  readonly token: number;
  readonly map: number;
}

export interface GeocodeQuota {
  /**
   * Counts one call in each scope that has a limit, or in none if one has reached its limit. Atomic, so concurrent calls
   * never exceed a limit.
   *
   * @param now milliseconds since the epoch. Counts are per day ({@link quotaDay}); older ones are deleted
   * @returns the scope whose quota is used up; null if the call was counted
   */
  take(scopes: QuotaScopes, limits: QuotaLimits, now: number): Promise<'token' | 'map' | null>;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** The caller's quota is used up. Unlike a provider's limit, this does not affect others who wait for the address. */
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
    `The daily quota of this ${scope}, ${limits[scope]} geocoded addresses, is used up; it resets at midnight UTC.`,
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
