/** The types of Jest's globals; the values exist when a test runs. */

import type * as globals from '@jest/globals';

declare global {
  const afterAll: typeof globals.afterAll;
  const afterEach: typeof globals.afterEach;
  const beforeAll: typeof globals.beforeAll;
  const beforeEach: typeof globals.beforeEach;
  const describe: typeof globals.describe;
  const expect: typeof globals.expect;
  const it: typeof globals.it;
  const test: typeof globals.test;
  /** jest-light-runner has only `fn`, `spyOn`, `clearAllMocks`, `resetAllMocks`, `restoreAllMocks` and the timers. */
  const jest: typeof globals.jest;
}
