/** The time that one request has: for its caller's patience, and for the database. */

export interface TimeLimits {
  /** Milliseconds that the caller waits for the whole answer, from now on. */
  readonly totalMs: number;
  /** Milliseconds that all calls of the store may take together. */
  readonly storageMs: number;
}

/** Time that a geocoder takes does not count against the database, nor is a write given up because the caller's time is over. */
export class Deadline {
  readonly #endsAt: number;
  #storageMs: number;

  constructor({ totalMs, storageMs }: TimeLimits) {
    this.#endsAt = performance.now() + totalMs;
    this.#storageMs = storageMs;
  }

  /** Milliseconds until the caller waits no longer; below 0 when it does not. */
  get leftMs(): number {
    return this.#endsAt - performance.now();
  }

  /** Milliseconds that the database may still take. */
  get storageLeftMs(): number {
    return this.#storageMs;
  }

  /** Told by an adapter how long a call has taken. */
  spendStorage(milliseconds: number): void {
    this.#storageMs -= milliseconds;
  }
}
