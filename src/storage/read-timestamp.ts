/** A logical clock that orders events of this process. */

/** Later timestamps are larger. */
export type ReadTimestamp = number;

let last = 0;

/** A timestamp after all earlier ones. Two readings of a real clock can be equal. */
export function now(): ReadTimestamp {
  last += 1;
  return last;
}
