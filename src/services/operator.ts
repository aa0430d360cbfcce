/** The operator: whoever uses the command line acts for every owner, through the same services as a token. */

import { isMapId } from '../domain/ids.ts';
import type { MapSortKey } from '../domain/cursor.ts';
import type { MapRecord } from '../domain/map.ts';
import { quote } from '../domain/text.ts';
import { badUserInput, ServiceError } from '../errors.ts';
import type { OwnerRecord, Storage } from '../storage/storage.ts';
import type { Caller } from './caller.ts';

export interface OwnedMap {
  readonly owner: OwnerRecord;
  readonly map: MapRecord;
}

/** The operator as a caller on behalf of an owner: may write, and sees all of the owner's maps. */
export function operatorFor(owner: OwnerRecord): Caller {
  return { ownerId: owner.id, ownerName: owner.name, scope: 'write', mapId: null, tokenId: 'operator' };
}

/** @throws ServiceError MAP_NOT_FOUND. Deleted maps are found */
export async function findOwnedMap(storage: Storage, id: string): Promise<OwnedMap> {
  const [map = null] = isMapId(id) ? await storage.getMaps([id]) : [];
  const owner = map === null ? null : await storage.findOwner(map.ownerId);
  if (map === null || owner === null)
    throw new ServiceError('MAP_NOT_FOUND', `There is no map ${quote(id)}.`);
  return { owner, map };
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
  if (owner === null) throw badUserInput(`There is no owner ${quote(name)}.`);
  return [owner];
}
