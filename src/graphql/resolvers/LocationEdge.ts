import { encodeLocationCursor } from '../../domain/cursor.ts';
import type { LocationEdgeResolvers } from '../generated/schema.ts';

export const LocationEdge: LocationEdgeResolvers = {
  cursor: (location) => encodeLocationCursor(location.mapId, location),
  node: (location) => location,
};
