/** The time at which a map is made. */

/** Milliseconds since the epoch, each later than the one before. */
export type CreationClock = () => number;

/** Later also within a millisecond: an owner's maps are listed by it. */
export function createCreationClock(clock: () => number): CreationClock {
  let last = Number.NEGATIVE_INFINITY;
  return () => {
    last = Math.max(clock(), last + 1);
    return last;
  };
}
