/** Reads the rows of a file in batches. */

import { ServiceError } from '../../errors.ts';
import type { RowInput } from '../columns/row-mapper.ts';
import type { ImportSource } from '../open-import.ts';
import type { FileRow } from '../reader.ts';
import { FileDamage } from '../text/damage.ts';

/**
 * Large enough that many rows share a commit: each of its rows belongs at another place of most indexes, so a commit writes
 * a page for nearly every row, until it has so many that they share pages too. Small enough that an import stops soon, and
 * that who writes beside it waits for some tenths of a second at most.
 */
export const IMPORT_BATCH_SIZE = 3_000;
/** To change a location takes several times as long as to add one. */
export const UPSERT_BATCH_SIZE = 1_000;
/** Rows of a batch that are geocoded, each of which may take a second. */
const MOST_GEOCODED = 200;
/** About how many bytes a batch may have. Large rows close it early, which bounds memory. */
const BATCH_BYTES = 1024 * 1024;

export interface BatchRow {
  readonly row: FileRow;
  /** The location's input, or why the row cannot be one. */
  readonly input: RowInput | ServiceError;
}

export interface Batch {
  /** The number of its first row in the file, from 1. */
  readonly firstRow: number;
  /** At least one. */
  readonly rows: readonly BatchRow[];
}

/**
 * @param source whose rows are read
 * @param size the most rows in a batch
 * @param skipped how many rows at the start of the file are left out
 * @throws FileDamage, after all rows before the damage were given, even if they do not fill a batch
 */
export async function* readBatches(
  { rows, readRow }: Pick<ImportSource, 'rows' | 'readRow'>,
  size: number,
  skipped: number,
): AsyncGenerator<Batch, void, undefined> {
  let batch: BatchRow[] = [];
  let geocoded = 0;
  let damage: FileDamage | null = null;
  /** Where the batch begins in the file, in bytes. */
  let offset = 0;
  let number = 0;
  try {
    for await (const row of rows) {
      number += 1;
      if (number <= skipped) {
        offset = row.end;
        continue;
      }
      const input = readRow(row);
      batch.push({ row, input });
      if (!(input instanceof ServiceError) && input.position === null) geocoded += 1;
      if (batch.length < size && geocoded < MOST_GEOCODED && row.end - offset < BATCH_BYTES) continue;
      yield { firstRow: number - batch.length + 1, rows: batch };
      batch = [];
      geocoded = 0;
      offset = row.end;
    }
  } catch (error) {
    if (!(error instanceof FileDamage)) throw error;
    damage = error;
  }
  if (batch.length > 0) yield { firstRow: number - batch.length + 1, rows: batch };
  if (damage !== null) throw damage;
}
