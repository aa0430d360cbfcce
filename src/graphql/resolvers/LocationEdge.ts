import type { LocationEdgeResolvers } from '../generated/schema.ts';

export const LocationEdge: LocationEdgeResolvers = {
  cursor: ({ cursor }) => cursor(),
  node: ({ location }) => location,
};
