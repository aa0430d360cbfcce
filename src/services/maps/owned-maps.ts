/** All maps of an owner, some at a time. */

import type { MapSortKey } from '../../domain/paging/cursor.ts';
import type { MapRecord } from '../../domain/map.ts';
import type { MapsQuery, Storage } from '../../storage/storage.ts';
import type { Scope } from '../scope.ts';

/** Maps that are read at a time. */
const BATCH = 1_000;

/**
 * In order of creation, deleted ones included.
 *
 * @throws CallerGoneError when the caller has gone
 */
export async function* ownedMaps(
  storage: Pick<Storage, 'listMaps'>,
  scope: Scope,
  { ownerId, mapId }: Pick<MapsQuery, 'ownerId' | 'mapId'>,
): AsyncGenerator<readonly MapRecord[]> {
  let after: MapSortKey | null = null;
  do {
    const query: MapsQuery = { ownerId, mapId, limit: BATCH, fromEnd: false, after, before: null };
    const maps: readonly MapRecord[] = await storage.listMaps(query, scope);
    yield maps;
    scope.signal?.throwIfAborted();
    after = maps.length < BATCH ? null : (maps.at(-1) ?? null);
  } while (after !== null);
}
