import { accentOnDark, accentOnLight } from '../../domain/accent.ts';
import { DEFAULT_THEME } from '../../domain/page-theme.ts';
import type { GeocodingPrecision, Resolvers } from '../generated/schema.ts';
import { remember } from '../loaders.ts';
import { findClusters } from '../pages/clusters.ts';
import { connectionResolvers } from './connection.ts';
import { listLocations, readSearch, searchMap } from '../pages/locations.ts';

/** Counting to a position in the middle of a million locations costs as much as reading this many. */
const ROWS_PER_POSITION = 1_000;

export const mapResolvers = {
  Query: {
    map: (_parent, { id }, { loaders }) => loaders.maps.load(id),

    publicMap: (_parent, { id }, { loaders }) => loaders.publicMaps.load(id),
  },

  Mutation: {
    createMap: async (_parent, { input }, { loaders, scope, services }) => ({
      map: remember(loaders, await services.maps.createMap(scope, input)),
    }),

    updateMap: async (_parent, { input }, { loaders, scope, services }) => ({
      map: remember(loaders, await services.maps.updateMap(scope, input.id, input)),
    }),

    deleteMap: async (_parent, { input }, { loaders, scope, services }) => ({
      map: remember(loaders, await services.maps.deleteMap(scope, input.id)),
    }),

    restoreMap: async (_parent, { input }, { loaders, scope, services }) => ({
      map: remember(loaders, await services.maps.restoreMap(scope, input.id)),
    }),
  },

  Map: {
    fields: ({ fields }) => [...fields],

    providerMapApiKey: (map, _args, { scope, services }) =>
      services.maps.revealKey(scope.caller, map, 'providerMapApiKey'),

    geocodingApiKey: (map, _args, { scope, services }) =>
      services.maps.revealKey(scope.caller, map, 'geocodingApiKey'),

    geocoding: ({ geocoding }) =>
      geocoding === null ? null : { ...geocoding, countries: [...geocoding.countries] },

    theme: ({ theme, logo }) => ({ ...(theme ?? DEFAULT_THEME), logo }),

    categories: ({ categories }) => [...categories],

    geocodingCounts: async (map, _args, { scope, services }) => {
      const counts = await services.locations.countByPrecision(scope, map);
      return counts.map((each) => ({ ...each, precision: each.precision as GeocodingPrecision }));
    },

    attributions: async (map, _args, { scope, services }) => [
      ...(await services.locations.findAttributions(scope, map)),
    ],

    location: (map, { id }, { loaders }) => loaders.locations.load({ map, id }),

    locationByExternalId: (map, { externalId }, { loaders }) =>
      loaders.locationsByExternalId.load({ map, id: externalId }),

    locationAt: (map, { place }, { scope, services, budget }) => {
      budget.reserveRows(ROWS_PER_POSITION);
      return services.locations.locationAt(scope, map, place);
    },

    locations: (map, args, context) => {
      const search = readSearch(args);
      return search === null
        ? listLocations(map, args, context, (request) =>
            context.services.locations.listLocations(context.scope, map, request),
          )
        : searchMap(map, search, args, context);
    },

    clusters: findClusters,
  },

  MapTheme: {
    accentOnLight: ({ accent }) => (accent === null ? null : accentOnLight(accent)),
    accentOnDark: ({ accent }) => (accent === null ? null : accentOnDark(accent)),
  },

  MapConnection: connectionResolvers,

  MapEdge: {
    cursor: ({ cursor }) => cursor(),
    node: ({ map }) => map,
  },

  Field: {
    isPublic: ({ isPublic = true }) => isPublic,
  },

  Cluster: {
    latitude: ({ latitudes, count }) => latitudes / count,
    longitude: ({ longitudes, count }) => longitudes / count,
    bbox: ({ box }) => box,
  },
} satisfies Resolvers;
