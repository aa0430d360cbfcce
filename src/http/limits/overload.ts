/**
 * Detects overload: accepted requests wait too long for their handlers, or the event loop lags. New requests are then
 * rejected, so that those already accepted are served in time.
 */

/** Milliseconds between two measurements of the event loop's lag. */
const LOOK_EVERY_MS = 100;

export interface Overload {
  /** Whether to reject a request that arrives now. */
  isOverloaded(): boolean;
  /** An accepted request starts to wait. @returns the time in milliseconds, for {@link started} */
  enter(): number;
  /** Call it once per {@link enter}, whether or not the request's handler starts. */
  leave(): void;
  /** A request's handler starts. @param since result of {@link enter} */
  started(since: number): void;
  /** Stops measuring. */
  stop(): void;
}

/**
 * @param limitMs maximum wait of a request and lag of the event loop; 0 for no limit
 * @param now monotonic milliseconds
 */
export function watchOverload(limitMs: number, now: () => number = () => performance.now()): Overload {
  if (limitMs === 0) return NO_LIMIT;
  let waiting = 0;
  /** Milliseconds that the most recently started request waited. */
  let lastWait = 0;
  let lookedAt = now();
  /** Lag at the last measurement. */
  let lateness = 0;
  const latenessNow = () => now() - lookedAt - LOOK_EVERY_MS;
  const timer = setInterval(() => {
    lateness = latenessNow();
    lookedAt = now();
  }, LOOK_EVERY_MS);
  timer.unref();
  return {
    // If no request waits, let the next one in to measure its wait.
    isOverloaded: () => lateness > limitMs || latenessNow() > limitMs || (waiting > 0 && lastWait > limitMs),
    enter() {
      waiting += 1;
      return now();
    },
    leave() {
      waiting -= 1;
    },
    started(since) {
      lastWait = now() - since;
    },
    stop: () => clearInterval(timer),
  };
}

const NO_LIMIT: Overload = {
  isOverloaded: () => false,
  enter: () => 0,
  leave() {},
  started() {},
  stop() {},
};
