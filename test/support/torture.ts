/** The size of randomised tests: short in the suite, long in `npm run torture`. */

export const isTorture = process.env['TORTURE'] === '1';

export function shortOrLong<T>(short: T, long: T): T {
  return isTorture ? long : short;
}

/** The tests of `npm run torture`: all with a long form, and some that are long enough without one. */
export const TORTURE_TESTS = [
  'test/authorization',
  'test/e2e/canaries',
  'test/e2e/faults',
  'test/e2e/kills',
  'test/e2e/load',
  'test/e2e/webhooks',
  'test/graphql/random-operations',
  'test/rest/openapi-requests',
  'test/services/clock-jumps',
  'test/storage/mongodb/failover',
];
