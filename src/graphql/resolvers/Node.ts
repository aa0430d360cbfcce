import type { NodeResolvers } from '../generated/schema.ts';

export const Node: NodeResolvers = {
  __resolveType: (source) => ('mapId' in source ? 'Location' : 'Map'),
};
