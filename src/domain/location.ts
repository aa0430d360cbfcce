/** A stored location. */

import type { JsonObject } from './json/json.ts';
import type { OrderedSortKey } from './list/list-end.ts';

export interface LocationGeocoding {
  /** The geocoder that found it, e.g. `offline`. */
  readonly provider: string;
  /** `rooftop`, `interpolated`, `street`, `locality` or `region`. */
  readonly precision: string;
  /** The geocoder's spelling of the address; null if it has none, or its terms forbid storing it. */
  readonly label: string | null;
  /** Whether another place of the same precision was found more than a kilometre away. */
  readonly isAmbiguous: boolean;
  /** Whether a person has set or confirmed the point. */
  readonly isChecked: boolean;
}

export interface NewLocation {
  readonly id: string;
  readonly mapId: string;
  readonly name: string;
  readonly placeId: string;
  /** Degrees, WGS 84, exactly as the geocoder returned them. */
  readonly latitude: number;
  readonly longitude: number;
  /** All fields, unchanged. */
  readonly properties: JsonObject;
  /** The caller's own id, unique in the map. */
  readonly externalId: string | null;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly geocoding: LocationGeocoding;
}

export interface LocationRecord extends NewLocation, OrderedSortKey {
  /** Starts at 1 and increases with every change. */
  readonly version: number;
  /** Milliseconds since the epoch; initially the time of creation. */
  readonly updatedAt: number;
  /** Other views than the owner's have other types (public-view.ts). */
  readonly view?: never;
}

/** A new location with its position in the list. */
export function createdLocation(
  {
    id,
    mapId,
    name,
    placeId,
    latitude,
    longitude,
    properties,
    externalId,
    createdAt,
    geocoding,
  }: NewLocation,
  { order, orderKey, sequence }: OrderedSortKey,
): LocationRecord {
  return {
    id,
    mapId,
    name,
    placeId,
    latitude,
    longitude,
    properties,
    externalId,
    version: 1,
    createdAt,
    updatedAt: createdAt,
    geocoding,
    order,
    orderKey,
    sequence,
  };
}
