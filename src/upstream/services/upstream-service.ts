/** The operations of /v0 on behalf of a caller, with its token. */

import type { JsonObject } from '../../domain/json/json.ts';
import type { LocationRecord } from '../../domain/location.ts';
import type { MapRecord } from '../../domain/map.ts';
import type {
  Upstream,
  UpstreamCall,
  UpstreamLocation,
  UpstreamMap,
  UpstreamNewLocation,
} from '../upstream.ts';
import { requireCaller } from '../../services/caller.ts';
import type { Scope } from '../../services/scope.ts';
import type { ListedPage, ListOptions, ListPosition } from './location-list.ts';
import { listFrom } from './location-list.ts';
import type { ForwardedTokens } from './forwarded-tokens.ts';

/** The number 404 becomes LOCATION_NOT_FOUND if a location was requested, else MAP_NOT_FOUND. */
export interface UpstreamService {
  findMap(scope: Scope, mapId: string): Promise<MapRecord>;
  findLocation(scope: Scope, mapId: string, id: string): Promise<LocationRecord>;
  /** Items have the upstream's form; {@link locationOf} turns it into a record. */
  listLocations(
    scope: Scope,
    mapId: string,
    position: ListPosition,
    limit: number,
    options?: ListOptions,
  ): Promise<ListedPage>;
  createLocation(scope: Scope, mapId: string, input: UpstreamNewLocation): Promise<LocationRecord>;
  deleteLocation(scope: Scope, mapId: string, id: string): Promise<LocationRecord>;
}

export function createUpstreamService(upstream: Upstream, tokens: ForwardedTokens): UpstreamService {
  /** The first read of a request takes its validators: a response of /v0 needs a single read. */
  const callOf = (scope: Scope, isRead: boolean): UpstreamCall => {
    const validators = isRead ? scope.takeValidators?.() : undefined;
    return {
      token: tokens.of(requireCaller(scope.caller)),
      requestId: scope.requestId,
      trace: scope.trace,
      leftMs: scope.deadline?.leftMs,
      signal: scope.signal,
      ...(validators !== undefined && { validators }),
    };
  };
  return {
    findMap: async (scope, mapId) => mapOf(await upstream.getMap(callOf(scope, true), mapId)),

    findLocation: async (scope, mapId, id) =>
      locationOf(mapId, await upstream.getLocation(callOf(scope, true), mapId, id)),

    listLocations: async (scope, mapId, position, limit, options) =>
      listFrom(
        (query, size) => upstream.listLocations(callOf(scope, true), mapId, query, size),
        position,
        limit,
        options,
      ),

    createLocation: async (scope, mapId, input) =>
      locationOf(mapId, await upstream.createLocation(callOf(scope, false), mapId, input)),

    deleteLocation: async (scope, mapId, id) =>
      locationOf(mapId, await upstream.deleteLocation(callOf(scope, false), mapId, id)),
  };
}

/**
 * A record with only the members that /v0 has. A gateway's schema refuses fields for the others, and makes those nullable
 * that an upstream may omit (upstream/graphql/served.ts), so they are never read.
 */
export function mapOf(map: UpstreamMap): MapRecord {
  return map as unknown as MapRecord;
}

/** As {@link mapOf}. */
export function locationOf(mapId: string, location: UpstreamLocation): LocationRecord {
  const { id, name, placeId, latitude, longitude, properties } = location;
  const known: Pick<LocationRecord, 'id' | 'mapId' | 'name' | 'placeId' | 'latitude' | 'longitude'> & {
    readonly properties: JsonObject;
  } = { id, mapId, name, placeId, latitude, longitude, properties };
  return known as LocationRecord;
}
