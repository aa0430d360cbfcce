import type { MapResolvers } from '../generated/schema.ts';
import { readLocationPage } from '../location-page.ts';

export const Map: MapResolvers = {
  fields: ({ fields }) => [...fields],

  providerMapApiKey: ({ providerMapApiKey }, _args, { scope, services }) =>
    services.maps.revealKey(scope.caller, providerMapApiKey),

  geocodingApiKey: ({ geocodingApiKey }, _args, { scope, services }) =>
    services.maps.revealKey(scope.caller, geocodingApiKey),

  location: (map, { id }, { loaders }) => loaders.locations.load({ map, id }),

  locationByExternalId: (map, { externalId }, { loaders }) =>
    loaders.locationsByExternalId.load({ map, id: externalId }),

  locations: (map, args, { allowance, scope, services }) =>
    readLocationPage(map, args, { allowance, services }, (request) =>
      services.locations.listLocations(scope, map, request),
    ),
};
