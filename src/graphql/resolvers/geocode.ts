import type { Resolvers } from '../generated/schema.ts';

export const geocodeResolvers = {
  Query: {
    geocode: async (_parent, { mapId, address }, { scope, services }) => [
      ...(await services.geocoding.geocode(scope, mapId, address)),
    ],

    reverseGeocode: (_parent, { mapId, latitude, longitude }, { scope, services }) =>
      services.geocoding.reverseGeocode(scope, mapId, { latitude, longitude }),

    suggestAddresses: async (_parent, { mapId, text, near = null }, { scope, services }) => [
      ...(await services.geocoding.suggestAddresses(scope, mapId, text, near)),
    ],
  },
} satisfies Resolvers;
