/** How long a test tries: a short form in the suite, a long one in `npm run torture`. */

export const isTorture = process.env['TORTURE'] === '1';

export function shortOrLong<T>(short: T, long: T): T {
  return isTorture ? long : short;
}
