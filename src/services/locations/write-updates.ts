/** Writes updates of many locations; what was changed meanwhile is planned again. */

import type { LocationRecord } from '../../domain/location.ts';
import type { LocationUpdate, Storage } from '../../storage/storage.ts';
import { mapUnavailableError } from '../caller.ts';
import type { AuthorizedRequest } from './authorized-request.ts';

/**
 * @param plan the update of a location as it is now; null leaves it as it is. Called again after a concurrent write
 * @returns the locations as they are now, by id and in the given order, without those deleted meanwhile; and the ids of
 *   those that were updated
 */
export async function writeUpdates(
  storage: Storage,
  { map, scope }: AuthorizedRequest,
  locations: readonly LocationRecord[],
  plan: (location: LocationRecord) => LocationUpdate | null,
): Promise<{ current: ReadonlyMap<string, LocationRecord>; changedIds: readonly string[] }> {
  const current = new Map(locations.map((location) => [location.id, location]));
  const changedIds: string[] = [];
  const planAll = (some: readonly LocationRecord[]) => some.flatMap((location) => plan(location) ?? []);
  for (let updates = planAll(locations); updates.length > 0;) {
    const result = await storage.updateLocations(map.id, updates, scope);
    if (result.kind !== 'done') throw mapUnavailableError(result);
    const changedMeanwhile: LocationRecord[] = [];
    for (const [index, outcome] of result.outcomes.entries()) {
      const id = updates[index]?.id ?? '';
      if (outcome.kind === 'updated' || outcome.kind === 'changed') current.set(id, outcome.location);
      else current.delete(id);
      if (outcome.kind === 'updated') changedIds.push(id);
      if (outcome.kind === 'changed') changedMeanwhile.push(outcome.location);
    }
    updates = planAll(changedMeanwhile);
  }
  return { current, changedIds };
}

/** An update of some values. The version is that of the location. */
export function updateOf(
  location: LocationRecord,
  changes: Partial<LocationUpdate['values']>,
  now: number,
): LocationUpdate {
  const { id, version, updatedAt, name, placeId, latitude, longitude, properties, externalId, geocoding } =
    location;
  const values = { name, placeId, latitude, longitude, properties, externalId, geocoding, ...changes };
  return { id, version, updatedAt: Math.max(now, updatedAt), order: null, values };
}
