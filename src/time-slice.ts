/**
 * Long work is done in pieces, so that it does not hold up the event loop. One time slice serves the whole process:
 * fifty long requests together hold the loop no longer than one of them.
 */

/** Milliseconds that all long work together may take in one turn of the event loop. It may run over by one piece. */
const SLICE_MS = 10;
/** Milliseconds after which work counts as long. */
const SHORT_MS = 1;

/** When the slice of the present turn is used up; null while nobody works. */
let sliceEndsAt: number | null = null;
/** Those who wait for a slice, first come first served. */
const waiting: (() => void)[] = [];

/**
 * To be asked between two pieces of work, and its promise awaited where there is one. `await breathe()` would look at
 * the time, let others work, and go on all the same.
 */
export type Breathe = () => Promise<void> | undefined;

/**
 * For long work, in pieces of some milliseconds at most. Undefined while the slice of this turn lasts, else the promise
 * of a later one.
 */
export const breathe: Breathe = () => {
  const now = performance.now();
  if (sliceEndsAt === null) beginSlice(now);
  else if (now >= sliceEndsAt) return nextSlice();
  return undefined;
};

/**
 * For work that is mostly short: {@link breathe} that is undefined until a millisecond has gone by, so that short work
 * does not wait behind the long work of others.
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

/** One goes on in each turn: how much of the slice it will take is not known beforehand. */
function endSlice(): void {
  const goOn = waiting.shift();
  if (goOn === undefined) {
    sliceEndsAt = null;
  } else {
    beginSlice(performance.now());
    goOn();
  }
}
