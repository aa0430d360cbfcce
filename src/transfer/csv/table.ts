/** A CSV file as a table: a header, and the rows below it, streamed. */

import { FileDamage, UnreadableFileError } from '../text/damage.ts';
import type { Delimiter } from './delimiter.ts';
import type { CsvRecord } from './records.ts';
import { readRecords } from './records.ts';

/** Nothing can be read: the file is not text, has no header, or its header cannot name the cells. */
export class CsvHeaderError extends UnreadableFileError {}

export interface CsvRow extends CsvRecord {
  /** Why the row does not fit the columns, as a sentence; null when it has one cell for each column. */
  readonly problem: string | null;
}

export interface CsvTable {
  /** Unique names. */
  readonly columns: readonly string[];
  readonly delimiter: Delimiter;
  /** The record below the header, which `rows` gives too; null where there is none, or it is damaged. */
  readonly first: CsvRecord | null;
  /** @throws FileDamage, after all rows before the damage were given */
  readonly rows: AsyncGenerator<CsvRow, void, undefined>;
}

/**
 * Reads as far as the first row. A caller that does not read all rows calls `rows.return()`.
 *
 * @param chunks the file's bytes: UTF-8, with or without a byte order mark, cut anywhere
 * @throws CsvHeaderError
 */
export async function openCsv(chunks: AsyncIterable<Uint8Array>): Promise<CsvTable> {
  let delimiter: Delimiter = ',';
  const records = readRecords(chunks, (chosen) => (delimiter = chosen));
  try {
    const header = await first(records);
    if (header === undefined)
      throw new CsvHeaderError('The file is empty; its first line must name the columns.');
    assertUnique(header.cells);
    // Another encoding often shows only in the rows, below a header of plain letters. No row has been given yet.
    const row = await first(records).catch((error: unknown) => {
      if (error instanceof FileDamage && !error.isEncoding) return error;
      throw error;
    });
    return {
      columns: header.cells,
      delimiter,
      first: row === undefined || row instanceof FileDamage ? null : row,
      rows: readRows(header.cells, row, records),
    };
  } catch (error) {
    await records.return();
    if (!(error instanceof FileDamage)) throw error;
    throw new CsvHeaderError(
      error.isEncoding
        ? `The file is not text: ${error.message}.`
        : `The header is damaged: ${error.message}.`,
      error,
    );
  }
}

/** The same table without its last `count` columns. Cells beyond the columns stay. */
export function withoutLastColumns(table: CsvTable, count: number): CsvTable {
  if (count === 0) return table;
  const columns = table.columns.slice(0, -count);
  async function* rows(): AsyncGenerator<CsvRow, void, undefined> {
    for await (const { line, cells, end } of table.rows) {
      yield toRow(columns, line, cells.toSpliced(columns.length, count), end);
    }
  }
  return { ...table, columns, rows: rows() };
}

async function first(records: AsyncGenerator<CsvRecord, void>): Promise<CsvRecord | undefined> {
  const next = await records.next();
  return next.done ? undefined : next.value;
}

async function* readRows(
  columns: readonly string[],
  firstRecord: CsvRecord | FileDamage | undefined,
  rest: AsyncGenerator<CsvRecord, void>,
): AsyncGenerator<CsvRow, void, undefined> {
  try {
    if (firstRecord instanceof FileDamage) throw firstRecord;
    if (firstRecord !== undefined && !isBlankLine(firstRecord, columns)) {
      yield toRow(columns, firstRecord.line, firstRecord.cells, firstRecord.end);
    }
    for await (const record of rest) {
      if (!isBlankLine(record, columns)) yield toRow(columns, record.line, record.cells, record.end);
    }
  } finally {
    await rest.return();
  }
}

/** To a person, a line of white space looks empty. In a table of one column it counts as a row. */
function isBlankLine({ cells }: CsvRecord, columns: readonly string[]): boolean {
  return columns.length > 1 && cells.length === 1 && cells[0]?.trim() === '';
}

function toRow(columns: readonly string[], line: number, cells: readonly string[], end: number): CsvRow {
  if (cells.length === columns.length) return { line, cells, end, problem: null };
  const problem = `The row has ${countOf(cells.length, 'cell')}; the header names ${countOf(columns.length, 'column')}.`;
  return { line, cells, end, problem };
}

function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function assertUnique(columns: readonly string[]): void {
  const seen = new Set<string>();
  for (const column of columns) {
    if (seen.has(column)) {
      throw new CsvHeaderError(
        `The header names the column ${JSON.stringify(column)} twice; the names of columns are unique.`,
      );
    }
    seen.add(column);
  }
}
