/** Messages of an import: what it resumes, what became of the columns, and the outcome. */

import { ServiceError } from '../errors.ts';
import type { ImportEnd, ImportSummary } from '../transfer/import/report.ts';
import type { ResumedRun } from '../transfer/import/runs.ts';
import type { ImportReport } from '../transfer/open-import.ts';
import { formatColumns } from '../transfer/columns/column-report.ts';
import type { RowUnit } from '../transfer/reader.ts';
import { complain, countOf, formatTime, isJson, printResult, say } from './output.ts';
import { rowsPerSecond } from './progress.ts';
import { FAILED, reportFailure } from './run.ts';

export interface ImportOutcome {
  readonly path: string;
  readonly unit: RowUnit;
  readonly summary: ImportSummary;
  readonly report: ImportReport;
  /** Counts of stored rows by outcome; null when all were created. */
  readonly outcomes: Readonly<Record<string, number>> | null;
  readonly resumed: ResumedRun | null;
  /** Whether the same command can resume the import. */
  readonly isResumable: boolean;
  readonly seconds: number;
  /** The file of rejected rows; null when none was written. */
  readonly rejectedPath: string | null;
}

export function sayResumed({ rows, stored, rejected, savedAt }: ResumedRun, path: string): void {
  say(
    `Resuming the import of ${path} that ended early, ${formatTime(savedAt)}: the first ${countOf(rows, 'row')} done ` +
      `(${stored} stored, ${rejected} rejected). Use --restart to import all rows again.`,
  );
}

/** Prints a line for each column with its use, and other notes about the file. */
export function reportColumns(path: string, { columns, notes }: ImportReport): void {
  // With --json, they are part of the result.
  if (isJson) return;
  if (columns.length > 0) say(`The columns of ${path}:`, ...formatColumns(columns));
  say(...notes.map(({ text }) => text));
}

/** Prints the total counts of all runs of the import, and sets the exit status. */
export function reportOutcome({ path, unit, summary, resumed, isResumable, ...rest }: ImportOutcome): void {
  const { stored, rejected, end } = summary;
  const allStored = stored + (resumed?.stored ?? 0);
  const allRejected = rejected + (resumed?.rejected ?? 0);
  if (end.kind !== 'complete' || allRejected > 0) process.exitCode = FAILED;
  reportColumns(path, rest.report);
  printResult(
    {
      stored: allStored,
      rejected: allRejected,
      end: end.kind,
      outcomes: rest.outcomes,
      // Without values: the output may be kept where the data must not be.
      columns: rest.report.columns.map(({ column, use, name, description }) => ({
        column,
        use,
        name,
        description,
      })),
      notes: rest.report.notes.map(({ text }) => text),
      rejectedFile: rest.rejectedPath,
    },
    `stored ${allStored}, rejected ${allRejected}`,
  );
  const speed = rowsPerSecond(stored + rejected, rest.seconds);
  say(
    `Stored ${stored} and rejected ${rejected} rows of ${path} in ${rest.seconds.toFixed(1)} s (${speed} rows/s).`,
  );
  if (rest.outcomes !== null) {
    const parts = Object.entries(rest.outcomes).filter(([, count]) => count > 0);
    if (parts.length > 0)
      say(`Stored rows: ${parts.map(([outcome, count]) => `${count} ${outcome}`).join(', ')}.`);
  }
  if (rest.rejectedPath !== null) {
    say(
      `The rejected rows are in ${rest.rejectedPath}, each with the reason. Correct them there and import that file: ` +
        `the import ignores ${unit === 'line' && rest.rejectedPath.endsWith('.csv') ? 'the columns line, code and reason' : 'what was added'}.`,
    );
  }
  reportEnd(end, path, unit);
  if (isResumable && (end.kind === 'stopped' || end.kind === 'failed')) {
    say('Run the same command to resume; no row is stored twice.');
  }
}

function reportEnd(end: ImportEnd, path: string, unit: RowUnit): void {
  switch (end.kind) {
    case 'complete':
      return;
    case 'damaged':
      return complain(
        'BAD_USER_INPUT',
        `${path} is damaged from ${unit} ${end.line} on: ${end.reason}. The rows before it were imported, none after it.`,
      );
    case 'stopped':
      return complain(
        'COMMAND_FAILED',
        `Stopped before ${unit} ${end.line} of ${path}: it and the following rows were not imported.`,
      );
    case 'failed':
      reportFailure(end.error, FAILED);
      return say(
        isOutcomeUnknown(end.error)
          ? `The rows before ${unit} ${end.line} of ${path} were imported. It is unknown whether ${unit}s ${end.line} to ` +
              `${end.lastLine} were. None after them were.`
          : `The rows before ${unit} ${end.line} of ${path} were imported, none after them.`,
      );
    default:
      end satisfies never;
  }
}

function isOutcomeUnknown(error: unknown): boolean {
  return error instanceof ServiceError && error.code === 'STORAGE_UNAVAILABLE';
}
