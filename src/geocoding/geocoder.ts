/** The port that every geocoding provider implements. Each adapter is one file or folder beside this one. */

import type { TraceContext } from '../lib/trace-context.ts';

/** How exactly a point stands for the address, from a building down to an administrative region. */
export type GeocodingPrecision = (typeof GEOCODING_PRECISIONS)[number];

export const GEOCODING_PRECISIONS = ['rooftop', 'interpolated', 'street', 'locality', 'region'] as const;

export interface GeocodingQuery {
  /** The address as the caller wrote it: non-blank, no NUL, no lone surrogates. */
  readonly address: string;
  /** The map's own provider key, in the clear; null where the map has none. Never logged. */
  readonly apiKey: string | null;
  /** Aborted when the caller has gone or its deadline has passed. */
  readonly signal?: AbortSignal;
  /** Milliseconds from now that the caller can wait. The geocoder's own limit holds as well. */
  readonly timeoutMs?: number;
  /** The map that the answer is for. An answer that may only be kept for a map is not kept without it. */
  readonly mapId?: string;
  /** Of the request that asks, for the log. */
  readonly requestId?: string | undefined;
  /** Of the request that asks; handed on to a remote provider. */
  readonly trace?: TraceContext | undefined;
  /** Id of the asking token, for its daily quota; never the secret. */
  readonly tokenId?: string;
}

export interface GeocodingResult {
  /** The provider's own identifier of the place, prefixed where the provider has no URN of its own. */
  readonly placeId: string;
  /** Degrees, -90 to 90, WGS 84. */
  readonly latitude: number;
  /** Degrees, -180 to 180, WGS 84. */
  readonly longitude: number;
  /** The adapter that answered, e.g. `offline`. */
  readonly provider: string;
  readonly precision: GeocodingPrecision;
}

/** One of several places that an address may mean. */
export interface GeocodingCandidate extends GeocodingResult {
  /** The address as the provider writes it; null where it gives none, or its terms do not let it be kept. */
  readonly formattedAddress: string | null;
}

export const MAX_CANDIDATES = 5;

export interface Geocoder {
  /**
   * Resolves one address to one point.
   *
   * @throws ServiceError `ADDRESS_NOT_FOUND` when the provider knows no such address, `GEOCODER_REFUSED` when it
   *   refuses the key, `RATE_LIMITED` over its quota, `GEOCODER_UNAVAILABLE` when it timed out or failed,
   *   `BAD_USER_INPUT` when it cannot take the address (e.g. too long). When `signal` is aborted, its reason.
   */
  geocode(query: GeocodingQuery): Promise<GeocodingResult>;
  /**
   * The places that an address may mean, 1 to {@link MAX_CANDIDATES}, the likeliest first. The first is the answer that
   * {@link geocode} gives from then on, for as long as it may be kept. Absent where a geocoder only knows one.
   *
   * @throws as {@link geocode}
   */
  candidates?(query: GeocodingQuery): Promise<readonly GeocodingCandidate[]>;
  /**
   * How many addresses one caller, e.g. an import, may usefully ask for at once; absent when there is no such limit.
   */
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
