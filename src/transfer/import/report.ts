/** Progress and result of an import. */

import type { ErrorCode, ServiceError } from '../../errors.ts';
import type { ResumedRun } from './runs.ts';
import type { FileRow, RowContent } from '../reader.ts';
import type { RowResult } from './store-batch.ts';

export type RejectedRow = RowContent &
  Pick<FileRow, 'line'> & {
    readonly code: ErrorCode;
    readonly reason: string;
  };

/** Counts of this run, without the earlier run that it resumes. */
export interface ImportProgress {
  readonly stored: number;
  readonly rejected: number;
  /** Processed bytes of the file. */
  readonly bytes: number;
}

export interface ImportListener {
  /** Called before the first row. */
  readonly onBegin?: (resumed: ResumedRun | null) => void | Promise<void>;
  /** Called for each rejected row, in file order, and awaited. */
  readonly onRejected?: (row: RejectedRow) => void | Promise<void>;
  /** Called for each stored row, in file order, and awaited. */
  readonly onStored?: (line: number, outcome: Exclude<RowResult, ServiceError>) => void | Promise<void>;
  /** Called after each batch. */
  readonly onProgress?: (progress: ImportProgress) => void;
  /** Returns a note to hand back when the import is resumed. Called after the rows of each batch are reported. */
  readonly checkpointNote?: () => Promise<string | null>;
}

/** How an import ended. `line` is the first line not imported. */
export type ImportEnd =
  | { readonly kind: 'complete' }
  | { readonly kind: 'damaged'; readonly line: number; readonly reason: string }
  /** The error affects all rows. Unless it is a bug, it is a ServiceError or an OperatorError. */
  | { readonly kind: 'failed'; readonly line: number; readonly lastLine: number; readonly error: unknown }
  | { readonly kind: 'stopped'; readonly line: number };

/** Counts of this run, as in {@link ImportProgress}. */
export interface ImportSummary {
  readonly stored: number;
  readonly rejected: number;
  readonly end: ImportEnd;
}
