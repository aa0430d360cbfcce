/** A geocoding provider's answer for an address, as it is kept for as long as the provider's terms allow. */

export interface StoredPlace {
  readonly placeId: string;
  /** Degrees, exactly as the provider gave them. */
  readonly latitude: number;
  readonly longitude: number;
  /** A `GeocodingPrecision`. An entry with any other value is ignored. */
  readonly precision: string;
}

export interface StoredGeocode {
  /** 43 characters of base64url: a hash of provider, scope and normalised address. It does not reveal them. */
  readonly key: string;
  /** A remote provider's name, e.g. `nominatim`. */
  readonly provider: string;
  /**
   * The only map that the entry may be used for, and with which it is removed; null when it is not limited to a map.
   */
  readonly mapId: string | null;
  /** Null when the provider knows no such address. */
  readonly place: StoredPlace | null;
  /** Milliseconds since the epoch. */
  readonly storedAt: number;
  /**
   * The end of its use: from then on it must not be given, and is to be removed. Milliseconds since the epoch; null is
   * without limit.
   */
  readonly expiresAt: number | null;
}
