/** Rejected rows go to a file beside the input: `museums.csv` gives `museums.rejected.csv`. */

import type { Hash } from 'node:crypto';
import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { open, readFile, rm, truncate } from 'node:fs/promises';

import type { CsvTable } from '../csv/table.ts';
import { formatRecord } from '../csv/write.ts';
import type { RejectedRow } from '../services/imports/report.ts';
import { complain, say } from './output.ts';
import { CommandError } from './run.ts';

const ADDED = ['line', 'code', 'reason'];
const REJECTED = '.rejected.csv';
const LINE_FEED = 0x0a;

export function rejectedPathOf(input: string): string {
  return input.replace(/\.csv$/i, '') + REJECTED;
}

/**
 * How many of the file's last columns were added by an earlier import. They are left out, so that the file of rejected
 * rows can be imported as it is once its rows are corrected.
 */
export function countAddedColumns(input: string, columns: readonly string[]): number {
  const own = columns.slice(0, -ADDED.length);
  const last = columns.slice(-ADDED.length);
  const isAdded = addedColumns(own).every((name, index) => last[index] === name);
  return input.toLowerCase().endsWith(REJECTED) && isAdded ? ADDED.length : 0;
}

/** When the input already has columns of these names, the added ones are called `rejected line` and so on. */
function addedColumns(columns: readonly string[]): string[] {
  return ADDED.map((name) => {
    let free = name;
    while (columns.includes(free)) free = `rejected ${free}`;
    return free;
  });
}

/** What an import has written to the file. The import that resumes it recognises its own rows by this. */
interface FileState {
  readonly bytes: number;
  readonly sha256: string;
}

/**
 * The file of rejected rows, written row by row. It is made with the first rejected row. When it cannot be written, the
 * import goes on, and rejected rows are listed on stderr.
 */
export class RejectedRows {
  readonly path: string;
  readonly #beforeSaying: () => void;
  #table: Pick<CsvTable, 'columns' | 'delimiter'> = { columns: [], delimiter: ',' };
  #handle: FileHandle | null = null;
  #isFileGood = true;
  #bytes = 0;
  readonly #hash: Hash = createHash('sha256');
  #lastNote: string | null = null;

  /** @param beforeSaying clears the progress bar before something is said */
  constructor(path: string, beforeSaying: () => void) {
    this.path = path;
    this.#beforeSaying = beforeSaying;
  }

  get isWritten(): boolean {
    return this.#handle !== null;
  }

  /**
   * Removes the file of an earlier import. When this import resumes another one, the file stays, but loses the rows
   * after the note: they are tried again. A file that somebody has changed since stays whole, and rows are appended.
   *
   * @param note of {@link checkpointNote}; null for an import that resumes nothing
   * @throws CommandError
   */
  async begin(table: Pick<CsvTable, 'columns' | 'delimiter'>, note: string | null): Promise<void> {
    this.#table = table;
    const state = note === null ? null : (JSON.parse(note) as FileState);
    try {
      if (state === null || state.bytes === 0) await rm(this.path, { force: true });
      else await this.#reopen(state);
    } catch (error) {
      throw new CommandError(`${this.path} from an earlier import is in the way: ${String(error)}`);
    }
  }

  async add(row: RejectedRow): Promise<void> {
    if (this.#isFileGood) {
      try {
        await this.#write(row);
        return;
      } catch (error) {
        this.#giveUp(error);
      }
    }
    this.#beforeSaying();
    say(`line ${row.line}: ${row.code}: ${row.reason}`);
  }

  /** Makes the file durable. @returns what the import that resumes this one gives to `begin` */
  async checkpointNote(): Promise<string | null> {
    if (!this.#isFileGood) return this.#lastNote;
    try {
      await this.#handle?.datasync();
      const state: FileState = { bytes: this.#bytes, sha256: this.#hash.copy().digest('hex') };
      this.#lastNote = JSON.stringify(state);
    } catch (error) {
      this.#giveUp(error);
    }
    return this.#lastNote;
  }

  async close(): Promise<void> {
    await this.#handle?.close();
  }

  async #reopen({ bytes, sha256 }: FileState): Promise<void> {
    const content = await readFile(this.path).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null;
      throw error;
    });
    // Somebody has removed the file. The next rejected rows go to a new one.
    if (content === null) return;
    const own = content.subarray(0, bytes);
    const isOwn = createHash('sha256').update(own).digest('hex') === sha256;
    if (isOwn) await truncate(this.path, bytes);
    this.#handle = await open(this.path, 'a');
    this.#count(isOwn ? own : content);
    if (!isOwn && content.at(-1) !== LINE_FEED) await this.#append('\n');
  }

  async #write({ line, cells, code, reason }: RejectedRow): Promise<void> {
    const { columns, delimiter } = this.#table;
    if (this.#handle === null) {
      this.#handle = await open(this.path, 'w');
      await this.#append(formatRecord([...columns, ...addedColumns(columns)], delimiter));
    }
    const own = columns.map((_, index) => cells[index] ?? '');
    // Cells beyond the columns come last, so that the three added cells stay in their columns.
    const all = [...own, String(line), code, reason, ...cells.slice(columns.length)];
    await this.#append(formatRecord(all, delimiter));
  }

  async #append(text: string): Promise<void> {
    await this.#handle?.appendFile(text);
    this.#count(Buffer.from(text));
  }

  #count(written: Uint8Array): void {
    this.#bytes += written.length;
    this.#hash.update(written);
  }

  #giveUp(error: unknown): void {
    this.#isFileGood = false;
    this.#beforeSaying();
    complain(`${this.path} cannot be written, so rejected rows are listed here: ${String(error)}`);
  }
}
