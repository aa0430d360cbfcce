/** A CSV file as a header and a stream of rows. */

import { message } from '../message.ts';
import { FileDamage } from '../text/damage.ts';
import type { Delimiter } from './delimiter.ts';
import type { CsvRecord } from './records.ts';
import { readRecords } from './records.ts';
import type { TableRow } from '../table.ts';
import { assertHeader, isBlankRow, TableHeaderError, toTableRow } from '../table.ts';

export interface CsvTable {
  /** As in the file. Unique, except for blank names. */
  readonly columns: readonly string[];
  readonly delimiter: Delimiter;
  /** The record after the header; null if there is none, or it is damaged. */
  readonly first: CsvRecord | null;
  /** Without blank rows. @throws FileDamage after all rows before the damage */
  readonly rows: AsyncGenerator<TableRow, void, undefined>;
  /** Blank rows skipped so far. */
  readonly countBlankRows: () => number;
}

export interface CsvOptions {
  /** Null, the default, detects it. */
  readonly delimiter?: Delimiter | null;
}

/**
 * Reads up to the first row. A caller that does not read all rows must call `rows.return()`.
 *
 * @param chunks UTF-8 with or without a byte order mark, cut anywhere
 * @throws UnreadableFileError
 */
export async function openCsv(
  chunks: AsyncIterable<Uint8Array>,
  { delimiter: given = null }: CsvOptions = {},
): Promise<CsvTable> {
  let delimiter: Delimiter = ',';
  const records = readRecords(chunks, given, (chosen) => (delimiter = chosen));
  try {
    let blankRows = 0;
    let header = await first(records);
    // Spreadsheets also write blank rows above the header.
    for (; header !== undefined && isBlankRow(header.cells); header = await first(records)) blankRows += 1;
    if (header === undefined)
      throw new TableHeaderError([
        message('emptyFile', 'The file is empty; its first line must name the columns.'),
      ]);
    assertHeader(header.cells);
    // Another encoding often shows only after an ASCII header. As no row was returned yet, the file can still be refused.
    const row = await first(records).catch((error: unknown) => {
      if (error instanceof FileDamage && !error.isEncoding) return error;
      throw error;
    });
    return {
      columns: header.cells,
      delimiter,
      first: row === undefined || row instanceof FileDamage ? null : row,
      rows: readRows(header.cells, row, records, () => (blankRows += 1)),
      countBlankRows: () => blankRows,
    };
  } catch (error) {
    await records.return();
    if (!(error instanceof FileDamage)) throw error;
    const { line, detail: reason } = error;
    throw new TableHeaderError(
      [
        error.isEncoding
          ? message('notTextAt', `The file is not text: ${error.message}.`, { line, reason })
          : message('headerDamaged', `The header is damaged: ${error.message}.`, { line, reason }),
      ],
      error,
    );
  }
}

/** Removes the last `count` columns. Cells beyond the columns stay. */
export function withoutLastColumns(table: CsvTable, count: number): CsvTable {
  if (count === 0) return table;
  const columns = table.columns.slice(0, -count);
  async function* rows(): AsyncGenerator<TableRow, void, undefined> {
    for await (const { line, cells, end } of table.rows) {
      yield toTableRow(columns, line, cells.toSpliced(columns.length, count), end);
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
  onBlankRow: () => void,
): AsyncGenerator<TableRow, void, undefined> {
  try {
    if (firstRecord instanceof FileDamage) throw firstRecord;
    if (firstRecord !== undefined) {
      if (isBlankRow(firstRecord.cells)) onBlankRow();
      else yield toTableRow(columns, firstRecord.line, firstRecord.cells, firstRecord.end);
    }
    for await (const record of rest) {
      if (isBlankRow(record.cells)) onBlankRow();
      else yield toTableRow(columns, record.line, record.cells, record.end);
    }
  } finally {
    await rest.return();
  }
}
