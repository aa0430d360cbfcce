/** Checks a whole backup before anything is restored from it. */

import type { ListEnd } from '../../domain/list/list-end.ts';
import { EMPTY_LIST, endWith } from '../../domain/list/list-end.ts';
import type { StoreCounts } from '../store/store-digests.ts';
import { SECRET_KEY_CHECK } from '../secrets/secret-key-marks.ts';
import type { BackupHeader } from './format.ts';
import { BackupFileError } from './format.ts';
import type { OpenFile } from './read.ts';
import { readBackup } from './read.ts';

export interface CheckedBackup {
  readonly open: OpenFile;
  readonly header: BackupHeader;
  readonly counts: StoreCounts;
  readonly sha256: string;
  /**
   * List ends by map id, for lists that grew while the backup was made: their locations may exceed the end that was
   * read with the map.
   */
  readonly ends: ReadonlyMap<string, ListEnd>;
  /** Mark of the SECRET_KEY that sealed the keys (secret-key-marks.ts); null if there is none. */
  readonly secretKeyCheck: string | null;
}

/**
 * @param onProgress called after each item, with the counts so far
 * @throws BackupFileError if the file cannot be restored
 */
export async function checkBackup(
  open: OpenFile,
  onProgress: (counts: StoreCounts) => void = () => {},
): Promise<CheckedBackup> {
  const ends = new Map<string, ListEnd>();
  const counts = { maps: 0, locations: 0 };
  let header: BackupHeader | null = null;
  let sha256 = '';
  let secretKeyCheck: string | null = null;
  let end = EMPTY_LIST;
  for await (const part of readBackup(open)) {
    if (part.kind === 'header') ({ header } = part);
    if (part.kind === 'end') ({ sha256 } = part);
    if (part.kind !== 'item') continue;
    const { item } = part;
    if (item.kind === 'meta' && item.key === SECRET_KEY_CHECK) secretKeyCheck = item.value;
    if (item.kind === 'map') {
      counts.maps += 1;
      ({ end } = item);
    }
    if (item.kind === 'location') {
      counts.locations += 1;
      const seen = endWith(end, item.location);
      if (seen !== end) ends.set(item.location.mapId, seen);
      end = seen;
    }
    onProgress(counts);
  }
  if (header === null) throw new BackupFileError('is not a backup of map-locations.');
  return { open, header, counts, sha256, ends, secretKeyCheck };
}
