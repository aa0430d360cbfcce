/** The first rows of a file, looked at before the file is imported. */

import type { ServiceError } from '../errors.ts';
import { toResult } from '../domain/result.ts';
import type { FileRow, OpenFile, RowValues } from './reader.ts';
import { FileDamage } from './text/damage.ts';

/** Rows that are looked at, and about how many bytes they may have. */
const SAMPLE_ROWS = 1_000;
const SAMPLE_BYTES = 2 * 1024 * 1024;

export class Sample {
  readonly #opened: OpenFile;
  #sampled: readonly FileRow[] = [];
  #damage: FileDamage | null = null;
  /** Of rows that were read already: what reading them notes is to be noted once. */
  readonly #values = new Map<FileRow, RowValues | ServiceError>();

  constructor(opened: OpenFile) {
    this.#opened = opened;
  }

  /** The values of a row that is imported now. */
  valuesOf(row: FileRow): RowValues | ServiceError {
    const known = this.#values.get(row);
    this.#values.delete(row);
    return known ?? toResult(() => this.#opened.valuesOf(row));
  }

  /** The values of a row that is imported later. */
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

  /** All rows of the file, those of the sample first. */
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
