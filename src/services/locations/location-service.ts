/**
 * The locations of a map: created, changed, moved, checked and deleted. Their reads are in location-reads.ts, batches in
 * location-batch-service.ts, and geocoding again in geocoding-service.ts.
 */

import type { FieldLimits } from '../../domain/fields.ts';
import { isLocationIdOf } from '../../domain/ids.ts';
import type { LocationRecord } from '../../domain/location.ts';
import { ServiceError } from '../../errors.ts';
import type { Geocoder } from '../../geocoding/geocoder.ts';
import type { Storage } from '../../storage/storage.ts';
import type { WriteAudit } from '../audit/audit.ts';
import { ok } from '../audit/audit.ts';
import { mapUnavailableError } from '../caller.ts';
import type { WrittenMap } from '../history/calls.ts';
import { historyIdOf } from '../history/calls.ts';
import type { Scope } from '../scope.ts';
import type { Secrets } from '../secrets/secrets.ts';
import { authorizeEditor } from './authorized-request.ts';
import { checkLocations } from './check-locations.ts';
import { LocationCreator } from './create-locations.ts';
import type { KeyedCalls, SingleWrite } from './keyed-calls.ts';
import { concurrencyOf, createLocate } from './locate.ts';
import type { LocationPatch } from './location-patch.ts';
import { LocationReads } from './location-reads.ts';
import { assertBulk } from './location-targets.ts';
import type { MovePositionInput } from './move-locations.ts';
import type { LocationInput } from './new-location.ts';
import { deleteCall, moveCall, updateCall } from './single-writes.ts';
import { LocationUpdater } from './update-location.ts';

export interface LocationServiceOptions {
  readonly storage: Storage;
  readonly geocoder: Geocoder;
  readonly secrets: Secrets;
  readonly audit: WriteAudit;
  /** Those of all writes of locations. */
  readonly keyedCalls: KeyedCalls;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  readonly fieldLimits: FieldLimits;
  /** Locations that one call may write. */
  readonly maxBulk: number;
}

interface SingleRequest {
  readonly scope: Scope;
  readonly mapId: string;
  /** For the audit. */
  readonly ids: readonly string[];
  readonly idempotencyKey: string | null;
}

/** Every write is audited. Reads are inherited. */
export class LocationService extends LocationReads {
  readonly #storage: Storage;
  readonly #audit: WriteAudit;
  readonly #clock: () => number;
  readonly #maxBulk: number;
  readonly #keyedCalls: KeyedCalls;
  readonly #creator: LocationCreator;
  readonly #updater: LocationUpdater;

  constructor(options: LocationServiceOptions) {
    super(options);
    this.#storage = options.storage;
    this.#audit = options.audit;
    this.#clock = options.clock;
    this.#maxBulk = options.maxBulk;
    this.#keyedCalls = options.keyedCalls;
    const locate = createLocate(options);
    const concurrency = concurrencyOf(options.geocoder);
    this.#creator = new LocationCreator({ ...options, locate, concurrency });
    this.#updater = new LocationUpdater({ ...options, locate });
  }

  /**
   * @throws ServiceError of any code that the contract lists, except the transport's; CallerGoneError, only before
   *   anything is stored
   */
  createLocation(
    scope: Scope,
    mapId: string,
    input: LocationInput,
  ): Promise<WrittenMap & { location: LocationRecord; isReplayed: boolean }> {
    const audited = {
      operation: 'createLocation',
      subject: { mapId, ids: [] },
      done: (created: { location: LocationRecord; isReplayed: boolean }) => ({
        mapId,
        ids: [created.location.id],
        outcome: outcomeOf(created),
      }),
    };
    return this.#audit.run(scope, audited, async (called) => {
      const request = await authorizeEditor(this.#storage, called, mapId);
      const { results, replayed } = await this.#creator.create(request, [input]);
      const [location] = results;
      if (location === undefined) throw new Error('One input gave no result.');
      if (location instanceof ServiceError) throw location;
      const isReplayed = replayed.has(0);
      return { map: request.map, historyId: historyIdOf(called, !isReplayed), location, isReplayed };
    });
  }

  /**
   * @throws ServiceError of any code that the contract lists, except the transport's; the details of CONFLICT have
   *   `currentVersion`
   */
  updateLocation(
    scope: Scope,
    mapId: string,
    id: string,
    patch: LocationPatch,
    idempotencyKey: string | null = null,
  ): Promise<WrittenMap & { location: LocationRecord }> {
    return this.#runOnce(
      { scope, mapId, ids: [id], idempotencyKey },
      updateCall(this.#storage, this.#updater, id, patch),
    );
  }

  /** Runs a write, which may be a replay. */
  #runOnce<Result extends { readonly isChanged: boolean }, Kept>(
    { scope, mapId, ids, idempotencyKey }: SingleRequest,
    write: SingleWrite<Result, Kept>,
  ): Promise<WrittenMap & Result> {
    const audited = {
      operation: write.operation,
      subject: { mapId, ids },
      done: (written: { isReplayed: boolean }) => ({ mapId, ids, outcome: outcomeOf(written) }),
    };
    return this.#audit.run(scope, audited, async (called) => {
      const authorized = await authorizeEditor(this.#storage, called, mapId);
      const { result, request, isReplayed } = await this.#keyedCalls.runOnce(
        authorized,
        idempotencyKey,
        write,
      );
      const historyId = historyIdOf(request.scope, result.isChanged);
      return { map: request.map, historyId, isReplayed, ...result };
    });
  }

  /**
   * @param ids all different, in their new sequence
   * @returns the moved locations, in that sequence; for a replay those that exist
   * @throws ServiceError BAD_USER_INPUT; LOCATION_NOT_FOUND if any id is unknown: then nothing moves
   */
  moveLocations(
    scope: Scope,
    mapId: string,
    ids: readonly string[],
    position: MovePositionInput,
    idempotencyKey: string | null = null,
  ): Promise<WrittenMap & { locations: readonly LocationRecord[] }> {
    const move = { ids, position, now: this.#clock() };
    const write = moveCall(this.#storage, move, this.#maxBulk);
    return this.#runOnce({ scope, mapId, ids, idempotencyKey }, write);
  }

  /**
   * Marks points as checked by a person, or not. Unknown ids are ignored.
   *
   * @returns the locations as they are now, in the order of the ids
   */
  checkLocations(
    scope: Scope,
    mapId: string,
    ids: readonly string[],
    isChecked: boolean,
  ): Promise<WrittenMap & { locations: readonly LocationRecord[] }> {
    const audited = {
      operation: 'checkLocations',
      subject: { mapId, ids },
      done: ({ changedIds }: { changedIds: readonly string[] }) => ok(mapId, changedIds),
    };
    return this.#audit.run(scope, audited, async (called) => {
      const request = await authorizeEditor(this.#storage, called, mapId);
      assertBulk('ids', ids, this.#maxBulk);
      const checked = await checkLocations(this.#storage, request, ids, isChecked, this.#clock);
      const historyId = historyIdOf(called, checked.changedIds.length > 0);
      return { map: request.map, historyId, ...checked };
    });
  }

  deleteLocation(
    scope: Scope,
    mapId: string,
    id: string,
    idempotencyKey: string | null = null,
  ): Promise<WrittenMap & { location: LocationRecord }> {
    return this.#runOnce({ scope, mapId, ids: [id], idempotencyKey }, deleteCall(this.#storage, id));
  }

  /**
   * Deletes several locations. Unknown ids are ignored.
   *
   * @returns the ids that this call deleted, each once, in the order given
   */
  deleteLocations(
    scope: Scope,
    mapId: string,
    ids: readonly string[],
  ): Promise<WrittenMap & { deletedIds: readonly string[] }> {
    const audited = {
      operation: 'deleteLocations',
      subject: { mapId, ids },
      done: ({ deletedIds }: { deletedIds: readonly string[] }) => ok(mapId, deletedIds),
    };
    return this.#audit.run(scope, audited, async (called) => {
      const { map } = await authorizeEditor(this.#storage, called, mapId);
      assertBulk('ids', ids, this.#maxBulk);
      const wellFormed = ids.filter((id) => isLocationIdOf(mapId, id));
      const result = await this.#storage.deleteLocations(mapId, wellFormed, called);
      if (result.kind !== 'done') throw mapUnavailableError(result);
      const { deletedIds } = result;
      return { map, historyId: historyIdOf(called, deletedIds.length > 0), deletedIds };
    });
  }
}

function outcomeOf({ isReplayed }: { readonly isReplayed: boolean }): 'replayed' | 'ok' {
  return isReplayed ? 'replayed' : 'ok';
}
