/** What bounds the work for one request: whether anybody still waits for the answer, and how long. */

export interface Bounds {
  /** Aborted once the caller has gone, with a {@link CallerGoneError}. */
  readonly signal: AbortSignal | undefined;
  /** Milliseconds that are left; below 0 when none are. */
  timeLeft(): number;
}

/** For work that nobody waits for at the other end of a connection. */
export const UNBOUNDED: Bounds = { signal: undefined, timeLeft: () => Number.POSITIVE_INFINITY };

/** Nobody is left to answer: no failure, and nothing to be logged. */
export class CallerGoneError extends Error {
  constructor() {
    super('The client has gone.');
  }
}
