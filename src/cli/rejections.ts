/** Where rejected rows are told of: in their file, or on stderr where that cannot be written. */

import type { RejectedRow } from '../services/imports/imports.ts';
import { complain, say } from './output.ts';
import type { RejectedFile } from './rejected-file.ts';

/** A file that cannot be written must not end the import half-way: the rows are then told of on stderr. */
export class Rejections {
  readonly #file: RejectedFile;
  readonly #beforeSaying: () => void;
  #isFileGood = true;
  #checkpoint: string | null = null;

  constructor(file: RejectedFile, beforeSaying: () => void) {
    this.#file = file;
    this.#beforeSaying = beforeSaying;
  }

  async add(row: RejectedRow): Promise<void> {
    if (this.#isFileGood) {
      try {
        await this.#file.write(row);
        return;
      } catch (error) {
        this.#giveUp(error);
      }
    }
    this.#beforeSaying();
    say(`line ${row.line}: ${row.code}: ${row.reason}`);
  }

  /** What the file held when it was last good. */
  async checkpoint(): Promise<string | null> {
    if (!this.#isFileGood) return this.#checkpoint;
    try {
      this.#checkpoint = await this.#file.checkpoint();
    } catch (error) {
      this.#giveUp(error);
    }
    return this.#checkpoint;
  }

  #giveUp(error: unknown): void {
    this.#isFileGood = false;
    this.#beforeSaying();
    complain(`${this.#file.path} cannot be written, so rejected rows are listed here: ${String(error)}`);
  }
}
