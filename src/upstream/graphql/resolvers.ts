/**
 * Resolvers of a gateway that replace those for a store; all others are shared. A map is only requested from the upstream
 * if one of its fields is selected.
 */

import type { MapRecord } from '../../domain/map.ts';
import type { LocationRecord } from '../../domain/location.ts';
import type { MapView } from '../../domain/public-view.ts';
import { ServiceError } from '../../errors.ts';
import { unsupportedByUpstream } from '../failures.ts';
import type { UpstreamService } from '../services/upstream-service.ts';
import type { RequestContext } from '../../graphql/context.ts';
import type {
  MapLocationsArgs,
  MutationCreateLocationArgs,
  MutationDeleteLocationArgs,
  QueryLocationArgs,
} from '../../graphql/generated/schema.ts';
import type { Loaders } from '../../graphql/loaders.ts';
import { readUpstreamPage } from './location-page.ts';

/** A written location, and the id of its map, which is not read yet. */
interface Written {
  readonly mapId: string;
  readonly location: LocationRecord;
}

const mapOfWritten = ({ mapId }: Written, _args: unknown, { loaders }: RequestContext) =>
  loaders.maps.load(mapId);

export const createUpstreamResolvers = (upstream: UpstreamService) => ({
  Query: {
    location: (_parent: unknown, { mapId, id }: QueryLocationArgs, { loaders }: RequestContext) =>
      inMap(loaders, mapId, () => loaders.locations.load({ map: unreadMap(mapId), id })),
  },
  Mutation: {
    async createLocation(
      _parent: unknown,
      { input }: MutationCreateLocationArgs,
      { scope }: RequestContext,
    ): Promise<Written> {
      const { mapId, fields, order = null, idempotencyKey = null } = input;
      for (const name of ['externalId', 'position'] as const) {
        if (input[name] !== null && input[name] !== undefined) throw unsupportedByUpstream(`input.${name}`);
      }
      const location = await upstream.createLocation(scope, mapId, {
        fields,
        order,
        idempotencyKey,
      });
      return { mapId, location };
    },

    async deleteLocation(
      _parent: unknown,
      { input: { mapId, id, idempotencyKey = null } }: MutationDeleteLocationArgs,
      { loaders, scope }: RequestContext,
    ): Promise<Written & { readonly deletedId: string }> {
      if (idempotencyKey !== null) throw unsupportedByUpstream('input.idempotencyKey');
      const location = await inMap(loaders, mapId, () => upstream.deleteLocation(scope, mapId, id));
      loaders.locations.clear({ map: unreadMap(mapId), id });
      return { mapId, location, deletedId: location.id };
    },
  },
  CreateLocationPayload: { map: mapOfWritten },
  DeleteLocationPayload: { map: mapOfWritten },
  Map: {
    locations: (map: MapView, args: MapLocationsArgs, context: RequestContext) =>
      readUpstreamPage(upstream, map, args, context),
  },
});

/** /v0 has one number for an unknown map and an unknown location, so a missing location needs a look at its map. */
async function inMap<T>(loaders: Loaders, mapId: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ServiceError && error.code === 'LOCATION_NOT_FOUND')) throw error;
    const map = await loaders.maps.load(mapId).catch((failure: unknown) => failure);
    throw map instanceof ServiceError && map.code === 'MAP_NOT_FOUND' ? map : error;
  }
}

/** A map of which only the id is known and needed. */
function unreadMap(id: string): MapRecord {
  return { id } as MapRecord;
}
