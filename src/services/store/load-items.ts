/** Stores the items of a dump or a backup in batches. */

import type { Storage, StoredItem } from '../../storage/storage.ts';
import type { StoreCounts } from './store-digests.ts';

/** Maximum items and approximate bytes per batch. One batch is in memory. */
const BATCH_ITEMS = 500;
const BATCH_BYTES = 4 * 1024 * 1024;
const BYTES_PER_CHANGE = 100;

export interface LoadOptions {
  /** Called after each batch, with the counts so far. */
  readonly onProgress: (counts: StoreCounts) => void;
  /** Called before each batch is stored; its result is stored instead. */
  readonly prepare?: (batch: readonly StoredItem[]) => Promise<readonly StoredItem[]>;
}

/** @param target has none of the items */
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
  if (item.kind === 'changes') return item.changes.length * BYTES_PER_CHANGE;
  if (item.kind === 'version') return JSON.stringify(item.version.location).length;
  return item.kind === 'idempotency' ? JSON.stringify(item.record.location.properties).length : 0;
}
