/** What all tables have in common, whichever file they stand in: a header, and rows of as many cells. */

import { badUserInput } from '../errors.ts';
import type { FileRow, TableValues } from './reader.ts';
import { UnreadableFileError } from './text/damage.ts';

/** Nothing can be read: the file has no header, or its header cannot name the cells. */
export class TableHeaderError extends UnreadableFileError {}

export interface TableRow extends FileRow {
  readonly cells: readonly string[];
  /** Why the row does not fit the columns, as a sentence; null when it has one cell for each column. */
  readonly problem: string | null;
}

/** Empty cells beyond the columns are left out: spreadsheets write them behind every row. */
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
  const problem = `The row has ${countOf(cells.length, 'cell')}; the header names ${countOf(columns.length, 'column')}.`;
  return { line, cells, end, problem };
}

/** Whether no cell holds a value. White space is none. */
export function isBlankRow(cells: readonly string[]): boolean {
  return cells.every(isBlank);
}

function isBlank(cell: string): boolean {
  return cell === '' || cell.trim() === '';
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
      throw new TableHeaderError(
        `The header names the column ${JSON.stringify(column)} twice; the names of columns are unique.`,
      );
    }
    seen.add(column);
  }
}

/** The letters that a spreadsheet gives a column: A to Z, AA, AB and so on. */
export function columnLetters(index: number): string {
  let letters = '';
  for (let rest = index + 1; rest > 0; rest = Math.floor((rest - 1) / 26)) {
    letters = String.fromCharCode(65 + ((rest - 1) % 26)) + letters;
  }
  return letters;
}

/** @throws ServiceError BAD_USER_INPUT for a row that does not fit the columns */
export function cellsOfRow(row: TableRow): TableValues {
  if (row.problem !== null) throw badUserInput(row.problem);
  return row;
}

/** For the report, as a sentence; none where there was no such row. */
export function blankRowsNote(count: number): readonly string[] {
  if (count === 0) return [];
  return [
    count === 1 ? '1 row without any value was skipped.' : `${count} rows without any value were skipped.`,
  ];
}
