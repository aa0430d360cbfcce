/** The port that every geocoding provider implements; one file or folder per adapter beside this one. */

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
  /** Milliseconds from now that the caller can wait; the geocoder's own limit applies besides. */
  readonly timeoutMs?: number;
  /** The map that the answer is for: what a provider allows to be kept is kept for it. Without it nothing of the map is. */
  readonly mapId?: string;
  /** The token that asks, for its daily quota; an identifier, never the secret. */
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

export interface Geocoder {
  /**
   * Resolves one address to one place.
   *
   * @throws ServiceError `ADDRESS_NOT_FOUND` when the provider knows no such address, `GEOCODER_REFUSED` when it
   *   refuses the key, `RATE_LIMITED` over its quota, `GEOCODER_UNAVAILABLE` when it timed out or failed,
   *   `BAD_USER_INPUT` when it takes no such address (too long, for one). Where `signal` is aborted, its reason.
   */
  geocode(query: GeocodingQuery): Promise<GeocodingResult>;
  /** How many addresses one caller may usefully have asked at once, e.g. an import; without it, as many as it likes. */
  readonly concurrency?: number;
}
