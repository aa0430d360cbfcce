/** What an import reports to its caller. */

import type { ErrorCode, ServiceError } from '../../errors.ts';
import type { ResumedRun } from './runs.ts';
import type { FileRow, RowContent } from '../reader.ts';
import type { RowResult } from './store-batch.ts';

export type RejectedRow = RowContent &
  Pick<FileRow, 'line'> & {
    readonly code: ErrorCode;
    readonly reason: string;
  };

/** Counts of this run only. Rows of the earlier run that it resumes are not included. */
export interface ImportProgress {
  readonly stored: number;
  readonly rejected: number;
  /** How many bytes of the file are done. */
  readonly bytes: number;
}

export interface ImportListener {
  /** Called before the first row. */
  readonly onBegin?: (resumed: ResumedRun | null) => void | Promise<void>;
  /** Called for each row that was not stored, in the order of the file. A promise that it returns is awaited. */
  readonly onRejected?: (row: RejectedRow) => void | Promise<void>;
  /** Called for each row that was stored, in the order of the file. A promise that it returns is awaited. */
  readonly onStored?: (line: number, outcome: Exclude<RowResult, ServiceError>) => void | Promise<void>;
  /** Called after each batch. */
  readonly onProgress?: (progress: ImportProgress) => void;
  /**
   * Gives a note that the caller gets back when the import is resumed. Called after each batch, when its rejected rows
   * were reported.
   */
  readonly checkpointNote?: () => Promise<string | null>;
}

/** How an import ended. `line` is the first line that was not imported. */
export type ImportEnd =
  | { readonly kind: 'complete' }
  | { readonly kind: 'damaged'; readonly line: number; readonly reason: string }
  /** The error concerns every row. It is a ServiceError or an OperatorError, unless it is a bug. */
  | { readonly kind: 'failed'; readonly line: number; readonly lastLine: number; readonly error: unknown }
  | { readonly kind: 'stopped'; readonly line: number };

/** Counts of this run only, as in {@link ImportProgress}. */
export interface ImportSummary {
  readonly stored: number;
  readonly rejected: number;
  readonly end: ImportEnd;
}
