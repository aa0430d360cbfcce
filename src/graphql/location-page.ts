/** Pages of a map's locations, as records or as JSON. */

import { decodeLocationCursor } from '../domain/cursor.ts';
import type { MapRecord } from '../domain/map.ts';
import type { PageRequest, PagingArguments } from '../domain/paging.ts';
import { readPageRequest } from '../domain/paging.ts';
import type { SortKey } from '../domain/sort-key.ts';
import { readWithin } from './connection.ts';
import type { RequestContext } from './context.ts';
import { sizeOfLocations } from './sizes.ts';
import type { LocationPage } from './sources.ts';

type Read = Pick<LocationPage, 'count' | 'first' | 'last' | 'next'> &
  Partial<Pick<LocationPage, 'items' | 'json'>>;

export interface LocationPageArguments extends PagingArguments {
  /** Like `after`, for a caller that has the sort key instead of a cursor. */
  readonly afterKey?: SortKey | null;
}

/** @throws ServiceError MAP_DELETED, BAD_USER_INPUT */
export async function readLocationPage(
  map: MapRecord,
  args: LocationPageArguments,
  { allowance, services }: Pick<RequestContext, 'allowance' | 'services'>,
  read: (request: PageRequest<SortKey>) => Promise<Read>,
): Promise<LocationPage> {
  services.locations.requireListable(map);
  const asked = readPageRequest(args, (cursor, label) => decodeLocationCursor(map.id, cursor, label));
  const request = args.afterKey ? { ...asked, after: args.afterKey } : asked;
  const page = await readWithin(allowance, request, read, sizeOfPage);
  const { count, first, last, next, items = [], json = null } = page;
  return { count, first, last, next, items, json, map, request };
}

function sizeOfPage({ json, items = [] }: Read): number {
  return json?.byteLength ?? sizeOfLocations(items);
}
