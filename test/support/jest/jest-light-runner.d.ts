/** The package has no types of its own. */
declare module 'jest-light-runner' {
  import type { Test, TestResult } from '@jest/reporters';

  export default class LightRunner {
    constructor(globalConfig: object);
    runTests(
      tests: readonly Test[],
      watcher: unknown,
      onStart: (test: Test) => Promise<void>,
      onResult: (test: Test, result: TestResult) => Promise<void>,
      onFailure: (test: Test, error: unknown) => Promise<void>,
    ): Promise<void>;
  }
}
