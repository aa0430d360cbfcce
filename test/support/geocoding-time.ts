/** A time that passes only when told to. */

import type { Time } from '../../src/geocoding/resilience/time.ts';

export interface FakeTime extends Time {
  /** Wakes, in order, all who sleep until then, and lets what they do happen. */
  advance(milliseconds: number): Promise<void>;
  /** How many sleep. */
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

/** Lets everything happen that waits for nothing but its turn. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) {
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }
}
