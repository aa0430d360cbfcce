/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
/** A box in degrees. One whose west is greater than its east crosses the antimeridian. */
export type BboxInput = {
  /** Degrees from -180 to 180. */
  east: number;
  /** From -90 to 90, not less than `south`. */
  north: number;
  /** Degrees from -90 to 90. */
  south: number;
  /** Degrees from -180 to 180. */
  west: number;
};

/** A new location. */
export type CreateLocationInput = {
  /** Your own identifier of the location, unique in its map: 1 to 255 characters. One that is in use is `CONFLICT`. */
  externalId?: string | null | undefined;
  /** All data of the location; the map's name field and address field are required. */
  fields: Record<string, unknown>;
  /**
   * 1 to 255 printable ASCII characters: the same key with the same content gets the first answer again for 24 hours,
   * and stores nothing.
   */
  idempotencyKey?: string | null | undefined;
  /** The identifier of the location's map. */
  mapId: string;
  /**
   * The rank in the list, 1 to 256 characters: a decimal number sorts by value, any other text after all numbers. By
   * default the location goes to the end.
   */
  order?: string | null | undefined;
  /** The point itself, where it is known: then no geocoder is asked. The address field is required all the same. */
  position?: PositionInput | null | undefined;
};

/** The location to delete. */
export type DeleteLocationInput = {
  /** The location's identifier. */
  id: string;
  /** The identifier of the location's map. */
  mapId: string;
};

/** The direction of an order. */
export type Direction =
  /** The smallest, the earliest or the first in the alphabet comes first. */
  | 'asc'
  /** The largest, the latest or the last in the alphabet comes first. */
  | 'desc';

/** What becomes of the fields that a location has. */
export type FieldsMode =
  /** Those that are not passed stay. */
  | 'merge'
  /** Those that are not passed go. */
  | 'replace';

/** How exactly a point stands for an address. */
export type GeocodingPrecision =
  /** Worked out between two known house numbers. */
  | 'interpolated'
  /** The town. */
  | 'locality'
  /** A region larger than a town. */
  | 'region'
  /** The building itself. */
  | 'rooftop'
  /** The street. */
  | 'street';

/** What has happened to a location. */
export type LocationChangeKind =
  /** It was created. */
  | 'created'
  /** It was deleted. */
  | 'deleted'
  /** Its order is another, and nothing else. */
  | 'moved'
  /** Nothing to a location: what came before is not told. Read the map now, and apply what follows. */
  | 'resync'
  /** Its fields, its point or its external id are others. */
  | 'updated';

/** Which locations to find. What is given beside one another must all hold; `{}` lets everything through. */
export type LocationFilter = {
  /** All of these must hold. */
  and?: Array<LocationFilter> | null | undefined;
  /** In a box, its edges included. */
  bbox?: BboxInput | null | undefined;
  /** The time of creation. */
  createdAt?: TimeRange | null | undefined;
  /** These external identifiers, 1 to 1,000. */
  externalIds?: Array<string> | null | undefined;
  /** These identifiers, 1 to 1,000. */
  ids?: Array<string> | null | undefined;
  /** Near a point. */
  near?: NearInput | null | undefined;
  /** This must not hold. */
  not?: LocationFilter | null | undefined;
  /** One of these must hold. */
  or?: Array<LocationFilter> | null | undefined;
  /**
   * In a GeoJSON Polygon or MultiPolygon of at most 1,000 positions, its edges included and its holes not. Edges are
   * straight lines in longitude and latitude.
   */
  polygon?: Record<string, unknown> | null | undefined;
  /** A property's value. */
  property?: PropertyFilter | null | undefined;
  /**
   * Words, or their beginnings, of the name or of the texts in `properties`, without regard to case, accents and the
   * apostrophes between letters: 1 to 256 characters, at most 10 words.
   */
  search?: string | null | undefined;
  /** The time of the last change. */
  updatedAt?: TimeRange | null | undefined;
};

/** What locations are ordered by. */
export type LocationOrderBy =
  /** The time of creation. */
  | 'createdAt'
  /** The distance from the point of the filter's one `near`. */
  | 'distance'
  /** The map's list: `order`, then creation. */
  | 'list'
  /** Their names: without regard to case and accents, then by code point. */
  | 'name'
  /** A property's value: numbers, then days and times, then texts. What has none comes last, in both directions. */
  | 'property'
  /** The time of the last change. */
  | 'updatedAt';

/** In which order to find locations. Whatever is equal follows the map's list. */
export type LocationOrderInput = {
  /** What is compared. */
  by: LocationOrderBy;
  /** The direction, ascending by default. */
  direction?: Direction | null | undefined;
  /** The property's name, by `property` alone. */
  property?: string | null | undefined;
};

/** Locations of one map and their new place: exactly one of `before`, `after`, `toStart` and `toEnd`. */
export type MoveLocationsInput = {
  /** The location to stand after; none of `ids`. */
  after?: string | null | undefined;
  /** The location to stand before; none of `ids`. */
  before?: string | null | undefined;
  /** The locations' identifiers, 1 to 1,000 and all different, in their new sequence. */
  ids: Array<string>;
  /** The identifier of the locations' map. */
  mapId: string;
  /** True: to the end of the list. */
  toEnd?: boolean | null | undefined;
  /** True: to the start of the list. */
  toStart?: boolean | null | undefined;
};

/** A circle on the globe. */
export type NearInput = {
  /** Degrees north of the equator, -90 to 90. */
  latitude: number;
  /** Degrees east of Greenwich, -180 to 180. */
  longitude: number;
  /** Metres, 0 to 20,037,509; the edge is inside. */
  radius: number;
};

/** A point that the caller knows. */
export type PositionInput = {
  /** Degrees north of the equator, -90 to 90. */
  latitude: number;
  /** Degrees east of Greenwich, -180 to 180. */
  longitude: number;
  /** Your own identifier of the place; by default `point:` and the coordinates. */
  placeId?: string | null | undefined;
};

/**
 * What a property must be: `eq`, `in`, `prefix` or `exists` alone, or `from`, `to` or both. In a field of type `number` a
 * string that is a decimal counts as that number.
 */
export type PropertyFilter = {
  /** A string, a number, a boolean or null: the same type and value. */
  eq?: unknown;
  /** Whether the key is there with something that is neither null nor an empty string. */
  exists?: boolean | null | undefined;
  /** At least this: a number, a string, or in a field of type `date` a day or a time. */
  from?: unknown;
  /** One of 1 to 100 values, each as `eq`. */
  in?: Array<unknown> | null | undefined;
  /** The key in `properties`. */
  name: string;
  /** The beginning of a string, without regard to case and accents. */
  prefix?: string | null | undefined;
  /** At most this, as `from`. A day stands for all of it, in UTC. */
  to?: unknown;
};

/** A range of times, its ends included. */
export type TimeRange = {
  /** The earliest. */
  from?: string | null | undefined;
  /** The latest. */
  to?: string | null | undefined;
};

/** Changes to a location. */
export type UpdateLocationInput = {
  /** Your own identifier of the location, unique in its map; null removes it. */
  externalId?: string | null | undefined;
  /** New values, each whole. Where the address changes, it is geocoded anew. */
  fields?: Record<string, unknown> | null | undefined;
  /** Whether `fields` is merged into what is there, key by key (`merge`, the default), or takes its place (`replace`). */
  fieldsMode?: FieldsMode | null | undefined;
  /** The location's identifier. */
  id: string;
  /** Changes nothing but this version of the location. Another one is `CONFLICT` with `extensions.currentVersion`. */
  ifVersion?: number | null | undefined;
  /** The identifier of the location's map. */
  mapId: string;
  /** The new rank in the list, as for `createLocation`. */
  order?: string | null | undefined;
  /** The point itself. Null has the address geocoded anew. */
  position?: PositionInput | null | undefined;
  /** Keys to remove from the fields. */
  unset?: Array<string> | null | undefined;
};

export type LocationFragment = { id: string, name: string, placeId: string, latitude: number, longitude: number, properties: Record<string, unknown>, order: string, externalId: string | null, version: number, createdAt: string, updatedAt: string, geocoding: { provider: string, precision: GeocodingPrecision } };

export type LocationsQueryVariables = Exact<{
  mapId: string;
  filter?: LocationFilter | null | undefined;
  orderBy?: LocationOrderInput | null | undefined;
  after?: string | null | undefined;
}>;


export type LocationsQuery = { map: { locations: { nodes: Array<{ id: string, name: string, placeId: string, latitude: number, longitude: number, properties: Record<string, unknown>, order: string, externalId: string | null, version: number, createdAt: string, updatedAt: string, geocoding: { provider: string, precision: GeocodingPrecision } }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null } | null };

export type CreateMutationVariables = Exact<{
  input: CreateLocationInput;
}>;


export type CreateMutation = { createLocation: { location: { id: string, name: string, placeId: string, latitude: number, longitude: number, properties: Record<string, unknown>, order: string, externalId: string | null, version: number, createdAt: string, updatedAt: string, geocoding: { provider: string, precision: GeocodingPrecision } } } | null };

export type UpdateMutationVariables = Exact<{
  input: UpdateLocationInput;
}>;


export type UpdateMutation = { updateLocation: { location: { id: string, name: string, placeId: string, latitude: number, longitude: number, properties: Record<string, unknown>, order: string, externalId: string | null, version: number, createdAt: string, updatedAt: string, geocoding: { provider: string, precision: GeocodingPrecision } } } | null };

export type MoveMutationVariables = Exact<{
  input: MoveLocationsInput;
}>;


export type MoveMutation = { moveLocations: { locations: Array<{ id: string, name: string, placeId: string, latitude: number, longitude: number, properties: Record<string, unknown>, order: string, externalId: string | null, version: number, createdAt: string, updatedAt: string, geocoding: { provider: string, precision: GeocodingPrecision } }> } | null };

export type DeleteMutationVariables = Exact<{
  input: DeleteLocationInput;
}>;


export type DeleteMutation = { deleteLocation: { location: { id: string, name: string, placeId: string, latitude: number, longitude: number, properties: Record<string, unknown>, order: string, externalId: string | null, version: number, createdAt: string, updatedAt: string, geocoding: { provider: string, precision: GeocodingPrecision } } } | null };

export type ChangesSubscriptionVariables = Exact<{
  mapId: string;
  since?: string | null | undefined;
}>;


export type ChangesSubscription = { locationChanges: { cursor: string, kind: LocationChangeKind, locationId: string | null, location: { id: string, name: string, placeId: string, latitude: number, longitude: number, properties: Record<string, unknown>, order: string, externalId: string | null, version: number, createdAt: string, updatedAt: string, geocoding: { provider: string, precision: GeocodingPrecision } } | null } };
