/**
 * Splits long work so that it does not block the event loop. All long work of the process shares one time slice per turn: fifty
 * long requests block the loop no longer than one.
 */

/** Milliseconds per event-loop turn for all long work together. */
const SLICE_MS = 10;
/** Milliseconds after which work is long. */
const SHORT_MS = 1;

/** Call it between two pieces of work. Await its promise only if there is one: awaiting undefined would yield each time. */
export type YieldIfDue = () => Promise<void> | undefined;

/**
 * Work of one scheduler does not wait for work of another.
 *
 * @param sliceMs milliseconds per turn for all work of this scheduler, plus at most one piece
 */
export function createScheduler(sliceMs: number): YieldIfDue {
  /** When the slice of the current turn ends; null when no work runs. */
  let sliceEndsAt: number | null = null;
  /** Work that waits for a slice, first in, first out. */
  const waiting: (() => void)[] = [];
  /** Whether the running work has waited. */
  let isResumed = false;

  const beginSlice = (now: number): void => {
    sliceEndsAt = now + sliceMs;
    // Between two immediates, the event loop serves every ready connection.
    setImmediate(endSlice);
  };

  const endSlice = (): void => {
    sliceEndsAt = null;
    if (waiting.length === 0) return;
    beginSlice(performance.now());
    resumeNext();
  };

  /** Resumes one waiter at a time while the slice lasts, because each takes an unknown part of it. */
  const resumeNext = (): void => {
    isResumed = true;
    waiting.shift()?.();
    // The inner function runs when the work has nothing left to do in this turn.
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
    // New work does not overtake waiting work, which would otherwise wait one turn each on a busy server.
    else if (now >= sliceEndsAt || (waiting.length > 0 && !isResumed)) {
      return new Promise((resolve) => {
        waiting.push(resolve);
      });
    }
    return undefined;
  };
}

/** For long work in pieces of a few milliseconds. Returns undefined while the slice lasts, else a promise of a later slice. */
export const yieldIfDue: YieldIfDue = createScheduler(SLICE_MS);

/** For work that is usually short: never yields in the first millisecond, so short work does not wait behind long work. */
export function yieldWhenLong(): YieldIfDue {
  let startedAt = performance.now();
  return () => {
    if (performance.now() - startedAt < SHORT_MS) return undefined;
    return yieldIfDue()?.then(() => {
      startedAt = performance.now();
    });
  };
}
