import { encodeMapCursor } from '../../domain/cursor.ts';
import { pageInfoOf } from '../connection.ts';
import type { MapConnectionResolvers } from '../generated/schema.ts';

export const MapConnection: MapConnectionResolvers = {
  edges: ({ items }) => [...items],
  nodes: ({ items }) => [...items],

  pageInfo: (page, _args, { caller, services }) =>
    pageInfoOf(
      page,
      (map) => encodeMapCursor(map.ownerId, map),
      async (side) => {
        const bound =
          side === 'before'
            ? (page.items[0] ?? page.request.after)
            : (page.items.at(-1) ?? page.request.before);
        const beyond = await services.maps.listMaps(caller, {
          limit: 1,
          fromEnd: false,
          after: side === 'after' ? bound : null,
          before: side === 'before' ? bound : null,
        });
        return beyond.items.length > 0;
      },
    ),

  totalCount: (_page, _args, { caller, services }) => services.maps.countMaps(caller),
};
