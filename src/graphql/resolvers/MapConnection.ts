import { encodeMapCursor } from '../../domain/cursor.ts';
import { endOf, pageInfoOf } from '../connection.ts';
import type { MapConnectionResolvers } from '../generated/schema.ts';

export const MapConnection: MapConnectionResolvers = {
  edges: ({ items }) => [...items],
  nodes: ({ items }) => [...items],

  pageInfo: (page, _args, { scope, services }) =>
    pageInfoOf(
      page,
      (map) => encodeMapCursor(map.ownerId, map),
      async (side) => {
        const beyond = await services.maps.listMaps(scope, {
          limit: 1,
          fromEnd: false,
          after: side === 'after' ? endOf(page, side) : null,
          before: side === 'before' ? endOf(page, side) : null,
        });
        return beyond.count > 0;
      },
    ),

  totalCount: (_page, _args, { scope, services }) => services.maps.countMaps(scope),
};
