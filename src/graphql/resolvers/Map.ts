import type { MapResolvers } from '../generated/schema.ts';
import { readLocationPage } from '../location-page.ts';

export const Map: MapResolvers = {
  fields: ({ fields }) => [...fields],

  providerMapApiKey: ({ providerMapApiKey }, _args, { caller, services }) =>
    services.maps.revealKey(caller, providerMapApiKey),

  geocodingApiKey: ({ geocodingApiKey }, _args, { caller, services }) =>
    services.maps.revealKey(caller, geocodingApiKey),

  location: (map, { id }, { loaders }) => loaders.locations.load({ map, id }),

  locations: (map, args, { budget, services }) =>
    readLocationPage(map, args, { budget, services }, (request) =>
      services.locations.listLocations(map, request),
    ),
};
