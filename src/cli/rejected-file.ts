/** The file of rejected rows, beside the input: `museums.csv` gives `museums.rejected.csv`. */

import type { FileHandle } from 'node:fs/promises';
import { open, rm } from 'node:fs/promises';

import type { Delimiter } from '../services/csv.ts';
import type { RejectedRow } from '../services/imports.ts';

const ADDED = ['line', 'code', 'reason'];
const REJECTED = '.rejected.csv';

export function rejectedPathOf(input: string): string {
  return input.replace(/\.csv$/i, '') + REJECTED;
}

/**
 * How many of the last columns of a file an earlier import has added to it, so that its rejected rows, once corrected,
 * can be imported as they are.
 */
export function countAddedColumns(input: string, columns: readonly string[]): number {
  const own = columns.slice(0, -ADDED.length);
  const last = columns.slice(-ADDED.length);
  const isAdded = addedColumns(own).every((name, index) => last[index] === name);
  return input.toLowerCase().endsWith(REJECTED) && isAdded ? ADDED.length : 0;
}

/** Where the input has columns of these names, the added ones are called `rejected line` and so on. */
function addedColumns(columns: readonly string[]): string[] {
  return ADDED.map((name) => {
    let free = name;
    while (columns.includes(free)) free = `rejected ${free}`;
    return free;
  });
}

/** Written row by row; not there at all while no row was rejected. */
export class RejectedFile {
  readonly path: string;
  #columns: readonly string[] = [];
  #delimiter: Delimiter = ',';
  #handle: FileHandle | null = null;

  constructor(path: string) {
    this.path = path;
  }

  /** Removes what an earlier import left, so that it cannot be taken for this one's. */
  async begin({ columns, delimiter }: { columns: readonly string[]; delimiter: Delimiter }): Promise<void> {
    await rm(this.path, { force: true });
    this.#columns = columns;
    this.#delimiter = delimiter;
  }

  async write({ line, cells, code, reason }: RejectedRow): Promise<void> {
    if (this.#handle === null) {
      this.#handle = await open(this.path, 'w');
      await this.#writeLine([...this.#columns, ...addedColumns(this.#columns)]);
    }
    const count = this.#columns.length;
    const own = Array.from({ length: count }, (_, index) => cells[index] ?? '');
    // Cells beyond the columns come last: the three added ones stay under their names.
    await this.#writeLine([...own, String(line), code, reason, ...cells.slice(count)]);
  }

  get isWritten(): boolean {
    return this.#handle !== null;
  }

  async close(): Promise<void> {
    await this.#handle?.close();
  }

  async #writeLine(cells: readonly string[]): Promise<void> {
    const line = cells.map((cell) => quoteCell(cell, this.#delimiter)).join(this.#delimiter);
    await this.#handle?.appendFile(`${line}\n`);
  }
}

/** Quotes what would be read back as something else; a cell like `=1+1` is data, and stays as it is. */
function quoteCell(cell: string, delimiter: Delimiter): string {
  return cell.includes(delimiter) || /["\r\n]/.test(cell) || cell.startsWith('\ufeff')
    ? `"${cell.replaceAll('"', '""')}"`
    : cell;
}
