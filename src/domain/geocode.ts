/** A cached result of a geocoding provider, kept for as long as the provider's terms allow. */

export interface StoredPlace {
  readonly placeId: string;
  /** Degrees, exactly as the provider returned them. */
  readonly latitude: number;
  readonly longitude: number;
  /** A `GeocodingPrecision`. Entries with other values are ignored. */
  readonly precision: string;
  /** The provider's spelling of the address; null if it gives none or its terms forbid keeping it. */
  readonly label?: string | null;
  /** Whether another place has the same precision. */
  readonly isAmbiguous?: boolean;
}

export interface StoredGeocode {
  /** 43 characters of base64url: a hash of provider, scope and normalised address, which it does not reveal. */
  readonly key: string;
  /** A remote provider's name, e.g. `nominatim`. */
  readonly provider: string;
  /**
   * The only map that may use the entry, and with which it is deleted; null for all maps.
   */
  readonly mapId: string | null;
  /** Null if the provider does not know the address. */
  readonly place: StoredPlace | null;
  /** Milliseconds since the epoch. */
  readonly storedAt: number;
  /**
   * From then on it must not be used, and is deleted. Milliseconds since the epoch; null for never.
   */
  readonly expiresAt: number | null;
}
