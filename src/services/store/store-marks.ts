/** What a store keeps of itself, among its own values: which store it is, and whether it may be served. */

import { OperatorError } from '../../errors.ts';
import type { Storage } from '../../storage/storage.ts';

export const STORE_ID = 'store-id';
/** Of copy.ts. */
export const COPY_MARK = 'copy';
/** Of backup/restore-mark.ts. */
export const RESTORE_MARK = 'restore';

/** Values that concern the store itself. They are neither copied nor compared, and are in no backup. */
export const OWN_META: readonly string[] = [STORE_ID, COPY_MARK, RESTORE_MARK];

/** The store cannot be served: it is an interrupted copy. */
export class UnfinishedCopyError extends OperatorError {
  constructor() {
    super('The store is an unfinished copy of another; run map-locations copy again to complete it.');
  }
}

/** The store cannot be served: a restore is under way, or was interrupted. */
export class UnfinishedRestoreError extends OperatorError {
  constructor() {
    super(
      'The store is being restored from a backup, or that was interrupted; where no restore is under way any more, run map-locations restore again.',
    );
  }
}

/** @throws UnfinishedCopyError, UnfinishedRestoreError */
export async function assertComplete(storage: Storage): Promise<void> {
  if (isUnfinished(await storage.getMeta(COPY_MARK), 'digest')) throw new UnfinishedCopyError();
  if (isUnfinished(await storage.getMeta(RESTORE_MARK), 'completedAt')) throw new UnfinishedRestoreError();
}

/** @param end the member of a mark that is null until its work is done */
export function isUnfinished(mark: string | null, end: 'digest' | 'completedAt'): boolean {
  return mark !== null && (JSON.parse(mark) as Record<string, unknown>)[end] === null;
}
