/** What an import reports to its caller. */

import type { CsvTable } from '../../csv/table.ts';
import type { ErrorCode } from '../../errors.ts';
import type { ResumedRun } from './runs.ts';

export interface RejectedRow {
  /** The line of the file that the row begins in, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
  readonly code: ErrorCode;
  readonly reason: string;
}

/** Counts of this run only. Rows of the earlier run that it resumes are not included. */
export interface ImportProgress {
  readonly stored: number;
  readonly rejected: number;
  /** How many bytes of the file are done. */
  readonly bytes: number;
}

export interface ImportListener {
  /** Called before the first row, with the table as it is imported. */
  readonly onBegin?: (
    table: Pick<CsvTable, 'columns' | 'delimiter'>,
    resumed: ResumedRun | null,
  ) => void | Promise<void>;
  /** Called for each row that was not stored, in the order of the file. A promise that it returns is awaited. */
  readonly onRejected?: (row: RejectedRow) => void | Promise<void>;
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
