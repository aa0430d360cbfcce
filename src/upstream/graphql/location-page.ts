/** Pages of an upstream map's list. As in /v0, they only go forwards. */

import { decodeSortValuesCursor, digestOf, encodeSortValuesCursor } from '../../domain/paging/cursor.ts';
import type { PageRequest } from '../../domain/paging/paging.ts';
import { MAX_PAGE_SIZE, readPageRequest } from '../../domain/paging/paging.ts';
import type { MapView } from '../../domain/public-view.ts';
import { requireNotDeleted } from '../../services/caller.ts';
import { unsupportedByUpstream } from '../failures.ts';
import type { ListPosition } from '../services/location-list.ts';
import { LIST_START } from '../services/location-list.ts';
import type { UpstreamService } from '../services/upstream-service.ts';
import { locationOf } from '../services/upstream-service.ts';
import { readWithinBudget } from '../../graphql/pages/connection.ts';
import type { RequestContext } from '../../graphql/context.ts';
import type { MapLocationsArgs } from '../../graphql/generated/schema.ts';
import { sizeOfLocations } from '../../graphql/limits/operation-budget.ts';
import type { LocationPage } from '../../graphql/source-types.ts';

/** @throws ServiceError BAD_USER_INPUT for arguments that /v0 does not have; failures of the upstream */
export async function readUpstreamPage(
  upstream: UpstreamService,
  map: MapView,
  args: MapLocationsArgs,
  { budget, scope }: RequestContext,
): Promise<LocationPage> {
  requireNotDeleted(map);
  const digest = digestOf('upstream', map.id);
  const request = readPageRequest(args, (cursor, label) =>
    decodeSortValuesCursor(digest, cursor, label, readPosition, "this map's locations"),
  );
  for (const name of ['last', 'before', 'filter', 'orderBy'] as const) {
    if ((args[name] ?? null) !== null) throw unsupportedByUpstream(`the argument ${name}`);
  }
  const { items, isMore } = await readWithinBudget(
    budget,
    request,
    async ({ limit, after }: PageRequest<ListPosition>) => {
      const page = await upstream.listLocations(scope, map.id, after ?? LIST_START, limit);
      return { ...page, count: page.items.length };
    },
    (page) => sizeOfLocations(page.items.map(({ location }) => location)),
  );
  const edges = items.map(({ location, position }) => ({
    location: locationOf(map.id, location),
    cursor: () =>
      encodeSortValuesCursor(digest, [position.kind, position.query, position.seen, position.lastId]),
    distance: null,
  }));
  return {
    items: edges.map(({ location }) => location),
    json: null,
    last: null,
    edges: () => edges,
    pageInfo: () => ({
      hasNextPage: isMore,
      // Paging backwards is not supported.
      hasPreviousPage: false,
      startCursor: edges[0]?.cursor() ?? null,
      endCursor: edges.at(-1)?.cursor() ?? null,
    }),
    totalCount: () => Promise.reject(unsupportedByUpstream('LocationConnection.totalCount')),
    nextOrder: () => Promise.reject(unsupportedByUpstream('LocationConnection.nextOrder')),
  };
}

const KINDS: readonly unknown[] = ['page', 'order', 'within', 'full'] satisfies ListPosition['kind'][];

function readPosition([kind, query, seen, lastId, ...more]: readonly unknown[]): ListPosition | null {
  const isKind = KINDS.includes(kind) && typeof query === 'string' && more.length === 0;
  const isSeen = typeof seen === 'number' && Number.isInteger(seen) && seen >= 0 && seen <= MAX_PAGE_SIZE;
  if (!isKind || !isSeen || !(lastId === null || typeof lastId === 'string')) return null;
  return { kind: kind as ListPosition['kind'], query, seen, lastId };
}
