import type { MapEdgeResolvers } from '../generated/schema.ts';

export const MapEdge: MapEdgeResolvers = {
  cursor: ({ page, map }) => page.cursorOf(map),
  node: ({ map }) => map,
};
