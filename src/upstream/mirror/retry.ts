/** Retries requests for as long as the upstream asks: no client waits for a mirror. */

import { setTimeout as delay } from 'node:timers/promises';

import { ServiceError } from '../../errors.ts';

/** Attempts per concurrent request. */
const MAX_TRIES = 5;
/** Longest `Retry-After` in seconds that is waited for. */
const MAX_WAIT_SECONDS = 60;
const TEMPORARY: readonly string[] = ['RATE_LIMITED', 'STORAGE_UNAVAILABLE'];

/** @throws the error of the last attempt; the signal's reason */
export type Retry = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Counts refusals over all requests, and resets the count after every success: of concurrent requests, a rate limit may
 * refuse the same one repeatedly.
 *
 * @param concurrency number of concurrent requests
 */
export function createRetry(signal: AbortSignal | undefined, concurrency = 1): Retry {
  let refusals = 0;
  return async (work) => {
    for (;;) {
      try {
        const response = await work();
        refusals = 0;
        return response;
      } catch (error) {
        const isTemporary = error instanceof ServiceError && TEMPORARY.includes(error.code);
        if (!isTemporary) throw error;
        refusals += 1;
        const seconds = error.retryAfterSeconds ?? 1;
        if (refusals >= MAX_TRIES * concurrency || seconds > MAX_WAIT_SECONDS) throw error;
        await delay(seconds * 1_000, undefined, { signal }).catch(() => signal?.throwIfAborted());
      }
    }
  };
}
