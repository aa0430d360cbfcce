/** The file of rejected rows, beside the input: `museums.csv` gives `museums.rejected.csv`. */

import type { Hash } from 'node:crypto';
import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { open, readFile, rm, truncate } from 'node:fs/promises';

import type { Delimiter } from '../csv/table.ts';
import type { RejectedRow } from '../services/imports/imports.ts';

const ADDED = ['line', 'code', 'reason'];
const REJECTED = '.rejected.csv';
const LINE_FEED = 0x0a;

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

/** How much of the file an import had written, and what: so that one that resumes it knows its own rows again. */
interface Checkpoint {
  readonly bytes: number;
  readonly sha256: string;
}

/** Written row by row; not there at all while no row was rejected. */
export class RejectedFile {
  readonly path: string;
  #columns: readonly string[] = [];
  #delimiter: Delimiter = ',';
  #handle: FileHandle | null = null;
  #bytes = 0;
  readonly #hash: Hash = createHash('sha256');

  constructor(path: string) {
    this.path = path;
  }

  /**
   * Removes what an earlier import left, so that it cannot be taken for this one's.
   *
   * @param note of {@link checkpoint}, where this import resumes another: then its rows stay, but those after the note,
   *   which are about to be tried again. A file that was changed meanwhile is left as it is, and appended to.
   */
  async begin(
    { columns, delimiter }: { columns: readonly string[]; delimiter: Delimiter },
    note: string | null = null,
  ): Promise<void> {
    this.#columns = columns;
    this.#delimiter = delimiter;
    const checkpoint = note === null ? null : (JSON.parse(note) as Checkpoint);
    if (checkpoint === null || checkpoint.bytes === 0) await rm(this.path, { force: true });
    else await this.#reopen(checkpoint);
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

  /** Makes what was written durable. @returns what an import that resumes this one gives to `begin` */
  async checkpoint(): Promise<string> {
    await this.#handle?.datasync();
    return JSON.stringify({
      bytes: this.#bytes,
      sha256: this.#hash.copy().digest('hex'),
    } satisfies Checkpoint);
  }

  get isWritten(): boolean {
    return this.#handle !== null;
  }

  async close(): Promise<void> {
    await this.#handle?.close();
  }

  async #reopen({ bytes, sha256 }: Checkpoint): Promise<void> {
    const content = await readFile(this.path).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null;
      throw error;
    });
    // Whoever took the file away has its rows; those to come get a file of their own.
    if (content === null) return;
    const own = content.subarray(0, bytes);
    const isOwn = createHash('sha256').update(own).digest('hex') === sha256;
    if (isOwn) await truncate(this.path, bytes);
    this.#handle = await open(this.path, 'a');
    this.#count(isOwn ? own : content);
    if (!isOwn && content.at(-1) !== LINE_FEED) await this.#append('\n');
  }

  async #writeLine(cells: readonly string[]): Promise<void> {
    await this.#append(`${cells.map((cell) => quoteCell(cell, this.#delimiter)).join(this.#delimiter)}\n`);
  }

  async #append(text: string): Promise<void> {
    await this.#handle?.appendFile(text);
    this.#count(Buffer.from(text));
  }

  #count(written: Uint8Array): void {
    this.#bytes += written.length;
    this.#hash.update(written);
  }
}

/** Quotes what would be read back as something else; a cell like `=1+1` is data, and stays as it is. */
function quoteCell(cell: string, delimiter: Delimiter): string {
  return cell.includes(delimiter) || /["\r\n]/.test(cell) || cell.startsWith('\ufeff')
    ? `"${cell.replaceAll('"', '""')}"`
    : cell;
}
