/** The port that every geocoding provider implements; one file or folder per adapter beside this one. */

/** How exactly a point stands for the address, from a building down to an administrative region. */
export type GeocodingPrecision = 'rooftop' | 'interpolated' | 'street' | 'locality' | 'region';

export interface GeocodingQuery {
  /** The address as the caller wrote it: non-blank, no NUL, no lone surrogates. */
  readonly address: string;
  /** The map's own provider key, in the clear; null where the map has none. Never logged. */
  readonly apiKey: string | null;
  /** Aborted when the caller has gone or its deadline has passed. */
  readonly signal?: AbortSignal;
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
   *   refuses the key, `RATE_LIMITED` over its quota, `GEOCODER_UNAVAILABLE` when it timed out or failed.
   */
  geocode(query: GeocodingQuery): Promise<GeocodingResult>;
}
