/** Pages of a map's list, as records or as JSON. */

import { decodeLocationCursor, encodeLocationCursor } from '../../domain/paging/cursor.ts';
import type { JsonText } from '../../domain/json/json-text.ts';
import type { PageRequest, PagingArguments } from '../../domain/paging/paging.ts';
import { readPageRequest } from '../../domain/paging/paging.ts';
import type { LocationView, MapView } from '../../domain/public-view.ts';
import type { SortKey } from '../../domain/list/sort-key.ts';
import type { PageEnds } from '../../domain/paging/pages.ts';
import { endOf, pageInfoOf, readWithin } from './connection.ts';
import type { RequestContext } from '../context.ts';
import { sizeOfLocations } from '../limits/sizes.ts';
import type { LocationEdgeSource, LocationPage } from '../sources.ts';

interface Read extends PageEnds<SortKey> {
  readonly next: (SortKey & { readonly order: string }) | null;
  readonly items?: readonly LocationView[];
  readonly json?: JsonText | null;
}

export interface LocationPageArguments extends PagingArguments {
  /** Like `after`, for a caller that has the sort key instead of a cursor. */
  readonly afterKey?: SortKey | null;
}

/** @throws ServiceError MAP_DELETED, BAD_USER_INPUT */
export async function readLocationPage(
  map: MapView,
  args: LocationPageArguments,
  { budget, loaders, scope, services }: RequestContext,
  read: (request: PageRequest<SortKey>) => Promise<Read>,
): Promise<LocationPage> {
  const { locations } = services;
  locations.requireListable(map);
  const asked = readPageRequest(args, (cursor, label) => decodeLocationCursor(map.id, cursor, label));
  const request = args.afterKey ? { ...asked, after: args.afterKey } : asked;
  const page = { ...(await readWithin(budget, request, read, sizeOfPage)), request };
  const { count, last, next, items = [], json = null } = page;
  return {
    count,
    items,
    json,
    last,
    edges: () => items.map(listedEdge),
    pageInfo: () =>
      pageInfoOf(
        page,
        (sortKey) => encodeLocationCursor(map.id, sortKey),
        (side) =>
          locations.hasLocations(scope, map, {
            after: side === 'after' ? endOf(page, side) : null,
            before: side === 'before' ? endOf(page, side) : null,
          }),
      ),
    totalCount: () => loaders.locationCounts.load(map),
    nextOrder: () => {
      if (!request.fromEnd) return next?.order ?? null;
      // A page from the end is followed by something only when a cursor limited the range there.
      return request.before === null ? null : locations.orderAfter(scope, map, endOf(page, 'after'));
    },
  };
}

/** A location's edge in its map's list. */
export function listedEdge(location: LocationView): LocationEdgeSource {
  return { location, cursor: () => encodeLocationCursor(location.mapId, location), distance: null };
}

function sizeOfPage({ json, items = [] }: Read): number {
  return json?.byteLength ?? sizeOfLocations(items);
}
