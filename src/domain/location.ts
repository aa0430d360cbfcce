/** A location as it is stored. */

import type { JsonObject } from './json/json.ts';
import type { OrderedSortKey } from './list/list-end.ts';

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
  /** The caller's own id, unique in the map. */
  readonly externalId: string | null;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly geocoding: LocationGeocoding;
}

export interface LocationRecord extends NewLocation, OrderedSortKey {
  /** 1 when it is created, one more with every change. */
  readonly version: number;
  /** Milliseconds since the epoch; the time of creation at first. */
  readonly updatedAt: number;
  /** A location in another view than its owner's is of another type (public-view.ts). */
  readonly view?: never;
}

/** A new location at its place in the list. */
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
