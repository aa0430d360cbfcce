/** Tells what came before what in this process. */

/** A later one is larger. */
export type LogicalTime = number;

let last = 0;

/** A time after all earlier ones. Two readings of a real clock can be equal. */
export function now(): LogicalTime {
  last += 1;
  return last;
}
