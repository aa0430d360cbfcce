/** The operator: commands act for any owner, through the same services as tokens. */

import { isMapId } from '../domain/ids.ts';
import type { MapSortKey } from '../domain/paging/cursor.ts';
import type { MapRecord } from '../domain/map.ts';
import { nearestName } from '../domain/nearest-name.ts';
import { quote } from '../domain/text.ts';
import { badUserInput, ServiceError } from '../errors.ts';
import type { OwnerRecord, Storage } from '../storage/storage.ts';
import type { Caller } from './caller.ts';
import { OPERATOR_TOKEN_ID } from './caller.ts';

export interface OwnedMap {
  readonly owner: OwnerRecord;
  readonly map: MapRecord;
}

/** The operator as a caller with an owner's rights. */
export function operatorFor(owner: Pick<OwnerRecord, 'id' | 'name'>): Caller {
  return {
    kind: 'operator',
    ownerId: owner.id,
    ownerName: owner.name,
    scope: 'write',
    mapId: null,
    tokenId: OPERATOR_TOKEN_ID,
    sessionId: null,
    expiresAt: null,
    isOwnerStored: true,
  };
}

/** Finds deleted maps, too. @throws ServiceError MAP_NOT_FOUND */
export async function findOwnedMap(storage: Storage, id: string): Promise<OwnedMap> {
  const [map = null] = isMapId(id) ? await storage.getMaps([id]) : [];
  const owner = map === null ? null : await storage.findOwner(map.ownerId);
  if (map !== null && owner !== null) return { owner, map };
  const similar = await findSimilar(storage, id);
  const hint = similar === null ? '' : ` Did you mean ${similar.id}, ${quote(similar.name)}?`;
  throw new ServiceError('MAP_NOT_FOUND', `There is no map ${quote(id)}.${hint}`);
}

/** Maps that are compared for a hint. */
const MAX_COMPARED = 1_000;

/** The map whose id or name is closest to the given text. */
async function findSimilar(storage: Storage, given: string): Promise<MapRecord | null> {
  const byWord = new Map<string, MapRecord>();
  for await (const { map } of listOwnedMaps(storage, null)) {
    for (const word of [map.id, map.name]) if (!byWord.has(word)) byWord.set(word, map);
    if (byWord.size >= 2 * MAX_COMPARED) break;
  }
  const word = nearestName(given, [...byWord.keys()]);
  return word === null ? null : (byWord.get(word) ?? null);
}

const PAGE_SIZE = 100;

/**
 * All maps, including deleted ones, by owner and then in order of creation. Shared maps are listed once, for the owner
 * that {@link MapRecord.ownerId} names.
 *
 * @param ownerName null for all owners
 * @throws ServiceError BAD_USER_INPUT for an unknown owner
 */
export async function* listOwnedMaps(
  storage: Storage,
  ownerName: string | null,
): AsyncGenerator<OwnedMap & { readonly locations: number }, void, undefined> {
  for (const owner of await chosenOwners(storage, ownerName)) {
    let after: MapSortKey | null = null;
    do {
      const maps: readonly MapRecord[] = await storage.listMaps({
        ownerId: owner.id,
        mapId: null,
        limit: PAGE_SIZE,
        fromEnd: false,
        after,
        before: null,
      });
      // Counts locations of deleted maps, too: they return when the map is restored.
      for (const map of maps) {
        if (map.ownerId === owner.id) yield { owner, map, locations: await storage.countLocations(map.id) };
      }
      after = maps.length < PAGE_SIZE ? null : (maps.at(-1) ?? null);
    } while (after !== null);
  }
}

async function chosenOwners(storage: Storage, name: string | null): Promise<readonly OwnerRecord[]> {
  if (name === null) return storage.listOwners();
  const owner = await storage.findOwnerByName(name);
  if (owner === null) {
    const near = nearestName(
      name,
      (await storage.listOwners()).map((other) => other.name),
    );
    throw badUserInput(
      `There is no owner ${quote(name)}.${near === null ? '' : ` Did you mean ${quote(near)}?`}`,
    );
  }
  return [owner];
}
