/** Reads a whole map in list order, in constant memory, without blocking the event loop for long. */

import type { PageRequest } from '../../domain/paging/paging.ts';
import type { SortKey } from '../../domain/list/sort-key.ts';
import type { ExportedLocations } from '../../storage/storage.ts';
import { createScheduler } from '../../lib/cooperative-scheduler.ts';

/** Target size of a batch: large enough for few calls, small enough for little memory. */
export const BATCH_BYTES = 256 * 1024;
const FIRST_BATCH = 50;
/** Bounds the memory if later locations are larger. */
const MAX_BATCH = 600;

/** All exports share it, because a batch blocks the event loop for some milliseconds. */
const yieldBeforeRead = createScheduler(5);

/**
 * Yields locations that exist from start to end once. Reads only on demand.
 *
 * @param read reads the locations of a page. Each call has the store's full timeout
 * @param signal ends the export between two batches
 * @throws the errors of `read`; the signal's reason
 */
export async function* exportBatches(
  read: (page: Pick<PageRequest<SortKey>, 'limit' | 'after'>) => Promise<ExportedLocations>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Buffer, void, undefined> {
  let limit = FIRST_BATCH;
  let after: SortKey | null = null;
  for (;;) {
    signal?.throwIfAborted();
    const pause = yieldBeforeRead();
    if (pause !== undefined) await pause;
    const { bytes, count, last }: ExportedLocations = await read({ limit, after });
    if (count > 0) yield Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (count < limit || last === null) return;
    after = last;
    limit = nextLimit(limit, bytes.length);
  }
}

/** Grows slowly, because the next locations may be larger, and shrinks at once. */
function nextLimit(limit: number, bytes: number): number {
  const wanted = Math.floor((limit * BATCH_BYTES) / Math.max(1, bytes));
  return Math.max(1, Math.min(wanted, 2 * limit, MAX_BATCH));
}
