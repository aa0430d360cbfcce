/** Times as documents hold them. What there is none of is absent. */

/** @param time milliseconds since the epoch */
export function toDate(time: number | null): Date | undefined {
  return time === null ? undefined : new Date(time);
}
