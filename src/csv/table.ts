/** A CSV file as a table: a header, and rows by column name, streamed. */

import type { CsvRecord, Delimiter } from './records.ts';
import { CsvDamage, readRecords } from './records.ts';

export { CsvDamage };
export type { Delimiter };

/** Nothing can be read at all: no text, no header, or a header that cannot name cells. */
export class CsvHeaderError extends Error {}

interface RowOfCells {
  /** The line of the file that the row begins in, from 1; the header counts. */
  readonly line: number;
  /** As they are in the file, without their quotes. */
  readonly cells: readonly string[];
  /** Bytes of the file up to the end of this row, for progress. */
  readonly end: number;
}

/** Its cells by column, unless their number is not that of the columns. */
export type CsvRow = RowOfCells &
  (
    | { readonly fields: Readonly<Record<string, string>> }
    | { readonly fields: null; readonly problem: string }
  );

export interface CsvTable {
  readonly columns: readonly string[];
  /** What stands between cells: a comma, unless the header has none but semicolons or tabs. */
  readonly delimiter: Delimiter;
  /** @throws CsvDamage, after all rows before the damage were given */
  readonly rows: AsyncGenerator<CsvRow, void, undefined>;
}

/**
 * Reads as far as the first row. Whoever does not read the rows to their end calls `rows.return()`.
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
    // Text in another encoding often shows only below a header of plain letters, and then nothing was read yet.
    const row = await first(records).catch((error: unknown) => {
      if (error instanceof CsvDamage && !error.isEncoding) return error;
      throw error;
    });
    return { columns: header.cells, delimiter, rows: readRows(header.cells, row, records) };
  } catch (error) {
    await records.return();
    if (!(error instanceof CsvDamage)) throw error;
    throw new CsvHeaderError(
      error.isEncoding
        ? `The file is not text: ${error.message}.`
        : `The header is damaged: ${error.message}.`,
    );
  }
}

async function first(records: AsyncGenerator<CsvRecord, void>): Promise<CsvRecord | undefined> {
  const next = await records.next();
  return next.done ? undefined : next.value;
}

async function* readRows(
  columns: readonly string[],
  firstRecord: CsvRecord | CsvDamage | undefined,
  rest: AsyncGenerator<CsvRecord, void>,
): AsyncGenerator<CsvRow, void, undefined> {
  try {
    if (firstRecord instanceof CsvDamage) throw firstRecord;
    if (firstRecord !== undefined && !isBlankLine(firstRecord, columns)) yield toRow(columns, firstRecord);
    for await (const record of rest) {
      if (!isBlankLine(record, columns)) yield toRow(columns, record);
    }
  } finally {
    await rest.return();
  }
}

/** A line of nothing but white space looks as empty as an empty one, unless the file has only one column. */
function isBlankLine({ cells }: CsvRecord, columns: readonly string[]): boolean {
  return columns.length > 1 && cells.length === 1 && cells[0]?.trim() === '';
}

function toRow(columns: readonly string[], { line, cells, end }: CsvRecord): CsvRow {
  if (cells.length === columns.length) return { line, cells, end, fields: toFields(columns, cells) };
  const problem = `The row has ${countOf(cells.length, 'cell')}; the header names ${countOf(columns.length, 'column')}.`;
  return { line, cells, end, fields: null, problem };
}

function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** Any name of a column is data: `fromEntries` makes `__proto__` a key like every other. */
function toFields(columns: readonly string[], cells: readonly string[]): Record<string, string> {
  return Object.fromEntries(columns.map((column, index) => [column, cells[index] ?? '']));
}

/** The same table but for so many of its last columns. Cells beyond the columns stay. */
export function withoutLastColumns(table: CsvTable, count: number): CsvTable {
  if (count === 0) return table;
  const columns = table.columns.slice(0, -count);
  async function* rows(): AsyncGenerator<CsvRow, void, undefined> {
    for await (const { line, cells, end } of table.rows) {
      const kept = cells.toSpliced(columns.length, count);
      yield toRow(columns, { line, cells: kept, end });
    }
  }
  return { ...table, columns, rows: rows() };
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
