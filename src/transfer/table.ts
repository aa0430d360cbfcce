/** Tables of any format: a header, and rows with the same number of cells. */

import type { Message } from './message.ts';
import { message, RowError } from './message.ts';
import type { FileRow, TableValues } from './reader.ts';
import { UnreadableFileError } from './text/damage.ts';

/** The file has no header, or an invalid one. */
export class TableHeaderError extends UnreadableFileError {}

export interface TableRow extends FileRow {
  readonly cells: readonly string[];
  /** Why the row does not fit the columns; null if it does. */
  readonly problem: Message | null;
}

/** Drops blank cells beyond the columns, which spreadsheets append to rows. */
export function toTableRow(
  columns: readonly string[],
  line: number,
  cells: readonly string[],
  end: number,
): TableRow {
  if (cells.length === columns.length) return { line, cells, end, problem: null };
  if (
    cells.length > columns.length &&
    cells.every((cell, index) => index < columns.length || isBlank(cell))
  ) {
    return { line, cells: cells.slice(0, columns.length), end, problem: null };
  }
  const problem = message(
    'rowCells',
    `The row has ${countOf(cells.length, 'cell')}; the header names ${countOf(columns.length, 'column')}.`,
    {
      cells: countMessage('cells', cells.length, 'cell'),
      columns: countMessage('columns', columns.length, 'column'),
    },
  );
  return { line, cells, end, problem };
}

/** True if all cells are empty or white space. */
export function isBlankRow(cells: readonly string[]): boolean {
  return cells.every(isBlank);
}

function isBlank(cell: string): boolean {
  return cell === '' || cell.trim() === '';
}

function countMessage(key: string, count: number, noun: string): Message {
  return message(key, countOf(count, noun), { count });
}

function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** @throws TableHeaderError */
export function assertHeader(columns: readonly string[]): void {
  const seen = new Set<string>();
  for (const column of columns) {
    if (isBlank(column)) continue;
    if (seen.has(column)) {
      const text = `The header names the column ${JSON.stringify(column)} twice; column names must be unique.`;
      throw new TableHeaderError([message('columnTwice', text, { column })]);
    }
    seen.add(column);
  }
}

/** The letters of a column in a spreadsheet: A to Z, AA, AB and so on. */
export function columnLetters(index: number): string {
  let letters = '';
  for (let rest = index + 1; rest > 0; rest = Math.floor((rest - 1) / 26)) {
    letters = String.fromCharCode(65 + ((rest - 1) % 26)) + letters;
  }
  return letters;
}

/** @throws ServiceError BAD_USER_INPUT for a row that does not fit the columns */
export function cellsOfRow(row: TableRow): TableValues {
  if (row.problem !== null) throw new RowError(row.problem);
  return row;
}

/** A sentence for the report, if there were blank rows. */
export function blankRowsNote(count: number): readonly Message[] {
  if (count === 0) return [];
  const text = count === 1 ? '1 blank row was skipped.' : `${count} blank rows were skipped.`;
  return [message('blankRows', text, { count })];
}
