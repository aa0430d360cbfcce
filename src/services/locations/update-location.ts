/** Changes a location: checks the patch, geocodes a changed address, and stores it with a version check. */

import { externalIdTaken } from '../../domain/external-id.ts';
import type { FieldLimits } from '../../domain/fields.ts';
import { isLocationIdOf } from '../../domain/ids.ts';
import type { LocationRecord } from '../../domain/location.ts';
import { ServiceError } from '../../errors.ts';
import type { Storage } from '../../storage/storage.ts';
import { locationNotFound, mapUnavailableError } from '../caller.ts';
import type { AuthorizedRequest } from './authorized-request.ts';
import type { Locate } from './locate.ts';
import { rememberLast } from './locate.ts';
import type { LocationPatch } from './location-patch.ts';
import { checkPatch, planUpdate } from './location-patch.ts';

export interface LocationUpdaterOptions {
  readonly storage: Storage;
  readonly locate: Locate;
  readonly clock: () => number;
  readonly fieldLimits: FieldLimits;
}

export class LocationUpdater {
  readonly #options: LocationUpdaterOptions;

  constructor(options: LocationUpdaterOptions) {
    this.#options = options;
  }

  /** @throws ServiceError BAD_USER_INPUT */
  check(patch: LocationPatch): void {
    checkPatch(patch, this.#options.fieldLimits);
  }

  /** @param patch see {@link check} */
  async update(
    request: AuthorizedRequest,
    id: string,
    patch: LocationPatch,
  ): Promise<{ readonly location: LocationRecord; readonly isChanged: boolean }> {
    const { storage, locate, clock, fieldLimits } = this.#options;
    const { map, scope } = request;
    const locateOnce = rememberLast(locate);
    let current = await this.#find(request, id);
    for (;;) {
      assertVersion(current, patch.ifVersion);
      const update = await planUpdate(request, current, patch, { locate: locateOnce, clock, fieldLimits });
      if (update === null) return { location: current, isChanged: false };
      request.assertHeld?.();
      const result = await storage.updateLocations(map.id, [update], scope);
      if (result.kind !== 'done') throw mapUnavailableError(result);
      const [outcome] = result.outcomes;
      if (outcome?.kind === 'updated') return { location: outcome.location, isChanged: true };
      if (outcome?.kind === 'external-id-taken') throw externalIdTaken();
      if (outcome?.kind !== 'changed') throw locationNotFound();
      // A concurrent write came first: apply the patch to its result.
      current = outcome.location;
    }
  }

  async #find({ map, scope }: AuthorizedRequest, id: string): Promise<LocationRecord> {
    if (!isLocationIdOf(map.id, id)) throw locationNotFound();
    const [found] = await this.#options.storage.getLocations(map.id, [id], scope);
    if (!found) throw locationNotFound();
    return found;
  }
}

function assertVersion({ version }: LocationRecord, wanted: number | null | undefined): void {
  if (wanted === null || wanted === undefined || wanted === version) return;
  throw new ServiceError('CONFLICT', `The location has the version ${version}, not that of ifVersion.`, {
    details: { currentVersion: version },
  });
}
