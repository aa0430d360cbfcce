/**
 * Connections of locations: a map's list, and searches by filter or order in one map or in all of the viewer's maps
 * (capabilities §10). Pages are read as records or as JSON.
 */

import {
  decodeLocationCursor,
  decodeSortValuesCursor,
  digestOf,
  encodeLocationCursor,
  encodeSortValuesCursor,
} from '../../domain/paging/cursor.ts';
import { distanceBetween } from '../../domain/filter/distance.ts';
import type { FilterInput, LocationFilter } from '../../domain/filter/location-filter.ts';
import { countFilters, readFilter } from '../../domain/filter/location-filter.ts';
import type { LocationOrder, OrderInput, SearchSortKey } from '../../domain/filter/location-order.ts';
import {
  centerOf,
  LIST_ORDER,
  readOrder,
  readSortValues,
  sortValuesOf,
} from '../../domain/filter/location-order.ts';
import type { JsonText } from '../../domain/json/json-text.ts';
import type { PageEnds } from '../../domain/paging/pages.ts';
import { keysOfEnds } from '../../domain/paging/pages.ts';
import type { PageRequest, PagingArguments } from '../../domain/paging/paging.ts';
import type { LocationView, MapView } from '../../domain/public-view.ts';
import type { SortKey } from '../../domain/list/sort-key.ts';
import type { SearchHitView, SearchOfViews } from '../../services/search/search-service.ts';
import type { RequestContext } from '../context.ts';
import { sizeOfLocations } from '../limits/operation-budget.ts';
import type { LocationEdgeSource, LocationPage } from '../source-types.ts';
import { endOf, readPage } from './connection.ts';

interface ListRead extends PageEnds<SortKey> {
  readonly next: (SortKey & { readonly order: string }) | null;
  readonly items?: readonly LocationView[];
  readonly json?: JsonText | null;
}

export interface ListArguments extends PagingArguments {
  /** Like `after`, for a caller that has the sort key instead of a cursor. */
  readonly afterKey?: SortKey | null;
}

/** @throws ServiceError MAP_DELETED, BAD_USER_INPUT */
export async function listLocations(
  map: MapView,
  args: ListArguments,
  { budget, loaders, scope, services }: RequestContext,
  read: (request: PageRequest<SortKey>) => Promise<ListRead>,
): Promise<LocationPage> {
  const { locations } = services;
  locations.requireListable(map);
  const { page, request, pageInfo } = await readPage<SortKey, ListRead>(
    args,
    budget,
    {
      decodeCursor: (cursor, label) => decodeLocationCursor(map.id, cursor, label),
      encodeCursor: (sortKey) => encodeLocationCursor(map.id, sortKey),
      read,
      sizeOf: ({ json, items = [] }) => json?.byteLength ?? sizeOfLocations(items),
      hasMore: (range) => locations.hasLocations(scope, map, range),
    },
    args.afterKey,
  );
  const { last, next, items = [], json = null } = page;
  return {
    items,
    json,
    last,
    edges: () => items.map(listedEdge),
    pageInfo,
    totalCount: () => loaders.locationCounts.load(map),
    nextOrder: () => {
      if (!request.fromEnd) return next?.order ?? null;
      // After a page counted from the end, the list continues only beyond a `before` cursor.
      return request.before === null ? null : locations.orderAfter(scope, map, endOf(page, request, 'after'));
    },
  };
}

/** A location's edge in its map's list. */
export function listedEdge(location: LocationView): LocationEdgeSource {
  return { location, cursor: () => encodeLocationCursor(location.mapId, location), distance: null };
}

interface SearchArguments extends PagingArguments {
  readonly filter?: FilterInput | null | undefined;
  readonly orderBy?: OrderInput | null | undefined;
}

interface Search {
  readonly filter: LocationFilter;
  readonly order: LocationOrder;
}

/** Rows of the operation's budget that each filter costs, in addition to those of the page. */
export const ROWS_PER_FILTER = 50;

/**
 * @returns null if the arguments describe the plain list
 * @throws ServiceError BAD_USER_INPUT
 */
export function readSearch(args: SearchArguments): Search | null {
  // The usual case.
  if (!args.filter && !args.orderBy) return null;
  const search = toSearch(args);
  const { filter, order } = search;
  const isPlain = countFilters(filter) === 0 && order.by === 'list' && order.direction === 'asc';
  return isPlain ? null : search;
}

function toSearch({ filter: input, orderBy }: SearchArguments): Search {
  const filter = readFilter(input ?? {}, 'filter');
  return { filter, order: orderBy ? readOrder(orderBy, filter, 'orderBy') : LIST_ORDER };
}

interface SearchRead extends PageEnds<SearchSortKey> {
  readonly items?: readonly SearchHitView[];
  readonly json?: JsonText | null;
}

export type ReadSearch = (
  search: SearchOfViews,
  request: PageRequest<SearchSortKey>,
  context: RequestContext,
) => Promise<SearchRead>;

const readRecords: ReadSearch = async (search, request, { scope, services }) => {
  const { items, ...ends } = await services.search.findLocations(scope, search, request);
  return { ...keysOfEnds(ends), items };
};

/** @throws ServiceError MAP_DELETED, BAD_USER_INPUT */
export function searchMap(
  map: MapView,
  search: Search,
  args: SearchArguments,
  context: RequestContext,
  read: ReadSearch = readRecords,
): Promise<LocationPage> {
  context.services.locations.requireListable(map);
  return map.view === 'public'
    ? searchPage([map], search, ['public locations', map.id], args, context, read)
    : searchPage([map], search, ['locations', map.id], args, context, read);
}

/** @throws ServiceError BAD_USER_INPUT */
export async function searchMaps(
  { ownerId, mapId }: { readonly ownerId: string; readonly mapId: string | null },
  args: SearchArguments,
  context: RequestContext,
  read: ReadSearch = readRecords,
): Promise<LocationPage> {
  const search = toSearch(args);
  const maps = await context.loaders.searchedMaps();
  return searchPage(maps, search, ['viewer.locations', ownerId, mapId], args, context, read);
}

/** @param connection what a cursor belongs to, besides its filter and order */
async function searchPage(
  maps: SearchOfViews['maps'],
  { filter, order }: Search,
  connection: readonly unknown[],
  args: SearchArguments,
  context: RequestContext,
  read: ReadSearch,
): Promise<LocationPage> {
  const { budget, scope, services } = context;
  const search = { maps, filter, order };
  services.search.assertSearch(search);
  let known: string | null = null;
  // Computed for cursors only.
  const digest = () => (known ??= digestOf(connection, args.filter, order));
  const encodeCursor = (key: SearchSortKey) => encodeSortValuesCursor(digest(), sortValuesOf(key));
  const rows = ROWS_PER_FILTER * (1 + countFilters(filter));
  const { page, pageInfo } = await readPage<SearchSortKey, SearchRead>(args, budget, {
    decodeCursor: (cursor, label) =>
      decodeSortValuesCursor(digest(), cursor, label, (values) => readSortValues(order, values), 'locations'),
    encodeCursor,
    extraRows: rows,
    read: (request) => read(search, request, context),
    sizeOf: ({ json, items = [] }) =>
      json?.byteLength ?? sizeOfLocations(items.map(({ location }) => location)),
    hasMore: (range) => services.search.hasLocations(scope, search, range),
  });
  const { items = [], json = null } = page;
  const center = centerOf(filter);
  return {
    items: items.map(({ location }) => location),
    json,
    last: null,
    edges: () =>
      items.map(({ location, key }) => ({
        location,
        cursor: () => encodeCursor(key),
        distance: center === null ? null : distanceBetween(center, location),
      })),
    pageInfo,
    totalCount: () => {
      budget.reserveRows(rows);
      return services.search.countLocations(scope, search);
    },
    nextOrder: () => null,
  };
}
