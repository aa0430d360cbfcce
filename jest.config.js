import { availableParallelism } from 'node:os';

/**
 * `npm test` (node --import tsx …/jest.js): the tests are native ES modules, in a process of their own for each file.
 * What this adds to Jest is in test/support/jest/.
 *
 *   TEST_CONCURRENCY   files at once (one more than there are cores, since some wait; 9 at most)
 *   TEST_TIMEOUT_MS    how long one file may take (5 minutes)
 *   REQUIRE_ALL=1      a skip whose reason is not allowed is a failure (reporter.ts)
 */
export default {
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.test.ts'],
  // The runner compiles the files; Jest is to compile none of them.
  transform: {},
  watchman: false,
  // Jest's own choice would be true for a single file.
  verbose: false,
  maxWorkers: positiveInteger('TEST_CONCURRENCY', Math.min(availableParallelism(), 8) + 1),
  runner: [
    '<rootDir>/test/support/jest/runner.ts',
    { timeoutMs: positiveInteger('TEST_TIMEOUT_MS', 10 * 60_000) },
  ],
  reporters: ['<rootDir>/test/support/jest/reporter.ts'],
  setupFilesAfterEnv: ['<rootDir>/test/support/jest/setup.ts'],
  globalSetup: '<rootDir>/test/support/jest/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/jest/global-teardown.ts',
};

function positiveInteger(variable, fallback) {
  const value = Number(process.env[variable] || fallback);
  if (!(Number.isInteger(value) && value > 0)) {
    throw new Error(`${variable} is "${process.env[variable]}" and must be a whole number over 0`);
  }
  return value;
}
