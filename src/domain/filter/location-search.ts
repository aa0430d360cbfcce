/** A search for locations: its maps, filter and order, and its results. */

import type { MapSortKey } from '../paging/cursor.ts';
import { PageWindow } from '../paging/page-window.ts';
import type { LocationRecord } from '../location.ts';
import type { MapRecord } from '../map.ts';
import type { PageRequest } from '../paging/paging.ts';
import type { SortKey } from '../list/sort-key.ts';
import type { LocationFilter } from './location-filter.ts';
import type { SearchSortKey, LocationOrder } from './location-order.ts';
import { compareSearchKeys, sortValues } from './location-order.ts';
import type { SearchedField } from './property.ts';
import type { Filtered } from './matcher.ts';
import { locationMatcher } from './matcher.ts';

/** A searched map. */
export interface SearchedMap extends MapSortKey {
  readonly fields: readonly SearchedField[];
}

export function searchedMap({
  id,
  createdAt,
  fields,
  timeZone,
}: Pick<MapRecord, 'id' | 'createdAt' | 'fields' | 'timeZone'>): SearchedMap {
  return { id, createdAt, fields: searchedFields({ fields, timeZone }) };
}

function searchedFields({
  fields,
  timeZone,
}: Pick<MapRecord, 'fields' | 'timeZone'>): readonly SearchedField[] {
  if (timeZone === null || !fields.some(({ type }) => type === 'openingHours')) return fields;
  return fields.map((field) => (field.type === 'openingHours' ? { ...field, timeZone } : field));
}

export interface LocationSearch {
  /** In order of creation. */
  readonly maps: readonly SearchedMap[];
  readonly filter: LocationFilter;
  readonly order: LocationOrder;
}

/** A match and its sort key. */
export interface Hit<T> {
  readonly location: T;
  readonly key: SearchSortKey;
}

export type SearchHit = Hit<LocationRecord>;

/** Returns the sort key of a matching location; null for others. */
export type HitMatcher = <T extends Filtered & SortKey>(location: T) => Hit<T> | null;

export function hitMatcher({ filter, order }: Omit<LocationSearch, 'maps'>, map: SearchedMap): HitMatcher {
  const matches = locationMatcher(filter, map.fields);
  const valueOf = sortValues(order, map.fields);
  const ofMap = { id: map.id, createdAt: map.createdAt };
  return (location) => {
    if (!matches(location)) return null;
    const { orderKey, sequence } = location;
    const key = { value: valueOf(location), map: ofMap, sortKey: { orderKey, sequence } };
    return { location, key };
  };
}

/** @typeParam T what is kept of a match */
export function searchPage<T extends { readonly key: SearchSortKey }>(
  order: LocationOrder,
  page: PageRequest<SearchSortKey>,
): PageWindow<T, SearchSortKey> {
  return new PageWindow(page, compareSearchKeys(order));
}
