/** What the runner and the process of a test file say to each other. */

import type { Test, TestResult } from '@jest/reporters';

/** The one file to run. */
export interface Order {
  readonly globalConfig: object;
  readonly projectConfig: Test['context']['config'];
  readonly path: string;
}

/** A file's result, with the processor time of its process and of those that it started and waited for. */
export interface FileResult extends TestResult {
  /** Undefined where the system does not tell. */
  readonly processorSeconds: number | undefined;
}

/** To a file whose time is over. */
export const TIME_IS_OVER = 'time is over';

export type Report =
  | { readonly kind: 'result'; readonly result: FileResult }
  /** The file could not be loaded, or its tests not run. */
  | { readonly kind: 'error'; readonly message: string }
  /** The process ends before the file has ended. */
  | { readonly kind: 'unfinished'; readonly lastTest: string | undefined };
