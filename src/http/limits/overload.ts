/**
 * Whether more requests come than this process can serve: those that are let in wait long before their handlers start,
 * or the event loop is late. New ones are then refused, so that the ones before them are answered in time.
 */

/** Milliseconds between two looks at the event loop. */
const LOOK_EVERY_MS = 100;

export interface Overload {
  /** Whether a request that arrives now is to be refused. */
  isOverloaded(): boolean;
  /** A request that is let in begins to wait. @returns since when, in milliseconds of its clock */
  enter(): number;
  /** Called once for each {@link enter}, whether the request's handler will start or not. */
  leave(): void;
  /** The handler of a request starts. @param since what {@link enter} gave */
  started(since: number): void;
  /** Ends the looks at the event loop. */
  stop(): void;
}

/**
 * @param limitMs how long a request may wait, and how late the event loop may be; 0 is without limit
 * @param now milliseconds that only grow
 */
export function watchOverload(limitMs: number, now: () => number = () => performance.now()): Overload {
  if (limitMs === 0) return NO_LIMIT;
  let waiting = 0;
  /** Milliseconds that the newest request to start has waited. */
  let lastWait = 0;
  let lookedAt = now();
  /** Milliseconds that the last look came late. */
  let lateness = 0;
  const latenessNow = () => now() - lookedAt - LOOK_EVERY_MS;
  const timer = setInterval(() => {
    lateness = latenessNow();
    lookedAt = now();
  }, LOOK_EVERY_MS);
  timer.unref();
  return {
    // Where nobody waits, the next request has to find out how long it takes now.
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
