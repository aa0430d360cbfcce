/**
 * Moving house: a whole store copied into another, of whatever kind, and compared afterwards. The target remembers
 * that it is a copy, of which store, and what it held when the copy was complete; that tells an unfinished copy, which
 * is begun again, from data of its own, which is never touched.
 */

import { createHash, randomUUID } from 'node:crypto';

import { OperatorError } from '../errors.ts';
import type { Storage, StoredItem } from '../storage/storage.ts';
import { canonicalJson } from './canonical-json.ts';

/** The store's own values that belong to one store and are not copied. */
const STORE_ID = 'store-id';
const COPY = 'copy';
const KEPT = [STORE_ID, COPY];

/** Items stored at a time, and no more bytes than about this. */
const BATCH_ITEMS = 500;
const BATCH_BYTES = 4 * 1024 * 1024;

/** What a target remembers of the copy that it is. */
interface CopyMark {
  readonly source: string;
  /** The target's content when the copy was complete; null while it is not. */
  readonly digest: string | null;
}

export interface CopyCounts {
  readonly maps: number;
  readonly locations: number;
}

export type CopyResult =
  | { readonly kind: 'copied'; readonly counts: CopyCounts }
  /** The target was a complete copy already; nothing was changed. */
  | { readonly kind: 'unchanged'; readonly counts: CopyCounts }
  /** The source was written meanwhile: these maps (and perhaps owners or tokens) differ. */
  | { readonly kind: 'differs'; readonly mapIds: readonly string[]; readonly alsoOutsideMaps: boolean }
  /** The target holds other data, or was written since it was copied; it was not touched. */
  | { readonly kind: 'refused'; readonly reason: string };

export interface CopyOptions {
  /** Told now and then how many items are stored. */
  readonly onProgress?: (progress: CopyCounts & { readonly phase: 'copying' | 'comparing' }) => void;
  readonly clock?: () => number;
}

/** A store cannot be used: it is a copy that was cut short. */
export class UnfinishedCopyError extends OperatorError {
  constructor() {
    super('The store is an unfinished copy of another; run map-locations copy again to complete it.');
  }
}

/** True for a store that is a copy not yet complete, which must not be served. */
export async function isUnfinishedCopy(storage: Storage): Promise<boolean> {
  const mark = await readMark(storage);
  return mark !== null && mark.digest === null;
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
  const mark = await readMark(target);
  const refusal = await whyRefuse(target, mark, sourceId);
  if (refusal !== null) return { kind: 'refused', reason: refusal };
  if (mark !== null && mark.digest !== null) {
    const known = await compare(source, target, clock());
    if (known.isSame) return { kind: 'unchanged', counts: known.counts };
  }

  await target.setMeta(COPY, JSON.stringify({ source: sourceId, digest: null } satisfies CopyMark));
  await target.removeAll(KEPT);
  const counts = await copyItems(source, target, clock(), (progress) =>
    onProgress({ ...progress, phase: 'copying' }),
  );
  onProgress({ ...counts, phase: 'comparing' });
  const { isSame, mapIds, alsoOutsideMaps } = await compare(source, target, clock());
  if (!isSame) return { kind: 'differs', mapIds, alsoOutsideMaps };
  const digest = await lastingDigest(target);
  await target.setMeta(COPY, JSON.stringify({ source: sourceId, digest } satisfies CopyMark));
  return { kind: 'copied', counts };
}

async function storeId(storage: Storage): Promise<string> {
  await storage.setMetaIfAbsent(STORE_ID, randomUUID());
  const id = await storage.getMeta(STORE_ID);
  if (id === null) throw new Error('A value was stored and is not there.');
  return id;
}

async function readMark(storage: Storage): Promise<CopyMark | null> {
  const text = await storage.getMeta(COPY);
  return text === null ? null : (JSON.parse(text) as CopyMark);
}

/** @returns why the target must not be touched, or null */
async function whyRefuse(target: Storage, mark: CopyMark | null, sourceId: string): Promise<string | null> {
  if (await target.isEmpty()) return null;
  if (mark === null) return 'The target holds data of its own; a copy needs an empty store.';
  if (mark.source !== sourceId) return 'The target is a copy of another store.';
  if (mark.digest === null || mark.digest === (await lastingDigest(target))) return null;
  return 'The target was written since it was copied.';
}

async function copyItems(
  source: Storage,
  target: Storage,
  now: number,
  onProgress: (counts: CopyCounts) => void,
): Promise<CopyCounts> {
  let maps = 0;
  let locations = 0;
  let batch: StoredItem[] = [];
  let bytes = 0;
  const flush = async () => {
    await target.load(batch);
    batch = [];
    bytes = 0;
    onProgress({ maps, locations });
  };
  for await (const item of source.dump(now)) {
    if (item.kind === 'meta' && KEPT.includes(item.key)) continue;
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

interface Comparison {
  readonly isSame: boolean;
  readonly counts: CopyCounts;
  readonly mapIds: readonly string[];
  readonly alsoOutsideMaps: boolean;
}

/** A key that expires while it is compared is no difference. */
const EXPIRY_MARGIN_MS = 60 * 60 * 1000;

/** Compares map by map, so that a difference has a name. */
async function compare(source: Storage, target: Storage, now: number): Promise<Comparison> {
  const [ours, theirs] = await Promise.all([
    digests(source, now + EXPIRY_MARGIN_MS),
    digests(target, now + EXPIRY_MARGIN_MS),
  ]);
  const names = new Set([...ours.parts.keys(), ...theirs.parts.keys()]);
  const differing = [...names].filter((name) => ours.parts.get(name) !== theirs.parts.get(name));
  return {
    isSame: differing.length === 0,
    counts: ours.counts,
    mapIds: differing.filter((name) => name !== OUTSIDE_MAPS),
    alsoOutsideMaps: differing.includes(OUTSIDE_MAPS),
  };
}

/** Where owners, tokens and the store's own values are counted. */
const OUTSIDE_MAPS = '';

/** A digest for each map with all that belongs to it, and one for the rest; a digest is 32 bytes for each map. */
async function digests(storage: Storage, expiringAfter: number) {
  const parts = new Map<string, string>();
  const outside = createHash('sha256');
  let maps = 0;
  let locations = 0;
  let current: { id: string; hash: ReturnType<typeof createHash> } | null = null;
  const finish = () => {
    if (current !== null) parts.set(current.id, current.hash.digest('base64'));
    current = null;
  };
  for await (const item of storage.dump(expiringAfter)) {
    if (item.kind === 'meta' && KEPT.includes(item.key)) continue;
    if (item.kind === 'map') {
      finish();
      current = { id: item.map.id, hash: createHash('sha256') };
      maps += 1;
    }
    if (item.kind === 'location') locations += 1;
    const belongsToMap = item.kind === 'map' || item.kind === 'location' || item.kind === 'idempotency';
    (belongsToMap && current !== null ? current.hash : outside).update(textOf(item)).update('\n');
  }
  finish();
  parts.set(OUTSIDE_MAPS, outside.digest('base64'));
  return { parts, counts: { maps, locations } };
}

/** Equal for equal items, whatever adapter made them; the order of a location's keys counts. */
function textOf(item: StoredItem): string {
  if (item.kind !== 'location') return canonicalJson(item);
  const { properties, ...location } = item.location;
  return `${canonicalJson(location)} ${JSON.stringify(properties)}`;
}

/** The last time that a Date can hold. */
const END_OF_TIME = 8_640_000_000_000_000;

/** A digest of what does not go away by itself: everything but idempotency records. */
async function lastingDigest(storage: Storage): Promise<string> {
  const { parts } = await digests(storage, END_OF_TIME);
  const hash = createHash('sha256');
  for (const [name, digest] of [...parts].sort(([a], [b]) => (a < b ? -1 : 1)))
    hash.update(`${name} ${digest}\n`);
  return hash.digest('base64');
}
