/** Reads the locations of a map as features, a page at a time, through the services. */

import type { LocationFilter } from '../domain/filter/location-filter.ts';
import { EVERYTHING } from '../domain/filter/location-filter.ts';
import { SEQUENCE_ORDER } from '../domain/filter/location-order.ts';
import type { MapView } from '../domain/public-view.ts';
import { locationNotFound } from '../services/caller.ts';
import type { Scope } from '../services/scope.ts';
import { WALK_PAGE } from '../services/search/search-service.ts';
import type { Services } from '../services/services.ts';
import { FEATURE_TEMPLATE } from '../transfer/json/writers.ts';
import type { ItemsQuery } from './query.ts';

export type FeatureServices = Pick<Services, 'locations' | 'search'>;

export interface FeaturePage {
  /** The features as JSON, separated by commas. */
  readonly json: string;
  readonly count: number;
  /** Locations on all pages; null where counting them would cost a search. */
  readonly matched: number | null;
  /** The sequence number of the last location of the page, if there are more; else null. */
  readonly next: number | null;
}

/** A page ends early rather than exceed this by much: locations may be large. */
const PAGE_BYTES = 4 * 1024 * 1024;
const FIRST_READ = 100;

/** Memory of a response: its text, and its bytes. */
export const HELD_BYTES = 2 * PAGE_BYTES;

/** In order of creation, so that locations that exist from the first page to the last are on one page, whatever changes. */
export async function readFeatures(
  services: FeatureServices,
  scope: Scope,
  map: MapView,
  { filter, after, limit }: Pick<ItemsQuery, 'filter' | 'after' | 'limit'>,
): Promise<FeaturePage> {
  const texts: string[] = [];
  let [count, length, size] = [0, 0, FIRST_READ];
  let [last, isMore] = [after, true];
  // Each part of a filtered page is a search of its own.
  const most = filter === null ? WALK_PAGE : limit;
  while (isMore && count < limit && length < PAGE_BYTES) {
    const page = { limit: Math.min(size, limit - count), after: last };
    const read = await readPart(services, scope, map, filter ?? EVERYTHING, page);
    if (read.count > 0) texts.push(read.json);
    count += read.count;
    length += read.json.length;
    last = read.last ?? last;
    isMore = read.isMore;
    size = Math.min(most, nextSize(size, length / Math.max(1, count), PAGE_BYTES - length));
  }
  const next = isMore ? last : null;
  const isAll = after === 0 && next === null;
  const counted = filter === null ? await services.locations.countLocations(scope, map) : null;
  return { json: texts.join(','), count, matched: isAll ? count : counted, next };
}

/** Grows slowly, because the next locations may be larger. */
function nextSize(size: number, average: number, bytesLeft: number): number {
  return Math.max(1, Math.min(4 * size, Math.floor(bytesLeft / Math.max(1, average))));
}

/** One feature as JSON. @throws ServiceError LOCATION_NOT_FOUND */
export async function readFeature(
  services: FeatureServices,
  scope: Scope,
  map: MapView,
  id: string,
): Promise<string> {
  const page = { limit: 1, after: 0 };
  const filter: LocationFilter = { kind: 'ids', ids: new Set([id]) };
  const { json, count } = await readPart(services, scope, map, filter, page);
  if (count === 0) throw locationNotFound();
  return json;
}

interface Part {
  readonly json: string;
  readonly count: number;
  /** A sequence number. */
  readonly last: number | null;
  readonly isMore: boolean;
}

async function readPart(
  { search }: Pick<FeatureServices, 'search'>,
  scope: Scope,
  map: MapView,
  filter: LocationFilter,
  { limit, after }: Pick<ItemsQuery, 'limit' | 'after'>,
): Promise<Part> {
  const ofMap = { createdAt: map.createdAt, id: map.id };
  // This order compares no order keys.
  const key = { value: [], map: ofMap, sortKey: { orderKey: '', sequence: after } };
  const { json, count, last, next } = await search.findLocationsJson(
    scope,
    { maps: [map], filter, order: SEQUENCE_ORDER },
    { limit, fromEnd: false, after: key, before: null },
    FEATURE_TEMPLATE,
  );
  return {
    json: withoutBrackets(json.text),
    count,
    last: last?.sortKey.sequence ?? null,
    isMore: next !== null,
  };
}

function withoutBrackets(array: string): string {
  return array.slice(1, -1);
}
