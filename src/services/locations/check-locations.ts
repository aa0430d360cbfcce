/** Marks points as checked by a person. */

import { isLocationIdOf } from '../../domain/ids.ts';
import type { LocationRecord } from '../../domain/location.ts';
import type { Storage } from '../../storage/storage.ts';
import type { AuthorizedRequest } from './authorized-request.ts';
import { updateOf, writeUpdates } from './write-updates.ts';

/**
 * Unknown ids are ignored.
 *
 * @param clock milliseconds since the epoch
 * @returns the locations as they are now, each once, in the order of the ids, and the ids of those that changed
 */
export async function checkLocations(
  storage: Storage,
  request: AuthorizedRequest,
  ids: readonly string[],
  isChecked: boolean,
  clock: () => number,
): Promise<{ locations: readonly LocationRecord[]; changedIds: readonly string[] }> {
  const { map, scope } = request;
  const wanted = [...new Set(ids)].filter((id) => isLocationIdOf(map.id, id));
  const found = await storage.getLocations(map.id, wanted, scope);
  const { current, changedIds } = await writeUpdates(
    storage,
    request,
    found.filter((location) => location !== null),
    (location) => {
      const { geocoding } = location;
      if (geocoding.isChecked === isChecked) return null;
      return updateOf(location, { geocoding: { ...geocoding, isChecked } }, clock());
    },
  );
  return { locations: [...current.values()], changedIds };
}
