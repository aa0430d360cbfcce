/** Meta values of a store about itself: its id, and whether it may be served. */

import { OperatorError } from '../../errors.ts';
import type { Storage } from '../../storage/storage.ts';

export const STORE_ID = 'store-id';
/** Written by copy.ts. */
export const COPY_MARK = 'copy';
/** Written by backup/restore.ts. */
export const RESTORE_MARK = 'restore';

/** Neither copied, compared nor backed up. */
export const OWN_META: readonly string[] = [STORE_ID, COPY_MARK, RESTORE_MARK];

/** The store is an unfinished copy and cannot be served. */
export class UnfinishedCopyError extends OperatorError {
  constructor() {
    super('The store is an unfinished copy of another one; run map-locations copy again to complete it.');
  }
}

/** A restore is running or was interrupted, so the store cannot be served. */
export class UnfinishedRestoreError extends OperatorError {
  constructor() {
    super(
      'The store is being restored from a backup, or a restore was interrupted; if none is running, run map-locations restore again.',
    );
  }
}

/** @throws UnfinishedCopyError, UnfinishedRestoreError */
export async function assertComplete(storage: Storage): Promise<void> {
  if (isUnfinished(await storage.getMeta(COPY_MARK), 'digest')) throw new UnfinishedCopyError();
  if (isUnfinished(await storage.getMeta(RESTORE_MARK), 'completedAt')) throw new UnfinishedRestoreError();
}

/** @param end the member of the mark that is null until the work is complete */
export function isUnfinished(mark: string | null, end: 'digest' | 'completedAt'): boolean {
  return mark !== null && (JSON.parse(mark) as Record<string, unknown>)[end] === null;
}
