/** Locations and idempotency records in SQLite. */

import { toPlainDecimal } from '../../domain/coordinates.ts';
import type { JsonObject } from '../../domain/json.ts';
import type { LocationRecord } from '../../domain/location.ts';
import {
  compareOrderKeys,
  encodeOrder,
  isNumberKey,
  largerNumber,
  nextWholeNumber,
} from '../../domain/order.ts';
import type { PageRequest } from '../../domain/paging.ts';
import type { SortKey } from '../../domain/sort-key.ts';
import type {
  IdempotencyRecord,
  IdempotencyScope,
  InsertOutcome,
  LocationInsert,
  MapGone,
  Storage,
} from '../storage.ts';
import type { Connection } from './connection.ts';
import type { SqlRow } from './driver.ts';
import { removeExpiredGeocodes } from './geocodes.ts';
import { listLocationsJson, NO_LOCATIONS } from './locations-json.ts';
import { goneBy, mapGone } from './maps.ts';
import type { PageCache } from './page-cache.ts';
import { MAP_NUMBER, pageClauses } from './pages.ts';
import { RowMemory } from './row-memory.ts';
import { numberOf, textOf, textOrNull } from './rows.ts';

type LocationStorage = Pick<
  Storage,
  | 'insertLocations'
  | 'findIdempotencyRecords'
  | 'getLocations'
  | 'listLocations'
  | 'listLocationsJson'
  | 'hasLocations'
  | 'countLocations'
  | 'deleteLocation'
  | 'removeExpired'
>;

/** What a map knows of its list's end while locations are being added. */
interface ListEnd {
  readonly mapNumber: number;
  sequence: number;
  largestNumber: string | null;
  /** The last location of the list; undefined before anybody has asked. */
  last: OrderedAs | null | undefined;
}

type OrderedAs = Pick<LocationRecord, 'order' | 'orderKey'>;

/** What a page of a map's list is found and kept by. */
interface MapHead {
  readonly number: number;
  readonly revision: number;
}

export function locationStatements(connection: Connection, pages: PageCache): LocationStorage {
  const heads = new RowMemory<MapHead>(connection);
  return {
    insertLocations: (mapId, inserts, now, scope) =>
      connection.write(() => {
        const end = readEnd(connection, mapId);
        if ('kind' in end) return end;
        return { kind: 'done', outcomes: insertAll(connection, end, inserts, now) };
      }, scope),
    findIdempotencyRecords: async (scope, keys, now) =>
      connection.read(() => keys.map((key) => findIdempotencyRecord(connection, scope, key, now))),
    getLocations: async (mapId, ids) =>
      connection.read(() => ids.map((id) => getLocation(connection, mapId, id))),
    listLocations: async (mapId, page) => connection.read(() => listLocations(connection, mapId, page)),
    listLocationsJson: async (mapId, page, template, scope) =>
      connection.read(() => {
        const map = heads.get(mapId, scope?.asOf, () => readHead(connection, mapId));
        if (map === null) return NO_LOCATIONS;
        // A page that another process changes in between is newer than its revision, and so than whoever asks for that.
        return pages.get(mapId, map.revision, page, template, () =>
          listLocationsJson(connection, map.number, page, template),
        );
      }),
    hasLocations: async (mapId, range) =>
      connection.read(
        () => listLocations(connection, mapId, { ...range, limit: 1, fromEnd: false }).length > 0,
      ),
    countLocations: async (mapId) =>
      connection.read(() =>
        Number(
          connection.get(`SELECT COUNT(*) AS count FROM locations WHERE map_number = ${MAP_NUMBER}`, mapId)
            ?.count,
        ),
      ),
    deleteLocation: (mapId, id, scope) =>
      connection.write(() => {
        const gone = mapGone(connection, mapId);
        if (gone !== null) return gone;
        const location = getLocation(connection, mapId, id);
        if (location === null) return { kind: 'missing' };
        connection.run('DELETE FROM locations WHERE id = ?', id);
        connection.run('UPDATE maps SET revision = revision + 1 WHERE id = ?', mapId);
        return { kind: 'deleted', location };
      }, scope),
    removeExpired: (now) =>
      connection.write(
        () =>
          connection.run('DELETE FROM idempotency_records WHERE expires_at <= ?', now) +
          removeExpiredGeocodes(connection, now),
      ),
  };
}

function readHead(connection: Connection, mapId: string): MapHead | null {
  const row = connection.get('SELECT number, revision FROM maps WHERE id = ?', mapId);
  return row === undefined ? null : { number: numberOf(row, 'number'), revision: numberOf(row, 'revision') };
}

function insertAll(
  connection: Connection,
  end: ListEnd,
  inserts: readonly LocationInsert[],
  now: number,
): InsertOutcome[] {
  const outcomes = inserts.map((insert) => insertOne(connection, end, insert, now));
  connection.run(
    'UPDATE maps SET last_sequence = ?, largest_number = ?, revision = revision + 1 WHERE number = ?',
    end.sequence,
    end.largestNumber,
    end.mapNumber,
  );
  return outcomes;
}

function insertOne(connection: Connection, end: ListEnd, insert: LocationInsert, now: number): InsertOutcome {
  const { idempotency } = insert;
  if (idempotency !== null) {
    const scope = { tokenId: idempotency.tokenId, mapId: insert.location.mapId };
    const record = findIdempotencyRecord(connection, scope, idempotency.key, now);
    if (record?.digest === idempotency.digest) return { kind: 'replayed', location: record.location };
    if (record !== null) return { kind: 'conflict' };
  }
  const order = insert.order ?? appendOrder(connection, end);
  const orderKey = encodeOrder(order);
  end.sequence += 1;
  const isNext = insert.order === null && isNumberKey(orderKey);
  end.largestNumber = isNext ? order : largerNumber(end.largestNumber, order);
  if (end.last === null || (end.last !== undefined && compareOrderKeys(end.last.orderKey, orderKey) <= 0))
    end.last = { order, orderKey };
  const { id, mapId, name, placeId, latitude, longitude, properties, createdAt, geocoding } = insert.location;
  const location: LocationRecord = {
    id,
    mapId,
    name,
    placeId,
    latitude,
    longitude,
    properties,
    createdAt,
    geocoding,
    order,
    orderKey,
    sequence: end.sequence,
  };
  insertLocation(connection, end.mapNumber, location);
  if (idempotency !== null) insertIdempotencyRecord(connection, idempotency, location);
  return { kind: 'inserted', location };
}

function readEnd(connection: Connection, mapId: string): ListEnd | MapGone {
  const row = connection.get(
    'SELECT is_deleted, number, last_sequence, largest_number FROM maps WHERE id = ?',
    mapId,
  );
  const gone = goneBy(row);
  if (row === undefined || gone !== null) return gone ?? { kind: 'map-missing' };
  return {
    mapNumber: numberOf(row, 'number'),
    sequence: numberOf(row, 'last_sequence'),
    largestNumber: textOrNull(row, 'largest_number'),
    last: undefined,
  };
}

/** While a text is last, that text; else the next whole number. */
function appendOrder(connection: Connection, end: ListEnd): string {
  if (end.last === undefined) end.last = readLast(connection, end.mapNumber);
  if (end.last !== null && !isNumberKey(end.last.orderKey)) return end.last.order;
  return nextWholeNumber(end.largestNumber);
}

function readLast(connection: Connection, mapNumber: number): OrderedAs | null {
  const row = connection.get(
    'SELECT order_key, position FROM locations WHERE map_number = ? ORDER BY order_key DESC, sequence DESC LIMIT 1',
    mapNumber,
  );
  return row === undefined ? null : { order: textOf(row, 'position'), orderKey: textOf(row, 'order_key') };
}

export function insertLocation(connection: Connection, mapNumber: number, location: LocationRecord): void {
  connection.run(
    `INSERT INTO locations (map_number, order_key, sequence, id, position, name, place_id, latitude, longitude,
       properties, created_at, provider, "precision", lat, lng)
     VALUES (?, ?, ?, ?, ?, ?, ?, ? * ?, ? * ?, ?, ?, ?, ?, ?, ?)`,
    mapNumber,
    location.orderKey,
    location.sequence,
    location.id,
    location.order,
    location.name,
    location.placeId,
    ...exactReal(location.latitude),
    ...exactReal(location.longitude),
    JSON.stringify(location.properties),
    location.createdAt,
    location.geocoding.provider,
    location.geocoding.precision,
    toPlainDecimal(location.latitude),
    toPlainDecimal(location.longitude),
  );
}

/**
 * A double as two factors that the binding passes on unchanged. It takes one that is less than 2^-52 above a whole
 * number for an integer, cut towards zero (1e-17 is stored as 0, -0.9999999999999999 too), but not its negative.
 */
function exactReal(value: number): [value: number, sign: number] {
  const isTaken = !Number.isInteger(value) && value - Math.floor(value) < Number.EPSILON;
  return isTaken ? [-value, -1] : [value, 1];
}

export function insertIdempotencyRecord(
  connection: Connection,
  { tokenId, key, digest, expiresAt }: NonNullable<LocationInsert['idempotency']>,
  location: LocationRecord,
): void {
  // An expired record of the same key may still be there: it counts for nothing.
  connection.run(
    `INSERT OR REPLACE INTO idempotency_records (map_id, token_id, key, digest, location, expires_at)
     VALUES (?, ?, ?, ?, ?, ?)`,
    location.mapId,
    tokenId,
    key,
    digest,
    JSON.stringify(location),
    expiresAt,
  );
}

function findIdempotencyRecord(
  connection: Connection,
  { tokenId, mapId }: IdempotencyScope,
  key: string,
  now: number,
): IdempotencyRecord | null {
  const row = connection.get(
    `SELECT digest, location FROM idempotency_records
     WHERE map_id = ? AND token_id = ? AND key = ? AND expires_at > ?`,
    mapId,
    tokenId,
    key,
    now,
  );
  if (row === undefined) return null;
  return { digest: textOf(row, 'digest'), location: JSON.parse(textOf(row, 'location')) as LocationRecord };
}

function getLocation(connection: Connection, mapId: string, id: string): LocationRecord | null {
  const row = connection.get(
    `SELECT * FROM locations WHERE id = ? AND map_number = ${MAP_NUMBER}`,
    id,
    mapId,
  );
  return row === undefined ? null : toLocation(row, mapId);
}

export function listLocations(
  connection: Connection,
  mapId: string,
  page: PageRequest<SortKey>,
): LocationRecord[] {
  const { clauses, values } = pageClauses(mapId, page);
  const rows = connection.all(`SELECT * FROM locations ${clauses}`, ...values);
  const locations = rows.map((row) => toLocation(row, mapId));
  return page.fromEnd ? locations.reverse() : locations;
}

function toLocation(row: SqlRow, mapId: string): LocationRecord {
  return {
    id: textOf(row, 'id'),
    mapId,
    name: textOf(row, 'name'),
    placeId: textOf(row, 'place_id'),
    latitude: numberOf(row, 'latitude'),
    longitude: numberOf(row, 'longitude'),
    properties: JSON.parse(textOf(row, 'properties')) as JsonObject,
    createdAt: numberOf(row, 'created_at'),
    geocoding: { provider: textOf(row, 'provider'), precision: textOf(row, 'precision') },
    order: textOf(row, 'position'),
    orderKey: textOf(row, 'order_key'),
    sequence: numberOf(row, 'sequence'),
  };
}
