/** The locations of a map: created, changed, moved, deleted; their reads are in location-reads.ts. */

import { assertBounds } from '../../domain/filter/location-filter.ts';
import { searchedMap } from '../../domain/filter/location-search.ts';
import { LIST_ORDER } from '../../domain/filter/location-order.ts';
import { isLocationIdOf } from '../../domain/ids.ts';
import type { FieldLimits } from '../../domain/fields.ts';
import type { LocationRecord } from '../../domain/location.ts';
import type { MapRecord } from '../../domain/map.ts';
import { ServiceError } from '../../errors.ts';
import type { Geocoder } from '../../geocoding/geocoder.ts';
import type { Storage } from '../../storage/storage.ts';
import type { WriteAudit } from '../audit/audit.ts';
import { codeOf, ok } from '../audit/audit.ts';
import { authorize } from '../authorization.ts';
import { mapUnavailableError } from '../caller.ts';
import { continueCall, historyIdOf } from '../history/calls.ts';
import type { Scope } from '../scope.ts';
import type { Secrets } from '../secrets/secrets.ts';
import { checkLocations } from './check-locations.ts';
import type { Created } from './create-locations.ts';
import { LocationCreator } from './create-locations.ts';
import type { GeocodedAgain, GeocodeLocationsOptions, GeocodeLocationsParts } from './geocode-locations.ts';
import { geocodeLocations } from './geocode-locations.ts';
import type { KeyedCall } from './idempotency.ts';
import { keyedCall } from './idempotency.ts';
import type { SingleWrite } from './keyed-calls.ts';
import { KeyedCalls } from './keyed-calls.ts';
import type { AuthorizedRequest } from './locate.ts';
import { createLocate } from './locate.ts';
import type { LocationPatch } from './location-patch.ts';
import { LocationReads } from './location-reads.ts';
import type { LocationTargets } from './location-targets.ts';
import { assertBulk, assertMatchCount } from './location-targets.ts';
import type { MovePositionInput } from './move-locations.ts';
import type { LocationInput } from './new-location.ts';
import type { ReviewResult } from './review-locations.ts';
import { LocationReviewer } from './review-locations.ts';
import { deleteCall, moveCall, updateCall } from './single-writes.ts';
import { LocationUpdater } from './update-location.ts';
import type { UpsertInput, UpsertResult } from './upsert-locations.ts';
import { LocationUpserter } from './upsert-locations.ts';

export type { LocationViewResult } from './location-reads.ts';
export type { LocationResult } from './create-locations.ts';
export type { LocationInput } from './new-location.ts';

export interface LocationServiceOptions {
  readonly storage: Storage;
  readonly geocoder: Geocoder;
  readonly secrets: Secrets;
  readonly audit: WriteAudit;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  readonly fieldLimits: FieldLimits;
  /** Locations that one call may write. */
  readonly maxBulk: number;
}

/** A map after a write. */
export interface WrittenMap {
  readonly map: MapRecord;
  /** The write in the map's history; null if it changed nothing, or no former states are kept. */
  readonly historyId: string | null;
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
  readonly #geocoder: Geocoder;
  readonly #geocodeParts: GeocodeLocationsParts;
  readonly #keyedCalls: KeyedCalls;
  readonly #creator: LocationCreator;
  readonly #updater: LocationUpdater;
  readonly #upserter: LocationUpserter;
  readonly #reviewer: LocationReviewer;

  constructor(options: LocationServiceOptions) {
    super(options);
    this.#storage = options.storage;
    this.#audit = options.audit;
    this.#clock = options.clock;
    this.#maxBulk = options.maxBulk;
    this.#keyedCalls = new KeyedCalls(options);
    const locate = createLocate(options);
    const concurrency = options.geocoder.concurrency ?? Number.POSITIVE_INFINITY;
    this.#creator = new LocationCreator({ ...options, locate, concurrency });
    this.#updater = new LocationUpdater({ ...options, locate });
    this.#upserter = new LocationUpserter({ ...options, locate, concurrency });
    this.#reviewer = new LocationReviewer(options);
    this.#geocoder = options.geocoder;
    this.#geocodeParts = { ...options, locate, concurrency };
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
      done: ({ location, isReplayed }: { location: LocationRecord; isReplayed: boolean }) => ({
        ...{ mapId, ids: [location.id] },
        ...{ outcome: isReplayed ? ('replayed' as const) : ('ok' as const) },
      }),
    };
    return this.#audit.run(scope, audited, async (called) => {
      const request = await this.#authorizeWrite(called, mapId);
      const { results, replayed } = await this.#creator.create(request, [input]);
      const [location] = results;
      if (location === undefined) throw new Error('One input gave no result.');
      if (location instanceof ServiceError) throw location;
      const isReplayed = replayed.has(0);
      return { map: request.map, historyId: historyIdOf(called, !isReplayed), location, isReplayed };
    });
  }

  /**
   * Stores all valid locations, in the order given.
   *
   * @param historyId goes on with an earlier call, so that an import in parts is one change of the history
   * @param idempotencyKey of the whole call
   * @throws ServiceError for what concerns all of them: the scope, the map, their number, the store; CallerGoneError,
   *   only before anything is stored
   */
  createLocations(
    scope: Scope,
    mapId: string,
    inputs: readonly LocationInput[],
    historyId: string | null = null,
    idempotencyKey: string | null = null,
  ): Promise<WrittenMap & Created> {
    const done = (created: Created) => createdOutcome(mapId, created);
    const audited = { operation: 'createLocations', subject: { mapId, ids: [] }, done };
    return this.#audit.run(scope, audited, async (called) => {
      const request = await this.#authorizeWrite(called, mapId);
      assertBulk('locations', inputs, this.#maxBulk);
      const call = idempotencyKey === null ? null : keyedCall(idempotencyKey, inputs);
      return this.#keyedCalls.runRepeatable(request, idempotencyKey, {
        operation: audited.operation,
        content: call?.digest,
        run: async (keyed) => this.#create(await this.#continue(keyed, historyId), inputs, call),
        hasStored: ({ results }) => results.some((result) => !(result instanceof ServiceError)),
      });
    });
  }

  async #create(
    request: AuthorizedRequest,
    inputs: readonly LocationInput[],
    call: KeyedCall | null,
  ): Promise<WrittenMap & Created> {
    const created = await this.#creator.create(request, inputs, call);
    const { results, replayed } = created;
    const hasChanged = results.some(
      (result, index) => !(result instanceof ServiceError || replayed.has(index)),
    );
    return { map: request.map, historyId: historyIdOf(request.scope, hasChanged), ...created };
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
      done: ({ isReplayed }: { isReplayed: boolean }) => ({
        ...{ mapId, ids },
        ...{ outcome: isReplayed ? ('replayed' as const) : ('ok' as const) },
      }),
    };
    return this.#audit.run(scope, audited, async (called) => {
      const authorized = await this.#authorizeWrite(called, mapId);
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
   * Creates or replaces locations by their external ids. Writes all valid ones; new ones without an order are appended
   * in the order given.
   *
   * @param historyId as of {@link createLocations}
   * @throws ServiceError for what concerns all of them: the scope, the map, their number, the store
   */
  upsertLocations(
    scope: Scope,
    mapId: string,
    inputs: readonly UpsertInput[],
    historyId: string | null = null,
  ): Promise<WrittenMap & { results: readonly UpsertResult[] }> {
    const done = ({ results }: { results: readonly UpsertResult[] }) => upsertedOutcome(mapId, results);
    const audited = { operation: 'upsertLocations', subject: { mapId, ids: [] }, done };
    return this.#audit.run(scope, audited, async (called) => {
      const request = await this.#continue(await this.#authorizeWrite(called, mapId), historyId);
      assertBulk('locations', inputs, this.#maxBulk);
      const results = await this.#upserter.upsert(request, inputs);
      const hasChanged = results.some(
        (result) => !(result instanceof ServiceError) && result.outcome !== 'unchanged',
      );
      return { map: request.map, historyId: historyIdOf(request.scope, hasChanged), results };
    });
  }

  /**
   * Says what a create or an upsert of these inputs would do, without geocoding or writing: geocoding may still fail.
   *
   * @param isUpsert whether a location with the external id would be changed
   * @throws ServiceError for what concerns all of them: the scope, the map, the store
   */
  async reviewLocations(
    scope: Scope,
    mapId: string,
    inputs: readonly LocationInput[],
    isUpsert: boolean,
  ): Promise<readonly ReviewResult[]> {
    return this.#reviewer.review(await this.#authorizeWrite(scope, mapId), inputs, isUpsert);
  }

  /** A dry run: reviews inputs of one call, which must not repeat external ids. @throws also for their number */
  async tryLocations(
    scope: Scope,
    mapId: string,
    inputs: readonly LocationInput[],
    isUpsert: boolean,
  ): Promise<{ map: MapRecord; results: readonly ReviewResult[] }> {
    const request = await this.#authorizeWrite(scope, mapId);
    assertBulk('locations', inputs, this.#maxBulk);
    return { map: request.map, results: await this.#reviewer.reviewCall(request, inputs, isUpsert) };
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
      const request = await this.#authorizeWrite(called, mapId);
      assertBulk('ids', ids, this.#maxBulk);
      const checked = await checkLocations(this.#storage, request, ids, isChecked, this.#clock);
      const historyId = historyIdOf(called, checked.changedIds.length > 0);
      return { map: request.map, historyId, ...checked };
    });
  }

  /**
   * Geocodes locations again. A quota or a failing provider ends the run; what was geocoded before is stored. Unknown ids
   * are ignored.
   *
   * @param targets 1 to `maxBulk` ids, or a filter with at most as many matches
   * @returns one result for each location, in the order of the ids or of the list
   * @throws ServiceError BAD_USER_INPUT; CONFLICT for another number than expected; GEOCODER_REFUSED if the geocoder does
   *   not allow many addresses at once
   */
  geocodeLocations(
    scope: Scope,
    mapId: string,
    targets: LocationTargets<number | null>,
    options: GeocodeLocationsOptions,
  ): Promise<WrittenMap & { results: readonly GeocodedAgain[] }> {
    const audited = {
      operation: 'geocodeLocations',
      subject: { mapId, ids: 'ids' in targets ? targets.ids : [] },
      done: ({ results }: { results: readonly GeocodedAgain[] }) =>
        ok(mapId, options.dryRun ? [] : idsOf(results.filter(isChanged).map(({ location }) => location))),
    };
    return this.#audit.run(scope, audited, async (called) => {
      const request = await this.#authorizeWrite(called, mapId);
      const { refusesBulk = null } = this.#geocoder;
      if (refusesBulk !== null) throw new ServiceError('GEOCODER_REFUSED', refusesBulk);
      const locations = await this.#findTargets(request, targets);
      const results = await geocodeLocations(request, locations, options, this.#geocodeParts);
      const hasChanged = !options.dryRun && results.some(isChanged);
      return { map: request.map, historyId: historyIdOf(called, hasChanged), results };
    });
  }

  async #findTargets(
    { map, scope }: AuthorizedRequest,
    targets: LocationTargets<number | null>,
  ): Promise<LocationRecord[]> {
    if ('ids' in targets) {
      assertBulk('ids', targets.ids, this.#maxBulk);
      const ids = [...new Set(targets.ids)].filter((id) => isLocationIdOf(map.id, id));
      const found = await this.#storage.getLocations(map.id, ids, scope);
      return found.filter((location) => location !== null);
    }
    const { filter, expectedCount } = targets;
    const searched = searchedMap(map);
    assertBounds(filter, [searched.fields]);
    const search = { maps: [searched], filter, order: LIST_ORDER };
    const page = { limit: this.#maxBulk + 1, fromEnd: false, after: null, before: null };
    const hits = await this.#storage.findLocations(search, page, scope);
    assertMatchCount(hits.length, expectedCount, this.#maxBulk, 'geocode');
    return hits.map(({ location }) => location);
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
      const { map } = await this.#authorizeWrite(called, mapId);
      assertBulk('ids', ids, this.#maxBulk);
      const wellFormed = ids.filter((id) => isLocationIdOf(mapId, id));
      const result = await this.#storage.deleteLocations(mapId, wellFormed, called);
      if (result.kind !== 'done') throw mapUnavailableError(result);
      const { deletedIds } = result;
      return { map, historyId: historyIdOf(called, deletedIds.length > 0), deletedIds };
    });
  }

  async #authorizeWrite(scope: Scope, mapId: string): Promise<AuthorizedRequest> {
    return { ...(await authorize(this.#storage, scope, mapId, { role: 'editor' })), scope };
  }

  /** The request, as a part of an earlier call. @throws ServiceError HISTORY_NOT_FOUND */
  async #continue(request: AuthorizedRequest, historyId: string | null): Promise<AuthorizedRequest> {
    const scope = await continueCall(this.#storage, request.scope, request.map.id, historyId);
    return { ...request, scope };
  }
}

/** Newly created ids; only if there are none, the replayed ones; only if all failed, the first failure. */
function createdOutcome(mapId: string, { results, replayed }: Created) {
  const stored = results.flatMap((result, index) =>
    result instanceof ServiceError ? [] : [{ id: result.id, isReplayed: replayed.has(index) }],
  );
  const created = stored.filter(({ isReplayed }) => !isReplayed);
  if (created.length > 0) return ok(mapId, idsOf(created));
  if (stored.length > 0) return { mapId, ids: idsOf(stored), outcome: 'replayed' as const };
  return { mapId, ids: [], outcome: codeOf(results[0]) };
}

function upsertedOutcome(mapId: string, results: readonly UpsertResult[]) {
  const stored = results.flatMap((result) => (result instanceof ServiceError ? [] : [result]));
  if (stored.length === 0) return { mapId, ids: [], outcome: codeOf(results[0]) };
  const written = stored.filter(({ outcome }) => outcome !== 'unchanged');
  return ok(mapId, idsOf(written.map(({ location }) => location)));
}

function isChanged({ outcome }: GeocodedAgain): boolean {
  return outcome === 'changed';
}

function idsOf(locations: readonly { readonly id: string }[]): readonly string[] {
  return locations.map(({ id }) => id);
}
