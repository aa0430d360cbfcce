/** What a geocoding provider said of an address, as it is kept for as long as the provider's terms allow. */

export interface StoredPlace {
  readonly placeId: string;
  /** Degrees, exactly as the provider gave them. */
  readonly latitude: number;
  readonly longitude: number;
  /** A `GeocodingPrecision`; an entry with anything else counts as none. */
  readonly precision: string;
}

export interface StoredGeocode {
  /** 43 characters of base64url: stands for provider, scope and normalised address, and tells nothing of them. */
  readonly key: string;
  /** `google`, `nominatim` or `mapbox`. */
  readonly provider: string;
  /** The only map it may be used for, to be removed with the map; null where it is nobody's own. */
  readonly mapId: string | null;
  /** Null: the provider knows no such address. */
  readonly place: StoredPlace | null;
  /** Milliseconds since the epoch. */
  readonly storedAt: number;
  /** From then on it must not be given, and is to be removed; milliseconds since the epoch, null is without limit. */
  readonly expiresAt: number | null;
}
