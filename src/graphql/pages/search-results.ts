/** Connections of locations by a filter or in another order, in one map or in all of the viewer's (capabilities §10). */

import { decodeSortValuesCursor, digestOf, encodeSortValuesCursor } from '../../domain/paging/cursor.ts';
import { distanceBetween } from '../../domain/filter/distance.ts';
import type { FilterInput, LocationFilter } from '../../domain/filter/location-filter.ts';
import { countFilters, readFilter } from '../../domain/filter/location-filter.ts';
import type { SearchSortKey, LocationOrder, OrderInput } from '../../domain/filter/location-order.ts';
import {
  centerOf,
  LIST_ORDER,
  sortValuesOf,
  readOrder,
  readSortValues,
} from '../../domain/filter/location-order.ts';
import type { JsonText } from '../../domain/json/json-text.ts';
import type { PageEnds } from '../../domain/paging/pages.ts';
import { keysOfEnds } from '../../domain/paging/pages.ts';
import type { PageRequest, PagingArguments } from '../../domain/paging/paging.ts';
import { readPageRequest } from '../../domain/paging/paging.ts';
import type { MapView } from '../../domain/public-view.ts';
import type { SearchHitView, SearchOfViews } from '../../services/search/search-service.ts';
import { endOf, pageInfoOf, readWithin } from './connection.ts';
import type { RequestContext } from '../context.ts';
import { sizeOfLocations } from '../limits/sizes.ts';
import type { LocationPage } from '../sources.ts';

interface SearchArguments extends PagingArguments {
  readonly filter?: FilterInput | null | undefined;
  readonly orderBy?: OrderInput | null | undefined;
}

interface Asked {
  readonly filter: LocationFilter;
  readonly order: LocationOrder;
}

/** Rows of the operation's allowance that each filter takes, besides those of the page. */
export const ROWS_OF_A_FILTER = 50;

/**
 * @returns null where nothing but the plain list is asked for
 * @throws ServiceError BAD_USER_INPUT
 */
export function readSearch({ filter: input, orderBy }: SearchArguments): Asked | null {
  // Nearly always.
  if (!input && !orderBy) return null;
  const { filter, order } = readAsked({ filter: input, orderBy });
  const isPlain = countFilters(filter) === 0 && order.by === 'list' && order.direction === 'asc';
  return isPlain ? null : { filter, order };
}

function readAsked({ filter: input, orderBy }: SearchArguments): Asked {
  const filter = readFilter(input ?? {}, 'filter');
  return { filter, order: orderBy ? readOrder(orderBy, filter, 'orderBy') : LIST_ORDER };
}

/** A page that was found, as records or as JSON. */
interface Read extends PageEnds<SearchSortKey> {
  readonly items?: readonly SearchHitView[];
  readonly json?: JsonText | null;
}

export type ReadSearchResults = (
  search: SearchOfViews,
  request: PageRequest<SearchSortKey>,
  context: RequestContext,
) => Promise<Read>;

const asRecords: ReadSearchResults = async (search, request, { scope, services }) => {
  const { items, ...ends } = await services.search.findLocations(scope, search, request);
  return { ...keysOfEnds(ends), items };
};

/** @throws ServiceError MAP_DELETED, BAD_USER_INPUT */
export function findInMap(
  map: MapView,
  asked: Asked,
  args: SearchArguments,
  context: RequestContext,
  read: ReadSearchResults = asRecords,
): Promise<LocationPage> {
  context.services.locations.requireListable(map);
  return map.view === 'public'
    ? findPage([map], asked, ['public locations', map.id], args, context, read)
    : findPage([map], asked, ['locations', map.id], args, context, read);
}

/** @throws ServiceError BAD_USER_INPUT */
export async function findInMaps(
  { ownerId, mapId }: { readonly ownerId: string; readonly mapId: string | null },
  args: SearchArguments,
  context: RequestContext,
  read: ReadSearchResults = asRecords,
): Promise<LocationPage> {
  const asked = readAsked(args);
  const maps = await context.loaders.searchedMaps();
  return findPage(maps, asked, ['viewer.locations', ownerId, mapId], args, context, read);
}

/** @param connection what a cursor belongs to, besides its filter and its order */
async function findPage(
  maps: SearchOfViews['maps'],
  { filter, order }: Asked,
  connection: readonly unknown[],
  args: SearchArguments,
  context: RequestContext,
  read: ReadSearchResults,
): Promise<LocationPage> {
  const { budget, scope, services } = context;
  const search = { maps, filter, order };
  services.search.assertSearch(search);
  let known: string | null = null;
  // Only cursors need it.
  const digest = () => (known ??= digestOf(connection, args.filter, order));
  const request = readPageRequest(args, (cursor, label) =>
    decodeSortValuesCursor(digest(), cursor, label, (values) => readSortValues(order, values), 'locations'),
  );
  const rows = ROWS_OF_A_FILTER * (1 + countFilters(filter));
  budget.reserveRows(rows);
  const found = await readWithin(budget, request, (page) => read(search, page, context), sizeOfPage);
  const { count, items = [], json = null } = found;
  const ends = { ...found, request };
  const center = centerOf(filter);
  const cursorOf = (key: SearchSortKey) => encodeSortValuesCursor(digest(), sortValuesOf(key));
  return {
    count,
    items: items.map(({ location }) => location),
    json,
    last: null,
    edges: () =>
      items.map(({ location, key }) => ({
        location,
        cursor: () => cursorOf(key),
        distance: center === null ? null : distanceBetween(center, location),
      })),
    pageInfo: () =>
      pageInfoOf(ends, cursorOf, (side) =>
        services.search.hasLocations(scope, search, {
          after: side === 'after' ? endOf(ends, side) : null,
          before: side === 'before' ? endOf(ends, side) : null,
        }),
      ),
    totalCount: () => {
      budget.reserveRows(rows);
      return services.search.countLocations(scope, search);
    },
    nextOrder: () => null,
  };
}

function sizeOfPage({ json, items = [] }: Read): number {
  return json?.byteLength ?? sizeOfLocations(items.map(({ location }) => location));
}
