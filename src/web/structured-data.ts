/** The locations of a map for search engines, as JSON-LD of https://schema.org. */

import type { FieldDefinition, FieldType } from '../domain/map.ts';
import { readOpeningHours, weekOf } from '../domain/opening-hours.ts';
import type { PointQuality } from './approximate.ts';
import { isApproximate } from './approximate.ts';

/** A location in the public view. */
export interface DescribedLocation {
  readonly id: string;
  readonly name: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly geocoding: PointQuality;
}

export interface DescribedMap {
  readonly name: string;
  readonly fields: readonly Pick<FieldDefinition, 'name' | 'type'>[];
  readonly locations: { readonly totalCount: number; readonly nodes: readonly DescribedLocation[] };
}

/** Characters of a value. Search engines show less. */
const MAX_LENGTH = 500;
/** Minutes. */
const DAY = 24 * 60;

/** An `ItemList` of the first locations. @param url of the map's page */
export function structuredDataOf({ name, fields, locations }: DescribedMap, url: string): object {
  return {
    '@context': 'https://schema.org',
    '@type': 'ItemList',
    name,
    url,
    numberOfItems: locations.totalCount,
    itemListElement: locations.nodes.map((location, index) => ({
      '@type': 'ListItem',
      position: index + 1,
      item: placeOf(location, fields, url),
    })),
  };
}

function placeOf(location: DescribedLocation, fields: DescribedMap['fields'], url: string): object {
  const { id, name, latitude, longitude, properties, geocoding } = location;
  const textOf = (type: FieldType) => firstText(properties, fields, type);
  const telephone = textOf('phone');
  const openingHours = openingHoursOf(textOf('openingHours'));
  const website = textOf('website');
  // What is absent is left out of the JSON.
  return {
    // Only a business has opening hours.
    '@type': telephone === undefined && openingHours === undefined ? 'Place' : 'LocalBusiness',
    name,
    url: `${url}#location=${encodeURIComponent(id)}`,
    geo: isApproximate(geocoding) ? undefined : { '@type': 'GeoCoordinates', latitude, longitude },
    address: textOf('address'),
    telephone,
    openingHours,
    sameAs: website !== undefined && /^https?:\/\//i.test(website) ? website : undefined,
  };
}

/** The first value of a type that is a text. */
function firstText(
  properties: DescribedLocation['properties'],
  fields: DescribedMap['fields'],
  type: FieldType,
): string | undefined {
  return fields
    .filter((field) => field.type === type && Object.hasOwn(properties, field.name))
    .map(({ name }) => properties[name])
    .filter((value) => typeof value === 'string')
    .map((text) => text.trim())
    .find((text) => text !== '' && text.length <= MAX_LENGTH);
}

const DAYS = ['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su'];

/** A text for each range of times and its days. Schema.org has no exceptions, such as `PH off`. */
function openingHoursOf(text: string | undefined): readonly string[] | undefined {
  const hours = text === undefined ? null : readOpeningHours(text);
  if (hours === null) return undefined;
  const daysOf = new Map<string, number[]>();
  for (const [day, spans] of weekOf(hours).entries()) {
    for (const { start, end } of spans) {
      const times = `${clockOf(start)}-${clockOf(end > DAY ? end - DAY : end)}`;
      daysOf.set(times, [...(daysOf.get(times) ?? []), day]);
    }
  }
  // A business that is always closed has no times to tell.
  if (daysOf.size === 0) return undefined;
  return [...daysOf].map(([times, days]) => `${rangesOf(days)} ${times}`);
}

function clockOf(minute: number): string {
  const [hours, minutes] = [Math.floor(minute / 60), minute % 60];
  return `${String(hours).padStart(2, '0')}:${String(minutes).padStart(2, '0')}`;
}

/** @param days ascending, from 0 for Monday */
function rangesOf(days: readonly number[]): string {
  const ranges: { first: number; last: number }[] = [];
  for (const day of days) {
    const range = ranges.at(-1);
    if (range?.last === day - 1) range.last = day;
    else ranges.push({ first: day, last: day });
  }
  return ranges
    .map(({ first, last }) => (first === last ? DAYS[first] : `${DAYS[first]}-${DAYS[last]}`))
    .join(',');
}
