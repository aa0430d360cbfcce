/** The time that one request has: for its caller's patience, and for the database. */

export interface TimeLimits {
  /** Milliseconds that the caller waits for the whole answer, from now on. */
  readonly totalMs: number;
  /** Milliseconds that all calls of the store may take together. */
  readonly storageMs: number;
}

/**
 * Two times that run out apart from each other. A geocoder's time does not count as the database's, and a write is not
 * given up because the caller waits no longer.
 */
export class Deadline {
  readonly #endsAt: number;
  #storageMs: number;

  constructor({ totalMs, storageMs }: TimeLimits) {
    this.#endsAt = performance.now() + totalMs;
    this.#storageMs = storageMs;
  }

  /** Milliseconds that the caller still waits; negative when that time is over. */
  get leftMs(): number {
    return this.#endsAt - performance.now();
  }

  /** Milliseconds that the database may still take. */
  get storageLeftMs(): number {
    return this.#storageMs;
  }

  /** Called by an adapter with the time that a call has taken. */
  spendStorage(milliseconds: number): void {
    this.#storageMs -= milliseconds;
  }
}
