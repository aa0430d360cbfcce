/**
 * Copies a whole store into another, of the same kind or not, and compares the two afterwards.
 *
 * The target keeps a mark: that it is a copy, of which store, and a digest of what it held when the copy was complete.
 * A target without the mark holds data of its own, and is never touched. A target whose mark has no digest is an
 * unfinished copy. It is begun again, and it is not served until it is complete.
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
  /** Of what the target held when the copy was complete; null until then. */
  readonly digest: string | null;
}

export type CopyCounts = StoreCounts;

export type CopyResult =
  | { readonly kind: 'copied'; readonly counts: CopyCounts }
  /** The target was already a complete copy; nothing was changed. */
  | { readonly kind: 'unchanged'; readonly counts: CopyCounts }
  /**
   * The source was written during the copy. These maps differ. With `alsoOutsideMaps`, owners, tokens or other values
   * differ as well.
   */
  | { readonly kind: 'differs'; readonly mapIds: readonly string[]; readonly alsoOutsideMaps: boolean }
  /** The target holds other data, or was written since it was copied. It was not touched. */
  | { readonly kind: 'refused'; readonly reason: string };

export interface CopyProgress extends CopyCounts {
  readonly phase: 'copying' | 'comparing';
  /** Locations of the source as it was at first; null where they were not counted. */
  readonly totalLocations: number | null;
}

export interface CopyOptions {
  /** Called after each batch of items, and when the comparison begins, with the counts so far. */
  readonly onProgress?: (progress: CopyProgress) => void;
  /** Whether the source's locations are counted first, which asks for each map. */
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
      reason: `The ${name} is being restored from a backup, or that was interrupted.`,
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
  if (id === null) throw new Error('A value was stored and is not there.');
  return id;
}

async function readMark(storage: Storage): Promise<CopyMark | null> {
  const text = await storage.getMeta(COPY_MARK);
  return text === null ? null : (JSON.parse(text) as CopyMark);
}

/** @returns why the target must not be touched; null when it may be filled */
async function whyRefuse(target: Storage, mark: CopyMark | null, sourceId: string): Promise<string | null> {
  if (await target.isEmpty()) return null;
  if (mark === null) return 'The target holds data of its own; a copy needs an empty store.';
  if (mark.source !== sourceId) return 'The target is a copy of another store.';
  if (mark.digest === null || mark.digest === (await lastingDigest(target))) return null;
  return 'The target was written since it was copied.';
}

/** What of a store is copied. */
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

/** Milliseconds. What expires within this time is not compared: it could expire in only one of the stores. */
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

/** A digest of everything that does not expire. */
async function lastingDigest(storage: Storage): Promise<string> {
  return combine(await digestStore(storage, END_OF_TIME, OWN_META));
}
