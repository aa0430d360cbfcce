import { encodeMapCursor } from '../../domain/cursor.ts';
import type { MapEdgeResolvers } from '../generated/schema.ts';

export const MapEdge: MapEdgeResolvers = {
  cursor: (map) => encodeMapCursor(map.ownerId, map),
  node: (map) => map,
};
