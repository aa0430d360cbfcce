/** What comes before what in this process. */

/** A later one is larger. */
export type Moment = number;

let last = 0;

/** A moment after every one before, unlike a clock's reading, which two can share. */
export function now(): Moment {
  last += 1;
  return last;
}
