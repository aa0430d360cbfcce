/** Locations: created from free-form fields and geocoded, listed, fetched and deleted. */

import type { FieldLimits } from '../domain/fields.ts';
import { assertFields, readNameAndAddress } from '../domain/fields.ts';
import { isLocationIdOf, isMapId, newLocationId } from '../domain/ids.ts';
import type { JsonObject } from '../domain/json.ts';
import type { LocationTemplate } from '../domain/location-template.ts';
import type { LocationRecord } from '../domain/location.ts';
import type { MapRecord } from '../domain/map.ts';
import { assertOrder } from '../domain/order.ts';
import type { PageRequest } from '../domain/paging.ts';
import type { Place, Point } from '../domain/point.ts';
import { readPoint } from '../domain/point.ts';
import type { Position } from '../domain/position.ts';
import { badUserInput, ServiceError } from '../errors.ts';
import type { Geocoder } from '../geocoding/geocoder.ts';
import type {
  IdempotencyRecord,
  InsertOutcome,
  LocationInsert,
  LocationsJson,
  Storage,
} from '../storage/storage.ts';
import type { Bounds } from './bounds.ts';
import { UNBOUNDED } from './bounds.ts';
import type { Caller } from './caller.ts';
import { locationNotFound, requireNotDeleted, requireOwnMap, requireWriter } from './caller.ts';
import { mapConcurrently } from './concurrently.ts';
import { assertIdempotencyKey, bodyDigest, IDEMPOTENCY_TTL_MS, idempotencyConflict } from './idempotency.ts';
import { mapGoneError } from './maps.ts';
import type { Page } from './pages.ts';
import { readPage } from './pages.ts';
import type { Secrets } from './secrets.ts';

export interface LocationInput {
  /** Never a client's: made anew, unless whoever may have to try again gives the same each time. */
  readonly id?: string;
  readonly fields: JsonObject;
  /** Null or absent appends. */
  readonly order?: string | null;
  readonly idempotencyKey?: string | null;
  /** The point, where the caller knows it: then no geocoder is asked. */
  readonly position?: Point | null;
}

/** What became of one of several locations: stored (now, or before under its key), or why not. */
export type LocationResult = LocationRecord | ServiceError;

export interface LocationService {
  /**
   * @throws ServiceError of any code of the contract's table but those of the doors; CallerGoneError, before anything
   *   was stored
   */
  createLocation(
    caller: Caller | null,
    mapId: string,
    input: LocationInput,
    bounds?: Bounds,
  ): Promise<{ map: MapRecord; location: LocationRecord }>;
  /**
   * Stores all the good ones, in the order given.
   *
   * @throws ServiceError for what concerns all of them: the scope, the map, their number, the store; CallerGoneError,
   *   before anything was stored
   */
  createLocations(
    caller: Caller | null,
    mapId: string,
    inputs: readonly LocationInput[],
    bounds?: Bounds,
  ): Promise<{ map: MapRecord; results: readonly LocationResult[] }>;
  deleteLocation(
    caller: Caller | null,
    mapId: string,
    id: string,
  ): Promise<{ map: MapRecord; location: LocationRecord }>;
  /** One entry for each id, in the order asked; LOCATION_NOT_FOUND, or MAP_DELETED, where it cannot be had. */
  findLocations(map: MapRecord, ids: readonly string[]): Promise<LocationResult[]>;
  /** @throws ServiceError MAP_DELETED */
  requireListable(map: MapRecord): void;
  listLocations(map: MapRecord, page: PageRequest<Position>): Promise<Page<LocationRecord>>;
  /** The same page as JSON, each location as the template says. */
  listLocationsJson(
    map: MapRecord,
    page: PageRequest<Position>,
    template: LocationTemplate,
  ): Promise<LocationsJson>;
  /** The order of the first location after a position; null after the last. */
  orderAfter(map: MapRecord, position: Position | null): Promise<string | null>;
  /** Whether the list goes on beyond a page's first or last location. */
  hasLocations(map: MapRecord, range: Pick<PageRequest<Position>, 'after' | 'before'>): Promise<boolean>;
  countLocations(map: MapRecord): Promise<number>;
}

export interface LocationServiceOptions {
  readonly storage: Storage;
  readonly geocoder: Geocoder;
  readonly secrets: Secrets;
  readonly clock: () => number;
  readonly fieldLimits: FieldLimits;
  /** Locations that one call may create. */
  readonly maxBulk: number;
}

/** What is said of a point that the caller gave. */
const MANUAL = { provider: 'manual', precision: 'rooftop' } as const;

/** Who creates, where, and for how long. */
interface Request {
  readonly caller: Caller;
  readonly map: MapRecord;
  readonly bounds: Bounds;
}

/** An input that passed every rule, on its way to the geocoder. */
interface CheckedInput {
  readonly id: string;
  readonly fields: JsonObject;
  readonly order: string | null;
  readonly name: string;
  readonly address: string;
  readonly place: Place | null;
  readonly idempotency: { readonly key: string; readonly digest: string } | null;
}

export function createLocationService(options: LocationServiceOptions): LocationService {
  const { storage, geocoder, secrets, clock, fieldLimits, maxBulk } = options;

  /** The map comes before the rest: an unknown or deleted one is what the caller hears of first. */
  const requireWritableMap = async (caller: Caller, mapId: string): Promise<MapRecord> => {
    const [map = null] = isMapId(mapId) ? await storage.getMaps([mapId]) : [];
    return requireNotDeleted(requireOwnMap(caller, map));
  };

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
    const place = position === null ? null : readPoint(position);
    const idempotency =
      idempotencyKey === null ? null : { key: idempotencyKey, digest: bodyDigest(fields, order, place) };
    return { id, fields, order, place, idempotency, ...readNameAndAddress(fields, map.fields) };
  };

  const locate = async ({ caller, map, bounds }: Request, { address, place }: CheckedInput) => {
    if (place !== null) return { ...place, ...MANUAL };
    const apiKey = map.geocodingApiKey === null ? null : secrets.open(map.geocodingApiKey);
    const { tokenId } = caller;
    const { signal } = bounds;
    return geocoder.geocode({
      address,
      apiKey,
      mapId: map.id,
      tokenId,
      signal,
      timeoutMs: bounds.timeLeft(),
    });
  };

  const geocode = async (request: Request, input: CheckedInput): Promise<LocationInsert> => {
    const { caller, map } = request;
    const { placeId, latitude, longitude, provider, precision } = await locate(request, input);
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

  /** The first answers to the inputs' keys; the store is asked only where there is a key. */
  const findEarlier = async (
    caller: Caller,
    mapId: string,
    inputs: readonly (CheckedInput | ServiceError)[],
  ): Promise<Map<string, IdempotencyRecord>> => {
    const keys = [
      ...new Set(
        inputs.flatMap((input) =>
          input instanceof ServiceError || input.idempotency === null ? [] : [input.idempotency.key],
        ),
      ),
    ];
    if (keys.length === 0) return new Map();
    const records = await storage.findIdempotencyRecords({ tokenId: caller.tokenId, mapId }, keys, clock());
    return new Map(
      keys.flatMap((key, index) => {
        const record = records[index];
        return record ? [[key, record] as const] : [];
      }),
    );
  };

  const prepare = async (
    request: Request,
    input: CheckedInput | ServiceError,
    earlier: ReadonlyMap<string, IdempotencyRecord>,
  ): Promise<LocationInsert | LocationResult> => {
    if (input instanceof ServiceError) return input;
    const record = input.idempotency === null ? undefined : earlier.get(input.idempotency.key);
    if (record !== undefined) {
      return record.digest === input.idempotency?.digest ? record.location : idempotencyConflict();
    }
    return settle(() => geocode(request, input));
  };

  const store = async (
    mapId: string,
    prepared: readonly (LocationInsert | LocationResult)[],
  ): Promise<LocationResult[]> => {
    const inserts = prepared.filter(isInsert);
    const outcomes = inserts.length === 0 ? [] : await insert(mapId, inserts);
    let next = 0;
    return prepared.map((item) => (isInsert(item) ? toResult(outcomes[next++]) : item));
  };

  const insert = async (
    mapId: string,
    inserts: readonly LocationInsert[],
  ): Promise<readonly InsertOutcome[]> => {
    const result = await storage.insertLocations(mapId, inserts, clock());
    if (result.kind !== 'done') throw mapGoneError(result);
    return result.outcomes;
  };

  const createAll = async (request: Request, inputs: readonly LocationInput[]) => {
    const { caller, map } = request;
    const checked = await Promise.all(inputs.map((input) => settle(() => check(map, input))));
    const earlier = await findEarlier(caller, map.id, checked);
    const prepared = await mapConcurrently(checked, geocoder.concurrency ?? checked.length, (input) =>
      prepare(request, input, earlier),
    );
    return store(map.id, prepared);
  };

  return {
    async createLocation(caller, mapId, input, bounds = UNBOUNDED) {
      const writer = requireWriter(caller);
      const map = await requireWritableMap(writer, mapId);
      const [location] = await createAll({ caller: writer, map, bounds }, [input]);
      if (location === undefined) throw new Error('One input gave no result.');
      if (location instanceof ServiceError) throw location;
      return { map, location };
    },

    async createLocations(caller, mapId, inputs, bounds = UNBOUNDED) {
      const writer = requireWriter(caller);
      const map = await requireWritableMap(writer, mapId);
      if (inputs.length < 1 || inputs.length > maxBulk) {
        throw badUserInput(`locations has ${inputs.length} items; 1 to ${maxBulk} are allowed.`);
      }
      return { map, results: await createAll({ caller: writer, map, bounds }, inputs) };
    },

    async deleteLocation(caller, mapId, id) {
      const map = await requireWritableMap(requireWriter(caller), mapId);
      if (!isLocationIdOf(mapId, id)) throw locationNotFound();
      const result = await storage.deleteLocation(mapId, id);
      if (result.kind === 'missing') throw locationNotFound();
      if (result.kind !== 'deleted') throw mapGoneError(result);
      return { map, location: result.location };
    },

    async findLocations(map, ids) {
      const askable = map.isDeleted ? [] : ids.filter((id) => isLocationIdOf(map.id, id));
      const found = askable.length === 0 ? [] : await storage.getLocations(map.id, askable);
      const byId = new Map(found.map((location, index) => [askable[index], location]));
      return settleAll(ids, (id) => {
        requireNotDeleted(map);
        const location = byId.get(id);
        if (!location) throw locationNotFound();
        return location;
      });
    },

    requireListable: (map) => void requireNotDeleted(map),
    listLocations: (map, page) =>
      readPage(page, (asked) => storage.listLocations(requireNotDeleted(map).id, asked)),
    listLocationsJson: async (map, page, template) =>
      storage.listLocationsJson(requireNotDeleted(map).id, page, template),
    orderAfter: async (map, position) => {
      const page: PageRequest<Position> = { limit: 1, fromEnd: false, after: position, before: null };
      return (await storage.listLocations(requireNotDeleted(map).id, page))[0]?.order ?? null;
    },
    hasLocations: async (map, range) => storage.hasLocations(requireNotDeleted(map).id, range),
    countLocations: async (map) => storage.countLocations(requireNotDeleted(map).id),
  };
}

function isInsert(item: LocationInsert | LocationResult): item is LocationInsert {
  return 'location' in item;
}

function toResult(outcome: InsertOutcome | undefined): LocationResult {
  if (outcome === undefined)
    throw new Error('The store answered fewer outcomes than it was given locations.');
  return outcome.kind === 'conflict' ? idempotencyConflict() : outcome.location;
}

/** An expected failure as a value, so that one item's does not end the others; any other is thrown on. */
async function settle<T>(work: () => T | Promise<T>): Promise<T | ServiceError> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
}

async function settleAll<I, T>(items: readonly I[], work: (item: I) => T): Promise<(T | ServiceError)[]> {
  return Promise.all(items.map((item) => settle(() => work(item))));
}
