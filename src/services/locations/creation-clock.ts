/** The time at which a map is made. */

/** Milliseconds since the epoch. Each is later than the one before. */
export type CreationClock = () => number;

/** Times also differ within one millisecond, since an owner's maps are listed by them. */
export function createCreationClock(clock: () => number): CreationClock {
  let last = Number.NEGATIVE_INFINITY;
  return () => {
    last = Math.max(clock(), last + 1);
    return last;
  };
}
