/** Locations to rows and back. */

import { toPlainDecimal } from '../../domain/coordinates.ts';
import type { JsonObject } from '../../domain/json.ts';
import type { LocationRecord } from '../../domain/location.ts';
import type { Connection } from './connection.ts';
import type { SqlRow } from './driver.ts';
import { numberOf, textOf } from './rows.ts';

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
 * A double as two factors that the binding passes on unchanged.
 *
 * The binding takes a number that is less than 2^-52 above a whole number for an integer, and cuts it: it stores 1e-17 and
 * -0.9999999999999999 as 0. The negative of such a number is passed on as it is.
 */
function exactReal(value: number): [value: number, sign: number] {
  const isTaken = !Number.isInteger(value) && value - Math.floor(value) < Number.EPSILON;
  return isTaken ? [-value, -1] : [value, 1];
}

export function toLocation(row: SqlRow, mapId: string): LocationRecord {
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
