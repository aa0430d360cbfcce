/** Connections of locations by a filter or in another order, in one map or in all of the viewer's (capabilities §10). */

import { decodePlaceCursor, digestOf, encodePlaceCursor } from '../domain/cursor.ts';
import { distanceBetween } from '../domain/filter/distance.ts';
import type { FilterInput, LocationFilter } from '../domain/filter/location-filter.ts';
import { countFilters, readFilter } from '../domain/filter/location-filter.ts';
import type { FoundKey, LocationOrder, OrderInput } from '../domain/filter/location-order.ts';
import { centerOf, LIST_ORDER, placeOf, readOrder, readPlace } from '../domain/filter/location-order.ts';
import type { MapRecord } from '../domain/map.ts';
import type { PagingArguments } from '../domain/paging.ts';
import { readPageRequest } from '../domain/paging.ts';
import { endOf, pageInfoOf, readWithin } from './connection.ts';
import type { RequestContext } from './context.ts';
import { sizeOfLocations } from './sizes.ts';
import type { LocationPage } from './sources.ts';

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

/** @throws ServiceError MAP_DELETED, BAD_USER_INPUT */
export function findInMap(
  map: MapRecord,
  asked: Asked,
  args: SearchArguments,
  context: RequestContext,
): Promise<LocationPage> {
  context.services.locations.requireListable(map);
  return findPage([map], asked, ['locations', map.id], args, context);
}

/** @throws ServiceError BAD_USER_INPUT */
export async function findInMaps(
  { ownerId, mapId }: { readonly ownerId: string; readonly mapId: string | null },
  args: SearchArguments,
  context: RequestContext,
): Promise<LocationPage> {
  const asked = readAsked(args);
  const maps = await context.loaders.searchedMaps();
  return findPage(maps, asked, ['viewer.locations', ownerId, mapId], args, context);
}

/** @param connection what a cursor belongs to, besides its filter and its order */
async function findPage(
  maps: readonly MapRecord[],
  { filter, order }: Asked,
  connection: readonly unknown[],
  args: SearchArguments,
  { allowance, scope, services: { finding } }: RequestContext,
): Promise<LocationPage> {
  const search = { maps, filter, order };
  finding.assertSearch(search);
  const digest = digestOf(connection, args.filter, order);
  const request = readPageRequest(args, (cursor, label) =>
    decodePlaceCursor(digest, cursor, label, (values) => readPlace(order, values), 'locations'),
  );
  const rows = ROWS_OF_A_FILTER * (1 + countFilters(filter));
  allowance.takeRows(rows);
  const found = await readWithin(
    allowance,
    request,
    (page) => finding.findLocations(scope, search, page),
    ({ items }) => sizeOfLocations(items.map(({ location }) => location)),
  );
  const ends = {
    count: found.count,
    first: found.first?.key ?? null,
    last: found.last?.key ?? null,
    next: found.next?.key ?? null,
    request,
  };
  const center = centerOf(filter);
  const cursorOf = (key: FoundKey) => encodePlaceCursor(digest, placeOf(key));
  return {
    count: found.count,
    items: found.items.map(({ location }) => location),
    json: null,
    last: null,
    edges: () =>
      found.items.map((item) => ({
        location: item.location,
        cursor: () => cursorOf(item.key),
        distance: center === null ? null : distanceBetween(center, item.location),
      })),
    pageInfo: () =>
      pageInfoOf(ends, cursorOf, (side) =>
        finding.hasLocations(scope, search, {
          after: side === 'after' ? endOf(ends, side) : null,
          before: side === 'before' ? endOf(ends, side) : null,
        }),
      ),
    totalCount: () => {
      allowance.takeRows(rows);
      return finding.countLocations(scope, search);
    },
    nextOrder: () => null,
  };
}
