/** Filters of locations (capabilities §10): validation of a client's input. */

import { badUserInput } from '../../errors.ts';
import type { JsonObject } from '../json/json.ts';
import { assertDegrees } from '../point.ts';
import type { Box } from './box.ts';
import { assertBox } from './box.ts';
import type { Point } from './distance.ts';
import { MAX_RADIUS } from './distance.ts';
import type { GeocodingInput, GeocodingTest } from './geocoding-test.ts';
import { readGeocodingTest, readValues } from './geocoding-test.ts';
import type { Area } from './polygon.ts';
import { readArea } from './polygon.ts';
import type { PropertyInput, PropertyTest, SearchedField } from './property.ts';
import { assertOpenAt, assertRange, rangeOf, readPropertyTest } from './property.ts';
import type { SearchQuery } from './search-text.ts';
import { readSearchQuery } from './search-text.ts';

/** Filter input. Sibling conditions are ANDed; null means omitted. */
export interface FilterInput {
  readonly and?: readonly FilterInput[] | null;
  readonly or?: readonly FilterInput[] | null;
  readonly not?: FilterInput | null;
  readonly bbox?: Box | null;
  /** Metres. */
  readonly near?: (Point & { readonly radius: number }) | null;
  /** A GeoJSON geometry. */
  readonly polygon?: JsonObject | null;
  readonly search?: string | null;
  readonly property?: PropertyInput | null;
  readonly ids?: readonly string[] | null;
  readonly externalIds?: readonly string[] | null;
  readonly createdAt?: TimeRangeInput | null;
  readonly updatedAt?: TimeRangeInput | null;
  readonly geocoding?: GeocodingInput | null;
}

/** Inclusive. */
export interface TimeRangeInput {
  readonly from?: Date | null;
  readonly to?: Date | null;
}

/** Milliseconds since the epoch, inclusive. */
export interface TimeSpan {
  readonly from: number;
  readonly to: number;
}

export interface Circle {
  readonly center: Point;
  /** Metres, inclusive. */
  readonly radius: number;
}

/** A valid filter. */
export type LocationFilter =
  | { readonly kind: 'and'; readonly filters: readonly LocationFilter[] }
  | { readonly kind: 'or'; readonly filters: readonly LocationFilter[] }
  | { readonly kind: 'not'; readonly filter: LocationFilter }
  | { readonly kind: 'bbox'; readonly box: Box }
  | { readonly kind: 'near'; readonly circle: Circle }
  | { readonly kind: 'area'; readonly area: Area }
  | {
      readonly kind: 'search';
      readonly query: SearchQuery;
      /** Names of the properties to search; by default all. */
      readonly names?: ReadonlySet<string>;
    }
  | { readonly kind: 'property'; readonly test: PropertyTest }
  | { readonly kind: 'ids'; readonly ids: ReadonlySet<string> }
  | { readonly kind: 'externalIds'; readonly ids: ReadonlySet<string> }
  | { readonly kind: 'createdAt'; readonly span: TimeSpan }
  | { readonly kind: 'updatedAt'; readonly span: TimeSpan }
  | { readonly kind: 'geocoding'; readonly test: GeocodingTest };

export const EVERYTHING: LocationFilter = { kind: 'and', filters: [] };

/** Whether the filter matches everything. */
export function isEverything(filter: LocationFilter): boolean {
  return filter.kind === 'and' && filter.filters.every(isEverything);
}

const MAX_DEPTH = 5;
const MAX_FILTERS = 50;
const MAX_IDS = 1_000;

/**
 * @param label name in error messages, e.g. `filter`
 * @throws ServiceError BAD_USER_INPUT naming the member, e.g. `filter.and[1].bbox.south`
 */
export function readFilter(input: FilterInput, label: string): LocationFilter {
  return new FilterReader(label).read(input, label, 1);
}

/** The number of conditions, without `and`, `or` and `not`; 0 for a filter that matches everything. */
export function countFilters(filter: LocationFilter): number {
  if (filter.kind === 'not') return 1 + countFilters(filter.filter);
  if (filter.kind !== 'and' && filter.kind !== 'or') return 1;
  return filter.filters.reduce((sum, each) => sum + countFilters(each), 0);
}

/**
 * @param maps the fields of each searched map
 * @throws ServiceError BAD_USER_INPUT for a bound of the wrong type for its field in every map, and for `openAt` if no map
 *   has such a field and a time zone
 */
export function assertBounds(filter: LocationFilter, maps: readonly (readonly SearchedField[])[]): void {
  if (filter.kind === 'not') assertBounds(filter.filter, maps);
  else if (filter.kind === 'and' || filter.kind === 'or') {
    for (const each of filter.filters) assertBounds(each, maps);
  } else if (filter.kind === 'property' && filter.test.kind === 'openAt') {
    assertOpenAt(filter.test, maps);
  } else if (filter.kind === 'property' && filter.test.kind === 'range') {
    const { test } = filter;
    const [first] = maps;
    if (first !== undefined && maps.every((fields) => rangeOf(test, fields) === null)) {
      assertRange(test, first);
    }
  }
}

class FilterReader {
  readonly #label: string;
  #filters = 0;

  constructor(label: string) {
    this.#label = label;
  }

  read(input: FilterInput, label: string, depth: number): LocationFilter {
    if (depth > MAX_DEPTH) {
      throw badUserInput(`${label}: filters nest deeper than the ${MAX_DEPTH} levels allowed.`);
    }
    this.#filters += 1;
    if (this.#filters > MAX_FILTERS) {
      throw badUserInput(`${this.#label} holds more than the ${MAX_FILTERS} filters allowed.`);
    }
    const filters = [...readLeaves(input, label), ...this.#readBranches(input, label, depth)];
    const [only] = filters;
    return filters.length === 1 && only !== undefined ? only : { kind: 'and', filters };
  }

  *#readBranches({ and, or, not }: FilterInput, label: string, depth: number): Iterable<LocationFilter> {
    if (isGiven(and)) yield { kind: 'and', filters: this.#readList(and, `${label}.and`, depth) };
    if (isGiven(or)) yield { kind: 'or', filters: this.#readList(or, `${label}.or`, depth) };
    if (isGiven(not)) yield { kind: 'not', filter: this.read(not, `${label}.not`, depth + 1) };
  }

  #readList(inputs: readonly FilterInput[], label: string, depth: number): readonly LocationFilter[] {
    if (inputs.length === 0) throw badUserInput(`${label} must not be empty.`);
    return inputs.map((input, index) => this.read(input, `${label}[${index}]`, depth + 1));
  }
}

function* readLeaves(input: FilterInput, label: string): Iterable<LocationFilter> {
  const { bbox, near, polygon, search, property, ids, externalIds, createdAt, updatedAt, geocoding } = input;
  if (isGiven(bbox)) {
    assertBox(bbox, `${label}.bbox`);
    yield { kind: 'bbox', box: bbox };
  }
  if (isGiven(near)) yield { kind: 'near', circle: readCircle(near, `${label}.near`) };
  if (isGiven(polygon)) yield { kind: 'area', area: readArea(polygon, `${label}.polygon`) };
  if (isGiven(search)) yield { kind: 'search', query: readSearchQuery(search, `${label}.search`) };
  if (isGiven(property)) yield { kind: 'property', test: readPropertyTest(property, `${label}.property`) };
  if (isGiven(ids)) yield { kind: 'ids', ids: readValues(ids, `${label}.ids`, MAX_IDS) };
  if (isGiven(externalIds)) {
    yield { kind: 'externalIds', ids: readValues(externalIds, `${label}.externalIds`, MAX_IDS) };
  }
  if (isGiven(createdAt)) yield { kind: 'createdAt', span: readSpan(createdAt, `${label}.createdAt`) };
  if (isGiven(updatedAt)) yield { kind: 'updatedAt', span: readSpan(updatedAt, `${label}.updatedAt`) };
  if (isGiven(geocoding)) {
    yield { kind: 'geocoding', test: readGeocodingTest(geocoding, `${label}.geocoding`) };
  }
}

function isGiven<T>(value: T | null | undefined): value is T {
  return value !== null && value !== undefined;
}

function readCircle(
  { latitude, longitude, radius }: Point & { readonly radius: number },
  label: string,
): Circle {
  assertDegrees(latitude, 90, `${label}.latitude`);
  assertDegrees(longitude, 180, `${label}.longitude`);
  if (!(radius >= 0 && radius <= MAX_RADIUS)) {
    throw badUserInput(`${label}.radius must be a number of metres from 0 to ${MAX_RADIUS}.`);
  }
  return { center: { latitude, longitude }, radius };
}

function readSpan({ from, to }: TimeRangeInput, label: string): TimeSpan {
  if (!isGiven(from) && !isGiven(to)) throw badUserInput(`${label} must have from, to or both.`);
  return {
    from: from?.getTime() ?? Number.NEGATIVE_INFINITY,
    to: to?.getTime() ?? Number.POSITIVE_INFINITY,
  };
}
