/** The time limits of one request: for the whole response, for the database and for searches. */

export interface TimeLimits {
  /** Milliseconds until the caller stops waiting. */
  readonly totalMs: number;
  /** Milliseconds for all storage calls together, without searches. */
  readonly storageMs: number;
  /** Milliseconds for all searches together; `storageMs` by default. */
  readonly searchMs?: number;
}

/** Time shared by several calls. */
export class TimeBudget {
  #leftMs: number;

  constructor(milliseconds: number) {
    this.#leftMs = milliseconds;
  }

  /** Milliseconds; zero or less when used up. */
  get leftMs(): number {
    return this.#leftMs;
  }

  /** Adapters call it with the duration of each call. */
  spend(milliseconds: number): void {
    this.#leftMs -= milliseconds;
  }
}

/**
 * Separate budgets: time spent in a geocoder does not count as the database's, and a write goes on after its caller
 * stops waiting.
 */
export class Deadline {
  readonly #endsAt: number;
  /** For storage calls, without searches. */
  readonly storage: TimeBudget;
  readonly searches: TimeBudget;

  /** @param waitMs milliseconds that the caller is willing to wait */
  constructor(
    { totalMs, storageMs, searchMs = storageMs }: TimeLimits,
    waitMs = totalMs,
    budgets = { storage: new TimeBudget(storageMs), searches: new TimeBudget(searchMs) },
  ) {
    this.#endsAt = performance.now() + Math.min(totalMs, waitMs);
    this.storage = budgets.storage;
    this.searches = budgets.searches;
  }

  /** The same budgets, for a caller that waits at most so many milliseconds from now. */
  within(totalMs: number): Deadline {
    return new Deadline({ totalMs, storageMs: 0 }, this.leftMs, this);
  }

  /** Milliseconds until the caller stops waiting; negative afterwards. */
  get leftMs(): number {
    return this.#endsAt - performance.now();
  }
}
