import { encodeLocationCursor } from '../../domain/cursor.ts';
import { pageInfoOf } from '../connection.ts';
import type { LocationConnectionResolvers } from '../generated/schema.ts';

export const LocationConnection: LocationConnectionResolvers = {
  edges: ({ items }) => [...items],
  nodes: ({ items }) => [...items],

  pageInfo: (page, _args, { services }) =>
    pageInfoOf(
      page,
      (location) => encodeLocationCursor(location.mapId, location),
      (side) => {
        const { items, map, request } = page;
        const bound = side === 'before' ? (items[0] ?? request.after) : (items.at(-1) ?? request.before);
        return services.locations.hasLocations(map, {
          after: side === 'after' ? bound : null,
          before: side === 'before' ? bound : null,
        });
      },
    ),

  totalCount: ({ map }, _args, { loaders }) => loaders.locationCounts.load(map),

  nextOrder: ({ items, map, next, request }, _args, { services }) => {
    if (!request.fromEnd) return next?.order ?? null;
    // A page from the end is followed by something only where a cursor cut the list off.
    return request.before === null
      ? null
      : services.locations.orderAfter(map, items.at(-1) ?? request.before);
  },
};
