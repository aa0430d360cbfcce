/**
 * Work in steps of some milliseconds at most. Where it yields it may be stopped, or other work may be done. It reads one
 * state of the store.
 */
export type ResumableScan<T> = Generator<void, T, undefined>;

/** Does all of it at once. */
export function runToCompletion<T>(steps: ResumableScan<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}
