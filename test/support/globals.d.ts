/** What Jest puts into the scope of every test: types alone, the values are there when a test runs. */

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
  /** Of it jest-light-runner has `fn`, `spyOn`, `clearAllMocks`, `resetAllMocks`, `restoreAllMocks` and the timers. */
  const jest: typeof globals.jest;
}
