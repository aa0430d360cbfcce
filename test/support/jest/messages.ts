/** The messages between the runner and the process of a test file. */

import type { Test, TestResult } from '@jest/reporters';

/** The file to run. */
export interface Order {
  readonly globalConfig: object;
  readonly projectConfig: Test['context']['config'];
  readonly path: string;
}

/** A file's result, with the processor time of its process and its awaited child processes. */
export interface FileResult extends TestResult {
  /** Undefined if the system does not report it. */
  readonly processorSeconds: number | undefined;
}

/** Sent to a file that exceeds its time limit. */
export const TIME_IS_OVER = 'time is over';

export type Report =
  | { readonly kind: 'result'; readonly result: FileResult }
  /** The file could not be loaded, or its tests not run. */
  | { readonly kind: 'error'; readonly message: string }
  /** The process ends before the file has ended. */
  | { readonly kind: 'unfinished'; readonly lastTest: string | undefined };
