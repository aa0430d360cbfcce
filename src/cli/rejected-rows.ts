/** The file of rejected rows, next to the input: `museums.csv` gives `museums.rejected.csv`. */

import type { Hash } from 'node:crypto';
import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { open, readFile, rm, truncate } from 'node:fs/promises';

import type { RejectedRow } from '../transfer/import/report.ts';
import { complain, say } from './output.ts';
import type { RejectedFormat } from '../transfer/rejected-rows.ts';
import { CommandError } from './run.ts';

const LINE_FEED = 0x0a;

/** What an import has written, without the tail. The import that resumes it recognizes the rows by this. */
interface FileState {
  readonly bytes: number;
  readonly sha256: string;
}

/**
 * Writes the file row by row, starting with the first rejected row. When the file cannot be written, the import continues and
 * lists rejected rows on stderr.
 */
export class RejectedRows {
  readonly path: string;
  readonly #beforeSaying: () => void;
  #format: RejectedFormat = { extension: '', head: '', separator: '', tail: '', write: () => '' };
  #handle: FileHandle | null = null;
  #isFileGood = true;
  #bytes = 0;
  readonly #hash: Hash = createHash('sha256');
  #lastNote: string | null = null;

  /** @param beforeSaying clears the progress bar before a message is printed */
  constructor(path: string, beforeSaying: () => void) {
    this.path = path;
    this.#beforeSaying = beforeSaying;
  }

  get isWritten(): boolean {
    return this.#handle !== null;
  }

  /**
   * Removes the file of an earlier import. When this import resumes that one, the file stays, without the rows after the
   * checkpoint, which are retried. A file that was edited meanwhile stays whole, and rows are appended.
   *
   * @param note from {@link checkpointNote}; null when the import resumes nothing
   * @throws CommandError
   */
  async begin(format: RejectedFormat, note: string | null): Promise<void> {
    this.#format = format;
    const state = note === null ? null : (JSON.parse(note) as FileState);
    try {
      if (state === null || state.bytes === 0) await rm(this.path, { force: true });
      else await this.#reopen(state);
    } catch (error) {
      throw new CommandError(`${this.path} of an earlier import cannot be replaced: ${String(error)}`);
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

  /** Makes the file durable. @returns the note for `begin` of the import that resumes this one */
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
    // The file was removed. The next rejected rows go to a new one.
    if (content === null) return;
    const own = content.subarray(0, bytes);
    const isOwn = createHash('sha256').update(own).digest('hex') === sha256;
    const kept = isOwn ? own : this.#withoutTail(content);
    this.#handle = await open(this.path, 'r+');
    this.#count(kept);
    await truncate(this.path, kept.length);
    if (!isOwn && this.#format.tail === '' && kept.at(-1) !== LINE_FEED) await this.#append('\n');
    await this.#writeTail();
  }

  /** Rows go before the tail of a file that was edited. */
  #withoutTail(content: Buffer): Buffer {
    const tail = this.#format.tail.trim();
    const text = content.toString().trimEnd();
    if (tail === '' || !text.endsWith(tail)) return content;
    return Buffer.from(text.slice(0, -tail.length).trimEnd());
  }

  async #write(row: RejectedRow): Promise<void> {
    const { head, separator, write } = this.#format;
    if (this.#handle === null) {
      this.#handle = await open(this.path, 'w');
      await this.#append(head);
    }
    const isFirst = this.#bytes === Buffer.byteLength(head);
    await this.#append((isFirst ? '' : separator) + write(row));
    await this.#writeTail();
  }

  async #append(text: string): Promise<void> {
    const bytes = Buffer.from(text);
    await this.#handle?.write(bytes, 0, bytes.length, this.#bytes);
    this.#count(bytes);
  }

  /** The tail does not count as content: the next row overwrites it. */
  async #writeTail(): Promise<void> {
    if (this.#format.tail !== '') await this.#handle?.write(this.#format.tail, this.#bytes);
  }

  #count(written: Uint8Array): void {
    this.#bytes += written.length;
    this.#hash.update(written);
  }

  #giveUp(error: unknown): void {
    this.#isFileGood = false;
    this.#beforeSaying();
    complain(
      'COMMAND_FAILED',
      `${this.path} cannot be written, so rejected rows are listed here: ${String(error)}`,
    );
  }
}
