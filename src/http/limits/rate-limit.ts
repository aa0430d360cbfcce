/** Rate limits: requests per minute of a token or an address, counted across all worker processes. */

import { LRUCache } from 'lru-cache';

import { ServiceError } from '../../errors.ts';

export const WINDOW_MS = 60_000;
/** Tokens and addresses counted at once. Beyond that, the least recently seen one is dropped. */
const MAX_COUNTED = 100_000;
/** Maximum milliseconds until other processes learn of a request while the limit is far. */
const REPORT_MS = 100;

/** The count of a token or an address, including the current request. */
export interface RateLimitStatus {
  /** Requests allowed per window. */
  readonly limit: number;
  /** Requests left in this window, as far as this process knows. */
  readonly left: number;
  readonly resetsInMs: number;
}

/**
 * @param report gets the status, also when the limit is exceeded; not called without a limit
 * @throws ServiceError RATE_LIMITED, synchronously, so that simultaneous requests are counted one by one
 */
export type CountRequest = (key: string, report?: (rateLimitStatus: RateLimitStatus) => void) => void;

/** Separate limits: `requests` per token or address; `public` pages and exports per address. */
export type Rate = 'requests' | 'public';

/** Requests that one process has counted but not reported. */
export type Counts = readonly (readonly [key: string, count: number])[];

/** Count of one key in all processes. */
export interface Total {
  readonly key: string;
  readonly count: number;
  readonly endsInMs: number;
}

/** Sums the counts of the worker processes. */
export interface SharedCounts {
  readonly processes: number;
  /** Adds counts. Resolves to the new totals of these keys. */
  add(counts: Counts): Promise<readonly Total[]>;
  /** Notifies of keys that reached the limit through requests to other processes. */
  onUsedUp(listener: (totals: readonly Total[]) => void): void;
}

/** Replaceable in tests. */
export interface Clock {
  /** Monotonic milliseconds. */
  now(): number;
  /** Calls `work` once after a delay. @returns cancels the timer */
  setTimer(work: () => void, milliseconds: number): () => void;
}

export const SYSTEM_CLOCK: Clock = {
  now: () => performance.now(),
  setTimer(work, milliseconds) {
    const timer = setTimeout(work, milliseconds).unref();
    return () => clearTimeout(timer);
  },
};

interface Window {
  /** In the clock's milliseconds. */
  readonly endsAt: number;
  count: number;
}

/**
 * Counts requests. No request waits for another process: each process counts locally and reports soon, so requests
 * that arrive within a tenth of a second can exceed the limit.
 *
 * @param requestsPerMinute 0 for no limit
 */
export function createRateLimit(
  requestsPerMinute: number,
  shared: SharedCounts | null,
  clock: Clock = SYSTEM_CLOCK,
): CountRequest {
  if (requestsPerMinute === 0) return () => {};
  const windows = new LRUCache<string, Window>({ max: MAX_COUNTED });
  const reports = shared === null ? null : new Reports(requestsPerMinute, windows, shared, clock);
  return (key, report) => {
    const now = clock.now();
    let window = windows.get(key);
    if (window === undefined || now >= window.endsAt) {
      window = { endsAt: now + WINDOW_MS, count: 0 };
      windows.set(key, window);
      reports?.forget(key);
    }
    // Floating-point error could make it exceed the window.
    const resetsInMs = Math.min(WINDOW_MS, window.endsAt - now);
    if (window.count >= requestsPerMinute) {
      report?.({ limit: requestsPerMinute, left: 0, resetsInMs });
      throw new ServiceError(
        'RATE_LIMITED',
        `Over ${requestsPerMinute} requests a minute; wait and try again.`,
        { retryAfterSeconds: resetsInMs / 1_000 },
      );
    }
    window.count += 1;
    report?.({ limit: requestsPerMinute, left: requestsPerMinute - window.count, resetsInMs });
    reports?.count(key, window);
  };
}

/** Exchanges counts with the other processes, one report at a time. */
class Reports {
  readonly #limit: number;
  readonly #windows: LRUCache<string, Window>;
  readonly #shared: SharedCounts;
  readonly #clock: Clock;
  readonly #unreported = new Map<string, number>();
  #cancelTimer: (() => void) | null = null;
  #isUnderWay = false;
  #isUrgent = false;

  constructor(limit: number, windows: LRUCache<string, Window>, shared: SharedCounts, clock: Clock) {
    this.#clock = clock;
    this.#limit = limit;
    this.#windows = windows;
    this.#shared = shared;
    shared.onUsedUp((totals) => this.#learn(totals));
  }

  forget(key: string): void {
    this.#unreported.delete(key);
  }

  count(key: string, window: Window): void {
    const unreported = (this.#unreported.get(key) ?? 0) + 1;
    this.#unreported.set(key, unreported);
    // The first request of a window fetches the others' counts. After that, the unreported requests of all processes
    // together stay below what is left.
    const left = this.#limit - window.count;
    if (window.count === 1 || unreported * 2 * this.#shared.processes >= left) this.#reportNow();
    else this.#cancelTimer ??= this.#clock.setTimer(() => this.#reportNow(), REPORT_MS);
  }

  #reportNow(): void {
    if (this.#isUnderWay) {
      this.#isUrgent = true;
      return;
    }
    this.#cancelTimer?.();
    this.#cancelTimer = null;
    this.#isUrgent = false;
    this.#isUnderWay = true;
    const counts = [...this.#unreported];
    this.#unreported.clear();
    this.#shared.add(counts).then(
      (totals) => {
        this.#isUnderWay = false;
        this.#learn(totals);
        if (this.#isUrgent) this.#reportNow();
      },
      // The primary has exited, and this process will too.
      () => {},
    );
  }

  #learn(totals: readonly Total[]): void {
    const now = this.#clock.now();
    for (const { key, count, endsInMs } of totals) {
      const unreported = this.#unreported.get(key) ?? 0;
      this.#windows.set(key, { count: count + unreported, endsAt: now + endsInMs });
    }
  }
}

export interface Totals {
  /** Of the reported keys. */
  readonly totals: readonly Total[];
  /** Those of them that have reached the limit. The other processes should know at once. */
  readonly usedUp: readonly Total[];
}

/**
 * Adds up the counts of all worker processes, in the primary, which serves no requests itself.
 *
 * @returns a function that adds the counts of one process
 */
export function createRateTotals(
  requestsPerMinute: number,
  clock: Pick<Clock, 'now'> = SYSTEM_CLOCK,
): (counts: Counts) => Totals {
  const windows = new LRUCache<string, Window>({ max: MAX_COUNTED });
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
