/**
 * Copies a whole store into another one, of any kind, and compares the two afterwards.
 *
 * The target keeps a mark with the id of its source and a digest of its content when the copy was completed. A target
 * without the mark holds other data and is never changed. A mark without a digest means an unfinished copy: it is not
 * served, and the next run starts it again.
 */

import { randomUUID } from 'node:crypto';

import type { Storage, StoredItem } from '../../storage/storage.ts';
import type { StoreCounts } from './store-digests.ts';
import { listOwnedMaps } from '../operator.ts';
import { loadItems } from './load-items.ts';
import { combine, differingMaps, digestStore } from './store-digests.ts';
import { COPY_MARK, isUnfinished, OWN_META, RESTORE_MARK, STORE_ID } from './store-marks.ts';

interface CopyMark {
  /** The id of the source store. */
  readonly source: string;
  /** Of the target's content when the copy was completed; null until then. */
  readonly digest: string | null;
}

export type CopyCounts = StoreCounts;

export type CopyResult =
  | { readonly kind: 'copied'; readonly counts: CopyCounts }
  /** The target already is a complete copy; nothing was changed. */
  | { readonly kind: 'unchanged'; readonly counts: CopyCounts }
  /**
   * The source was written during the copy. These maps differ; with `alsoOutsideMaps`, owners, tokens or other values
   * differ as well.
   */
  | { readonly kind: 'differs'; readonly mapIds: readonly string[]; readonly alsoOutsideMaps: boolean }
  /** The target holds other data, or was written since it was copied. It was not changed. */
  | { readonly kind: 'refused'; readonly reason: string };

export interface CopyProgress extends CopyCounts {
  readonly phase: 'copying' | 'comparing';
  /** Locations of the source at the start; null if they were not counted. */
  readonly totalLocations: number | null;
}

export interface CopyOptions {
  /** Called with the counts so far after each batch, and when the comparison starts. */
  readonly onProgress?: (progress: CopyProgress) => void;
  /** Whether to count the source's locations first, which takes one call per map. */
  readonly wantsTotal?: boolean;
  /** Milliseconds since the epoch. */
  readonly clock?: () => number;
}

export async function copyStore(
  source: Storage,
  target: Storage,
  options: CopyOptions = {},
): Promise<CopyResult> {
  const { clock = Date.now, onProgress = () => {} } = options;
  const sourceId = await storeId(source);
  if ((await target.getMeta(STORE_ID)) === sourceId) {
    return { kind: 'refused', reason: 'The source and the target are the same store.' };
  }
  for (const [name, storage] of Object.entries({ source, target })) {
    if (!isUnfinished(await storage.getMeta(RESTORE_MARK), 'completedAt')) continue;
    return {
      kind: 'refused',
      reason: `The ${name} is being restored from a backup, or a restore was interrupted.`,
    };
  }
  const mark = await readMark(target);
  const refusal = await whyRefuse(target, mark, sourceId);
  if (refusal !== null) return { kind: 'refused', reason: refusal };
  if (mark !== null && mark.digest !== null) {
    const known = await compare(source, target, clock());
    if (known.isSame) return { kind: 'unchanged', counts: known.counts };
  }

  await target.setMeta(COPY_MARK, JSON.stringify({ source: sourceId, digest: null } satisfies CopyMark));
  await target.removeAll(OWN_META);
  const totalLocations = options.wantsTotal ? await countAllLocations(source) : null;
  const counts = await loadItems(itemsOf(source, clock()), target, {
    onProgress: (progress) => onProgress({ ...progress, totalLocations, phase: 'copying' }),
  });
  onProgress({ ...counts, totalLocations, phase: 'comparing' });
  const { isSame, mapIds, alsoOutsideMaps } = await compare(source, target, clock());
  if (!isSame) return { kind: 'differs', mapIds, alsoOutsideMaps };
  const digest = await lastingDigest(target);
  await target.setMeta(COPY_MARK, JSON.stringify({ source: sourceId, digest } satisfies CopyMark));
  return { kind: 'copied', counts };
}

async function countAllLocations(storage: Storage): Promise<number> {
  let count = 0;
  for await (const { locations } of listOwnedMaps(storage, null)) count += locations;
  return count;
}

async function storeId(storage: Storage): Promise<string> {
  await storage.setMetaIfAbsent(STORE_ID, randomUUID());
  const id = await storage.getMeta(STORE_ID);
  if (id === null) throw new Error('A stored value is missing.');
  return id;
}

async function readMark(storage: Storage): Promise<CopyMark | null> {
  const text = await storage.getMeta(COPY_MARK);
  return text === null ? null : (JSON.parse(text) as CopyMark);
}

/** @returns why the target must not be changed; null if it may be filled */
async function whyRefuse(target: Storage, mark: CopyMark | null, sourceId: string): Promise<string | null> {
  if (await target.isEmpty()) return null;
  if (mark === null) return 'The target holds other data; a copy needs an empty store.';
  if (mark.source !== sourceId) return 'The target is a copy of another store.';
  if (mark.digest === null || mark.digest === (await lastingDigest(target))) return null;
  return 'The target was written since it was copied.';
}

/** The items to copy. */
async function* itemsOf(source: Storage, now: number): AsyncGenerator<StoredItem> {
  for await (const item of source.dump(now)) {
    if (item.kind !== 'meta' || !OWN_META.includes(item.key)) yield item;
  }
}

interface Comparison {
  readonly isSame: boolean;
  readonly counts: CopyCounts;
  readonly mapIds: readonly string[];
  readonly alsoOutsideMaps: boolean;
}

/** Items that expire within this time (milliseconds) are not compared: they could expire in only one of the stores. */
const EXPIRY_MARGIN_MS = 60 * 60 * 1000;

async function compare(source: Storage, target: Storage, now: number): Promise<Comparison> {
  const [ours, theirs] = await Promise.all([
    digestStore(source, now + EXPIRY_MARGIN_MS, OWN_META),
    digestStore(target, now + EXPIRY_MARGIN_MS, OWN_META),
  ]);
  const mapIds = differingMaps(ours, theirs);
  const alsoOutsideMaps = ours.ofTheRest !== theirs.ofTheRest;
  return { isSame: mapIds.length === 0 && !alsoOutsideMaps, counts: ours.counts, mapIds, alsoOutsideMaps };
}

/** The last time that a Date can hold, in milliseconds. */
const END_OF_TIME = 8_640_000_000_000_000;

/** Digest of everything that does not expire. */
async function lastingDigest(storage: Storage): Promise<string> {
  return combine(await digestStore(storage, END_OF_TIME, OWN_META));
}
