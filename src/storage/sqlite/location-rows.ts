/** Locations to rows and back. */

import { toPlainDecimal } from '../../domain/coordinates.ts';
import { cellOf } from '../../domain/filter/cell.ts';
import type { JsonObject } from '../../domain/json/json.ts';
import type { LocationRecord } from '../../domain/location.ts';
import type { Connection } from './connection.ts';
import type { SqlRow } from './driver.ts';
import { exactReal } from './exact-real.ts';
import type { Indexed } from './search/index-change.ts';
import { numberFor } from './location-numbers.ts';
import { MAP_NUMBER } from './pages.ts';
import { numberOf, numberOrNull, textOf, textOrNull } from './rows.ts';

export function insertLocation(connection: Connection, mapNumber: number, location: LocationRecord): void {
  const number = numberFor(connection, mapNumber, location.sequence);
  // Without RETURNING, for which SQLite keeps a copy of each page that the statement changes.
  connection.run(
    `INSERT INTO locations (number, map_number, order_key, sequence, id, position, name, place_id, latitude, longitude,
       properties, created_at, provider, "precision", lat, lng, external_id, version, updated_at, cell)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ? * ?, ? * ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    number,
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
    location.externalId,
    location.version,
    location.updatedAt,
    cellOf(location),
  );
  connection.pending.indexChanges.push({ number, before: null, after: { mapNumber, ...location } });
}

/** Replaces all of a location but its id, its sequence number and its time of creation. */
export function updateLocation(
  connection: Connection,
  before: LocationRecord,
  location: LocationRecord,
): void {
  const row = connection.get(
    `UPDATE locations SET order_key = ?, position = ?, name = ?, place_id = ?, latitude = ? * ?, longitude = ? * ?,
       properties = ?, provider = ?, "precision" = ?, lat = ?, lng = ?, external_id = ?, version = ?, updated_at = ?, cell = ?
     WHERE id = ? RETURNING number, map_number`,
    location.orderKey,
    location.order,
    location.name,
    location.placeId,
    ...exactReal(location.latitude),
    ...exactReal(location.longitude),
    JSON.stringify(location.properties),
    location.geocoding.provider,
    location.geocoding.precision,
    toPlainDecimal(location.latitude),
    toPlainDecimal(location.longitude),
    location.externalId,
    location.version,
    location.updatedAt,
    cellOf(location),
    location.id,
  );
  if (row === undefined) throw new Error('The location was read in this transaction, and is gone.');
  const mapNumber = numberOf(row, 'map_number');
  connection.pending.indexChanges.push({
    number: numberOf(row, 'number'),
    before: { mapNumber, ...before },
    after: { mapNumber, ...location },
  });
}

/**
 * @param location of any version, where none is given
 * @returns whether the map had such a location
 */
export function removeLocation(
  connection: Connection,
  mapId: string,
  { id, version = null }: { readonly id: string; readonly version?: number | null },
): boolean {
  const row = connection.get(
    `DELETE FROM locations WHERE id = ? AND map_number = ${MAP_NUMBER} AND version = coalesce(?, version)
     RETURNING number, map_number, name, properties, latitude, longitude`,
    id,
    mapId,
    version,
  );
  if (row === undefined) return false;
  const before = indexedOf(row, numberOf(row, 'map_number'));
  connection.pending.indexChanges.push({ number: numberOf(row, 'number'), before, after: null });
  return true;
}

/** @param row has the columns that are indexed */
export function indexedOf(row: SqlRow, mapNumber: number): Indexed {
  return {
    mapNumber,
    name: textOf(row, 'name'),
    properties: JSON.parse(textOf(row, 'properties')) as JsonObject,
    latitude: numberOf(row, 'latitude'),
    longitude: numberOf(row, 'longitude'),
  };
}

export function getLocation(connection: Connection, mapId: string, id: string): LocationRecord | null {
  return findBy(connection, mapId, 'id', id);
}

export function findByExternalId(
  connection: Connection,
  mapId: string,
  externalId: string,
): LocationRecord | null {
  return findBy(connection, mapId, 'external_id', externalId);
}

function findBy(
  connection: Connection,
  mapId: string,
  column: 'id' | 'external_id',
  value: string,
): LocationRecord | null {
  const row = connection.get(
    `SELECT ${LOCATION_COLUMNS} FROM locations WHERE ${column} = ? AND map_number = ${MAP_NUMBER}`,
    value,
    mapId,
  );
  return row === undefined ? null : toLocation(row, mapId);
}

/** The id of the location that has the external id; null where none has. */
export function findIdOfExternalId(connection: Connection, mapId: string, externalId: string): string | null {
  const row = connection.get(
    `SELECT id FROM locations WHERE external_id = ? AND map_number = ${MAP_NUMBER}`,
    externalId,
    mapId,
  );
  return row === undefined ? null : textOf(row, 'id');
}

/** What {@link toLocation} reads. To leave out the other columns is a quarter of the time. */
export const LOCATION_COLUMNS = [
  'id',
  'name',
  'place_id',
  'latitude',
  'longitude',
  'properties',
  'external_id',
  'version',
  'created_at',
  'updated_at',
  'provider',
  '"precision"',
  'position',
  'order_key',
  'sequence',
]
  .map((column) => `locations.${column}`)
  .join(', ');

export function toLocation(row: SqlRow, mapId: string): LocationRecord {
  return {
    id: textOf(row, 'id'),
    mapId,
    name: textOf(row, 'name'),
    placeId: textOf(row, 'place_id'),
    latitude: numberOf(row, 'latitude'),
    longitude: numberOf(row, 'longitude'),
    properties: JSON.parse(textOf(row, 'properties')) as JsonObject,
    externalId: textOrNull(row, 'external_id'),
    version: numberOf(row, 'version'),
    createdAt: numberOf(row, 'created_at'),
    updatedAt: numberOrNull(row, 'updated_at') ?? numberOf(row, 'created_at'),
    geocoding: { provider: textOf(row, 'provider'), precision: textOf(row, 'precision') },
    order: textOf(row, 'position'),
    orderKey: textOf(row, 'order_key'),
    sequence: numberOf(row, 'sequence'),
  };
}
