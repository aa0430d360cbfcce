/** Pages of the viewer's maps: the plain list, which the store pages, and the list by a filter or an order. */

import {
  decodeMapCursor,
  decodeSortValuesCursor,
  digestOf,
  encodeMapCursor,
  encodeSortValuesCursor,
} from '../../domain/paging/cursor.ts';
import type { MapFilterInput, MapMatcher } from '../../domain/filter/map-filter.ts';
import { readMapFilter } from '../../domain/filter/map-filter.ts';
import type { MapOrderInput } from '../../domain/filter/map-order.ts';
import { mapOrder, valuesOf } from '../../domain/filter/map-order.ts';
import type { PagingArguments } from '../../domain/paging/paging.ts';
import { readPageRequest } from '../../domain/paging/paging.ts';
import type { Caller } from '../../services/caller.ts';
import { endOf, readWithin } from './connection.ts';
import type { RequestContext } from '../context.ts';
import { sizeOfMaps } from '../limits/sizes.ts';
import type { MapPage } from '../sources.ts';

export interface MapPageArguments extends PagingArguments {
  readonly filter?: MapFilterInput | null | undefined;
  readonly orderBy?: MapOrderInput | null | undefined;
}

const BY_CREATION = { by: 'created', direction: 'asc' } as const;

/** @throws ServiceError BAD_USER_INPUT */
export function readMapPage(
  caller: Caller,
  args: MapPageArguments,
  context: RequestContext,
): Promise<MapPage> {
  const matches = readMapFilter(args.filter ?? {}, 'filter');
  const { by, direction } = args.orderBy ?? BY_CREATION;
  const order = { by, direction: direction ?? 'asc' };
  const isPlain = matches === null && order.by === 'created' && order.direction === 'asc';
  return isPlain ? listMaps(caller, args, context) : searchMaps(caller, args, matches, order, context);
}

async function listMaps(
  { ownerId }: Caller,
  args: PagingArguments,
  { budget, scope, services }: RequestContext,
): Promise<MapPage> {
  const request = readPageRequest(args, (cursor, label) => decodeMapCursor(ownerId, cursor, label));
  const page = await readWithin(
    budget,
    request,
    (asked) => services.maps.listMaps(scope, asked),
    ({ items }) => sizeOfMaps(items),
  );
  return {
    ...page,
    request,
    cursorOf: (map) => encodeMapCursor(ownerId, map),
    isMore: async (side) => {
      const beyond = await services.maps.listMaps(scope, {
        limit: 1,
        fromEnd: false,
        after: side === 'after' ? endOf({ ...page, request }, side) : null,
        before: side === 'before' ? endOf({ ...page, request }, side) : null,
      });
      return beyond.count > 0;
    },
    totalCount: () => services.maps.countMaps(scope),
  };
}

async function searchMaps(
  { ownerId }: Caller,
  args: MapPageArguments,
  matches: MapMatcher | null,
  orderBy: MapOrderInput,
  { budget, loaders }: RequestContext,
): Promise<MapPage> {
  const order = mapOrder(orderBy);
  const digest = digestOf('maps', ownerId, matches === null ? null : args.filter, orderBy);
  const request = readPageRequest(args, (cursor, label) =>
    decodeSortValuesCursor(digest, cursor, label, order.readSortValues, "the viewer's maps"),
  );
  const page = await readWithin(
    budget,
    request,
    (asked) => loaders.mapSearches.load({ matches, order, page: asked }),
    ({ items }) => sizeOfMaps(items),
  );
  return {
    ...page,
    request,
    cursorOf: (map) => encodeSortValuesCursor(digest, valuesOf(order.sortValuesOf(map))),
    isMore: async (side) => (side === 'before' ? page.isMoreBefore : page.isMoreAfter),
    totalCount: async () => page.totalCount,
  };
}
