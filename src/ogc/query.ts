/** The query parameters of /ogc. Unknown and invalid ones are errors, as OGC API - Features 1.0 requires (7.15.1). */

import { isMapId } from '../domain/ids.ts';
import { assertBox } from '../domain/filter/box.ts';
import { readSpan } from '../domain/filter/instant.ts';
import type { LocationFilter, TimeSpan } from '../domain/filter/location-filter.ts';
import { decodeSequenceCursor } from '../domain/paging/cursor.ts';
import type { MapView } from '../domain/public-view.ts';
import { badUserInput } from '../errors.ts';
import { parametersOf } from '../rest/query.ts';
import type { Format } from './links.ts';

export const DEFAULT_LIMIT = 10;
export const MAX_LIMIT = 10_000;
/** Maps in one document. */
export const MAX_COLLECTIONS = 1_000;

/** By name, in the order of the request. */
export type Parameters = ReadonlyMap<string, string>;

/**
 * @param names the parameters allowed
 * @param others describes further ones in the error message
 * @throws ServiceError BAD_USER_INPUT for unknown and repeated parameters
 */
function readParameters(search: string, names: ReadonlySet<string>, others = ''): Parameters {
  const found = new Map<string, string>();
  for (const [name, value] of parametersOf(search)) {
    if (!names.has(name)) {
      const allowed = [...names].slice(0, 20).join(', ') + others;
      throw badUserInput(`There is no query parameter ${name}; allowed are ${allowed}.`);
    }
    if (found.has(name)) throw badUserInput(`The query parameter ${name} is repeated; give it once.`);
    found.set(name, value);
  }
  return found;
}

const FORMAT_ONLY: ReadonlySet<string> = new Set(['f']);

/** For documents that have no other parameter. @throws ServiceError BAD_USER_INPUT */
export function readFormatOnly(search: string): Parameters {
  return readParameters(search, FORMAT_ONLY);
}

/** Null where `f` is not given. @throws ServiceError BAD_USER_INPUT */
export function readFormat(parameters: Parameters): Format | null {
  const format = parameters.get('f') ?? null;
  if (format === null || format === 'json' || format === 'html') return format;
  throw badUserInput('f must be json or html.');
}

export interface CollectionsQuery {
  readonly parameters: Parameters;
  readonly limit: number;
  readonly cursor: string | null;
}

const COLLECTIONS: ReadonlySet<string> = new Set(['f', 'limit', 'cursor']);

/** @throws ServiceError BAD_USER_INPUT */
export function readCollectionsQuery(search: string): CollectionsQuery {
  const parameters = readParameters(search, COLLECTIONS);
  return {
    parameters,
    limit: readLimit(parameters, MAX_COLLECTIONS, MAX_COLLECTIONS),
    cursor: parameters.get('cursor') ?? null,
  };
}

/** @throws ServiceError BAD_USER_INPUT */
export function assertMapCursor(cursor: string): void {
  if (!isMapId(cursor)) throw foreignCursor();
}

function foreignCursor() {
  return badUserInput('cursor must be taken from the link to the next page.');
}

export interface ItemsQuery {
  readonly parameters: Parameters;
  readonly limit: number;
  /** The sequence number of the last location before the page. */
  readonly after: number;
  /** Null for all locations. */
  readonly filter: LocationFilter | null;
}

const ITEMS = ['f', 'limit', 'bbox', 'datetime', 'cursor'] as const;

/** @param map in the caller's view: its fields are filters. @throws ServiceError BAD_USER_INPUT */
export function readItemsQuery(search: string, map: MapView): ItemsQuery {
  const fields = map.fields.map(({ name }) => name);
  const names = new Set([...ITEMS, ...fields]);
  const parameters = readParameters(search, names, names.size > 20 ? ' and the other fields of the map' : '');
  const filters = [...filtersOf(parameters)];
  const cursor = parameters.get('cursor');
  return {
    parameters,
    limit: readLimit(parameters, DEFAULT_LIMIT, MAX_LIMIT),
    after: cursor === undefined ? 0 : readCursor(map, cursor),
    filter: filters.length === 0 ? null : { kind: 'and', filters },
  };
}

function readCursor(map: MapView, cursor: string): number {
  const sequence = decodeSequenceCursor(map.id, cursor);
  if (sequence === null) throw foreignCursor();
  return sequence;
}

function* filtersOf(parameters: Parameters): Generator<LocationFilter, void> {
  const reserved: ReadonlySet<string> = new Set(ITEMS);
  for (const [name, value] of parameters) {
    if (name === 'bbox') yield readBbox(value);
    else if (name === 'datetime') yield { kind: 'updatedAt', span: readDatetime(value) };
    else if (!reserved.has(name)) {
      yield { kind: 'property', test: { kind: 'oneOf', name, values: valuesOf(value) } };
    }
  }
}

/** A limit above the maximum is no error (OGC API - Features 1.0, 7.15.2). */
function readLimit(parameters: Parameters, byDefault: number, max: number): number {
  const text = parameters.get('limit');
  if (text === undefined) return byDefault;
  if (!/^0*[1-9][0-9]*$/.test(text)) throw badUserInput('limit must be a whole number from 1, in digits.');
  return Math.min(Number(text), max);
}

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

function readBbox(text: string): LocationFilter {
  const parts = text.split(',').map((part) => part.trim());
  if (![4, 6].includes(parts.length) || !parts.every((part) => NUMBER.test(part))) {
    throw badUserInput(
      'bbox must be four numbers, west,south,east,north in degrees, or six with heights after south and north.',
    );
  }
  const numbers = parts.map(Number);
  const isFlat = numbers.length === 4;
  const [lowest = 0, highest = 0] = isFlat ? [] : [numbers[2], numbers[5]];
  if (lowest > highest) throw badUserInput('The lowest height of bbox must not be above its highest.');
  // Locations have no height, so every one is within any.
  const [west = 0, south = 0, east = 0, north = 0] = isFlat
    ? numbers
    : [...numbers.slice(0, 2), ...numbers.slice(3, 5)];
  const box = { west, south, east, north };
  assertBox(box, 'bbox');
  return { kind: 'bbox', box };
}

/** An instant, or an interval that may be open at one end: `..` or nothing. */
function readDatetime(text: string): TimeSpan {
  const ends = text.split('/');
  const [start, end = start] = ends.map((part) => (part === '' || part === '..' ? null : readInstant(part)));
  const isOpen = (start ?? null) === null && (end ?? null) === null;
  if (ends.length > 2 || isOpen || (ends.length === 1 && start === null)) throw notADatetime();
  const span = { from: start ?? Number.NEGATIVE_INFINITY, to: end ?? Number.POSITIVE_INFINITY };
  if (span.from > span.to) throw badUserInput('datetime must not end before it starts.');
  return span;
}

function readInstant(text: string): number {
  // A day is none.
  const span = /[Tt]/.test(text) ? readSpan(text) : null;
  if (span === null) throw notADatetime();
  return span.first;
}

function notADatetime() {
  return badUserInput(
    'datetime must be a time by RFC 3339, such as 2026-01-31T12:00:00Z, or an interval of two, START/END, one of which may be ..',
  );
}

/** The values that a text stands for: itself, and the number or boolean that JSON writes so. */
function valuesOf(text: string): readonly (string | number | boolean)[] {
  if (text === 'true' || text === 'false') return [text, text === 'true'];
  const isNumber =
    /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text) && Number.isFinite(Number(text));
  return isNumber ? [text, Number(text)] : [text];
}
