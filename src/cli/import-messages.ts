/** What an import tells a person: how far it is, and at the end how it went. */

import { ServiceError } from '../errors.ts';
import type { ImportEnd, ImportSummary } from '../transfer/import/report.ts';
import type { ResumedRun } from '../transfer/import/runs.ts';
import type { ImportReport } from '../transfer/open-import.ts';
import { formatColumns } from '../transfer/columns/column-report.ts';
import type { RowUnit } from '../transfer/reader.ts';
import { complain, formatTime, isJson, printResult, say } from './output.ts';
import { rowsPerSecond } from './progress.ts';
import { FAILED, reportFailure } from './run.ts';

export interface ImportOutcome {
  readonly path: string;
  readonly unit: RowUnit;
  readonly summary: ImportSummary;
  readonly report: ImportReport;
  /** What became of the rows that were stored; null where all were created. */
  readonly outcomes: Readonly<Record<string, number>> | null;
  readonly resumed: ResumedRun | null;
  /** Whether the same command can go on where this import ended. */
  readonly isResumable: boolean;
  readonly seconds: number;
  /** The file of rejected rows; null when none was written. */
  readonly rejectedPath: string | null;
}

export function sayResumed({ rows, stored, rejected, savedAt }: ResumedRun, path: string): void {
  say(
    `Going on with the import of ${path} that ended early, ${formatTime(savedAt)}: the first ${rows} rows are done ` +
      `(${stored} stored, ${rejected} rejected). With --restart all rows are imported anew.`,
  );
}

/** Prints a line for each column with what became of it, and what else was done with the file. */
export function reportColumns(path: string, { columns, notes }: ImportReport): void {
  // With --json they are part of the result.
  if (isJson) return;
  if (columns.length > 0) say(`The columns of ${path}:`, ...formatColumns(columns));
  say(...notes);
}

/** Prints the counts of all runs of the import together, and sets the exit status. */
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
      // Without values: the output of a command may be kept where the data may not.
      columns: rest.report.columns.map(({ column, use, name, description }) => ({
        column,
        use,
        name,
        description,
      })),
      notes: rest.report.notes,
      rejectedFile: rest.rejectedPath,
    },
    `stored ${allStored}, rejected ${allRejected}`,
  );
  const speed = rowsPerSecond(stored + rejected, rest.seconds);
  say(
    `Stored ${stored} and rejected ${rejected} of ${path} in ${rest.seconds.toFixed(1)} s (${speed} rows a second).`,
  );
  if (rest.outcomes !== null) {
    const parts = Object.entries(rest.outcomes).filter(([, count]) => count > 0);
    if (parts.length > 0)
      say(`Of those stored: ${parts.map(([outcome, count]) => `${count} ${outcome}`).join(', ')}.`);
  }
  if (rest.rejectedPath !== null) {
    say(
      `The rejected rows are in ${rest.rejectedPath}, with the reason for each. Correct them there and import that ` +
        `file: ${unit === 'line' && rest.rejectedPath.endsWith('.csv') ? 'its columns line, code and reason are' : 'what was added is'} left out.`,
    );
  }
  reportEnd(end, path, unit);
  if (isResumable && (end.kind === 'stopped' || end.kind === 'failed')) {
    say('The same command goes on from there; no row is stored twice.');
  }
}

function reportEnd(end: ImportEnd, path: string, unit: RowUnit): void {
  switch (end.kind) {
    case 'complete':
      return;
    case 'damaged':
      return complain(
        'BAD_USER_INPUT',
        `${path} is damaged from ${unit} ${end.line} on: ${end.reason}. The rows before it were imported, none after.`,
      );
    case 'stopped':
      return complain(
        'COMMAND_FAILED',
        `Stopped before ${unit} ${end.line} of ${path}: it and what follows were not imported.`,
      );
    case 'failed':
      reportFailure(end.error, FAILED);
      return say(
        isOutcomeUnknown(end.error)
          ? `The rows before ${unit} ${end.line} of ${path} were imported. It is not known whether ${unit}s ${end.line} to ` +
              `${end.lastLine} were. None after were.`
          : `The rows before ${unit} ${end.line} of ${path} were imported, none after.`,
      );
    default:
      end satisfies never;
  }
}

function isOutcomeUnknown(error: unknown): boolean {
  return error instanceof ServiceError && error.code === 'STORAGE_UNAVAILABLE';
}
