/** Walks through a whole map in the order of its list, in constant memory and without holding up anybody else. */

import type { PageRequest } from '../../domain/paging/paging.ts';
import type { SortKey } from '../../domain/list/sort-key.ts';
import type { ExportedLocations } from '../../storage/storage.ts';
import { createScheduler } from '../../lib/cooperative-scheduler.ts';

/** About how many bytes a batch has: enough that the calls cost little, few enough that memory stays small. */
export const BATCH_BYTES = 256 * 1024;
const FIRST_BATCH = 50;
/** Each may be as large as a location can be, whatever those before it were. */
const MAX_BATCH = 600;

/** A batch may take the event loop some milliseconds, which cannot be divided. All walks share them. */
const turnToRead = createScheduler(5);

/**
 * Whatever is there from the beginning to the end of the walk is given once. Nothing is read before it is asked for.
 *
 * @param read the locations of the page, which is one of the walk. Each call has the time that one call may have
 * @param signal ends the walk between two batches
 * @throws whatever `read` throws, and the signal's reason
 */
export async function* exportBatches(
  read: (page: Pick<PageRequest<SortKey>, 'limit' | 'after'>) => Promise<ExportedLocations>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Buffer, void, undefined> {
  let limit = FIRST_BATCH;
  let after: SortKey | null = null;
  for (;;) {
    signal?.throwIfAborted();
    const pause = turnToRead();
    if (pause !== undefined) await pause;
    const { bytes, count, last }: ExportedLocations = await read({ limit, after });
    if (count > 0) yield Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (count < limit || last === null) return;
    after = last;
    limit = nextLimit(limit, bytes.length);
  }
}

/** Grows slowly, since the next locations may be larger, and shrinks at once. */
function nextLimit(limit: number, bytes: number): number {
  const wanted = Math.floor((limit * BATCH_BYTES) / Math.max(1, bytes));
  return Math.max(1, Math.min(wanted, 2 * limit, MAX_BATCH));
}
