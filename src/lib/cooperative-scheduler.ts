/**
 * Divides long work into pieces, so that it does not hold up the event loop. The whole process shares one time slice:
 * fifty long requests together hold the loop no longer than one of them.
 */

/** Milliseconds of an event-loop turn for all long work together. */
const SLICE_MS = 10;
/** Milliseconds after which work counts as long. */
const SHORT_MS = 1;

/**
 * To be called between two pieces of work. Await its promise only when there is one: `await breathe()` would yield each
 * time, also without need.
 */
export type YieldIfDue = () => Promise<void> | undefined;

/**
 * Kinds of work that divide the event loop's time each on its own do not wait for one another.
 *
 * @param sliceMs milliseconds that all work of this kind may take in one turn. It may take longer by one piece
 */
export function createScheduler(sliceMs: number): YieldIfDue {
  /** When the slice of the present turn ends; null while no such work is done. */
  let sliceEndsAt: number | null = null;
  /** Work that waits for a slice, first come first served. */
  const waiting: (() => void)[] = [];
  /** Whether the work that runs now has waited. */
  let isResumed = false;

  const beginSlice = (now: number): void => {
    sliceEndsAt = now + sliceMs;
    // Between two immediates the event loop serves every connection that is ready.
    setImmediate(endSlice);
  };

  const endSlice = (): void => {
    sliceEndsAt = null;
    if (waiting.length === 0) return;
    beginSlice(performance.now());
    resumeNext();
  };

  /** Lets one go on, and then the next while the slice lasts: it is not known before how much of it each will take. */
  const resumeNext = (): void => {
    isResumed = true;
    waiting.shift()?.();
    // Node comes to the inner function when nothing is left that the work can do in this turn.
    queueMicrotask(() => {
      process.nextTick(() => {
        isResumed = false;
        if (waiting.length > 0 && sliceEndsAt !== null && performance.now() < sliceEndsAt) resumeNext();
      });
    });
  };

  return () => {
    const now = performance.now();
    if (sliceEndsAt === null) beginSlice(now);
    // Who comes new does not pass those who wait: on a busy server they would wait for a turn each.
    else if (now >= sliceEndsAt || (waiting.length > 0 && !isResumed)) {
      return new Promise((resolve) => {
        waiting.push(resolve);
      });
    }
    return undefined;
  };
}

/**
 * For long work, in pieces of some milliseconds at most. Undefined while this turn's slice lasts, else a promise of a
 * later one.
 */
export const yieldIfDue: YieldIfDue = createScheduler(SLICE_MS);

/**
 * For work that is usually short: a {@link breathe} that returns undefined for the first millisecond. So short work
 * does not wait behind long work of others.
 */
export function yieldWhenLong(): YieldIfDue {
  let begunAt = performance.now();
  return () => {
    if (performance.now() - begunAt < SHORT_MS) return undefined;
    return yieldIfDue()?.then(() => {
      begunAt = performance.now();
    });
  };
}
