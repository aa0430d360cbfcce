/** A CSV file as a table: a header, and the rows below it, streamed. */

import { FileDamage } from '../text/damage.ts';
import type { Delimiter } from './delimiter.ts';
import type { CsvRecord } from './records.ts';
import { readRecords } from './records.ts';
import type { TableRow } from '../table.ts';
import { assertHeader, isBlankRow, TableHeaderError, toTableRow } from '../table.ts';

export interface CsvTable {
  /** As they are in the file. Names are unique, but for those that are blank. */
  readonly columns: readonly string[];
  readonly delimiter: Delimiter;
  /** The record below the header; null where there is none, or it is damaged. */
  readonly first: CsvRecord | null;
  /** Without rows that hold no value. @throws FileDamage, after all rows before the damage were given */
  readonly rows: AsyncGenerator<TableRow, void, undefined>;
  /** Rows without any value that were passed so far. */
  readonly countBlankRows: () => number;
}

export interface CsvOptions {
  /** Null, as by default, where the file tells. */
  readonly delimiter?: Delimiter | null;
}

/**
 * Reads as far as the first row. A caller that does not read all rows calls `rows.return()`.
 *
 * @param chunks the file's bytes: UTF-8, with or without a byte order mark, cut anywhere
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
    // Spreadsheets write empty rows above the header, too.
    for (; header !== undefined && isBlankRow(header.cells); header = await first(records)) blankRows += 1;
    if (header === undefined)
      throw new TableHeaderError('The file is empty; its first line must name the columns.');
    assertHeader(header.cells);
    // Another encoding often shows only in the rows, below a header of plain letters. No row has been given yet.
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
    throw new TableHeaderError(
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
