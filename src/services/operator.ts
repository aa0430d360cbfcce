/** The operator: whoever uses the command line acts for every owner, through the same services as a token. */

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

/** The operator as a caller on behalf of an owner: may write, and sees all of the owner's maps. */
export function operatorFor(owner: OwnerRecord): Caller {
  return {
    ownerId: owner.id,
    ownerName: owner.name,
    scope: 'write',
    mapId: null,
    tokenId: OPERATOR_TOKEN_ID,
    expiresAt: null,
    isOwnerStored: true,
  };
}

/** @throws ServiceError MAP_NOT_FOUND. Deleted maps are found */
export async function findOwnedMap(storage: Storage, id: string): Promise<OwnedMap> {
  const [map = null] = isMapId(id) ? await storage.getMaps([id]) : [];
  const owner = map === null ? null : await storage.findOwner(map.ownerId);
  if (map !== null && owner !== null) return { owner, map };
  const meant = await findMeant(storage, id);
  const hint = meant === null ? '' : ` Did you mean ${meant.id}, ${quote(meant.name)}?`;
  throw new ServiceError('MAP_NOT_FOUND', `There is no map ${quote(id)}.${hint}`);
}

/** Maps that are looked at for a hint. */
const MAX_LOOKED_AT = 1_000;

/** The map whose name was given in the place of its id, or whose id or name is nearly what was given. */
async function findMeant(storage: Storage, given: string): Promise<MapRecord | null> {
  const byWord = new Map<string, MapRecord>();
  for await (const { map } of listOwnedMaps(storage, null)) {
    for (const word of [map.id, map.name]) if (!byWord.has(word)) byWord.set(word, map);
    if (byWord.size >= 2 * MAX_LOOKED_AT) break;
  }
  const word = nearestName(given, [...byWord.keys()]);
  return word === null ? null : (byWord.get(word) ?? null);
}

const PAGE_SIZE = 100;

/**
 * All maps, deleted ones included, owner by owner. An owner's maps come in order of creation.
 *
 * @param ownerName limits the list to one owner
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
      // The number includes a deleted map's locations, since they return when the map is restored.
      for (const map of maps) yield { owner, map, locations: await storage.countLocations(map.id) };
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
