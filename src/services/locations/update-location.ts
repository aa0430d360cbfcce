/** Changes a location: what is asked for, checked, geocoded where its address is another, and stored. */

import { externalIdTaken } from '../../domain/external-id.ts';
import type { FieldLimits } from '../../domain/fields.ts';
import { isLocationIdOf } from '../../domain/ids.ts';
import type { LocationRecord } from '../../domain/location.ts';
import type { MapRecord } from '../../domain/map.ts';
import { ServiceError } from '../../errors.ts';
import type { Storage } from '../../storage/storage.ts';
import { authorize } from '../authorization.ts';
import { locationNotFound } from '../caller.ts';
import type { AuthorizedRequest, Locate } from './locate.ts';
import { rememberLast } from './locate.ts';
import type { LocationPatch } from './location-patch.ts';
import { checkPatch, planUpdate } from './location-patch.ts';
import { mapUnavailableError } from '../maps/map-service.ts';
import type { Scope } from '../scope.ts';

export interface LocationChanging {
  /**
   * @throws ServiceError of any code in the contract's table except those of the doors; CONFLICT has `currentVersion`
   *   in its details where the version is another
   */
  updateLocation(
    scope: Scope,
    mapId: string,
    id: string,
    patch: LocationPatch,
  ): Promise<{ map: MapRecord; location: LocationRecord }>;
}

export interface LocationChangingOptions {
  readonly storage: Storage;
  readonly locate: Locate;
  readonly clock: () => number;
  readonly fieldLimits: FieldLimits;
}

export function createLocationChanging(options: LocationChangingOptions): LocationChanging {
  const { storage, locate, clock, fieldLimits } = options;

  const find = async ({ map, scope }: AuthorizedRequest, id: string): Promise<LocationRecord> => {
    if (!isLocationIdOf(map.id, id)) throw locationNotFound();
    const [found] = await storage.getLocations(map.id, [id], scope);
    if (!found) throw locationNotFound();
    return found;
  };

  return {
    async updateLocation(scope, mapId, id, patch) {
      const request = { ...(await authorize(storage, scope, mapId, { scope: 'write' })), scope };
      const { map } = request;
      checkPatch(patch, fieldLimits);
      const locateOnce = rememberLast(locate);
      let current = await find(request, id);
      for (;;) {
        assertVersion(current, patch.ifVersion);
        const update = await planUpdate(request, current, patch, { locate: locateOnce, clock, fieldLimits });
        if (update === null) return { map, location: current };
        const result = await storage.updateLocations(map.id, [update], scope);
        if (result.kind !== 'done') throw mapUnavailableError(result);
        const [outcome] = result.outcomes;
        if (outcome?.kind === 'updated') return { map, location: outcome.location };
        if (outcome?.kind === 'external-id-taken') throw externalIdTaken();
        if (outcome?.kind !== 'changed') throw locationNotFound();
        // Somebody else was quicker. The same changes are made to what the location is now.
        current = outcome.location;
      }
    },
  };
}

function assertVersion({ version }: LocationRecord, wanted: number | null | undefined): void {
  if (wanted === null || wanted === undefined || wanted === version) return;
  throw new ServiceError('CONFLICT', `The location has the version ${version}, not that of ifVersion.`, {
    details: { currentVersion: version },
  });
}
