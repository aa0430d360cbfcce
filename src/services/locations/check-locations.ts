/** Marks points as checked by a person. */

import { isLocationIdOf } from '../../domain/ids.ts';
import type { LocationRecord } from '../../domain/location.ts';
import type { LocationUpdate, Storage } from '../../storage/storage.ts';
import { mapUnavailableError } from '../caller.ts';
import type { AuthorizedRequest } from './locate.ts';

/**
 * Unknown ids are ignored.
 *
 * @param clock milliseconds since the epoch
 * @returns the locations as they are now, each once, in the order of the ids, and the ids of those that changed
 */
export async function checkLocations(
  storage: Storage,
  { map, scope }: AuthorizedRequest,
  ids: readonly string[],
  isChecked: boolean,
  clock: () => number,
): Promise<{ locations: readonly LocationRecord[]; changedIds: readonly string[] }> {
  const wanted = [...new Set(ids)].filter((id) => isLocationIdOf(map.id, id));
  const found = await storage.getLocations(map.id, wanted, scope);
  const current = new Map(found.flatMap((location) => (location === null ? [] : [[location.id, location]])));
  const changedIds: string[] = [];
  for (;;) {
    const pending = [...current.values()].filter(({ geocoding }) => geocoding.isChecked !== isChecked);
    if (pending.length === 0) break;
    const updates = pending.map((location) => toUpdate(location, isChecked, clock()));
    const result = await storage.updateLocations(map.id, updates, scope);
    if (result.kind !== 'done') throw mapUnavailableError(result);
    for (const [index, outcome] of result.outcomes.entries()) {
      const id = pending[index]?.id ?? '';
      // After a concurrent write, its result is marked.
      if (outcome.kind === 'updated' || outcome.kind === 'changed') current.set(id, outcome.location);
      else current.delete(id);
      if (outcome.kind === 'updated') changedIds.push(id);
    }
  }
  return { locations: wanted.flatMap((id) => current.get(id) ?? []), changedIds };
}

function toUpdate(location: LocationRecord, isChecked: boolean, now: number): LocationUpdate {
  const { id, version, name, placeId, latitude, longitude, properties, externalId, geocoding } = location;
  return {
    id,
    version,
    updatedAt: Math.max(now, location.updatedAt),
    order: null,
    values: {
      name,
      placeId,
      latitude,
      longitude,
      properties,
      externalId,
      geocoding: { ...geocoding, isChecked },
    },
  };
}
