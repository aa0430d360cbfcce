import type { Resolvers } from '../generated/schema.ts';

export const geocodeResolvers = {
  Query: {
    geocode: async (_parent, { mapId, address }, { scope, services }) => [
      ...(await services.geocoding.geocode(scope, mapId, address)),
    ],
  },
} satisfies Resolvers;
