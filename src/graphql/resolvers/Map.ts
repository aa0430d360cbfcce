import type { MapResolvers } from '../generated/schema.ts';
import { findClusters } from '../pages/clusters.ts';
import { findInMap, readSearch } from '../pages/search-results.ts';
import { readLocationPage } from '../pages/location-page.ts';

/** As many as a map has, unless the operator lets it have more. */
const ROWS_OF_WEBHOOKS = 10;

/** To count to a place in the middle of a million locations costs as much as to read so many. */
const ROWS_OF_A_PLACE = 1_000;

export const Map: MapResolvers = {
  fields: ({ fields }) => [...fields],

  providerMapApiKey: ({ providerMapApiKey }, _args, { scope, services }) =>
    services.maps.revealKey(scope.caller, providerMapApiKey),

  geocodingApiKey: ({ geocodingApiKey }, _args, { scope, services }) =>
    services.maps.revealKey(scope.caller, geocodingApiKey),

  location: (map, { id }, { loaders }) => loaders.locations.load({ map, id }),

  locationByExternalId: (map, { externalId }, { loaders }) =>
    loaders.locationsByExternalId.load({ map, id: externalId }),

  locationAt: (map, { place }, { scope, services, budget }) => {
    budget.reserveRows(ROWS_OF_A_PLACE);
    return services.locations.locationAt(scope, map, place);
  },

  clusters: findClusters,

  webhooks: (map, _args, { scope, services, budget }) => {
    budget.reserveRows(ROWS_OF_WEBHOOKS);
    return budget.read(
      () => services.webhooks.listWebhooks(scope, map),
      (webhooks) => webhooks.reduce((bytes, { url }) => bytes + url.length, 0),
    );
  },

  locations: (map, args, context) => {
    const search = readSearch(args);
    return search === null
      ? readLocationPage(map, args, context, (request) =>
          context.services.locations.listLocations(context.scope, map, request),
        )
      : findInMap(map, search, args, context);
  },
};
