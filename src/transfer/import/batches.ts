/** Reads the rows of a file in batches. */

import { ServiceError } from '../../errors.ts';
import type { RowInput } from '../columns/row-mapper.ts';
import type { ImportSource } from '../open-import.ts';
import type { FileRow } from '../reader.ts';
import { FileDamage } from '../text/damage.ts';

/**
 * Large enough for rows to share index pages: in a small commit, nearly every row writes pages of its own. Small enough
 * to stop soon, and to delay other writers by a few tenths of a second at most.
 */
export const IMPORT_BATCH_SIZE = 3_000;
/** Updating a location takes several times as long as adding one. */
export const UPSERT_BATCH_SIZE = 1_000;
/** Maximum rows of a batch that need geocoding, which may take a second each. */
const MAX_GEOCODED = 200;
/** Approximate maximum size of a batch, which bounds memory for large rows. */
const BATCH_BYTES = 1024 * 1024;

export interface BatchRow {
  readonly row: FileRow;
  /** An error if the row cannot become a location. */
  readonly input: RowInput | ServiceError;
}

export interface Batch {
  /** Number of its first row in the file, from 1. */
  readonly firstRow: number;
  /** At least one. */
  readonly rows: readonly BatchRow[];
}

/**
 * @param size maximum rows per batch
 * @param skipped rows to skip at the start of the file
 * @throws FileDamage after all rows before the damage, even if they do not fill a batch
 */
export async function* readBatches(
  { rows, readRow }: Pick<ImportSource, 'rows' | 'readRow'>,
  size: number,
  skipped: number,
): AsyncGenerator<Batch, void, undefined> {
  let batch: BatchRow[] = [];
  let geocoded = 0;
  let damage: FileDamage | null = null;
  /** Byte offset of the batch in the file. */
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
      if (batch.length < size && geocoded < MAX_GEOCODED && row.end - offset < BATCH_BYTES) continue;
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
