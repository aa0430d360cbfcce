/** The maps of a caller: a page of them, or all in batches. */

import type { MapSortKey } from '../../domain/paging/cursor.ts';
import type { MapRecord } from '../../domain/map.ts';
import type { PageRequest } from '../../domain/paging/paging.ts';
import type { Storage } from '../../storage/storage.ts';
import { requireCaller } from '../caller.ts';
import type { Scope } from '../scope.ts';

/** Maps per read. */
const BATCH = 1_000;

/** A page of the caller's maps, by time of creation, then id. A link has its map only, of which it is no member. */
export async function listMaps(
  storage: Pick<Storage, 'listMaps' | 'getMaps'>,
  scope: Scope,
  range: PageRequest<MapSortKey>,
): Promise<readonly MapRecord[]> {
  const { kind, ownerId, mapId } = requireCaller(scope.caller);
  if (kind !== 'link' || mapId === null) return storage.listMaps({ ...range, ownerId, mapId }, scope);
  const [map = null] = await storage.getMaps([mapId], scope);
  return map !== null && isWithin(map, range) ? [map] : [];
}

export async function countMaps(storage: Pick<Storage, 'countMaps'>, scope: Scope): Promise<number> {
  const { kind, ownerId, mapId } = requireCaller(scope.caller);
  return kind === 'link' ? 1 : storage.countMaps({ ownerId, mapId }, scope);
}

/**
 * In order of creation, including deleted maps.
 *
 * @throws CallerGoneError when the client disconnects
 */
export async function* ownedMaps(
  storage: Pick<Storage, 'listMaps' | 'getMaps'>,
  scope: Scope,
): AsyncGenerator<readonly MapRecord[]> {
  let after: MapSortKey | null = null;
  do {
    const range: PageRequest<MapSortKey> = { limit: BATCH, fromEnd: false, after, before: null };
    const maps: readonly MapRecord[] = await listMaps(storage, scope, range);
    yield maps;
    scope.signal?.throwIfAborted();
    after = maps.length < BATCH ? null : (maps.at(-1) ?? null);
  } while (after !== null);
}

function isWithin(map: MapSortKey, { after, before }: PageRequest<MapSortKey>): boolean {
  return (after === null || compare(after, map) < 0) && (before === null || compare(map, before) < 0);
}

function compare(one: MapSortKey, other: MapSortKey): number {
  return one.createdAt - other.createdAt || (one.id < other.id ? -1 : Number(one.id > other.id));
}
