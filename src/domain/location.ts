/** A location as it is stored. */

import type { JsonObject } from './json.ts';
import type { SortKey } from './sort-key.ts';

export interface LocationGeocoding {
  /** The geocoder that answered, e.g. `offline`. */
  readonly provider: string;
  /** `rooftop`, `interpolated`, `street`, `locality` or `region`. */
  readonly precision: string;
}

export interface NewLocation {
  readonly id: string;
  readonly mapId: string;
  readonly name: string;
  readonly placeId: string;
  /** Degrees, WGS 84, exactly as the geocoder gave them. */
  readonly latitude: number;
  readonly longitude: number;
  /** All fields as passed. */
  readonly properties: JsonObject;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly geocoding: LocationGeocoding;
}

export interface LocationRecord extends NewLocation, SortKey {
  /** As the caller wrote it, or as it was chosen when the location was appended. */
  readonly order: string;
}
