/** Where a location stands: its address geocoded, or a given point. */

import type { LocatedPoint } from '../../domain/point.ts';
import type { Geocoder, GeocodingQuery, GeocodingResult } from '../../geocoding/geocoder.ts';
import type { Authorization } from '../authorization.ts';
import type { Scope } from '../scope.ts';
import type { Secrets } from '../secrets/secrets.ts';

/** A request that was admitted: the caller, the map and the scope. */
export interface AuthorizedRequest extends Authorization {
  readonly scope: Scope;
}

/** Asks the geocoder with the map's key, for as long as the request's deadline allows. */
export type Locate = (request: AuthorizedRequest, address: string) => Promise<GeocodingResult>;

export function createLocate({ geocoder, secrets }: { geocoder: Geocoder; secrets: Secrets }): Locate {
  return async (request, address) => geocoder.geocode(geocodingQuery(request, address, secrets));
}

export function geocodingQuery(
  { caller: { tokenId }, map, scope }: AuthorizedRequest,
  address: string,
  secrets: Secrets,
): GeocodingQuery {
  return {
    address,
    apiKey: map.geocodingApiKey === null ? null : secrets.open(map.geocodingApiKey),
    mapId: map.id,
    tokenId,
    requestId: scope.requestId,
    trace: scope.trace,
    signal: scope.signal,
    timeoutMs: scope.deadline?.leftMs,
  };
}

/** The geocoding result that stands for a given point. */
export function locatedBy({ placeId, latitude, longitude }: LocatedPoint): GeocodingResult {
  return { placeId, latitude, longitude, provider: 'manual', precision: 'rooftop' };
}

/** Asks once for an address, however often the change is tried. */
export function rememberLast(locate: Locate): Locate {
  let last: { readonly address: string; readonly result: Promise<GeocodingResult> } | null = null;
  return (request, address) => {
    if (last?.address !== address) last = { address, result: locate(request, address) };
    return last.result;
  };
}
