/** Creates locations: checks, geocodes and stores them. One or many; each has its own outcome. */

import type { FieldLimits } from '../domain/fields.ts';
import { assertFields, readNameAndAddress } from '../domain/fields.ts';
import { judgeKey } from '../domain/idempotency.ts';
import { newLocationId } from '../domain/ids.ts';
import type { JsonObject } from '../domain/json.ts';
import type { LocationRecord } from '../domain/location.ts';
import type { MapRecord } from '../domain/map.ts';
import { assertOrder } from '../domain/order.ts';
import type { GivenPoint, LocatedPoint } from '../domain/point.ts';
import { locatePoint } from '../domain/point.ts';
import { badUserInput, ServiceError } from '../errors.ts';
import type { Geocoder, GeocodingResult } from '../geocoding/geocoder.ts';
import type { IdempotencyRecord, InsertOutcome, LocationInsert, Storage } from '../storage/storage.ts';
import { breathe } from '../time-slice.ts';
import type { Admission } from './access.ts';
import { admit } from './access.ts';
import { mapConcurrently } from './concurrently.ts';
import { expected, settle } from './expected.ts';
import { assertIdempotencyKey, bodyDigest, IDEMPOTENCY_TTL_MS, idempotencyConflict } from './idempotency.ts';
import { mapGoneError } from './maps.ts';
import type { Scope } from './scope.ts';
import type { Secrets } from './secrets.ts';

export interface LocationInput {
  /** Never from a client. An import, which may try again, gives the same id each time. By default a new one is made. */
  readonly id?: string;
  readonly fields: JsonObject;
  /** Null or absent appends the location to the list. */
  readonly order?: string | null;
  readonly idempotencyKey?: string | null;
  /** The given point; then no geocoder is asked. */
  readonly position?: GivenPoint | null;
}

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
  ): Promise<{ map: MapRecord; location: LocationRecord }>;
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
  ): Promise<{ map: MapRecord; results: readonly LocationResult[] }>;
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

/** The geocoding result that stands for a given point. */
function locatedBy({ placeId, latitude, longitude }: LocatedPoint): GeocodingResult {
  return { placeId, latitude, longitude, provider: 'manual', precision: 'rooftop' };
}

/** A request to create that was admitted. */
interface Request extends Admission {
  readonly scope: Scope;
}

/** A location that is to be stored, or the result of one that is not. */
type Prepared = LocationInsert | LocationResult;

const NOTHING_STORED = { kind: 'done', outcomes: [] as readonly InsertOutcome[] } as const;
const NONE_EARLIER: ReadonlyMap<string, IdempotencyRecord> = new Map();

/** An input that passed every rule and is still to be geocoded. */
interface CheckedInput {
  readonly id: string;
  readonly fields: JsonObject;
  readonly order: string | null;
  readonly name: string;
  readonly address: string;
  readonly point: LocatedPoint | null;
  readonly idempotency: { readonly key: string; readonly digest: string } | null;
}

export function createLocationCreation(options: LocationCreationOptions): LocationCreation {
  const { storage, geocoder, secrets, clock, fieldLimits, maxBulk } = options;

  const check = (map: MapRecord, input: LocationInput): CheckedInput => {
    const {
      id = newLocationId(map.id),
      fields,
      order = null,
      idempotencyKey = null,
      position = null,
    } = input;
    assertFields(fields, fieldLimits);
    if (order !== null) assertOrder(order, 'order');
    if (idempotencyKey !== null)
      assertIdempotencyKey(idempotencyKey, 'idempotencyKey (in /v0 the header Idempotency-Key)');
    const point = position === null ? null : locatePoint(position);
    const idempotency =
      idempotencyKey === null ? null : { key: idempotencyKey, digest: bodyDigest(fields, order, point) };
    const { name, address } = readNameAndAddress(fields, map.fields);
    return { id, fields, order, point, idempotency, name, address };
  };

  const geocode = async ({ caller, map, scope }: Request, { address }: CheckedInput) => {
    const apiKey = map.geocodingApiKey === null ? null : secrets.open(map.geocodingApiKey);
    const { tokenId } = caller;
    return geocoder.geocode({
      address,
      apiKey,
      mapId: map.id,
      tokenId,
      signal: scope.signal,
      timeoutMs: scope.deadline?.leftMs,
    });
  };

  const toInsert = (
    { caller, map }: Request,
    input: CheckedInput,
    located: GeocodingResult,
  ): LocationInsert => {
    const { placeId, latitude, longitude, provider, precision } = located;
    const { id, fields, order, name, idempotency } = input;
    const now = clock();
    return {
      order,
      location: {
        id,
        mapId: map.id,
        name,
        placeId,
        latitude,
        longitude,
        properties: fields,
        createdAt: now,
        geocoding: { provider, precision },
      },
      idempotency:
        idempotency === null
          ? null
          : { ...idempotency, tokenId: caller.tokenId, expiresAt: now + IDEMPOTENCY_TTL_MS },
    };
  };

  /** The results of earlier creates under these keys. */
  const findEarlier = async (
    { caller, map, scope }: Request,
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

  const prepare = (
    request: Request,
    input: CheckedInput | ServiceError,
    earlier: ReadonlyMap<string, IdempotencyRecord>,
  ): Prepared | Promise<Prepared> => {
    if (input instanceof ServiceError) return input;
    const { idempotency } = input;
    const used = idempotency === null ? undefined : earlier.get(idempotency.key);
    const use = idempotency === null ? 'fresh' : judgeKey(used, idempotency.digest);
    if (use === 'conflict') return idempotencyConflict();
    if (use === 'replay' && used !== undefined) return used.location;
    if (input.point !== null) return toInsert(request, input, locatedBy(input.point));
    return geocode(request, input).then((located) => toInsert(request, input, located), expected);
  };

  const store = async ({ map, scope }: Request, prepared: readonly Prepared[]): Promise<LocationResult[]> => {
    const inserts = prepared.filter(isInsert);
    const stored =
      inserts.length === 0 ? NOTHING_STORED : await storage.insertLocations(map.id, inserts, clock(), scope);
    if (stored.kind !== 'done') throw mapGoneError(stored);
    let next = 0;
    return prepared.map((item) => (isInsert(item) ? toResult(stored.outcomes[next++]) : item));
  };

  const createAll = async (request: Request, inputs: readonly LocationInput[]) => {
    const checked: (CheckedInput | ServiceError)[] = [];
    for (const input of inputs) {
      const pause = checked.length > 0 ? breathe() : undefined;
      if (pause !== undefined) await pause;
      checked.push(settle(() => check(request.map, input)));
    }
    const keys = keysOf(checked);
    const earlier = keys.length === 0 ? NONE_EARLIER : await findEarlier(request, keys);
    const prepared = await mapConcurrently(checked, geocoder.concurrency ?? checked.length, (input) =>
      prepare(request, input, earlier),
    );
    return store(request, prepared);
  };

  return {
    async createLocation(scope, mapId, input) {
      const { caller, map } = await admit(storage, scope, mapId, { scope: 'write' });
      const [location] = await createAll({ caller, map, scope }, [input]);
      if (location === undefined) throw new Error('One input gave no result.');
      if (location instanceof ServiceError) throw location;
      return { map, location };
    },

    async createLocations(scope, mapId, inputs) {
      const { caller, map } = await admit(storage, scope, mapId, { scope: 'write' });
      if (inputs.length < 1 || inputs.length > maxBulk) {
        throw badUserInput(`locations has ${inputs.length} items; 1 to ${maxBulk} are allowed.`);
      }
      return { map, results: await createAll({ caller, map, scope }, inputs) };
    },
  };
}

/** The distinct keys of the inputs. */
function keysOf(inputs: readonly (CheckedInput | ServiceError)[]): readonly string[] {
  const keys = inputs.flatMap((input) =>
    input instanceof ServiceError || input.idempotency === null ? [] : [input.idempotency.key],
  );
  return [...new Set(keys)];
}

function isInsert(item: Prepared): item is LocationInsert {
  return 'location' in item;
}

function toResult(outcome: InsertOutcome | undefined): LocationResult {
  if (outcome === undefined)
    throw new Error('The store answered fewer outcomes than it was given locations.');
  return outcome.kind === 'conflict' ? idempotencyConflict() : outcome.location;
}
