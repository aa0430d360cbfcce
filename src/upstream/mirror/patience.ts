/** Makes requests again when the upstream asks for that: nobody waits for an answer. */

import { setTimeout as delay } from 'node:timers/promises';

import { ServiceError } from '../../errors.ts';

/** How often one request is made, where the upstream asks to come again later. */
const MOST_TRIES = 5;
/** Seconds that are waited at most before it is made again. */
const MAX_WAIT_SECONDS = 60;
const MAY_PASS: readonly string[] = ['RATE_LIMITED', 'STORAGE_UNAVAILABLE'];

/** @throws what the work throws once it is tried no more; the signal's reason */
export type Patiently = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Refusals are counted over all requests, and anew after every answer: of many at once, a limit of the upstream's may
 * refuse the same one again and again.
 *
 * @param atOnce how many requests are made at once
 */
export function createPatience(signal: AbortSignal | undefined, atOnce = 1): Patiently {
  let refusals = 0;
  return async (work) => {
    for (;;) {
      try {
        const response = await work();
        refusals = 0;
        return response;
      } catch (error) {
        const mayPass = error instanceof ServiceError && MAY_PASS.includes(error.code);
        if (!mayPass) throw error;
        refusals += 1;
        const seconds = error.retryAfterSeconds ?? 1;
        if (refusals >= MOST_TRIES * atOnce || seconds > MAX_WAIT_SECONDS) throw error;
        await delay(seconds * 1_000, undefined, { signal }).catch(() => signal?.throwIfAborted());
      }
    }
  };
}
