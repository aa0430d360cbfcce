/**
 * A second implementation of search, to be compared with capabilities §10 line by line. It shares no code with src/,
 * and takes filters and orders as clients send them.
 */

import OpeningHours from 'opening_hours';

import type { FilterInput, TimeRangeInput } from '../../../src/domain/filter/location-filter.ts';
import type { OrderInput } from '../../../src/domain/filter/location-order.ts';
import type { PropertyInput } from '../../../src/domain/filter/property.ts';
import type { JsonValue } from '../../../src/domain/json/json.ts';
import type { LocationRecord } from '../../../src/domain/location.ts';
import type { SearchedMap } from '../../../src/domain/filter/location-search.ts';
import { compareCodePoints, parseDecimal, referenceCompare } from '../../contract/storage/reference.ts';
import { isFound, isInPolygon, normalized } from './reference.ts';

export type ReferenceMap = SearchedMap;

/** All hits in these maps, in order. */
export function referenceSearch(
  maps: readonly ReferenceMap[],
  locations: readonly LocationRecord[],
  filter: FilterInput,
  order: OrderInput,
): readonly LocationRecord[] {
  const known = new Map(maps.map((map) => [map.id, map]));
  return inReferenceOrder(
    maps,
    locations.filter((location) => {
      const map = known.get(location.mapId);
      return map !== undefined && referencePasses(filter, location, map);
    }),
    filter,
    order,
  );
}

/** "What is given beside one another must all hold; {} lets everything through; null is as if absent." */
export function referencePasses(filter: FilterInput, location: LocationRecord, map: ReferenceMap): boolean {
  const passes = (each: FilterInput) => referencePasses(each, location, map);
  const { and, or, not, bbox, near, polygon, search, property, ids, externalIds, createdAt, updatedAt } =
    filter;
  if (filter.geocoding && !isGeocoded(filter.geocoding, location)) return false;
  if (and && !and.every(passes)) return false;
  if (or && !or.some(passes)) return false;
  if (not && passes(not)) return false;
  if (bbox && !isInBox(bbox, location)) return false;
  // "metres, the edge inside"
  if (near && referenceDistance(near, location) > near.radius) return false;
  if (polygon && !isInGeometry(polygon, location)) return false;
  if (typeof search === 'string' && !isFound(search, textsOf(location))) return false;
  if (property && !hasProperty(property, location, map)) return false;
  if (ids && !ids.includes(location.id)) return false;
  if (externalIds && (location.externalId === null || !externalIds.includes(location.externalId)))
    return false;
  return isDuring(createdAt, location.createdAt) && isDuring(updatedAt, location.updatedAt);
}

function isGeocoded(
  { precision, provider, isChecked, isAmbiguous }: NonNullable<FilterInput['geocoding']>,
  { geocoding }: LocationRecord,
): boolean {
  if (precision && !precision.includes(geocoding.precision)) return false;
  if (provider && !provider.includes(geocoding.provider)) return false;
  if (typeof isChecked === 'boolean' && isChecked !== geocoding.isChecked) return false;
  return typeof isAmbiguous !== 'boolean' || isAmbiguous === geocoding.isAmbiguous;
}

interface Degrees {
  readonly latitude: number;
  readonly longitude: number;
}

/** "2R·asin(min(1, √h)) in doubles with R = 6,371,008.8 m, rounded to the millimetre" */
export function referenceDistance(from: Degrees, to: Degrees): number {
  const radians = (degrees: number) => degrees * (Math.PI / 180);
  const a = Math.sin(radians(to.latitude - from.latitude) / 2);
  const b = Math.sin(radians(to.longitude - from.longitude) / 2);
  const h = a * a + Math.cos(radians(from.latitude)) * Math.cos(radians(to.latitude)) * b * b;
  return Math.round(2 * 6_371_008.8 * Math.asin(Math.min(1, Math.sqrt(h))) * 1000) / 1000;
}

/** "edges inside; west > east crosses the antimeridian" */
function isInBox(
  { south, west, north, east }: NonNullable<FilterInput['bbox']>,
  { latitude, longitude }: Degrees,
): boolean {
  const isEastOfWest = longitude >= west;
  const isWestOfEast = longitude <= east;
  const isBetween = west > east ? isEastOfWest || isWestOfEast : isEastOfWest && isWestOfEast;
  return isBetween && south <= latitude && latitude <= north;
}

type Rings = readonly (readonly (readonly [number, number])[])[];

function isInGeometry(
  geometry: NonNullable<FilterInput['polygon']>,
  { latitude, longitude }: Degrees,
): boolean {
  const coordinates = geometry['coordinates'] as unknown;
  const polygons = (geometry['type'] === 'Polygon' ? [coordinates] : coordinates) as readonly Rings[];
  return polygons.some((rings) => isInPolygon(rings, [longitude, latitude]));
}

/** "its name and the strings that are values of its properties at the top" */
function textsOf({ name, properties }: LocationRecord): readonly string[] {
  return [name, ...Object.values(properties).filter((value) => typeof value === 'string')];
}

function isDuring(range: TimeRangeInput | null | undefined, time: number): boolean {
  const from = range?.from?.getTime();
  const to = range?.to?.getTime();
  return (from === undefined || from <= time) && (to === undefined || time <= to);
}

function typeOf(map: ReferenceMap, name: string): string | undefined {
  return map.fields.find((field) => field.name === name)?.type;
}

function valueOf({ properties }: LocationRecord, name: string): JsonValue | undefined {
  return Object.entries(properties).find(([key]) => key === name)?.[1];
}

function hasProperty(asked: PropertyInput, location: LocationRecord, map: ReferenceMap): boolean {
  const value = valueOf(location, asked.name);
  const type = typeOf(map, asked.name);
  // "the key is there, and neither null nor an empty string"
  if (typeof asked.exists === 'boolean') {
    return asked.exists === (value !== undefined && value !== null && value !== '');
  }
  if (asked.openAt) {
    const zone = map.fields.find((field) => field.name === asked.name)?.timeZone;
    return type === 'openingHours' && zone !== undefined && isOpen(value, wallClock(asked.openAt, zone));
  }
  if (typeof asked.prefix === 'string') {
    return typeof value === 'string' && normalized(value).startsWith(normalized(asked.prefix));
  }
  const wanted = asked.in ?? ('eq' in asked && asked.eq !== undefined ? [asked.eq] : null);
  if (value === undefined) return false;
  // "compare type and value exactly"
  if (wanted) return wanted.some((each) => inField(each as JsonValue, type) === inField(value, type));
  return isBetween(value, asked.from ?? null, asked.to ?? null, type);
}

/** The time that a clock there shows, as a time of the zone of this process. */
function wallClock(time: Date, timeZone: string): Date {
  return new Date(time.toLocaleString('sv', { timeZone }).replace(' ', 'T'));
}

function isOpen(value: JsonValue | undefined, time: Date): boolean {
  if (typeof value !== 'string') return false;
  try {
    return new OpeningHours(value, null).getState(time);
  } catch {
    return false;
  }
}

/** "In a field that the map defines as number a string that is a decimal by §3's pattern is its nearest double" */
function inField(value: JsonValue, type: string | undefined): JsonValue {
  return type === 'number' && typeof value === 'string' && parseDecimal(value) !== null
    ? Number(value)
    : value;
}

function isBetween(value: JsonValue, from: unknown, to: unknown, type: string | undefined): boolean {
  if (type === 'date') return isInstantBetween(value, from, to);
  const [low, stored, high] = [from, value, to].map((each) => inField(each as JsonValue, type));
  const kinds = [low, high].filter((each) => each !== null).map((each) => typeof each);
  // "What cannot be compared does not match", nor does a bound of the wrong kind.
  if (kinds.some((kind) => kind !== typeof stored)) return false;
  if (typeof stored === 'number') {
    return (low === null || (low as number) <= stored) && (high === null || stored <= (high as number));
  }
  if (typeof stored !== 'string' || type === 'number') return false;
  return (
    (low === null || compareCodePoints(low as string, stored) <= 0) &&
    (high === null || compareCodePoints(stored, high as string) <= 0)
  );
}

const DAY = 86_400_000;

/** "a bound that is a day stands for its whole day in UTC, a value that is a day for its beginning" */
function isInstantBetween(value: JsonValue, from: unknown, to: unknown): boolean {
  const [low, stored, high] = [from, value, to].map(instantOf);
  if (stored === null || stored === undefined) return false;
  if (from !== null && (low === null || low === undefined || stored.at < low.at)) return false;
  return to === null || (high !== null && high !== undefined && stored.at < high.at + (high.isDay ? DAY : 1));
}

/** Milliseconds since the epoch. "YYYY-MM-DD or RFC 3339", "further digits are cut off". */
function instantOf(text: unknown): { readonly at: number; readonly isDay: boolean } | null {
  if (typeof text !== 'string') return null;
  const pattern =
    /^(?<y>[0-9]{4})-(?<m>[0-9]{2})-(?<d>[0-9]{2})(?<time>[Tt](?<h>[0-9]{2}):(?<min>[0-9]{2}):(?<s>[0-9]{2})(\.(?<f>[0-9]+))?(?<zone>[Zz]|[+-][0-9]{2}:[0-9]{2}))?$/;
  const parts = pattern.exec(text)?.groups;
  if (parts === undefined) return null;
  const number = (name: string) => Number(parts[name] ?? 0);
  const [year, month, day] = [number('y'), number('m'), number('d')];
  if (month < 1 || month > 12 || day < 1 || day > daysOf(year, month)) return null;
  const midnight = (daysBefore(year, month) + day - 1 - daysBefore(1970, 1)) * DAY;
  if (parts['time'] === undefined) return { at: midnight, isDay: true };
  if (number('h') > 23 || number('min') > 59 || number('s') > 60) return null;
  const zone = parts['zone'] ?? '';
  const [zoneHours, zoneMinutes] =
    zone.length === 1 ? [0, 0] : [Number(zone.slice(1, 3)), Number(zone.slice(4))];
  if (zoneHours > 23 || zoneMinutes > 59) return null;
  const offset = (zone.startsWith('-') ? -1 : 1) * (zoneHours * 60 + zoneMinutes);
  const milliseconds = Number(`${parts['f'] ?? ''}000`.slice(0, 3));
  const minutes = number('h') * 60 + number('min') - offset;
  return { at: midnight + minutes * 60_000 + number('s') * 1000 + milliseconds, isDay: false };
}

function daysOf(year: number, month: number): number {
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]!;
}

/** Days from the first of the year 0 to the first of the month. */
function daysBefore(year: number, month: number): number {
  const leapYears = Math.ceil(year / 4) - Math.ceil(year / 100) + Math.ceil(year / 400);
  let days = year * 365 + leapYears;
  for (let each = 1; each < month; each += 1) days += daysOf(year, each);
  return days;
}

function inReferenceOrder(
  maps: readonly ReferenceMap[],
  found: readonly LocationRecord[],
  filter: FilterInput,
  { by, property, direction }: OrderInput,
): readonly LocationRecord[] {
  const byCreation = [...maps].sort((a, b) => a.createdAt - b.createdAt || compareCodePoints(a.id, b.id));
  const rank = new Map(byCreation.map(({ id }, index) => [id, index]));
  const list = [...found].sort(
    (a, b) =>
      rank.get(a.mapId)! - rank.get(b.mapId)! ||
      referenceCompare(a.order, b.order) ||
      a.sequence - b.sequence,
  );
  // "desc its exact reverse, equal orders and maps included"
  if (by === 'list') return direction === 'desc' ? list.reverse() : list;
  const center = by === 'distance' ? centersOf(filter)[0] : undefined;
  const typeIn = new Map(maps.map((map) => [map.id, typeOf(map, property ?? '')]));
  const keyOf = (location: LocationRecord): Key | null => {
    switch (by) {
      case 'name':
        return [normalized(location.name), location.name];
      case 'createdAt':
        return [location.createdAt];
      case 'updatedAt':
        return [location.updatedAt];
      case 'distance':
        return [referenceDistance(center!, location)];
      case 'property':
        return propertyKey(valueOf(location, property ?? ''), typeIn.get(location.mapId));
    }
  };
  const keyed = list.map((location) => ({ location, key: keyOf(location) }));
  const sign = direction === 'desc' ? -1 : 1;
  // "Whatever else is equal follows the list, ascending": the sort is stable.
  keyed.sort((a, b) => {
    if (a.key === null || b.key === null) return Number(a.key === null) - Number(b.key === null);
    return sign * compareKeys(a.key, b.key);
  });
  return keyed.map(({ location }) => location);
}

type Key = readonly (number | string)[];

/** "numbers, then instants, then strings"; null for what "comes last in both directions". */
function propertyKey(value: JsonValue | undefined, type: string | undefined): Key | null {
  if (type === 'date') {
    const instant = instantOf(value);
    return instant && [2, instant.at];
  }
  const here = value === undefined ? undefined : inField(value, type);
  if (typeof here === 'number') return [1, here];
  return typeof here === 'string' && type !== 'number' ? [3, normalized(here), here] : null;
}

function compareKeys(a: Key, b: Key): number {
  for (const [index, left] of a.entries()) {
    const right = b[index];
    if (left === right) continue;
    if (typeof left === 'number') return left < (right as number) ? -1 : 1;
    return compareCodePoints(left, right as string);
  }
  return 0;
}

/** The centres of the circles "at its top or under `and`s alone". An order by distance needs exactly one. */
export function centersOf({ near, and }: FilterInput): readonly Degrees[] {
  return [...(near ? [near] : []), ...(and ?? []).flatMap(centersOf)];
}
