/** Mutants whose filters match too much or too little. */

import { boxContains } from '../../../src/domain/filter/box.ts';
import { passesGeocoding } from '../../../src/domain/filter/geocoding-test.ts';
import { distanceBetween, EARTH_RADIUS } from '../../../src/domain/filter/distance.ts';
import type { Point } from '../../../src/domain/filter/distance.ts';
import type { LocationFilter } from '../../../src/domain/filter/location-filter.ts';
import type { SearchedMap } from '../../../src/domain/filter/location-search.ts';
import { locationMatcher, textsOf } from '../../../src/domain/filter/matcher.ts';
import { areaContains } from '../../../src/domain/filter/polygon.ts';
import type { PropertyTest } from '../../../src/domain/filter/property.ts';
import { kindOf, propertyMatcher } from '../../../src/domain/filter/property.ts';
import { matchesSearch, normalizeText, withoutApostrophes } from '../../../src/domain/filter/search-text.ts';
import type { LocationRecord } from '../../../src/domain/location.ts';
import { withFullScan } from './full-scan.ts';
import type { Mutant } from './mutant.ts';

type Of<K extends LocationFilter['kind']> = Extract<LocationFilter, { readonly kind: K }>;

/** Another rule for filters of one kind. */
function filtering<K extends LocationFilter['kind']>(
  kind: K,
  name: string,
  passes: (filter: Of<K>, location: LocationRecord, map: SearchedMap) => boolean,
): Mutant {
  return {
    name,
    topic: 'search',
    breaks: (good) =>
      withFullScan(good, {
        passes: (filter, location, map) =>
          filter.kind === kind ? passes(filter as Of<K>, location, map) : null,
      }),
  };
}

/** Another rule for one kind of property test; null follows the port. */
function testing<K extends PropertyTest['kind']>(
  kind: K,
  name: string,
  passes: (
    test: Extract<PropertyTest, { readonly kind: K }>,
    location: LocationRecord,
    map: SearchedMap,
  ) => boolean | null,
): Mutant {
  return filtering('property', name, ({ test }, location, map) => {
    const own = test.kind === kind ? passes(test as Parameters<typeof passes>[0], location, map) : null;
    return own ?? matchesProperty(test, location, map.fields);
  });
}

function matchesProperty(
  test: PropertyTest,
  { properties }: LocationRecord,
  fields: SearchedMap['fields'],
): boolean {
  return propertyMatcher(test, fields)(properties);
}

function hasProperty({ properties }: LocationRecord, name: string): boolean {
  return Object.hasOwn(properties, name);
}

const RADIANS = Math.PI / 180;

/** As `distanceBetween`, without its rounding. */
export function unroundedDistance(a: Point, b: Point): number {
  const half = (degrees: number) => Math.sin((degrees * RADIANS) / 2) ** 2;
  const h =
    half(b.latitude - a.latitude) +
    Math.cos(a.latitude * RADIANS) * Math.cos(b.latitude * RADIANS) * half(b.longitude - a.longitude);
  return 2 * EARTH_RADIUS * Math.asin(Math.min(1, Math.sqrt(h)));
}

const texts = ({ name, properties }: LocationRecord): readonly string[] => [
  name,
  ...Object.values(properties).filter((value) => typeof value === 'string'),
];

export const searchFilterMutants: readonly Mutant[] = [
  filtering(
    'bbox',
    'a box is open at its east edge',
    ({ box }, location) => boxContains(box, location) && location.longitude !== box.east,
  ),
  filtering(
    'bbox',
    'a box that crosses the antimeridian is empty',
    ({ box }, location) => box.west <= box.east && boxContains(box, location),
  ),
  filtering('near', 'a circle around a pole spans only half of the longitudes', (filter, location) => {
    const { center, radius } = filter.circle;
    const eastward = Math.abs(location.longitude - center.longitude);
    const reach = Math.abs(center.latitude) * RADIANS + radius / EARTH_RADIUS;
    const isWithin = reach < Math.PI / 2 || Math.min(eastward, 360 - eastward) <= 90;
    return isWithin && distanceBetween(center, location) <= radius;
  }),
  filtering(
    'near',
    'a distance is compared before rounding',
    ({ circle: { center, radius } }, location) => unroundedDistance(center, location) <= radius,
  ),
  filtering('area', 'a polygon’s holes are filled', ({ area }, location) =>
    areaContains({ polygons: area.polygons.map((rings) => rings.slice(0, 1)) }, location),
  ),
  filtering('area', 'a polygon is open at its vertices', ({ area }, location) => {
    const isVertex = area.polygons
      .flat(2)
      .some(([longitude, latitude]) => longitude === location.longitude && latitude === location.latitude);
    return !isVertex && areaContains(area, location);
  }),
  {
    ...filtering('search', 'a public search reads all properties', ({ query }, location) =>
      matchesSearch(query, textsOf(location)),
    ),
    topic: 'public view',
  },
  {
    ...filtering('search', 'a public search ignores the name', ({ query, names }, location) =>
      matchesSearch(query, textsOf({ ...location, name: names === undefined ? location.name : '' }, names)),
    ),
    topic: 'public view',
  },
  {
    name: 'a public search counts with the index of all words',
    topic: 'public view',
    breaks: (good) => ({
      countMatches: ({ maps, filter }, scope) => {
        const widened = filter.kind === 'search' ? { kind: filter.kind, query: filter.query } : filter;
        return good.countMatches({ maps, filter: widened }, scope);
      },
    }),
  },
  filtering('search', 'a search matches inside a word', ({ query }, location) =>
    query.every((run) => textsOf(location).some(({ text }) => text.includes(run))),
  ),
  filtering('search', 'a search is sensitive to the marks of stored texts', ({ query }, location) =>
    matchesSearch(
      query,
      texts(location).map((text) => withoutApostrophes(text.normalize('NFC').toLowerCase())),
    ),
  ),
  filtering('search', 'a search reads the name and one more text', ({ query }, location) =>
    matchesSearch(query, textsOf(location).slice(0, 2)),
  ),
  filtering('search', 'a search reads all of a long text', ({ query }, location) =>
    matchesSearch(
      query,
      texts(location).map((text) => withoutApostrophes(normalizeText(text))),
    ),
  ),
  filtering('search', 'a search reads 2,000 UTF-16 units of a text', ({ query }, location) =>
    matchesSearch(
      query,
      texts(location).map((text) => withoutApostrophes(normalizeText(text.slice(0, 2_000)))),
    ),
  ),
  filtering('search', 'the letter after an apostrophe begins no word', ({ query }, location) =>
    matchesSearch(
      query,
      textsOf(location).map(({ text }) => ({ text, joints: new Set() })),
    ),
  ),
  filtering('search', 'an apostrophe between letters ends a word', ({ query }, location) =>
    matchesSearch(
      query,
      texts(location).map((text) => ({ text: normalizeText(text), joints: new Set() })),
    ),
  ),
  filtering('search', 'the words of a search must occur in one text', ({ query }, location) =>
    textsOf(location).some((text) => matchesSearch(query, [text])),
  ),
  testing('oneOf', 'a number field’s texts are not numbers for equality', (test, location) =>
    matchesProperty(test, location, []),
  ),
  testing('range', 'a number field’s texts are not numbers for a range', (test, location, { fields }) =>
    kindOf(fields, test.name) === 'number' && typeof location.properties[test.name] === 'string'
      ? false
      : null,
  ),
  testing('range', 'a day as upper bound ends at its start', (test, location, { fields }) => {
    const isDay = typeof test.to === 'string' && /^\d{4}-\d\d-\d\d$/.test(test.to);
    if (!isDay || kindOf(fields, test.name) !== 'date') return null;
    return matchesProperty({ ...test, to: `${test.to}T00:00:00Z` }, location, fields);
  }),
  testing('range', 'strings are compared by UTF-16 units', (test, location, { fields }) => {
    const value = hasProperty(location, test.name) ? location.properties[test.name] : null;
    const isOfStrings = [test.from ?? '', value, test.to ?? ''].every((each) => typeof each === 'string');
    if (!isOfStrings || kindOf(fields, test.name) !== 'plain') return null;
    return (test.from === null || test.from <= value!) && (test.to === null || value! <= test.to);
  }),
  testing('oneOf', 'a missing value equals null', ({ name, values }, location) =>
    values.includes(null) && !hasProperty(location, name) ? true : null,
  ),
  testing('exists', 'an empty string exists', ({ name, exists }, location) =>
    location.properties[name] === '' ? exists : null,
  ),
  testing('prefix', 'a prefix is case-sensitive', ({ name, prefix }, location) => {
    const value = hasProperty(location, name) ? location.properties[name] : null;
    return typeof value === 'string' && value.startsWith(prefix);
  }),
  filtering('not', 'a filter and its negation both exclude missing values', (filter, location, map) => {
    const inner = filter.filter;
    if (inner.kind !== 'property') return !locationMatcher(inner, map.fields)(location);
    const { name } = inner.test;
    return hasProperty(location, name) && location.properties[name] !== null
      ? !matchesProperty(inner.test, location, map.fields)
      : false;
  }),
  filtering(
    'createdAt',
    'a range of creation times excludes its end',
    ({ span }, { createdAt }) => createdAt >= span.from && createdAt < span.to,
  ),
  filtering('geocoding', 'a filter by geocoding ignores ambiguity', ({ test }, { geocoding }) =>
    passesGeocoding({ ...test, isAmbiguous: null }, geocoding),
  ),
  filtering('geocoding', 'a filter by unchecked points finds checked ones', ({ test }, { geocoding }) =>
    passesGeocoding({ ...test, isChecked: test.isChecked === true || null }, geocoding),
  ),
  filtering('geocoding', 'a filter by precision finds the first only', ({ test }, { geocoding }) =>
    passesGeocoding(
      { ...test, precision: test.precision === null ? null : new Set([...test.precision].slice(0, 1)) },
      geocoding,
    ),
  ),
  filtering('externalIds', 'a filter compares external ids without case', ({ ids }, { externalId }) =>
    [...ids].some((id) => id.toLowerCase() === externalId?.toLowerCase()),
  ),
];
