/** The geocoder port. */

import type { TraceContext } from '../lib/trace-context.ts';

/** How precisely a point locates the address, from a building to an administrative region. */
export type GeocodingPrecision = (typeof GEOCODING_PRECISIONS)[number];

export const GEOCODING_PRECISIONS = ['rooftop', 'interpolated', 'street', 'locality', 'region'] as const;

export interface GeocodingQuery {
  /** The address as the caller wrote it: not blank, no NUL, no lone surrogates. */
  readonly address: string;
  /** The map's own provider key, in plain text; null if it has none. Never logged. */
  readonly apiKey: string | null;
  /** Aborted when the caller disconnects or its deadline passes. */
  readonly signal?: AbortSignal;
  /** Milliseconds from now that the caller can wait. The geocoder's own timeout also applies. */
  readonly timeoutMs?: number;
  /** The map of the location. Without it, a result that may be cached only per map is not cached. */
  readonly mapId?: string;
  /** For the log. */
  readonly requestId?: string | undefined;
  /** Forwarded to remote providers. */
  readonly trace?: TraceContext | undefined;
  /** Id of the caller's token, for its daily quota; never the secret. */
  readonly tokenId?: string;
}

export interface GeocodingResult {
  /** The provider's identifier of the place, prefixed unless it is globally unique. */
  readonly placeId: string;
  /** Degrees, -90 to 90, WGS 84. */
  readonly latitude: number;
  /** Degrees, -180 to 180, WGS 84. */
  readonly longitude: number;
  /** Name of the provider, e.g. `offline`. */
  readonly provider: string;
  readonly precision: GeocodingPrecision;
}

/** A place that the address may mean. */
export interface GeocodingCandidate extends GeocodingResult {
  /** The provider's spelling of the address; null if it gives none, or its terms forbid keeping it. */
  readonly formattedAddress: string | null;
}

export const MAX_CANDIDATES = 5;

export interface Geocoder {
  /**
   * Resolves one address to one point.
   *
   * @throws ServiceError `ADDRESS_NOT_FOUND`; `GEOCODER_REFUSED` if the provider rejects the key; `RATE_LIMITED` over a
   *   quota; `GEOCODER_UNAVAILABLE` after a timeout or failure; `BAD_USER_INPUT` if the provider rejects the address,
   *   e.g. as too long. The signal's reason if it is aborted.
   */
  geocode(query: GeocodingQuery): Promise<GeocodingResult>;
  /**
   * The places that an address may mean, 1 to {@link MAX_CANDIDATES}, likeliest first. {@link geocode} returns the first
   * one for as long as it is cached. Absent if the geocoder finds only one.
   *
   * @throws as {@link geocode}
   */
  candidates?(query: GeocodingQuery): Promise<readonly GeocodingCandidate[]>;
  /** How many addresses one caller, e.g. an import, should geocode concurrently; absent for no limit. */
  readonly concurrency?: number;
}

/** The candidates of any geocoder. */
export async function candidatesOf(
  geocoder: Geocoder,
  query: GeocodingQuery,
): Promise<readonly GeocodingCandidate[]> {
  return (
    (await geocoder.candidates?.(query)) ?? [{ ...(await geocoder.geocode(query)), formattedAddress: null }]
  );
}
