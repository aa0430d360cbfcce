/** Decides whether a location matches a filter, for all stores. */

import type { JsonObject } from '../json/json.ts';
import { publicProperties } from '../public-view.ts';
import { areaContains } from './polygon.ts';
import { boxContains } from './box.ts';
import type { Point } from './distance.ts';
import { distanceBetween } from './distance.ts';
import type { GeocodingGroup } from './geocoding-test.ts';
import { passesGeocoding } from './geocoding-test.ts';
import type { LocationFilter, TimeSpan } from './location-filter.ts';
import type { SearchedField } from './property.ts';
import { propertyMatcher } from './property.ts';
import type { SearchedText } from './search-text.ts';
import { matchesSearch, searchedText } from './search-text.ts';

/** The members of a location that filters use. */
export interface Filtered extends Point {
  readonly id: string;
  readonly externalId: string | null;
  readonly name: string;
  readonly properties: JsonObject;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly geocoding: GeocodingGroup;
}

export type LocationMatcher = (location: Filtered) => boolean;

/** @param definitions the fields of the location's map. Bounds of the wrong type match nothing */
export function locationMatcher(
  filter: LocationFilter,
  definitions: readonly SearchedField[],
): LocationMatcher {
  switch (filter.kind) {
    case 'and': {
      const matchers = filter.filters.map((each) => locationMatcher(each, definitions));
      return (location) => matchers.every((matches) => matches(location));
    }
    case 'or': {
      const matchers = filter.filters.map((each) => locationMatcher(each, definitions));
      return (location) => matchers.some((matches) => matches(location));
    }
    case 'not': {
      const matches = locationMatcher(filter.filter, definitions);
      return (location) => !matches(location);
    }
    case 'bbox':
      return (location) => boxContains(filter.box, location);
    case 'near':
      return (location) => distanceBetween(filter.circle.center, location) <= filter.circle.radius;
    case 'area':
      return (location) => areaContains(filter.area, location);
    case 'search':
      return (location) => matchesSearch(filter.query, textsOf(location, filter.names));
    case 'property': {
      const matches = propertyMatcher(filter.test, definitions);
      return ({ properties }) => matches(properties);
    }
    case 'ids':
      return ({ id }) => filter.ids.has(id);
    case 'externalIds':
      return ({ externalId }) => externalId !== null && filter.ids.has(externalId);
    case 'createdAt':
      return ({ createdAt }) => isWithin(createdAt, filter.span);
    case 'updatedAt':
      return ({ updatedAt }) => isWithin(updatedAt, filter.span);
    case 'geocoding':
      return ({ geocoding }) => passesGeocoding(filter.test, geocoding);
  }
}

/**
 * The searched texts: the name, and the top-level strings of the properties.
 *
 * @param names of the searched properties; by default all
 */
export function textsOf(
  { name, properties }: Pick<Filtered, 'name' | 'properties'>,
  names?: ReadonlySet<string>,
): readonly SearchedText[] {
  const shown = names === undefined ? properties : publicProperties(properties, names);
  const strings = Object.values(shown).filter((value) => typeof value === 'string');
  return [...new Set([name, ...strings])].map(searchedText);
}

function isWithin(time: number, { from, to }: TimeSpan): boolean {
  return time >= from && time <= to;
}
