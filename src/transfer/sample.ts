/** Inspects the first rows of a file before the import. */

import type { ServiceError } from '../errors.ts';
import { toResult } from '../domain/result.ts';
import type { FileRow, OpenFile, RowValues } from './reader.ts';
import { FileDamage } from './text/damage.ts';

/** Maximum rows of the sample, and their approximate maximum size. */
const SAMPLE_ROWS = 1_000;
const SAMPLE_BYTES = 2 * 1024 * 1024;

export class Sample {
  readonly #opened: OpenFile;
  #sampled: readonly FileRow[] = [];
  #damage: FileDamage | null = null;
  /** Values of parsed rows, because parsing a row again would repeat its notes. */
  readonly #values = new Map<FileRow, RowValues | ServiceError>();

  constructor(opened: OpenFile) {
    this.#opened = opened;
  }

  /** The values of a row, for the import. */
  valuesOf(row: FileRow): RowValues | ServiceError {
    const known = this.#values.get(row);
    this.#values.delete(row);
    return known ?? toResult(() => this.#opened.valuesOf(row));
  }

  /** The values of a row, before the import. */
  peekValuesOf(row: FileRow): RowValues | ServiceError {
    const values = this.#values.get(row) ?? toResult(() => this.#opened.valuesOf(row));
    this.#values.set(row, values);
    return values;
  }

  async read(): Promise<readonly FileRow[]> {
    const rows: FileRow[] = [];
    try {
      while (rows.length < SAMPLE_ROWS && (rows.at(-1)?.end ?? 0) < SAMPLE_BYTES) {
        const next = await this.#opened.rows.next();
        if (next.done) break;
        rows.push(next.value);
      }
    } catch (error) {
      if (!(error instanceof FileDamage)) throw error;
      this.#damage = error;
    }
    this.#sampled = rows;
    return rows;
  }

  /** All rows of the file, including the sample. */
  async *rows(): AsyncGenerator<FileRow, void, undefined> {
    try {
      for (const row of this.#sampled) yield row;
      if (this.#damage !== null) throw this.#damage;
      yield* this.#opened.rows;
    } finally {
      await this.#opened.rows.return();
    }
  }
}
