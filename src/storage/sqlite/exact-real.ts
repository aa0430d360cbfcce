/**
 * A double as two factors that the binding passes on unchanged.
 *
 * The binding takes a number that is less than 2^-52 above a whole number for an integer, and cuts it: it stores 1e-17 and
 * -0.9999999999999999 as 0. The negative of such a number is passed on as it is.
 */
export function exactReal(value: number): [value: number, sign: number] {
  return isTaken(value) ? [-value, -1] : [value, 1];
}

/** A number that the binding passes on unchanged, less than 2^-52 below. */
export function nearlyExactReal(value: number): number {
  return isTaken(value) ? Math.floor(value) : value;
}

function isTaken(value: number): boolean {
  return !Number.isInteger(value) && value - Math.floor(value) < Number.EPSILON;
}
