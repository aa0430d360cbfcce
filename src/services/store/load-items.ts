/** Stores the items of a dump or a backup, some at a time. */

import type { Storage, StoredItem } from '../../storage/storage.ts';
import type { StoreCounts } from './store-digests.ts';

/** How many items are stored at a time, and about how many bytes at most. Memory is bounded by one such batch. */
const BATCH_ITEMS = 500;
const BATCH_BYTES = 4 * 1024 * 1024;

export interface LoadOptions {
  /** Called after each batch, with the counts so far. */
  readonly onProgress: (counts: StoreCounts) => void;
  /** Called before each batch is stored; what it answers is stored in its place. */
  readonly prepare?: (batch: readonly StoredItem[]) => Promise<readonly StoredItem[]>;
}

/** @param target holds none of the items */
export async function loadItems(
  items: AsyncIterable<StoredItem>,
  target: Storage,
  { onProgress, prepare = (batch) => Promise.resolve(batch) }: LoadOptions,
): Promise<StoreCounts> {
  let maps = 0;
  let locations = 0;
  let batch: StoredItem[] = [];
  let bytes = 0;
  const flush = async () => {
    await target.load(await prepare(batch));
    batch = [];
    bytes = 0;
    onProgress({ maps, locations });
  };
  for await (const item of items) {
    if (item.kind === 'map') maps += 1;
    if (item.kind === 'location') locations += 1;
    batch.push(item);
    bytes += sizeOf(item);
    if (batch.length >= BATCH_ITEMS || bytes >= BATCH_BYTES) await flush();
  }
  await flush();
  return { maps, locations };
}

function sizeOf(item: StoredItem): number {
  if (item.kind === 'location') return JSON.stringify(item.location.properties).length;
  return item.kind === 'idempotency' ? JSON.stringify(item.record.location.properties).length : 0;
}
