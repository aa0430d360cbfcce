import { encodeLocationCursor } from '../../domain/cursor.ts';
import { endOf, pageInfoOf } from '../connection.ts';
import type { LocationConnectionResolvers } from '../generated/schema.ts';

export const LocationConnection: LocationConnectionResolvers = {
  edges: ({ items }) => [...items],
  nodes: ({ items }) => [...items],

  pageInfo: (page, _args, { scope, services }) =>
    pageInfoOf(
      page,
      (sortKey) => encodeLocationCursor(page.map.id, sortKey),
      (side) =>
        services.locations.hasLocations(scope, page.map, {
          after: side === 'after' ? endOf(page, side) : null,
          before: side === 'before' ? endOf(page, side) : null,
        }),
    ),

  totalCount: ({ map }, _args, { loaders }) => loaders.locationCounts.load(map),

  nextOrder: (page, _args, { scope, services }) => {
    if (!page.request.fromEnd) return page.next?.order ?? null;
    // A page from the end is followed by something only when a cursor limited the range there.
    return page.request.before === null
      ? null
      : services.locations.orderAfter(scope, page.map, endOf(page, 'after'));
  },
};
