/** Removes the history that is not kept any more, in small steps. */

import type { Storage } from '../../storage/storage.ts';
import type { HistoryRetention } from './retention.ts';
import { limitsOf } from './retention.ts';

/** Records that a step looks at: a few milliseconds. */
const STEP = 500;

export interface RemoveOldOptions {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Waits between two steps, for other writers. */
  readonly pause: () => Promise<void>;
  /** Ends the work after the current step. */
  readonly signal: AbortSignal;
}

/** @returns the number of records removed */
export async function removeOldHistory(
  storage: Pick<Storage, 'removeOldHistory'>,
  retention: HistoryRetention,
  { now, pause, signal }: RemoveOldOptions,
): Promise<number> {
  const limits = limitsOf(retention, now);
  let sum = 0;
  let after: string | null = null;
  do {
    const { removed, next }: { removed: number; next: string | null } = await storage.removeOldHistory(
      limits,
      after,
      STEP,
    );
    sum += removed;
    after = next;
    if (after !== null) await pause();
  } while (after !== null && !signal.aborted);
  return sum;
}
