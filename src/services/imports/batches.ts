/** Reads the rows of a file in batches. */

import { FileDamage } from '../../text-files/damage.ts';
import type { FileRow } from './source.ts';

/** Large enough that many rows share one commit to the disk; small enough that an import stops soon. */
export const IMPORT_BATCH_SIZE = 200;
/** About how many bytes a batch may have. Large rows close it early, which bounds memory. */
const BATCH_BYTES = 1024 * 1024;

export interface Batch<Row extends FileRow> {
  /** The number of its first row in the file, from 1. */
  readonly firstRow: number;
  /** At least one. */
  readonly rows: readonly Row[];
}

/**
 * @param size the most rows in a batch
 * @param skipped how many rows at the start of the file are left out
 * @throws FileDamage, after all rows before the damage were given, even if they do not fill a batch
 */
export async function* readBatches<Row extends FileRow>(
  rows: AsyncIterable<Row>,
  size: number,
  skipped: number,
): AsyncGenerator<Batch<Row>, void, undefined> {
  let batch: Row[] = [];
  let damage: FileDamage | null = null;
  /** Where the batch begins in the file, in bytes. */
  let offset = 0;
  let number = 0;
  try {
    for await (const row of rows) {
      number += 1;
      if (number > skipped) batch.push(row);
      else offset = row.end;
      if (batch.length === 0 || (batch.length < size && row.end - offset < BATCH_BYTES)) continue;
      yield { firstRow: number - batch.length + 1, rows: batch };
      batch = [];
      offset = row.end;
    }
  } catch (error) {
    if (!(error instanceof FileDamage)) throw error;
    damage = error;
  }
  if (batch.length > 0) yield { firstRow: number - batch.length + 1, rows: batch };
  if (damage !== null) throw damage;
}
