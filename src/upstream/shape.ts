/** Validates responses of the upstream against /v0. Unknown members are ignored. */

import { isJsonObject } from '../domain/json/json.ts';
import { isFieldType } from '../domain/map.ts';
import type { UpstreamLocation, UpstreamMap } from './upstream.ts';

/** A response does not conform to /v0. The message names the member but not its value, which may be a secret. */
export class ShapeError extends Error {}

type Members = Readonly<Record<string, unknown>>;

/** The body of GET /v0/map/{mapId}. */
export function readMap(body: unknown, id: string): UpstreamMap {
  const data = readObject(readObject(body, 'the body')['data'], 'data');
  const { fields = [] } = data;
  if (!Array.isArray(fields)) throw wrong('data.fields', 'a list');
  return {
    id: readOptional(data, 'id', readText) ?? id,
    name: readText(data['name'], 'data.name'),
    isDeleted: readOptional(data, 'isDeleted', readFlag),
    isPublished: readOptional(data, 'isPublished', readFlag),
    createdAt: readOptional(data, 'createdAt', readTime),
    providerMapApiKey: readProviderKey(data),
    geocodingApiKey: readOptional(data, 'geocodingApiKey', readText),
    fields: fields.map((field: unknown, index) => readField(field, `data.fields[${index}]`)),
  };
}

/** The body of POST /v0/map/{mapId}/location. */
export function readCreated(body: unknown): UpstreamLocation {
  return readLocation(readObject(body, 'the body')['data'], 'data');
}

/** A location, or a list of one. */
export function readSingle(body: unknown): UpstreamLocation {
  if (!Array.isArray(body)) return readLocation(body, 'the body');
  if (body.length !== 1) throw wrong('the body', 'a list of one location');
  return readLocation(body[0], 'the location');
}

export function readList(body: unknown, limit: number): readonly UpstreamLocation[] {
  if (!Array.isArray(body)) throw wrong('the body', 'a list');
  if (body.length > limit) throw wrong('the body', `a list of at most ${limit} locations, as requested`);
  return body.map((location: unknown, index) => readLocation(location, `[${index}]`));
}

export interface UpstreamFailure {
  readonly error: number;
  readonly message: string;
}

const MAX_INT32 = 2 ** 31 - 1;

/** Null if it is not an Error body. */
export function readFailure(body: unknown): UpstreamFailure | null {
  if (!isJsonObject(body)) return null;
  const { error, message } = body;
  const isNumber = typeof error === 'number' && Number.isInteger(error) && Math.abs(error) <= MAX_INT32;
  return isNumber && typeof message === 'string' ? { error, message } : null;
}

function readLocation(value: unknown, at: string): UpstreamLocation {
  const location = readObject(value, at);
  const { properties, order } = location;
  const point = readObject(location['latLngLiteral'], `${at}.latLngLiteral`);
  if (!isJsonObject(properties)) throw wrong(`${at}.properties`, 'an object');
  return {
    id: readText(location['id'], `${at}.id`),
    name: readText(location['name'], `${at}.name`),
    placeId: readText(location['placeId'], `${at}.placeId`),
    latitude: readDegrees(point['lat'], 90, `${at}.latLngLiteral.lat`),
    longitude: readDegrees(point['lng'], 180, `${at}.latLngLiteral.lng`),
    properties,
    order: typeof order === 'string' ? order : null,
  };
}

function readField(value: unknown, at: string): UpstreamMap['fields'][number] {
  const field = readObject(value, at);
  const name = readText(field['name'], `${at}.name`);
  const type = readText(field['type'], `${at}.type`);
  if (!isFieldType(type)) throw wrong(`${at}.type`, 'a type of field');
  return { name, type };
}

/** The member's name begins with the provider's: `googleMapApiKey`. */
function readProviderKey(data: Members): string | null {
  const name = Object.keys(data).find((key) => /^[A-Za-z0-9]+MapApiKey$/.test(key));
  return name === undefined ? null : readOptional(data, name, readText);
}

function readOptional<T>(data: Members, name: string, read: (value: unknown, at: string) => T): T | null {
  const value = data[name];
  return value === undefined || value === null ? null : read(value, `data.${name}`);
}

function readObject(value: unknown, at: string): Members {
  if (!isJsonObject(value)) throw wrong(at, 'an object');
  return value;
}

function readText(value: unknown, at: string): string {
  if (typeof value !== 'string') throw wrong(at, 'a string');
  return value;
}

function readFlag(value: unknown, at: string): boolean {
  if (typeof value !== 'boolean') throw wrong(at, 'true or false');
  return value;
}

function readTime(value: unknown, at: string): number {
  const time = Date.parse(readText(value, at));
  if (Number.isNaN(time)) throw wrong(at, 'a time');
  return time;
}

const DECIMAL = /^[+-]?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/;

/** Adding zero turns -0 into 0. */
function readDegrees(value: unknown, limit: number, at: string): number {
  const text = readText(value, at);
  const degrees = DECIMAL.test(text) ? Number(text) + 0 : Number.NaN;
  if (!(Math.abs(degrees) <= limit)) throw wrong(at, `a decimal from -${limit} to ${limit} in a string`);
  return degrees;
}

function wrong(at: string, wanted: string): ShapeError {
  return new ShapeError(`${at} is not ${wanted}`);
}
