/** Decides what a request with an idempotency key is: new, a replay or a conflict (contract §1). */

/** What is stored of a key that was used before. */
export interface UsedKey {
  /** Digest of the request body; only compared for equality. */
  readonly digest: string;
}

/**
 * - `fresh`: nothing was stored under the key
 * - `replay`: the same request was stored before; its result is returned again
 * - `conflict`: another request was stored under the key
 */
export type KeyUse = 'fresh' | 'replay' | 'conflict';

/** @param used null if the key is unknown or expired */
export function judgeKey(used: UsedKey | null | undefined, digest: string): KeyUse {
  if (used === null || used === undefined) return 'fresh';
  return used.digest === digest ? 'replay' : 'conflict';
}

/** Whether a key has not expired. Both in milliseconds since the epoch. */
export function isKeyCounting(expiresAt: number, now: number): boolean {
  return expiresAt > now;
}
