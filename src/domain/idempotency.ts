/** What a request under an idempotency key is, given what the store remembers of that key (contract §1). */

/** Of a key that was used before: tells whether another request had the same body. */
export interface UsedKey {
  /** Compared for equality alone. */
  readonly digest: string;
}

/**
 * - `fresh`: nothing was stored under the key
 * - `replay`: the same request was stored before and is answered as it was then
 * - `conflict`: another request was stored under the key
 */
export type KeyUse = 'fresh' | 'replay' | 'conflict';

/** @param used what is remembered of the key; null where there is nothing, or where it has expired */
export function judgeKey(used: UsedKey | null | undefined, digest: string): KeyUse {
  if (used === null || used === undefined) return 'fresh';
  return used.digest === digest ? 'replay' : 'conflict';
}

/** A record counts until it expires. Both are milliseconds since the epoch. */
export function isKeyCounting(expiresAt: number, now: number): boolean {
  return expiresAt > now;
}
