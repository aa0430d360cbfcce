/** What comes before what in this process. */

/** A later one is larger. */
export type LogicalTime = number;

let last = 0;

/** A time after every one before, unlike a clock's reading, which two can share. */
export function now(): LogicalTime {
  last += 1;
  return last;
}
