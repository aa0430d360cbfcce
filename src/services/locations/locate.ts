/** The point of a location: its geocoded address, or a given point. */

import { isSameJson } from '../../domain/location-change.ts';
import type { LocationRecord } from '../../domain/location.ts';
import type { LocatedPoint } from '../../domain/point.ts';
import type { Geocoder, GeocodingResult, QueryContext } from '../../geocoding/geocoder.ts';
import type { Secrets } from '../secrets/secrets.ts';
import type { AuthorizedRequest } from './authorized-request.ts';

/** Geocodes with the map's own key, within the request's deadline. */
export type Locate = (request: AuthorizedRequest, address: string) => Promise<Located>;

export function createLocate({ geocoder, secrets }: { geocoder: Geocoder; secrets: Secrets }): Locate {
  return async (request, address) =>
    locatedAt(await geocoder.geocode({ address, ...queryContext(request, secrets) }));
}

/** What every query of the geocoder has. */
export function queryContext(
  { caller: { tokenId }, map, scope }: AuthorizedRequest,
  secrets: Secrets,
): QueryContext {
  return {
    area: map.geocoding,
    apiKey: map.geocodingApiKey === null ? null : secrets.open(map.geocodingApiKey),
    mapId: map.id,
    tokenId,
    requestId: scope.requestId,
    trace: scope.trace,
    signal: scope.signal,
    timeoutMs: scope.deadline?.leftMs,
  };
}

/** Addresses that are geocoded at once. */
export function concurrencyOf({ concurrency = Number.POSITIVE_INFINITY }: Geocoder): number {
  return concurrency;
}

/** The point of a location, and where it comes from. */
export type Located = Pick<LocationRecord, 'placeId' | 'latitude' | 'longitude' | 'geocoding'>;

export function pointOf({ placeId, latitude, longitude, geocoding }: LocationRecord): Located {
  return { placeId, latitude, longitude, geocoding };
}

export function isSamePoint(a: Located, b: Located): boolean {
  const values = ({ geocoding, ...point }: Located) => ({ ...point, ...geocoding });
  return isSameJson(values(a), values(b));
}

/** A geocoded point, which nobody has checked. */
export function locatedAt(result: GeocodingResult): Located {
  const { placeId, latitude, longitude, provider, precision, label, isAmbiguous } = result;
  const geocoding = { provider, precision, label, isAmbiguous, isChecked: false };
  return { placeId, latitude, longitude, geocoding };
}

/** A point that the caller gave. */
export function locatedBy({ placeId, latitude, longitude }: LocatedPoint): Located {
  const geocoding = {
    provider: 'manual',
    precision: 'rooftop',
    label: null,
    isAmbiguous: false,
    isChecked: true,
  };
  return { placeId, latitude, longitude, geocoding };
}

/** Geocodes an address once, even if the write is retried. */
export function rememberLast(locate: Locate): Locate {
  let last: { readonly address: string; readonly result: Promise<Located> } | null = null;
  return (request, address) => {
    if (last?.address !== address) last = { address, result: locate(request, address) };
    return last.result;
  };
}
