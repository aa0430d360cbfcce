/** Reads the locations of a map as features, a page at a time, through the services. */

import type { LocationFilter } from '../domain/filter/location-filter.ts';
import { LIST_ORDER } from '../domain/filter/location-order.ts';
import type { SortKey } from '../domain/list/sort-key.ts';
import type { PageRequest } from '../domain/paging/paging.ts';
import type { MapView } from '../domain/public-view.ts';
import { locationNotFound } from '../services/caller.ts';
import type { Scope } from '../services/scope.ts';
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
  /** The last location of the page, if there are more; else null. */
  readonly next: SortKey | null;
}

/** A page ends early rather than exceed this by much: locations may be large. */
const PAGE_BYTES = 4 * 1024 * 1024;
const FIRST_READ = 100;

/** Memory of a response: its text, and its bytes. */
export const HELD_BYTES = 2 * PAGE_BYTES;

/** Locations that exist from the first page to the last, and are not moved meanwhile, are on one page. */
export async function readFeatures(
  services: FeatureServices,
  scope: Scope,
  map: MapView,
  { filter, after, limit }: Pick<ItemsQuery, 'filter' | 'after' | 'limit'>,
): Promise<FeaturePage> {
  const texts: string[] = [];
  let [count, length, size] = [0, 0, FIRST_READ];
  let [last, isMore] = [after, true];
  while (isMore && count < limit && length < PAGE_BYTES) {
    const page = { limit: Math.min(size, limit - count), fromEnd: false, after: last, before: null };
    const read = await readPart(services, scope, map, filter, page);
    if (read.count > 0) texts.push(read.json);
    count += read.count;
    length += read.json.length;
    last = read.last ?? last;
    isMore = read.isMore;
    size = nextSize(size, length / Math.max(1, count), PAGE_BYTES - length);
  }
  const next = isMore ? last : null;
  const isAll = after === null && next === null;
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
  const page = { limit: 1, fromEnd: false, after: null, before: null };
  const filter: LocationFilter = { kind: 'ids', ids: new Set([id]) };
  const { json, count } = await readPart(services, scope, map, filter, page);
  if (count === 0) throw locationNotFound();
  return json;
}

interface Part {
  readonly json: string;
  readonly count: number;
  readonly last: SortKey | null;
  readonly isMore: boolean;
}

async function readPart(
  { locations, search }: FeatureServices,
  scope: Scope,
  map: MapView,
  filter: LocationFilter | null,
  page: PageRequest<SortKey>,
): Promise<Part> {
  if (filter === null) {
    const { json, count, last, next } = await locations.listLocationsJson(scope, map, page, FEATURE_TEMPLATE);
    return { json: withoutBrackets(json.text), count, last, isMore: next !== null };
  }
  const ofMap = { createdAt: map.createdAt, id: map.id };
  const after = page.after === null ? null : { value: [], map: ofMap, sortKey: page.after };
  const { json, count, last, next } = await search.findLocationsJson(
    scope,
    { maps: [map], filter, order: LIST_ORDER },
    { ...page, after, before: null },
    FEATURE_TEMPLATE,
  );
  return { json: withoutBrackets(json.text), count, last: last?.sortKey ?? null, isMore: next !== null };
}

function withoutBrackets(array: string): string {
  return array.slice(1, -1);
}
