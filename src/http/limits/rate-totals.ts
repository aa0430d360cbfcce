/** The counts of all serving processes together, kept by the primary, which itself does not serve. */

import { LRUCache } from 'lru-cache';

import type { Clock, Counts, Total } from './rate-limit.ts';
import { MAX_COUNTED, SYSTEM_CLOCK, WINDOW_MS } from './rate-limit.ts';

export interface Totals {
  /** Of all the keys that were reported. */
  readonly totals: readonly Total[];
  /** Those of them that have reached the limit. The other processes should know at once. */
  readonly usedUp: readonly Total[];
}

/** @returns a function that adds what one process has counted */
export function createRateTotals(
  requestsPerMinute: number,
  clock: Pick<Clock, 'now'> = SYSTEM_CLOCK,
): (counts: Counts) => Totals {
  const windows = new LRUCache<string, { readonly endsAt: number; count: number }>({ max: MAX_COUNTED });
  return (counts) => {
    const now = clock.now();
    const totals = counts.map(([key, added]) => {
      let window = windows.get(key);
      if (window === undefined || now >= window.endsAt) {
        window = { endsAt: now + WINDOW_MS, count: 0 };
        windows.set(key, window);
      }
      window.count += added;
      return { key, count: window.count, endsInMs: window.endsAt - now };
    });
    return { totals, usedUp: totals.filter(({ count }) => count >= requestsPerMinute) };
  };
}
