/** Writes of locations that are one transaction or statement, so that each can be a call under an idempotency key. */

import { isLocationIdOf } from '../../domain/ids.ts';
import type { LocationRecord } from '../../domain/location.ts';
import type { Storage } from '../../storage/storage.ts';
import { locationNotFound, mapUnavailableError } from '../caller.ts';
import type { SingleWrite } from './keyed-calls.ts';
import { hasHistory } from './keyed-calls.ts';
import type { AuthorizedRequest } from './authorized-request.ts';
import type { LocationPatch } from './location-patch.ts';
import { assertBulk } from './location-targets.ts';
import type { MovePositionInput } from './move-locations.ts';
import { moveLocations } from './move-locations.ts';
import type { LocationUpdater } from './update-location.ts';

export interface WrittenLocation {
  readonly location: LocationRecord;
  readonly isChanged: boolean;
}

export function updateCall(
  storage: Storage,
  updater: LocationUpdater,
  id: string,
  patch: LocationPatch,
): SingleWrite<WrittenLocation, WrittenLocation> {
  return {
    operation: 'updateLocation',
    content: [id, contentOf(patch)],
    check: () => updater.check(patch),
    run: (request) => updater.update(request, id, patch),
    keep: (written) => written,
    replay: (kept) => kept,
    recover: (request) => recoverLocation(storage, request, id),
  };
}

export function deleteCall(storage: Storage, id: string): SingleWrite<WrittenLocation, WrittenLocation> {
  return {
    operation: 'deleteLocation',
    content: id,
    check: () => {},
    run: async ({ map, scope, assertHeld }) => {
      if (!isLocationIdOf(map.id, id)) throw locationNotFound();
      assertHeld?.();
      const result = await storage.deleteLocation(map.id, id, scope);
      if (result.kind === 'missing') throw locationNotFound();
      if (result.kind !== 'deleted') throw mapUnavailableError(result);
      return { location: result.location, isChanged: true };
    },
    keep: (written) => written,
    replay: (kept) => kept,
    recover: (request) => recoverLocation(storage, request, id),
  };
}

/** Null is as if it were omitted, but for the point, which it geocodes again, and the external id, which it removes. */
function contentOf({ position, externalId, ...others }: LocationPatch): object {
  return {
    ...withoutNulls(others),
    ...(position !== undefined && { position }),
    ...(externalId !== undefined && { externalId }),
  };
}

function withoutNulls(values: object): object {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));
}

/** @throws ServiceError LOCATION_NOT_FOUND if it is deleted and not in the trash */
async function recoverLocation(
  storage: Storage,
  { map, scope }: AuthorizedRequest,
  id: string,
): Promise<WrittenLocation> {
  const [found = null] = await storage.getLocations(map.id, [id], scope);
  const [trashed = null] = found === null ? await storage.findTrashed(map.id, [id], scope) : [];
  const location = found ?? trashed?.location;
  if (location === undefined) throw locationNotFound();
  return { location, isChanged: true };
}

export interface MovedLocations {
  /** In their new sequence. A replay has them as they are by then, without those that were deleted. */
  readonly locations: readonly LocationRecord[];
  readonly isChanged: boolean;
}

export function moveCall(
  storage: Storage,
  move: { readonly ids: readonly string[]; readonly position: MovePositionInput; readonly now: number },
  maxBulk: number,
): SingleWrite<MovedLocations, boolean> {
  const { ids, position } = move;
  const read = async ({ map, scope }: AuthorizedRequest) =>
    (await storage.getLocations(map.id, ids, scope)).filter((location) => location !== null);
  return {
    operation: 'moveLocations',
    content: [ids, withoutNulls(position)],
    check: () => assertBulk('ids', ids, maxBulk),
    run: async (request) => {
      const locations = await moveLocations(storage, request, move);
      // Locations that are in the wanted sequence already do not move.
      return { locations, isChanged: await hasHistory(storage, request) };
    },
    keep: ({ isChanged }) => isChanged,
    replay: async (isChanged, request) => ({ locations: await read(request), isChanged }),
    recover: async (request) => ({ locations: await read(request), isChanged: true }),
  };
}
