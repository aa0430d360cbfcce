/** The rate that a token or an address may have: requests a minute, counted in all the processes that serve. */

import { LRUCache } from 'lru-cache';

import { ServiceError } from '../../errors.ts';

export const WINDOW_MS = 60_000;
/**
 * How many tokens and addresses are counted at the same time. Beyond that, the one that was silent longest is
 * forgotten.
 */
export const MAX_COUNTED = 100_000;
/** Milliseconds until the other processes hear of a request, at most, when the limit is far. */
const REPORT_MS = 100;

/** How a token or an address stands after a request was counted. */
export interface RateLimitStatus {
  /** Requests of a window. */
  readonly limit: number;
  /** Requests that are left in this window, as far as this process knows. */
  readonly left: number;
  readonly resetsInMs: number;
}

/**
 * @param tell told how the key stands, also when it throws; never called where there is no limit
 * @throws ServiceError RATE_LIMITED. It throws synchronously, so that simultaneous requests are counted one by one
 */
export type CountRequest = (key: string, report?: (rateLimitStatus: RateLimitStatus) => void) => void;

/** What is counted, each by itself: requests for their token or address, and public pages and exports for their address. */
export type Rate = 'requests' | 'public';

/** Requests that one process has counted and not yet reported. */
export type Counts = readonly (readonly [key: string, count: number])[];

/** Requests of all processes. */
export interface Total {
  readonly key: string;
  readonly count: number;
  readonly endsInMs: number;
}

/** Adds up what each of several serving processes has counted. */
export interface SharedCounts {
  readonly processes: number;
  /** Resolves to the totals of these keys. */
  add(counts: Counts): Promise<readonly Total[]>;
  /** The listener gets keys that have reached the limit because of requests to other processes. */
  onUsedUp(listener: (totals: readonly Total[]) => void): void;
}

/** Time as a rate limit sees it, so that tests can stand in for it. */
export interface Clock {
  /** Milliseconds that only ever grow; their zero means nothing. */
  now(): number;
  /** Calls `work` once after so many milliseconds. @returns cancels that */
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
  /** Milliseconds, of the clock. */
  readonly endsAt: number;
  count: number;
}

/**
 * Counts requests. A request never waits for another process: each process counts by itself and soon tells the others.
 * Requests that arrive before the others have heard, within a tenth of a second, can exceed the limit.
 *
 * @param requestsPerMinute 0 is no limit
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
    // A difference of two sums of fractions may be longer than the window.
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

/** Reports this process's counts to the others, and learns theirs. Only one report is under way at a time. */
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
    // The first request of a minute asks what the others have counted. After that, the unreported requests of all
    // processes together stay below what is left.
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
      // The primary is gone; then this process ends too.
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
