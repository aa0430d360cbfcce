/** Tells what came before what in this process. */

/** A later one is larger. */
export type ReadTimestamp = number;

let last = 0;

/** A time after all earlier ones. Two readings of a real clock can be equal. */
export function now(): ReadTimestamp {
  last += 1;
  return last;
}
