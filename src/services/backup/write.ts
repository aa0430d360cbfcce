/** Writes a backup as uncompressed lines. */

import { createHash } from 'node:crypto';

import { ServiceError } from '../../errors.ts';
import type { Storage } from '../../storage/storage.ts';
import { assertComplete, RESTORE_MARK } from '../store/store-marks.ts';
import { contentsOf } from './contents.ts';
import type { BackupLine } from './format.ts';
import { FORMAT, FORMAT_VERSION, textOfLine } from './format.ts';

/** Approximate bytes per chunk. */
const CHUNK_BYTES = 64 * 1024;

export interface BackupCounts {
  readonly maps: number;
  readonly locations: number;
}

export interface BackupOptions {
  readonly withoutSecrets: boolean;
  /** Name and version of this program. */
  readonly program: string;
  /** Milliseconds since the epoch. */
  readonly clock?: () => number;
  /** Called after each chunk, with the counts so far. */
  readonly onProgress?: (counts: BackupCounts) => void;
}

/**
 * Yields the backup in chunks; memory does not grow with the locations.
 *
 * @throws UnfinishedCopyError, UnfinishedRestoreError for an incomplete store; ServiceError
 */
export async function* writeBackup(
  storage: Storage,
  { withoutSecrets, program, clock = Date.now, onProgress = () => {} }: BackupOptions,
): AsyncGenerator<Buffer> {
  await assertComplete(storage);
  const restoredBefore = await storage.getMeta(RESTORE_MARK);
  const now = clock();
  const hash = createHash('sha256');
  const counts = { map: 0, location: 0 };
  let chunk = '';
  const give = (): Buffer => {
    const bytes = Buffer.from(chunk);
    hash.update(bytes);
    chunk = '';
    onProgress({ maps: counts.map, locations: counts.location });
    return bytes;
  };
  const header: BackupLine = {
    ...{ kind: 'header', format: FORMAT, version: FORMAT_VERSION, program },
    ...{ createdAt: new Date(now).toISOString(), withoutSecrets },
  };
  chunk += textOfLine(header);
  for await (const item of contentsOf(storage, { now, withoutSecrets })) {
    if (item.kind === 'map' || item.kind === 'location') counts[item.kind] += 1;
    chunk += textOfLine(item);
    if (chunk.length >= CHUNK_BYTES) yield give();
  }
  yield give();
  // The backup may mix data from before and after the restore.
  if ((await storage.getMeta(RESTORE_MARK)) !== restoredBefore) {
    throw new ServiceError(
      'CONFLICT',
      'The store was restored while the backup was made: make the backup again.',
    );
  }
  const sha256 = hash.digest('hex');
  yield Buffer.from(textOfLine({ kind: 'end', maps: counts.map, locations: counts.location, sha256 }));
}
