/** Clocks for tests: one that only a test advances, and one that skips timeouts. */

import type { GeocoderParts } from '../../src/geocoding/create-geocoder.ts';
import type { HttpGet } from '../../src/geocoding/providers/http.ts';
import { httpGet } from '../../src/geocoding/providers/http.ts';
import { SYSTEM_TIME } from '../../src/geocoding/resilience/time.ts';
import type { Time } from '../../src/geocoding/resilience/time.ts';

export interface FakeTime extends Time {
  /** Wakes sleepers in order of their time, and waits for what they do. */
  advance(milliseconds: number): Promise<void>;
  /** The number of sleepers. */
  sleepers(): number;
}

export function createFakeTime(): FakeTime {
  let now = 0;
  const sleeping = new Set<{ readonly until: number; readonly wake: () => void }>();
  return {
    now: () => now,
    sleep: (milliseconds, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) {
          reject(signal.reason as Error);
          return;
        }
        const leave = (): void => {
          sleeping.delete(sleeper);
          signal?.removeEventListener('abort', abort);
        };
        const abort = (): void => {
          leave();
          reject(signal?.reason as Error);
        };
        const sleeper = {
          until: now + milliseconds,
          wake: () => {
            leave();
            resolve();
          },
        };
        signal?.addEventListener('abort', abort);
        sleeping.add(sleeper);
      }),
    sleepers: () => sleeping.size,
    async advance(milliseconds) {
      const end = now + milliseconds;
      for (;;) {
        await settle();
        const [next] = [...sleeping]
          .filter(({ until }) => until <= end)
          .toSorted((a, b) => a.until - b.until);
        if (next === undefined) break;
        now = Math.max(now, next.until);
        next.wake();
      }
      now = end;
      await settle();
    },
  };
}

const ATTEMPT_MS = 100;

/** The system's time, with requests that skip the rest of their timeout. */
export function createSkippingTime(): Required<Pick<GeocoderParts, 'time' | 'get'>> {
  let skipped = 0;
  const time = { ...SYSTEM_TIME, now: () => SYSTEM_TIME.now() + skipped };
  const get: HttpGet = async (request, timeoutMs, signal) => {
    const end = time.now() + timeoutMs;
    const response = await httpGet(request, Math.min(timeoutMs, ATTEMPT_MS), signal);
    if ('failure' in response && response.failure === 'timeout') skipped += Math.max(0, end - time.now());
    return response;
  };
  return { time, get };
}

/** Waits until all work that needs only the event loop is done. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) {
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }
}
