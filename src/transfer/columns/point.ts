/** The point of a row, as its file says it: two numbers, or one value that holds both. */

import { isJsonObject } from '../../domain/json/json.ts';
import type { GivenPoint } from '../../domain/point.ts';
import { locatePoint } from '../../domain/point.ts';
import { quote } from '../../domain/text.ts';
import { badUserInput } from '../../errors.ts';

export type Point = Pick<GivenPoint, 'latitude' | 'longitude'>;

const NUMBER_PATTERN = '[+-]?(?:[0-9]+\\.?[0-9]*|\\.[0-9]+)(?:[eE][+-]?[0-9]+)?';
const NUMBER = new RegExp(`^${NUMBER_PATTERN}$`);
/** `48.8, 2.3`: latitude and longitude. */
const PAIR = new RegExp(`^(${NUMBER_PATTERN})\\s*[,;\\s]\\s*(${NUMBER_PATTERN})$`);
/**
 * `48,8566`, as spreadsheets write numbers in most of Europe. A coordinate has at most three digits before its decimal
 * separator, so this comma cannot separate thousands.
 */
const COMMA_PATTERN = '[+-]?[0-9]{1,3},[0-9]+';
const COMMA_NUMBER = new RegExp(`^${COMMA_PATTERN}$`);
const COMMA_PAIR = new RegExp(`^(${COMMA_PATTERN})(?:\\s*;\\s*|\\s+)(${COMMA_PATTERN})$`);
/** `POINT (2.3 48.8)`: longitude and latitude, of which more numbers may follow. EWKT names its system before it. */
const WKT_POINT = new RegExp(
  `^(?:SRID=([0-9]+);\\s*)?POINT\\s*(?:Z|M|ZM)?\\s*\\(\\s*(${NUMBER_PATTERN})\\s+(${NUMBER_PATTERN})((?:\\s+${NUMBER_PATTERN}){0,2})\\s*\\)$`,
  'i',
);
const WKT_SHAPE =
  /^(?:SRID=[0-9]+;\s*)?(LINESTRING|POLYGON|MULTI[A-Z]+|GEOMETRYCOLLECTION|CIRCULARSTRING|POINT)\b/i;
/** WGS 84. */
const SRID = '4326';

/** Names of the two, for messages. */
export interface PointNames {
  readonly latitude: string;
  readonly longitude: string;
}

/**
 * @returns null when both texts are empty: then the row's address is geocoded
 * @throws ServiceError BAD_USER_INPUT when one of the texts is empty or is not a number. The range is checked later
 */
export function readPoint(latitude: string, longitude: string, names: PointNames): Point | null {
  const [lat, lng] = [latitude.trim(), longitude.trim()];
  if (lat === '' && lng === '') return null;
  if (lat === '' || lng === '') {
    const { latitude: first, longitude: second } = names;
    throw badUserInput(`${first} and ${second} go together; ${lat === '' ? first : second} is empty.`);
  }
  return { latitude: readNumber(lat, names.latitude), longitude: readNumber(lng, names.longitude) };
}

function readNumber(text: string, name: string): number {
  if (COMMA_NUMBER.test(text)) return withPoint(text);
  if (!NUMBER.test(text))
    throw badUserInput(`${name} must be a decimal number of degrees, not ${quote(text)}.`);
  return Number(text);
}

function withPoint(text: string): number {
  return Number(text.replace(',', '.'));
}

/**
 * Reads `latitude, longitude`, a WKT POINT or a GeoJSON Point.
 *
 * @param name of the column, for messages
 * @param onAltitude called where a third coordinate was dropped
 * @returns null for an empty text: then the row's address is geocoded
 * @throws ServiceError BAD_USER_INPUT
 */
export function readPointText(text: string, name: string, onAltitude: () => void): Point | null {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  const pair = PAIR.exec(trimmed);
  if (pair !== null) return { latitude: Number(pair[1]), longitude: Number(pair[2]) };
  const [, first, second] = COMMA_PAIR.exec(trimmed) ?? [];
  if (first !== undefined && second !== undefined) {
    return { latitude: withPoint(first), longitude: withPoint(second) };
  }
  const wkt = WKT_POINT.exec(trimmed);
  if (wkt !== null) {
    const [, srid = SRID, longitude, latitude, more = ''] = wkt;
    if (srid !== SRID) throw badUserInput(`${name} is in SRID ${srid}; only SRID ${SRID} (WGS 84) is read.`);
    if (more !== '') onAltitude();
    return { latitude: Number(latitude), longitude: Number(longitude) };
  }
  const shape = WKT_SHAPE.exec(trimmed)?.[1];
  if (shape !== undefined && shape.toUpperCase() !== 'POINT') {
    throw badUserInput(`${name} is a ${shape.toUpperCase()}; only a POINT can become a location.`);
  }
  if (trimmed.startsWith('{')) return readGeometry(parseJson(trimmed, name), name, onAltitude);
  throw badUserInput(
    `${name} must be "latitude, longitude" in degrees, a WKT POINT or a GeoJSON Point, not ${quote(trimmed)}.`,
  );
}

function parseJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw badUserInput(`${name} is not valid JSON.`);
  }
}

/**
 * @param geometry a GeoJSON geometry; null or undefined where there is none
 * @param onAltitude called where a third coordinate was dropped
 * @throws ServiceError BAD_USER_INPUT for any geometry but a Point
 */
export function readGeometry(geometry: unknown, name: string, onAltitude: () => void): Point | null {
  if (geometry === null || geometry === undefined) return null;
  const { type, coordinates } = isJsonObject(geometry) ? geometry : {};
  if (type !== 'Point') {
    const kind = typeof type === 'string' ? `a ${quote(type).slice(1, -1)}` : 'no geometry';
    throw badUserInput(`${name} is ${kind}; only a Point can become a location.`);
  }
  const numbers: readonly unknown[] = Array.isArray(coordinates) ? coordinates : [];
  const [longitude, latitude] = numbers;
  if (typeof longitude !== 'number' || typeof latitude !== 'number') {
    throw badUserInput('The coordinates must be a longitude and a latitude, in degrees.');
  }
  if (numbers.length > 2) onAltitude();
  return { latitude, longitude };
}

/** That of a point of many digits is longer than one that a caller may give. */
function defaultPlaceId({ latitude, longitude }: Point): string {
  return locatePoint({ latitude, longitude }).placeId;
}

/** @throws ServiceError BAD_USER_INPUT for the identifier of a place that has no point */
export function placeAt(point: Point | null, placeId: string | null): GivenPoint | null {
  if (point !== null) {
    const isOwn = placeId !== null && placeId !== defaultPlaceId(point);
    return { ...point, placeId: isOwn ? placeId : null };
  }
  if (placeId === null) return null;
  throw badUserInput('placeId belongs to a point, and there is none.');
}

/** For the report, as a sentence; none where nothing was dropped. */
export function altitudeNote(count: number): readonly string[] {
  if (count === 0) return [];
  return [`A third coordinate (an altitude) was dropped in ${count === 1 ? '1 row' : `${count} rows`}.`];
}
