import { toPlainDecimal } from '../../domain/coordinates.ts';
import { readFilter } from '../../domain/filter/location-filter.ts';
import { badUserInput, ServiceError } from '../../errors.ts';
import type { GeocodedAgain } from '../../services/locations/geocode-locations.ts';
import { distanceOf } from '../../services/locations/geocode-locations.ts';
import type { Located } from '../../services/locations/locate.ts';
import type { LocationTargets } from '../../services/locations/location-targets.ts';
import type { LocationResult } from '../../services/locations/create-locations.ts';
import type { ReviewResult } from '../../services/locations/review-locations.ts';
import type { UpsertResult } from '../../services/locations/upsert-locations.ts';
import type { RequestContext } from '../context.ts';
import type {
  DeleteLocationsInput,
  GeocodeLocationsInput,
  GeocodingPrecision,
  Resolvers,
} from '../generated/schema.ts';
import { remember } from '../loaders.ts';
import { listedEdge } from '../pages/locations.ts';
import type { CreateLocationsResultSource, UpsertLocationsResultSource } from '../source-types.ts';
import { connectionResolvers } from './connection.ts';

export const locationResolvers = {
  Query: {
    location: async (_parent, { mapId, id }, { loaders }) =>
      loaders.locations.load({ map: await loaders.maps.load(mapId), id }),
  },

  Mutation: {
    createLocation: async (_parent, { input }, { loaders, scope, services }) => {
      const { map, location, historyId } = await services.locations.createLocation(scope, input.mapId, input);
      return { location, edge: listedEdge(location), map: remember(loaders, map), historyId };
    },

    createLocations: async (_parent, { input }, { loaders, scope, services }) => {
      const { mapId, locations, dryRun, historyId: earlier, idempotencyKey } = input;
      if (dryRun === true) {
        const tried = await services.locationBatches.tryLocations(scope, mapId, locations, false);
        const results = tried.results.map(toDryRunResult);
        return { map: remember(loaders, tried.map), results, historyId: null };
      }
      const written = await services.locationBatches.createLocations(
        scope,
        mapId,
        locations,
        earlier,
        idempotencyKey,
      );
      const { map, results, historyId } = written;
      return { map: remember(loaders, map), results: results.map(toCreateResult), historyId };
    },

    updateLocation: async (_parent, { input }, { loaders, scope, services }) => {
      const { mapId, id, idempotencyKey, ...patch } = input;
      const updated = await services.locations.updateLocation(scope, mapId, id, patch, idempotencyKey);
      const { map, location, historyId } = updated;
      loaders.locations.clear({ map, id });
      return { location, edge: listedEdge(location), map: remember(loaders, map), historyId };
    },

    upsertLocations: async (_parent, { input }, { loaders, scope, services }) => {
      const { mapId, locations, dryRun, historyId: earlier } = input;
      if (dryRun === true) {
        const tried = await services.locationBatches.tryLocations(scope, mapId, locations, true);
        const results = tried.results.map(toDryRunResult);
        return { map: remember(loaders, tried.map), results, historyId: null };
      }
      const written = await services.locationBatches.upsertLocations(scope, mapId, locations, earlier);
      const { map, results, historyId } = written;
      loaders.locations.clearAll();
      return { map: remember(loaders, map), results: results.map(toUpsertResult), historyId };
    },

    checkLocations: async (_parent, { input }, { loaders, scope, services }) => {
      const { mapId, ids, isChecked } = input;
      const checked = await services.locations.checkLocations(scope, mapId, ids, isChecked);
      const { map, locations, historyId } = checked;
      loaders.locations.clearAll();
      return { map: remember(loaders, map), locations: [...locations], historyId };
    },

    geocodeLocations: async (_parent, { input }, { loaders, scope, services }) => {
      const { mapId, onlyBetter, includeManual, dryRun } = input;
      const targets = await readTargets('geocodeLocations', input, (count) => count, { scope, services });
      const geocoded = await services.geocoding.geocodeLocations(scope, mapId, targets, {
        onlyBetter: onlyBetter ?? true,
        includeManual: includeManual ?? false,
        dryRun: dryRun ?? false,
      });
      const { map, results, historyId } = geocoded;
      loaders.locations.clearAll();
      return { map: remember(loaders, map), results: results.map(toGeocodeResult), historyId };
    },

    moveLocations: async (_parent, { input }, { loaders, scope, services }) => {
      const { mapId, ids, idempotencyKey, ...anchor } = input;
      const moved = await services.locations.moveLocations(scope, mapId, ids, anchor, idempotencyKey);
      const { map, locations, historyId } = moved;
      // Neighbours may get another order too.
      loaders.locations.clearAll();
      return { map: remember(loaders, map), locations: [...locations], historyId };
    },

    deleteLocation: async (_parent, { input }, { loaders, scope, services }) => {
      const { mapId, id, idempotencyKey } = input;
      const deleted = await services.locations.deleteLocation(scope, mapId, id, idempotencyKey);
      const { map, location, historyId } = deleted;
      loaders.locations.clear({ map, id });
      return { location, deletedId: location.id, map: remember(loaders, map), historyId };
    },

    deleteLocations: async (_parent, { input }, { loaders, scope, services }) => {
      const { mapId } = input;
      const targets = await readTargets('deleteLocations', input, requireCount, { scope, services });
      const { map, deletedIds, historyId } = await ('ids' in targets
        ? services.locations.deleteLocations(scope, mapId, targets.ids)
        : services.search.deleteMatches(scope, mapId, targets));
      loaders.locations.clearAll();
      return {
        map: remember(loaders, map),
        deletedIds: [...deletedIds],
        deletedCount: deletedIds.length,
        historyId,
      };
    },
  },

  Location: {
    latLngLiteral: ({ latitude, longitude }) => ({
      lat: toPlainDecimal(latitude),
      lng: toPlainDecimal(longitude),
    }),

    geocoding: ({ geocoding }) => ({
      ...geocoding,
      precision: geocoding.precision as GeocodingPrecision,
    }),

    map: ({ mapId, view }, _args, { loaders }) =>
      view === 'public' ? loaders.publicMaps.load(mapId) : loaders.maps.load(mapId),
  },

  LocationConnection: {
    ...connectionResolvers,
    nextOrder: ({ nextOrder }) => nextOrder(),
  },

  LocationEdge: {
    cursor: ({ cursor }) => cursor(),
    node: ({ location }) => location,
  },
} satisfies Resolvers;

function toCreateResult(result: LocationResult): CreateLocationsResultSource {
  return result instanceof ServiceError
    ? { location: null, error: toError(result) }
    : { location: result, error: null };
}

function toUpsertResult(result: UpsertResult): UpsertLocationsResultSource {
  return result instanceof ServiceError
    ? { location: null, outcome: null, error: toError(result) }
    : { ...result, error: null };
}

function toDryRunResult(result: ReviewResult): UpsertLocationsResultSource {
  return result instanceof ServiceError
    ? { location: null, outcome: null, error: toError(result) }
    : { location: null, outcome: result, error: null };
}

function toError({ code, message }: ServiceError) {
  return { code, message };
}

/** Authorization and the map are checked before the rest of the input. */
async function readTargets<Count extends number | null>(
  operation: 'geocodeLocations' | 'deleteLocations',
  input: TargetsInput,
  readCount: (expectedCount: number | null) => Count,
  { scope, services: { refuseWrite } }: Pick<RequestContext, 'scope' | 'services'>,
): Promise<LocationTargets<Count>> {
  try {
    return toTargets(input, readCount);
  } catch (error) {
    return refuseWrite(scope, operation, input.mapId, error);
  }
}

type TargetsInput = Pick<
  DeleteLocationsInput | GeocodeLocationsInput,
  'mapId' | 'ids' | 'filter' | 'expectedCount'
>;

/** @throws ServiceError BAD_USER_INPUT */
function toTargets<Count extends number | null>(
  { ids = null, filter = null, expectedCount = null }: TargetsInput,
  readCount: (expectedCount: number | null) => Count,
): LocationTargets<Count> {
  if (ids !== null && filter === null) {
    if (expectedCount !== null) throw badUserInput('expectedCount is allowed only with filter.');
    return { ids };
  }
  if (ids !== null || filter === null) throw badUserInput('Give either ids or filter.');
  return { expectedCount: readCount(expectedCount), filter: readFilter(filter, 'filter') };
}

/** @throws ServiceError BAD_USER_INPUT */
function requireCount(expectedCount: number | null): number {
  if (expectedCount === null) throw badUserInput('expectedCount is required with filter.');
  return expectedCount;
}

function toGeocodeResult(result: GeocodedAgain) {
  const { location, outcome, before, after, error } = result;
  return {
    location,
    outcome,
    before: toGeocodedPoint(before),
    after: after === null ? null : toGeocodedPoint(after),
    distance: distanceOf(result),
    error: error === null ? null : toError(error),
  };
}

function toGeocodedPoint({ latitude, longitude, geocoding: { precision, provider } }: Located) {
  return { latitude, longitude, precision: precision as GeocodingPrecision, provider };
}
