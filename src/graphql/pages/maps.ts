/** Connections of the viewer's maps: the plain list, which the store pages, and the list by filter or order. */

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
import type { MapRecord } from '../../domain/map.ts';
import type { PagingArguments } from '../../domain/paging/paging.ts';
import { roleOn } from '../../services/authorization.ts';
import type { Caller } from '../../services/caller.ts';
import type { RequestContext } from '../context.ts';
import { sizeOfMaps } from '../limits/operation-budget.ts';
import type { MapPage, PageInfoSource } from '../source-types.ts';
import { readPage } from './connection.ts';

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
  const matches = readMapFilter(args.filter ?? {}, (map) => roleOn(caller, map), 'filter');
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
  const { page, pageInfo } = await readPage(args, budget, {
    decodeCursor: (cursor, label) => decodeMapCursor(ownerId, cursor, label),
    encodeCursor: (key) => encodeMapCursor(ownerId, key),
    read: (request) => services.maps.listMaps(scope, request),
    sizeOf: ({ items }) => sizeOfMaps(items),
    hasMore: async (range) =>
      (await services.maps.listMaps(scope, { ...range, limit: 1, fromEnd: false })).count > 0,
  });
  const cursorOf = (map: MapRecord) => encodeMapCursor(ownerId, map);
  return mapPage(page.items, cursorOf, pageInfo, () => services.maps.countMaps(scope));
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
  const keyOf = (map: MapRecord | null) => map && order.sortValuesOf(map);
  const { page, pageInfo } = await readPage(args, budget, {
    decodeCursor: (cursor, label) =>
      decodeSortValuesCursor(digest, cursor, label, order.readSortValues, "the viewer's maps"),
    encodeCursor: (key) => encodeSortValuesCursor(digest, valuesOf(key)),
    read: async (request) => {
      const { first, last, next, ...rest } = await loaders.mapSearches.load({
        matches,
        order,
        page: request,
      });
      return { ...rest, first: keyOf(first), last: keyOf(last), next: keyOf(next) };
    },
    sizeOf: ({ items }) => sizeOfMaps(items),
    hasMore: (_range, side, { isMoreBefore, isMoreAfter }) =>
      side === 'before' ? isMoreBefore : isMoreAfter,
  });
  const cursorOf = (map: MapRecord) => encodeSortValuesCursor(digest, valuesOf(order.sortValuesOf(map)));
  return mapPage(page.items, cursorOf, pageInfo, async () => page.totalCount);
}

function mapPage(
  items: readonly MapRecord[],
  cursorOf: (map: MapRecord) => string,
  pageInfo: () => PageInfoSource,
  totalCount: () => Promise<number>,
): MapPage {
  return {
    items,
    edges: () => items.map((map) => ({ map, cursor: () => cursorOf(map) })),
    pageInfo,
    totalCount,
  };
}
