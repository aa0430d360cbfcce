/** The locations of a map for search engines, as JSON-LD of https://schema.org. */

import type { FieldDefinition, FieldType } from '../domain/map.ts';

/** A location in the public view. */
export interface DescribedLocation {
  readonly id: string;
  readonly name: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly properties: Readonly<Record<string, unknown>>;
}

export interface DescribedMap {
  readonly name: string;
  readonly fields: readonly Pick<FieldDefinition, 'name' | 'type'>[];
  readonly locations: { readonly totalCount: number; readonly nodes: readonly DescribedLocation[] };
}

/** Characters of a value. Search engines show less. */
const MAX_LENGTH = 500;
/** Rules of opening hours that schema.org has, too: days and ranges of times. It has no exceptions, such as `PH off`. */
const OPENING_RULE = /^(?:[A-Z][a-z](?:[-,][A-Z][a-z])* )?\d\d:\d\d-\d\d:\d\d(?:,\d\d:\d\d-\d\d:\d\d)*$/;

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
  const { id, name, latitude, longitude, properties } = location;
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
    geo: { '@type': 'GeoCoordinates', latitude, longitude },
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

function openingHoursOf(text: string | undefined): readonly string[] | undefined {
  const rules = text?.split(';').map((rule) => (rule.trim() === '24/7' ? 'Mo-Su 00:00-24:00' : rule.trim()));
  const known = rules?.filter((rule) => OPENING_RULE.test(rule)) ?? [];
  return known.length === 0 ? undefined : known;
}
