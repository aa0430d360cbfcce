/** How the rows of a file are sent, and what is told of each. */

import type { ImportMode, LocationInput } from './import-file.ts';

export interface Sending {
  /** The line of the file, or a feature's number. */
  readonly place: number;
  readonly input: LocationInput;
}

export interface Batch {
  readonly isUpsert: boolean;
  readonly rows: readonly Sending[];
}

/** In the order of the file. A call that upserts may hold an external id once: the last row of several stands. */
export function batchesOf(rows: readonly Sending[], mode: ImportMode, size: number): readonly Batch[] {
  const batches: { isUpsert: boolean; rows: Sending[] }[] = [];
  let seen = new Set<string>();
  for (const row of rows) {
    const { externalId } = row.input;
    const isUpsert = mode === 'upsert' && externalId !== undefined;
    let batch = batches.at(-1);
    const isOther = batch?.isUpsert !== isUpsert || (isUpsert && seen.has(externalId));
    if (batch === undefined || isOther || batch.rows.length === size) {
      batch = { isUpsert, rows: [] };
      batches.push(batch);
      seen = new Set();
    }
    batch.rows.push(row);
    if (externalId !== undefined) seen.add(externalId);
  }
  return batches;
}

export interface RowReport {
  readonly place: number;
  /** `created`, `updated`, `unchanged`, or an error's code. */
  readonly outcome: string;
  /** Empty without an error. */
  readonly message: string;
}

const GOOD = ['created', 'updated', 'unchanged'];

export function isGood({ outcome }: RowReport): boolean {
  return GOOD.includes(outcome);
}

/** What a dry run cannot know from the store: what earlier rows of the file would have stored. */
export class FileMemory {
  readonly #inputs = new Map<string, string>();

  judge({ place, input }: Sending, report: RowReport, mode: ImportMode): RowReport {
    const { externalId } = input;
    if (externalId === undefined || !isGood(report)) return report;
    const earlier = this.#inputs.get(externalId);
    if (earlier !== undefined && mode === 'create')
      return { place, outcome: 'CONFLICT', message: 'A row above has the same external id.' };
    const text = JSON.stringify(input);
    this.#inputs.set(externalId, text);
    if (earlier === undefined) return report;
    return { ...report, outcome: earlier === text ? 'unchanged' : 'updated' };
  }
}

/** `3 created, 1 updated`; empty where there is nothing. */
export function countOutcomes(reports: readonly RowReport[]): string {
  return GOOD.map(
    (outcome) => [outcome, reports.filter((report) => report.outcome === outcome).length] as const,
  )
    .filter(([, count]) => count > 0)
    .map(([outcome, count]) => `${count.toLocaleString()} ${outcome}`)
    .join(', ');
}

/** RFC 4180. What a spreadsheet would take for a formula begins with an apostrophe. */
export function reportCsv(reports: readonly RowReport[]): string {
  const cell = (text: string) => `"${text.replace(/^[=+\-@\t\r]/, "'$&").replaceAll('"', '""')}"`;
  const lines = reports.map(({ place, outcome, message }) => `${place},${cell(outcome)},${cell(message)}`);
  return ['row,outcome,message', ...lines, ''].join('\r\n');
}
