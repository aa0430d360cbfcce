/** Reads GeoJSON Features, lines of exported NDJSON, locations from GraphQL or /v0, and plain objects. */

import type { JsonObject, JsonValue } from '../../domain/json/json.ts';
import { isJsonObject } from '../../domain/json/json.ts';
import { badUserInput } from '../../errors.ts';
import type { Point } from '../columns/point.ts';
import { readGeometry, readPoint } from '../columns/point.ts';
import { rowError } from '../message.ts';
import type { RecordValues } from '../reader.ts';
import { crsProblem, foreignCrs } from './crs.ts';
import type { JsonRecord } from './json-lines.ts';
import { MAX_JSON_BYTES } from './json-lines.ts';
import type { LargeIntegers } from './large-integers.ts';

export interface RecordNotes {
  readonly largeIntegers: LargeIntegers;
  /** Called if a third coordinate is dropped. */
  readonly onAltitude: () => void;
  /** Called with the name of an ignored member. */
  readonly onLeftOut: (member: string) => void;
}

/** Members that an export writes or an import reads. A `bbox` adds nothing to a point. */
const MEMBERS: ReadonlySet<string> = new Set([
  ...['type', 'geometry', 'properties', 'id', 'bbox', 'crs', 'rejected'],
  ...['latLngLiteral', 'latitude', 'longitude', 'name', 'placeId', 'order', 'externalId'],
  ...['createdAt', 'updatedAt', 'geocoding'],
]);

/** @throws ServiceError BAD_USER_INPUT */
export function readJsonRecord({ text }: JsonRecord, notes: RecordNotes): RecordValues {
  if (text === null)
    throw rowError('recordTooLarge', `The record is over ${MAX_JSON_BYTES} bytes.`, {
      bytes: MAX_JSON_BYTES,
    });
  // An export has numbers as they are stored, so it needs no check for large integers.
  const whole = parse(text);
  const record = isFromExport(whole) ? whole : withLargeIntegers(whole, text, notes);
  if (record.type === 'Feature') return readFeature(record, notes);
  const foreign = FOREIGN.find(([type, member]) => record.type === type && member in record)?.[2];
  if (foreign !== undefined) throw badUserInput(foreign);
  if (isLocation(record)) return readLocation(record, notes);
  return { properties: withoutReason(record), point: null };
}

/** Objects that are no records: their `type`, another member, and the reason. */
const FOREIGN: readonly (readonly [type: string, member: string, message: string])[] = [
  ['FeatureCollection', 'features', 'The line is a FeatureCollection; write one Feature or object per line.'],
  ['Topology', 'arcs', 'The file is TopoJSON, which is not supported; export it as GeoJSON.'],
  [
    'umap',
    'layers',
    'The file is a full backup of uMap, which is not supported; export the data as GeoJSON or KML.',
  ],
  ...['Point', 'MultiPoint', 'LineString', 'MultiLineString', 'Polygon', 'MultiPolygon'].map(
    (type) => [type, 'coordinates', `The record is a bare ${type}; it must be a Feature.`] as const,
  ),
];

/** Parses again if the text has integers that a double would round. */
function withLargeIntegers(parsed: JsonObject, text: string, { largeIntegers }: RecordNotes): JsonObject {
  const kept = largeIntegers.keep(text);
  return kept === text ? parsed : parse(kept);
}

function parse(text: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw rowError('recordNotJson', 'The record is not valid JSON.');
  }
  if (!isJsonObject(value)) throw rowError('recordNotObject', 'The record is not a JSON object.');
  return value;
}

/** Reads the properties, and the members that an export writes. */
function readFeature(feature: JsonObject, { onAltitude, onLeftOut }: RecordNotes): RecordValues {
  const crs = foreignCrs(feature.crs);
  if (crs !== null) throw badUserInput(`The Feature is refused: ${crsProblem(crs)}.`);
  noteMembers(feature, onLeftOut);
  return {
    ...readMembers(feature),
    point: readGeometry(feature.geometry, null, onAltitude),
    externalId: readText(feature, 'externalId'),
    recordId: readFeatureId(feature),
    isFromExport: isFromExport(feature),
  };
}

/** True if an export or the API wrote the record. */
function isFromExport(record: JsonObject): boolean {
  if (record.type === 'Feature') return 'externalId' in record && 'order' in record;
  return isJsonObject(record.properties) && ('latLngLiteral' in record || 'latitude' in record);
}

/** True if the object has the form of a location in the API, with its data in `properties`. */
function isLocation(record: JsonObject): boolean {
  const { properties = null } = record;
  return properties === null ? 'latLngLiteral' in record : isJsonObject(properties);
}

/** A line of an export, or a location from the API. */
function readLocation(record: JsonObject, { onAltitude, onLeftOut }: RecordNotes): RecordValues {
  noteMembers(record, onLeftOut);
  const point =
    readLatLng(record.latLngLiteral) ?? readPair(record) ?? readGeometry(record.geometry, null, onAltitude);
  return {
    ...readMembers(record),
    point,
    externalId: readText(record, 'externalId'),
    isFromExport: isFromExport(record),
  };
}

/** Reports unknown members. `name` is known only in an export; elsewhere it is data. */
function noteMembers(record: JsonObject, onLeftOut: RecordNotes['onLeftOut']): void {
  for (const member of Object.keys(record)) {
    if (!MEMBERS.has(member) || (member === 'name' && !isFromExport(record))) onLeftOut(member);
  }
}

function readMembers(record: JsonObject): Pick<RecordValues, 'properties' | 'placeId' | 'order'> {
  const { properties = null } = record;
  if (properties !== null && !isJsonObject(properties))
    throw badUserInput('properties must be a JSON object.');
  return {
    properties: properties ?? {},
    placeId: readText(record, 'placeId'),
    order: readText(record, 'order'),
  };
}

function readText(record: JsonObject, key: string): string | null {
  const value = Object.hasOwn(record, key) ? (record[key] ?? null) : null;
  if (value === null || typeof value === 'string') return value;
  throw badUserInput(`${key} must be a string.`);
}

/** A string or a number (RFC 7946, section 3.2). */
function readFeatureId({ id = null }: JsonObject): string | null {
  if (id === null || typeof id === 'string') return id;
  if (typeof id === 'number') return String(id);
  throw badUserInput('id must be a string or a number.');
}

const LITERAL_NAMES = { latitude: 'latLngLiteral.lat', longitude: 'latLngLiteral.lng' };

function readLatLng(literal: unknown): Point | null {
  if (literal === null || literal === undefined) return null;
  const { lat = '', lng = '' } = isJsonObject(literal) ? literal : {};
  const [latitude, longitude] = [textOf(lat), textOf(lng)];
  if (latitude === null || longitude === null || latitude + longitude === '') {
    throw badUserInput('latLngLiteral must have lat and lng, decimal numbers of degrees.');
  }
  return readPoint(latitude, longitude, LITERAL_NAMES);
}

/** The members `latitude` and `longitude`. */
function readPair({ latitude = null, longitude = null }: JsonObject): Point | null {
  if (latitude === null && longitude === null) return null;
  const [lat, lng] = [textOf(latitude ?? ''), textOf(longitude ?? '')];
  if (lat === null || lng === null) {
    throw badUserInput('latitude and longitude must be decimal numbers of degrees.');
  }
  return readPoint(lat, lng, { latitude: 'latitude', longitude: 'longitude' });
}

function textOf(degrees: JsonValue): string | null {
  if (typeof degrees === 'number') return String(degrees);
  return typeof degrees === 'string' ? degrees : null;
}

/** Removes the member `rejected`, which a file of rejected rows has. */
function withoutReason(record: JsonObject): JsonObject {
  const { rejected, ...rest } = record;
  return isJsonObject(rejected) && typeof rejected.reason === 'string' ? rest : record;
}
