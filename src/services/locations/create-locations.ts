/** Creates locations: checks, geocodes and stores them. One or many; each has its own outcome. */

import { externalIdTaken } from '../../domain/external-id.ts';
import type { FieldLimits } from '../../domain/fields.ts';
import { judgeKey } from '../../domain/idempotency.ts';
import type { LocationRecord } from '../../domain/location.ts';
import type { MapRecord } from '../../domain/map.ts';
import { badUserInput, ServiceError } from '../../errors.ts';
import type { Geocoder } from '../../geocoding/geocoder.ts';
import type { IdempotencyRecord, InsertOutcome, LocationInsert, Storage } from '../../storage/storage.ts';
import { yieldIfDue } from '../../lib/cooperative-scheduler.ts';
import { authorize } from '../authorization.ts';
import { mapConcurrently } from '../../lib/map-concurrently.ts';
import { asServiceError, toResult } from '../../domain/result.ts';
import { idempotencyConflict } from './idempotency.ts';
import type { AuthorizedRequest } from './locate.ts';
import { createLocate, locatedBy } from './locate.ts';
import { mapUnavailableError } from '../maps/map-service.ts';
import type { LocationInput, WellFormedInput } from './new-location.ts';
import { checkForm, checkNames, toInsert } from './new-location.ts';
import type { Scope } from '../scope.ts';
import type { Secrets } from '../secrets/secrets.ts';

/** The outcome of one of several locations: stored (now, or earlier under its key), or the reason why not. */
export type LocationResult = LocationRecord | ServiceError;

export interface LocationCreation {
  /**
   * @throws ServiceError of any code in the contract's table except those of the doors; CallerGoneError, only before
   *   anything was stored
   */
  createLocation(
    scope: Scope,
    mapId: string,
    input: LocationInput,
  ): Promise<{ map: MapRecord; location: LocationRecord; isReplayed: boolean }>;
  /**
   * Stores all valid ones, in the order given.
   *
   * @throws ServiceError for what concerns all of them: the scope, the map, their number, the store; CallerGoneError,
   *   only before anything was stored
   */
  createLocations(
    scope: Scope,
    mapId: string,
    inputs: readonly LocationInput[],
  ): Promise<{
    map: MapRecord;
    results: readonly LocationResult[];
    /** Indices of the results that were stored earlier, under their keys. */
    replayed: ReadonlySet<number>;
  }>;
}

export interface LocationCreationOptions {
  readonly storage: Storage;
  readonly geocoder: Geocoder;
  readonly secrets: Secrets;
  readonly clock: () => number;
  readonly fieldLimits: FieldLimits;
  /** How many locations one call may create. */
  readonly maxBulk: number;
}

/** A location that is to be stored, or the result of one that is not. */
type Prepared = LocationInsert | LocationResult;

interface Stored {
  readonly results: readonly LocationResult[];
  readonly replayed: ReadonlySet<number>;
}

const NOTHING_STORED = { kind: 'done', outcomes: [] as readonly InsertOutcome[] } as const;
const NONE_EARLIER: ReadonlyMap<string, IdempotencyRecord> = new Map();
const NONE_TAKEN: ReadonlySet<string | null> = new Set();

/** What the store says of the inputs before any is stored. */
interface Known {
  readonly earlier: ReadonlyMap<string, IdempotencyRecord>;
  readonly taken: ReadonlySet<string | null>;
}

export function createLocationCreation(options: LocationCreationOptions): LocationCreation {
  const { storage, geocoder, clock, fieldLimits, maxBulk } = options;
  const locate = createLocate(options);

  /** The results of earlier creates under these keys. */
  const findEarlier = async (
    { caller, map, scope }: AuthorizedRequest,
    keys: readonly string[],
  ): Promise<ReadonlyMap<string, IdempotencyRecord>> => {
    const space = { tokenId: caller.tokenId, mapId: map.id };
    const records = await storage.findIdempotencyRecords(space, keys, clock(), scope);
    return new Map(
      keys.flatMap((key, index) => {
        const record = records[index];
        return record ? [[key, record] as const] : [];
      }),
    );
  };

  /** Those of these inputs' external ids that are in use. Found out early, so that nothing is geocoded in vain. */
  const findTaken = async (
    { map, scope }: AuthorizedRequest,
    inputs: readonly (WellFormedInput | ServiceError)[],
  ): Promise<ReadonlySet<string | null>> => {
    const wanted = inputs.flatMap((input) =>
      input instanceof ServiceError || input.externalId === null ? [] : [input.externalId],
    );
    if (wanted.length === 0) return NONE_TAKEN;
    const found = await storage.findLocationsByExternalIds(map.id, wanted, scope);
    return new Set(found.flatMap((location) => (location === null ? [] : [location.externalId])));
  };

  const prepare = (
    request: AuthorizedRequest,
    input: WellFormedInput | ServiceError,
    { earlier, taken }: Known,
  ): Prepared | Promise<Prepared> => {
    if (input instanceof ServiceError) return input;
    const { idempotency } = input;
    const used = idempotency === null ? undefined : earlier.get(idempotency.key);
    const use = idempotency === null ? 'fresh' : judgeKey(used, idempotency.digest);
    // Whatever has become of the map's fields since.
    if (use === 'replay' && used !== undefined) return used.location;
    const checked = toResult(() => checkNames(request.map, input));
    if (checked instanceof ServiceError) return checked;
    if (use === 'conflict') return idempotencyConflict();
    if (taken.has(input.externalId)) return externalIdTaken();
    if (input.point !== null) return toInsert(request, checked, locatedBy(input.point), clock());
    return locate(request, checked.address).then(
      (located) => toInsert(request, checked, located, clock()),
      asServiceError,
    );
  };

  const store = async ({ map, scope }: AuthorizedRequest, prepared: readonly Prepared[]): Promise<Stored> => {
    const inserts = prepared.filter(isInsert);
    const stored =
      inserts.length === 0 ? NOTHING_STORED : await storage.insertLocations(map.id, inserts, clock(), scope);
    if (stored.kind !== 'done') throw mapUnavailableError(stored);
    let next = 0;
    const replayed = new Set<number>();
    const results = prepared.map((item, index) => {
      const outcome = isInsert(item) ? stored.outcomes[next++] : null;
      const result = isInsert(item) ? resultOf(outcome ?? undefined) : item;
      // What need not be stored, and is no failure, was found under its key.
      const isFound = outcome === null && !(result instanceof ServiceError);
      if (isFound || outcome?.kind === 'replayed') replayed.add(index);
      return result;
    });
    return { results, replayed };
  };

  const createAll = async (request: AuthorizedRequest, inputs: readonly LocationInput[]) => {
    const checked: (WellFormedInput | ServiceError)[] = [];
    for (const input of inputs) {
      const pause = checked.length > 0 ? yieldIfDue() : undefined;
      if (pause !== undefined) await pause;
      checked.push(toResult(() => checkForm(request.map.id, input, fieldLimits)));
    }
    const keys = keysOf(checked);
    const earlier = keys.length === 0 ? NONE_EARLIER : await findEarlier(request, keys);
    const taken = await findTaken(request, checked);
    const prepared = await mapConcurrently(checked, geocoder.concurrency ?? checked.length, (input) =>
      prepare(request, input, { earlier, taken }),
    );
    return store(request, prepared);
  };

  return {
    async createLocation(scope, mapId, input) {
      const { caller, map } = await authorize(storage, scope, mapId, { scope: 'write' });
      const { results, replayed } = await createAll({ caller, map, scope }, [input]);
      const [location] = results;
      if (location === undefined) throw new Error('One input gave no result.');
      if (location instanceof ServiceError) throw location;
      return { map, location, isReplayed: replayed.has(0) };
    },

    async createLocations(scope, mapId, inputs) {
      const { caller, map } = await authorize(storage, scope, mapId, { scope: 'write' });
      if (inputs.length < 1 || inputs.length > maxBulk) {
        throw badUserInput(`locations has ${inputs.length} items; 1 to ${maxBulk} are allowed.`);
      }
      return { map, ...(await createAll({ caller, map, scope }, inputs)) };
    },
  };
}

/** The distinct keys of the inputs. */
function keysOf(inputs: readonly (WellFormedInput | ServiceError)[]): readonly string[] {
  const keys = inputs.flatMap((input) =>
    input instanceof ServiceError || input.idempotency === null ? [] : [input.idempotency.key],
  );
  return [...new Set(keys)];
}

function isInsert(item: Prepared): item is LocationInsert {
  return 'location' in item;
}

function resultOf(outcome: InsertOutcome | undefined): LocationResult {
  if (outcome === undefined)
    throw new Error('The store answered fewer outcomes than it was given locations.');
  if (outcome.kind === 'external-id-taken') return externalIdTaken();
  return outcome.kind === 'conflict' ? idempotencyConflict() : outcome.location;
}
