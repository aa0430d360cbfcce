/**
 * Locations as rows. {@link COLUMNS}, {@link toLocation} and {@link LOCATION_JSON} are the only lists of a location's
 * columns: they drive INSERT, UPDATE, SELECT, pages as JSON, exports and backups. A new column is added here, in
 * schema/locations.ts and in a migration.
 */

import { toPlainDecimal } from '../../../domain/coordinates.ts';
import { cellOf } from '../../../domain/filter/cell.ts';
import type { GeocodingGroup } from '../../../domain/filter/geocoding-test.ts';
import type { JsonObject } from '../../../domain/json/json.ts';
import type { LocationValue } from '../../../domain/location-template.ts';
import type { LocationRecord } from '../../../domain/location.ts';
import type { SqlRow, SqlValue } from '../engine/driver.ts';
import { exactReal } from '../engine/driver.ts';
import type { Reader, Writer } from '../engine/statements.ts';
import { numberOf, numberOrNull, textOf, textOrNull } from '../engine/statements.ts';

interface Column {
  readonly name: string;
  readonly bind: (location: LocationRecord) => SqlValue;
  /** Bound as two factors, since the binding truncates some doubles; see {@link exactReal}. */
  readonly isReal?: true;
  /** Set by INSERT only. */
  readonly isFixed?: true;
  /** Computed from other columns, and not read back. */
  readonly isDerived?: true;
}

/** All columns but `number` and `map_number`. */
const COLUMNS: readonly Column[] = [
  { name: 'id', bind: ({ id }) => id, isFixed: true },
  { name: 'name', bind: ({ name }) => name },
  { name: 'place_id', bind: ({ placeId }) => placeId },
  { name: 'latitude', bind: ({ latitude }) => latitude, isReal: true },
  { name: 'longitude', bind: ({ longitude }) => longitude, isReal: true },
  { name: 'properties', bind: ({ properties }) => JSON.stringify(properties) },
  { name: 'external_id', bind: ({ externalId }) => externalId },
  { name: 'version', bind: ({ version }) => version },
  { name: 'created_at', bind: ({ createdAt }) => createdAt, isFixed: true },
  { name: 'updated_at', bind: ({ updatedAt }) => updatedAt },
  { name: 'provider', bind: ({ geocoding }) => geocoding.provider },
  { name: '"precision"', bind: ({ geocoding }) => geocoding.precision },
  { name: 'position', bind: ({ order }) => order },
  { name: 'order_key', bind: ({ orderKey }) => orderKey },
  { name: 'sequence', bind: ({ sequence }) => sequence, isFixed: true },
  { name: 'lat', bind: ({ latitude }) => toPlainDecimal(latitude), isDerived: true },
  { name: 'lng', bind: ({ longitude }) => toPlainDecimal(longitude), isDerived: true },
  { name: 'cell', bind: cellOf, isDerived: true },
  { name: 'label', bind: ({ geocoding }) => geocoding.label },
  { name: 'is_ambiguous', bind: ({ geocoding }) => Number(geocoding.isAmbiguous) },
  { name: 'is_checked', bind: ({ geocoding }) => Number(geocoding.isChecked) },
];

const READ_COLUMNS = COLUMNS.filter(({ isDerived }) => isDerived !== true);

/** The columns that {@link toLocation} reads. Leaving out the others saves a quarter of the time. */
export const LOCATION_COLUMNS = READ_COLUMNS.map(({ name }) => `locations.${name}`).join(', ');

/** The same columns, which `versions` has too. */
export const STATE_COLUMNS = READ_COLUMNS.map(({ name }) => name).join(', ');
export const STATE_PLACEHOLDERS = READ_COLUMNS.map(placeholderOf).join(', ');

export function stateValues(location: LocationRecord): readonly SqlValue[] {
  return valuesOf(READ_COLUMNS, location);
}

/** An object literal, not a loop over {@link COLUMNS}: that takes 0.3 µs more for each row. */
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
    geocoding: { ...toGeocodingGroup(row), label: textOrNull(row, 'label') },
    order: textOf(row, 'position'),
    orderKey: textOf(row, 'order_key'),
    sequence: numberOf(row, 'sequence'),
  };
}

/** @param row has the columns `provider`, `precision`, `is_ambiguous` and `is_checked` */
export function toGeocodingGroup(row: SqlRow): GeocodingGroup {
  return {
    provider: textOf(row, 'provider'),
    precision: textOf(row, 'precision'),
    isAmbiguous: row.is_ambiguous === 1,
    isChecked: row.is_checked === 1,
  };
}

/** SQL for one value of a location as JSON, as `JSON.stringify` would write it. */
type LocationJson =
  /** The expression is JSON. */
  | { readonly json: string }
  /** Text that needs no escapes; quotes go around it. */
  | { readonly quoted: string }
  /** Milliseconds since the epoch, written as an ISO 8601 string. */
  | { readonly time: string };

export const LOCATION_JSON: Readonly<Record<LocationValue, LocationJson>> = {
  id: { quoted: 'id' },
  name: { json: 'json_quote(name)' },
  placeId: { json: 'json_quote(place_id)' },
  lat: { quoted: 'lat' },
  lng: { quoted: 'lng' },
  latitude: { json: 'lat' },
  longitude: { json: 'lng' },
  properties: { json: 'properties' },
  order: { json: 'json_quote(position)' },
  // json_quote(NULL) is null.
  externalId: { json: 'json_quote(external_id)' },
  version: { json: 'version' },
  createdAt: { time: 'created_at' },
  updatedAt: { time: 'coalesce(updated_at, created_at)' },
  provider: { json: 'json_quote(provider)' },
  precision: { json: 'json_quote("precision")' },
  label: { json: 'json_quote(label)' },
  isAmbiguous: { json: "iif(is_ambiguous, 'true', 'false')" },
  isChecked: { json: "iif(is_checked, 'true', 'false')" },
};

/** The content of a location that the word index is built from. */
export interface IndexedText {
  readonly mapNumber: number;
  readonly name: string;
  readonly properties: JsonObject;
}

/** The content of a location that all search indexes are built from. */
export interface IndexedLocation extends IndexedText {
  readonly latitude: number;
  readonly longitude: number;
  readonly geocoding: GeocodingGroup;
}

/** @param row has the columns `name` and `properties` */
export function toIndexedText(row: SqlRow, mapNumber: number): IndexedText {
  return {
    mapNumber,
    name: textOf(row, 'name'),
    properties: JSON.parse(textOf(row, 'properties')) as JsonObject,
  };
}

/** SQL: the columns that {@link toIndexedLocation} reads. */
export const INDEXED_COLUMNS =
  'name, properties, latitude, longitude, provider, "precision", is_ambiguous, is_checked';

export function toIndexedLocation(row: SqlRow, mapNumber: number): IndexedLocation {
  return {
    ...toIndexedText(row, mapNumber),
    latitude: numberOf(row, 'latitude'),
    longitude: numberOf(row, 'longitude'),
    geocoding: toGeocodingGroup(row),
  };
}

/** A location before and after a write; null where it does not exist. */
export interface IndexChange<T = IndexedLocation> {
  /** The row's number. */
  readonly number: number;
  readonly before: T | null;
  readonly after: T | null;
}

/** A transaction, and the index changes to write at its end. */
export interface LocationWriter extends Writer {
  readonly pending: { readonly indexChanges: IndexChange[] };
}

// Without RETURNING, for which SQLite copies each page that the statement changes.
const INSERT = `INSERT INTO locations (number, map_number, ${COLUMNS.map(({ name }) => name).join(', ')})
  VALUES (?, ?, ${COLUMNS.map(placeholderOf).join(', ')})`;

export function insertLocation(writer: LocationWriter, mapNumber: number, location: LocationRecord): void {
  const number = rowNumberFor(writer, mapNumber, location.sequence);
  writer.run(INSERT, number, mapNumber, ...valuesOf(COLUMNS, location));
  writer.pending.indexChanges.push({ number, before: null, after: { mapNumber, ...location } });
}

const UPDATED = COLUMNS.filter(({ isFixed }) => isFixed !== true);
const UPDATE = `UPDATE locations SET ${UPDATED.map((column) => `${column.name} = ${placeholderOf(column)}`).join(', ')}
  WHERE id = ? RETURNING number, map_number`;

/** Replaces every value but the id, the sequence number and the time of creation. */
export function updateLocation(
  writer: LocationWriter,
  before: LocationRecord,
  location: LocationRecord,
): void {
  const row = writer.get(UPDATE, ...valuesOf(UPDATED, location), location.id);
  if (row === undefined) throw new Error('The updated location must exist in this transaction.');
  const mapNumber = numberOf(row, 'map_number');
  writer.pending.indexChanges.push({
    number: numberOf(row, 'number'),
    before: { mapNumber, ...before },
    after: { mapNumber, ...location },
  });
}

function placeholderOf({ isReal }: Column): string {
  return isReal === true ? '? * ?' : '?';
}

function valuesOf(columns: readonly Column[], location: LocationRecord): SqlValue[] {
  const values: SqlValue[] = [];
  for (const { bind, isReal } of columns) {
    const value = bind(location);
    if (isReal === true && typeof value === 'number') values.push(...exactReal(value));
    else values.push(value);
  }
  return values;
}

/** SQL: a map's number, by its id. */
export const MAP_NUMBER = '(SELECT number FROM maps WHERE id = ?)';

export function getLocation(
  reader: Pick<Reader, 'get'>,
  mapId: string,
  id: string,
  column: 'id' | 'external_id' = 'id',
): LocationRecord | null {
  const row = reader.get(
    `SELECT ${LOCATION_COLUMNS} FROM locations WHERE ${column} = ? AND map_number = ${MAP_NUMBER}`,
    id,
    mapId,
  );
  return row === undefined ? null : toLocation(row, mapId);
}

/** Row numbers of one map. A sequence number is never reused, so neither is a row number. */
const BLOCK = 2 ** 32;
/** Row numbers must be safe integers. */
const BLOCKS = 2 ** 53 / BLOCK;
/** Smaller row numbers are in no map's block. */
export const FIRST_IN_BLOCK = BLOCK;

/**
 * The row numbers of a map by sequence number. Rows are stored in the order of their numbers, and each map has a block of
 * numbers, so that the rows of a map are stored together, by sequence. Block 0 belongs to no map; it holds rows of maps and
 * sequence numbers beyond the blocks, and of files of earlier versions.
 */
export function blockOf(mapNumber: number): {
  readonly first: number;
  /** Of the sequence number, or the end of the block. */
  readonly number: (sequence: number) => number;
} {
  // A map beyond the blocks has an empty one.
  const [first, size] = mapNumber < BLOCKS ? [mapNumber * BLOCK, BLOCK] : [0, 0];
  return { first, number: (sequence) => first + Math.min(sequence, size) };
}

/** The number of a new row. */
function rowNumberFor(writer: Writer, mapNumber: number, sequence: number): number {
  if (mapNumber < BLOCKS && sequence < BLOCK) return mapNumber * BLOCK + sequence;
  const row = writer.get(`SELECT number FROM locations WHERE number < ${BLOCK} ORDER BY number DESC LIMIT 1`);
  return 1 + (row === undefined ? 0 : numberOf(row, 'number'));
}
