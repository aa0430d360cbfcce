/** The point of a location: its geocoded address, or a given point. */

import type { LocatedPoint } from '../../domain/point.ts';
import type { Geocoder, GeocodingQuery, GeocodingResult } from '../../geocoding/geocoder.ts';
import type { Authorization } from '../authorization.ts';
import type { Scope } from '../scope.ts';
import type { Secrets } from '../secrets/secrets.ts';

/** A request whose caller may use the map. */
export interface AuthorizedRequest extends Authorization {
  readonly scope: Scope;
}

/** Geocodes with the map's own key, within the request's deadline. */
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

/** A given point as a geocoding result. */
export function locatedBy({ placeId, latitude, longitude }: LocatedPoint): GeocodingResult {
  const point = { placeId, latitude, longitude };
  return { ...point, provider: 'manual', precision: 'rooftop', label: null, isAmbiguous: false };
}

/** Geocodes an address once, even if the write is retried. */
export function rememberLast(locate: Locate): Locate {
  let last: { readonly address: string; readonly result: Promise<GeocodingResult> } | null = null;
  return (request, address) => {
    if (last?.address !== address) last = { address, result: locate(request, address) };
    return last.result;
  };
}
