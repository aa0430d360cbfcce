/** Turns GeoJSON Features, and the lines of NDJSON, into inputs of locations. */

import type { JsonObject } from '../../domain/json.ts';
import { isJsonObject } from '../../domain/json.ts';
import type { GivenPoint } from '../../domain/point.ts';
import type { ServiceError } from '../../errors.ts';
import { badUserInput } from '../../errors.ts';
import type { JsonRecord } from '../json/json-lines.ts';
import { MAX_JSON_BYTES } from '../json/json-lines.ts';
import { settle } from '../../services/expected.ts';
import type { LocationInput } from '../../services/locations.ts';
import { placeAt, readPoint } from '../columns/point.ts';
import type { RowOptions } from './source.ts';

type Point = Pick<GivenPoint, 'latitude' | 'longitude'>;

/** A Feature's own data are its properties. Of its members those count that an export has. */
export function readFeature(
  { text }: JsonRecord,
  id: string | undefined,
  { isUpsert }: RowOptions,
): LocationInput | ServiceError {
  return settle(() => {
    const feature = parse(text, 'The Feature');
    if (feature.type !== 'Feature') throw badUserInput('It is no GeoJSON Feature.');
    const externalId = readText(feature, 'externalId') ?? (isUpsert ? readFeatureId(feature) : null);
    return { id, ...readCommon(feature, readGeometry(feature.geometry)), externalId };
  });
}

/** A line is what an export has written, or as much of it. */
export function readLine({ text }: JsonRecord, id: string | undefined): LocationInput | ServiceError {
  return settle(() => {
    const line = parse(text, 'The line');
    const externalId = readText(line, 'externalId');
    return { id, ...readCommon(line, readLatLng(line.latLngLiteral)), externalId };
  });
}

function parse(text: string | null, what: string): JsonObject {
  if (text === null) throw badUserInput(`${what} is over ${MAX_JSON_BYTES} bytes.`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw badUserInput(`${what} is not valid JSON.`);
  }
  if (!isJsonObject(value)) throw badUserInput(`${what} is no JSON object.`);
  return value;
}

function readCommon(record: JsonObject, point: Point | null) {
  const { properties = null } = record;
  if (properties !== null && !isJsonObject(properties))
    throw badUserInput('properties must be a JSON object.');
  return {
    fields: properties ?? {},
    position: placeAt(point, readText(record, 'placeId')),
    order: readText(record, 'order'),
    isOrderKept: true,
  };
}

/** A null, or nothing, is none. */
function readText(record: JsonObject, key: string): string | null {
  const value = Object.hasOwn(record, key) ? (record[key] ?? null) : null;
  if (value === null || typeof value === 'string') return value;
  throw badUserInput(`${key} must be a string.`);
}

/** RFC 7946, 3.2: a string or a number. */
function readFeatureId({ id = null }: JsonObject): string | null {
  if (id === null || typeof id === 'string') return id;
  if (typeof id === 'number') return String(id);
  throw badUserInput('id must be a string or a number.');
}

/** Null for a Feature without a place: its address is geocoded. */
function readGeometry(geometry: unknown): Point | null {
  if (geometry === null || geometry === undefined) return null;
  const { type, coordinates } = isJsonObject(geometry) ? geometry : {};
  if (type !== 'Point') throw badUserInput('The geometry is no Point.');
  const [longitude, latitude] = Array.isArray(coordinates) ? (coordinates as readonly unknown[]) : [];
  if (typeof longitude !== 'number' || typeof latitude !== 'number') {
    throw badUserInput('The coordinates must be a longitude and a latitude, in degrees.');
  }
  return { latitude, longitude };
}

const NAMES = { latitude: 'latLngLiteral.lat', longitude: 'latLngLiteral.lng' };

function readLatLng(literal: unknown): Point | null {
  if (literal === null || literal === undefined) return null;
  const { lat = '', lng = '' } = isJsonObject(literal) ? literal : {};
  const texts = [lat, lng].map((degrees) => (typeof degrees === 'number' ? String(degrees) : degrees));
  const [latitude, longitude] = texts;
  if (typeof latitude !== 'string' || typeof longitude !== 'string' || latitude + longitude === '') {
    throw badUserInput('latLngLiteral must have lat and lng, decimal numbers of degrees.');
  }
  return readPoint(latitude, longitude, NAMES);
}
