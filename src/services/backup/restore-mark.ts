/**
 * The mark of a store that is restored. Until the restore is complete the store is not served: no process begins to
 * serve it, and those that do find the mark (guard.ts). A restore that dies leaves it behind.
 */

import type { Storage } from '../../storage/storage.ts';
import { RESTORE_MARK } from '../store/store-marks.ts';

export interface RestoreMark {
  /** Another one for every restore. */
  readonly id: string;
  /** Goes up now and then as long as the restore lives. */
  readonly beat: number;
  /** In how many of the store's own values it is kept which tokens are revoked (revoked-tokens.ts). */
  readonly revokedLists: number;
  /** ISO 8601; null until it is complete. */
  readonly completedAt: string | null;
}

export async function readRestoreMark(storage: Storage): Promise<RestoreMark | null> {
  const text = await storage.getMeta(RESTORE_MARK);
  return text === null ? null : (JSON.parse(text) as RestoreMark);
}

export function writeRestoreMark(storage: Storage, mark: RestoreMark): Promise<void> {
  return storage.setMeta(RESTORE_MARK, JSON.stringify(mark));
}
