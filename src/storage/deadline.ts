/** The time that one request has: for its caller's patience, for the database, and for searches. */

export interface TimeLimits {
  /** Milliseconds that the caller waits for the whole answer, from now on. */
  readonly totalMs: number;
  /** Milliseconds that all calls of the store may take together, but searches. */
  readonly storageMs: number;
  /** Milliseconds that all searches may take together; as many as `storageMs` by default. */
  readonly searchMs?: number;
}

/** Time that several calls take together. */
export class TimeBudget {
  #leftMs: number;

  constructor(milliseconds: number) {
    this.#leftMs = milliseconds;
  }

  /** Milliseconds; not above zero when it is used up. */
  get leftMs(): number {
    return this.#leftMs;
  }

  /** Called by an adapter with the time that a call has taken. */
  spend(milliseconds: number): void {
    this.#leftMs -= milliseconds;
  }
}

/**
 * Times that run out apart from each other. A geocoder's time does not count as the database's, and a write is not given
 * up because the caller waits no longer.
 */
export class Deadline {
  readonly #endsAt: number;
  /** What the database may still take, searches aside. */
  readonly storage: TimeBudget;
  readonly searches: TimeBudget;

  constructor({ totalMs, storageMs, searchMs = storageMs }: TimeLimits) {
    this.#endsAt = performance.now() + totalMs;
    this.storage = new TimeBudget(storageMs);
    this.searches = new TimeBudget(searchMs);
  }

  /** Milliseconds that the caller still waits; negative when that time is over. */
  get leftMs(): number {
    return this.#endsAt - performance.now();
  }
}
