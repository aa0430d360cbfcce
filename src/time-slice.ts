/**
 * Divides long work into pieces, so that it does not hold up the event loop. The whole process shares one time slice:
 * fifty long requests together hold the loop no longer than one of them.
 */

/** Milliseconds that all long work together may take in one event-loop turn. It may take longer by one piece. */
const SLICE_MS = 10;
/** Milliseconds after which work counts as long. */
const SHORT_MS = 1;

/** When the slice of the present turn ends; null while no long work is done. */
let sliceEndsAt: number | null = null;
/** Work that waits for a slice, first come first served. */
const waiting: (() => void)[] = [];

/**
 * To be called between two pieces of work. Await its promise only when there is one: `await breathe()` would yield each
 * time, also without need.
 */
export type Breathe = () => Promise<void> | undefined;

/**
 * For long work, in pieces of some milliseconds at most. Undefined while this turn's slice lasts, else a promise of a
 * later one.
 */
export const breathe: Breathe = () => {
  const now = performance.now();
  if (sliceEndsAt === null) beginSlice(now);
  else if (now >= sliceEndsAt) return nextSlice();
  return undefined;
};

/**
 * For work that is usually short: a {@link breathe} that returns undefined for the first millisecond. So short work
 * does not wait behind long work of others.
 */
export function breatheWhenLong(): Breathe {
  let begunAt = performance.now();
  return () => {
    if (performance.now() - begunAt < SHORT_MS) return undefined;
    return breathe()?.then(() => {
      begunAt = performance.now();
    });
  };
}

function nextSlice(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
  });
}

function beginSlice(now: number): void {
  sliceEndsAt = now + SLICE_MS;
  // Between two immediates the event loop serves every connection that is ready.
  setImmediate(endSlice);
}

/** One piece of work goes on in each turn, since it is not known how much of the slice it will take. */
function endSlice(): void {
  const goOn = waiting.shift();
  if (goOn === undefined) {
    sliceEndsAt = null;
  } else {
    beginSlice(performance.now());
    goOn();
  }
}
