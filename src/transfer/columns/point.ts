/** Reads the point of a row: two numbers, or one value with both. */

import { isJsonObject } from '../../domain/json/json.ts';
import type { GivenPoint } from '../../domain/point.ts';
import { locatePoint } from '../../domain/point.ts';
import { quote } from '../../domain/text.ts';
import type { Message } from '../message.ts';
import { MAX_SHOWN, message, RowError, rowError, untranslated } from '../message.ts';

export type Point = Pick<GivenPoint, 'latitude' | 'longitude'>;

const NUMBER_PATTERN = '[+-]?(?:[0-9]+\\.?[0-9]*|\\.[0-9]+)(?:[eE][+-]?[0-9]+)?';
const NUMBER = new RegExp(`^${NUMBER_PATTERN}$`);
/** Latitude, longitude: `48.8, 2.3`. */
const PAIR = new RegExp(`^(${NUMBER_PATTERN})\\s*[,;\\s]\\s*(${NUMBER_PATTERN})$`);
/**
 * `48,8566`, as most European spreadsheets write numbers. A coordinate has at most three digits before the comma, so the
 * comma cannot be a thousands separator.
 */
const COMMA_PATTERN = '[+-]?[0-9]{1,3},[0-9]+';
const COMMA_NUMBER = new RegExp(`^${COMMA_PATTERN}$`);
const COMMA_PAIR = new RegExp(`^(${COMMA_PATTERN})(?:\\s*;\\s*|\\s+)(${COMMA_PATTERN})$`);
/** Longitude, latitude and optional Z and M: `POINT (2.3 48.8)`. EWKT has an SRID in front. */
const WKT_POINT = new RegExp(
  `^(?:SRID=([0-9]+);\\s*)?POINT\\s*(?:Z|M|ZM)?\\s*\\(\\s*(${NUMBER_PATTERN})\\s+(${NUMBER_PATTERN})((?:\\s+${NUMBER_PATTERN}){0,2})\\s*\\)$`,
  'i',
);
const WKT_SHAPE =
  /^(?:SRID=[0-9]+;\s*)?(LINESTRING|POLYGON|MULTI[A-Z]+|GEOMETRYCOLLECTION|CIRCULARSTRING|POINT)\b/i;
/** WGS 84. */
const SRID = '4326';

/** Column names, for messages. */
export interface PointNames {
  readonly latitude: string;
  readonly longitude: string;
}

/**
 * @returns null if both strings are empty: then the address is geocoded
 * @throws ServiceError BAD_USER_INPUT if one string is empty or not a number. The range is checked later
 */
export function readPoint(latitude: string, longitude: string, names: PointNames): Point | null {
  const [lat, lng] = [latitude.trim(), longitude.trim()];
  if (lat === '' && lng === '') return null;
  if (lat === '' || lng === '') {
    const { latitude: first, longitude: second } = names;
    const empty = lat === '' ? first : second;
    const problem = `${first} and ${second} go together, but ${empty} is empty.`;
    throw rowError('halfEmpty', problem, { first, second, empty });
  }
  return { latitude: readNumber(lat, names.latitude), longitude: readNumber(lng, names.longitude) };
}

function readNumber(text: string, name: string): number {
  if (COMMA_NUMBER.test(text)) return parseCommaNumber(text);
  if (!NUMBER.test(text))
    throw rowError('notDegrees', `${name} must be a decimal number of degrees, not ${quote(text)}.`, {
      column: name,
      value: text.slice(0, MAX_SHOWN),
    });
  return Number(text);
}

function parseCommaNumber(text: string): number {
  return Number(text.replace(',', '.'));
}

/**
 * Reads `latitude, longitude`, a WKT POINT or a GeoJSON Point.
 *
 * @param name the column, for messages
 * @param onAltitude called if a third coordinate is dropped
 * @returns null for an empty string: then the address is geocoded
 * @throws ServiceError BAD_USER_INPUT
 */
export function readPointText(text: string, name: string, onAltitude: () => void): Point | null {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  const pair = PAIR.exec(trimmed);
  if (pair !== null) return { latitude: Number(pair[1]), longitude: Number(pair[2]) };
  const [, first, second] = COMMA_PAIR.exec(trimmed) ?? [];
  if (first !== undefined && second !== undefined) {
    return { latitude: parseCommaNumber(first), longitude: parseCommaNumber(second) };
  }
  const wkt = WKT_POINT.exec(trimmed);
  if (wkt !== null) {
    const [, srid = SRID, longitude, latitude, more = ''] = wkt;
    if (srid !== SRID) {
      const problem = `${name} is in SRID ${srid}; only SRID ${SRID} (WGS 84) is read.`;
      throw rowError('srid', problem, { column: name, srid });
    }
    if (more !== '') onAltitude();
    return { latitude: Number(latitude), longitude: Number(longitude) };
  }
  const shape = WKT_SHAPE.exec(trimmed)?.[1];
  if (shape !== undefined && shape.toUpperCase() !== 'POINT') {
    const kind = shape.toUpperCase();
    const problem = `${name} is a ${kind}; only a POINT can become a location.`;
    throw rowError('shapeKind', problem, { column: name, kind });
  }
  if (trimmed.startsWith('{')) return readGeometry(parseJson(trimmed, name), name, onAltitude);
  throw rowError(
    'notPoint',
    `${name} must be "latitude, longitude" in degrees, a WKT POINT or a GeoJSON Point, not ${quote(trimmed)}.`,
    { column: name, value: trimmed.slice(0, MAX_SHOWN) },
  );
}

function parseJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw rowError('columnNotJson', `${name} is not valid JSON.`, { column: name });
  }
}

/**
 * @param geometry a GeoJSON geometry; null or undefined for none
 * @param name of its column, for messages; null for the geometry of a record
 * @param onAltitude called if a third coordinate is dropped
 * @throws ServiceError BAD_USER_INPUT for any geometry except a Point
 */
export function readGeometry(geometry: unknown, name: string | null, onAltitude: () => void): Point | null {
  if (geometry === null || geometry === undefined) return null;
  const { type, coordinates } = isJsonObject(geometry) ? geometry : {};
  if (type !== 'Point') {
    const shown = typeof type === 'string' ? `a ${quote(type).slice(1, -1)}` : 'not a geometry';
    const problem = `${name ?? 'The geometry'} is ${shown}; only a Point can become a location.`;
    if (typeof type !== 'string') throw new RowError(untranslated(problem));
    const kind = type.slice(0, MAX_SHOWN);
    throw name === null
      ? rowError('recordGeometryKind', problem, { kind })
      : rowError('geometryKind', problem, { column: name, kind });
  }
  const numbers: readonly unknown[] = Array.isArray(coordinates) ? coordinates : [];
  const [longitude, latitude] = numbers;
  if (typeof longitude !== 'number' || typeof latitude !== 'number') {
    throw rowError('coordinates', 'The coordinates must be a longitude and a latitude, in degrees.');
  }
  if (numbers.length > 2) onAltitude();
  return { latitude, longitude };
}

function defaultPlaceId({ latitude, longitude }: Point): string {
  return locatePoint({ latitude, longitude }).placeId;
}

/** @throws ServiceError BAD_USER_INPUT for a place id without a point */
export function withPlaceId(point: Point | null, placeId: string | null): GivenPoint | null {
  if (point !== null) {
    // The default is derived again: for a point of many digits it exceeds the length that callers may send.
    const isDefault = placeId === null || placeId === defaultPlaceId(point);
    return { ...point, placeId: isDefault ? null : placeId };
  }
  if (placeId === null) return null;
  throw rowError('placeIdAlone', 'placeId needs a point, and the row has none.');
}

/** A sentence for the report, if any altitude was dropped. */
export function altitudeNote(count: number): readonly Message[] {
  if (count === 0) return [];
  const text = `A third coordinate (an altitude) was dropped in ${count === 1 ? '1 row' : `${count} rows`}.`;
  return [message('altitudes', text, { count })];
}
