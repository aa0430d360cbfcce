/** Reads all maps of an owner in batches. */

import type { MapSortKey } from '../../domain/paging/cursor.ts';
import type { MapRecord } from '../../domain/map.ts';
import type { MapsQuery, Storage } from '../../storage/storage.ts';
import type { Scope } from '../scope.ts';

/** Maps per read. */
const BATCH = 1_000;

/**
 * In order of creation, including deleted maps.
 *
 * @throws CallerGoneError when the client disconnects
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
