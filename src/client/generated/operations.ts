/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
/** A box in degrees. If west is greater than east, it crosses the antimeridian. */
export type BboxInput = {
  /** Degrees from -180 to 180. */
  east: number;
  /** Degrees from -90 to 90, at least `south`. */
  north: number;
  /** Degrees from -90 to 90. */
  south: number;
  /** Degrees from -180 to 180. */
  west: number;
};

/** A new location. */
export type CreateLocationInput = {
  /** Your own identifier of the location, unique in its map: 1 to 255 characters. One in use is `CONFLICT`. */
  externalId?: string | null | undefined;
  /** All fields of the location; the map's name and address fields are required. */
  fields: Record<string, unknown>;
  /**
   * 1 to 255 printable ASCII characters. For 24 hours the same key with the same content returns the first response
   * again and stores nothing.
   */
  idempotencyKey?: string | null | undefined;
  /** The identifier of the location's map. */
  mapId: string;
  /**
   * The sort key in the list, 1 to 256 characters: decimal numbers sort by value, any other text after all numbers. By
   * default the location is appended.
   */
  order?: string | null | undefined;
  /** The coordinates, if known: no geocoder is called. The address field is still required. */
  position?: PositionInput | null | undefined;
};

/** The location to delete. */
export type DeleteLocationInput = {
  /** The location's identifier. */
  id: string;
  /**
   * 1 to 255 printable ASCII characters, for the whole call. For 24 hours the same key with the same content returns the
   * same location and writes nothing again; with other content it is `CONFLICT`. A call that fails without writing
   * anything frees its key. `OVERLOADED`: the call is under way.
   */
  idempotencyKey?: string | null | undefined;
  /** The identifier of the location's map. */
  mapId: string;
};

/** A sort direction. */
export type Direction =
  /** Ascending: smallest, earliest or alphabetically first. */
  | 'asc'
  /** Descending: largest, latest or alphabetically last. */
  | 'desc';

/** What happens to existing fields. */
export type FieldsMode =
  /** Keep fields that are not passed. */
  | 'merge'
  /** Remove fields that are not passed. */
  | 'replace';

/** Conditions on how an address was geocoded: at least one. All of them must hold. */
export type GeocodingFilter = {
  /** Whether the geocoder found another place of the same precision more than a kilometre away. */
  isAmbiguous?: boolean | null | undefined;
  /** Whether a person has set the point or confirmed it. */
  isChecked?: boolean | null | undefined;
  /** One of these precisions. */
  precision?: Array<GeocodingPrecision> | null | undefined;
  /** One of these geocoders, 1 to 100; `manual` for points that the caller passed. */
  provider?: Array<string> | null | undefined;
};

/** How precisely coordinates match an address. */
export type GeocodingPrecision =
  /** Interpolated between two known house numbers. */
  | 'interpolated'
  /** The town. */
  | 'locality'
  /** A region larger than a town. */
  | 'region'
  /** The building itself. */
  | 'rooftop'
  /** The street. */
  | 'street';

/** Kinds of changes. */
export type LocationChangeKind =
  /** A location was created. */
  | 'created'
  /** A location was deleted. */
  | 'deleted'
  /** Only its order changed. */
  | 'moved'
  /** Earlier changes are not sent. Read the map now, then apply the events that follow. */
  | 'resync'
  /** Its fields, coordinates or external id changed. */
  | 'updated';

/** Which locations to find. Conditions are combined with AND; `{}` matches every location. */
export type LocationFilter = {
  /** All of these must match. */
  and?: Array<LocationFilter> | null | undefined;
  /** In a box, including its edges. */
  bbox?: BboxInput | null | undefined;
  /** The time of creation. */
  createdAt?: TimeRange | null | undefined;
  /** One of these external identifiers, 1 to 1,000. */
  externalIds?: Array<string> | null | undefined;
  /** How the address was geocoded. */
  geocoding?: GeocodingFilter | null | undefined;
  /** One of these identifiers, 1 to 1,000. */
  ids?: Array<string> | null | undefined;
  /** Near a point. */
  near?: NearInput | null | undefined;
  /** This must not match. */
  not?: LocationFilter | null | undefined;
  /** At least one of these must match. */
  or?: Array<LocationFilter> | null | undefined;
  /**
   * In a GeoJSON Polygon or MultiPolygon of at most 1,000 positions, including its edges and excluding its holes. Edges
   * are straight lines in longitude and latitude.
   */
  polygon?: Record<string, unknown> | null | undefined;
  /** A property's value. */
  property?: PropertyFilter | null | undefined;
  /**
   * Words of the name or of texts in `properties`, or prefixes of them, ignoring case, accents and apostrophes between
   * letters: 1 to 256 characters, at most 10 words.
   */
  search?: string | null | undefined;
  /** The time of the last change. */
  updatedAt?: TimeRange | null | undefined;
};

/** The values that locations can be ordered by. */
export type LocationOrderBy =
  /** The time of creation. */
  | 'createdAt'
  /** The distance from the point of the filter's `near`; it must have exactly one. */
  | 'distance'
  /** The map's list: `order`, then creation. */
  | 'list'
  /** The name, ignoring case and accents; ties by code point. */
  | 'name'
  /**
   * A property's value: numbers, then days and times, then texts. Locations without the property come last, in both
   * directions.
   */
  | 'property'
  /** The time of the last change. */
  | 'updatedAt';

/** The order of the results. Ties follow the map's list. */
export type LocationOrderInput = {
  /** The value to order by. */
  by: LocationOrderBy;
  /** The direction, ascending by default. */
  direction?: Direction | null | undefined;
  /** The property's name; only with `by: property`. */
  property?: string | null | undefined;
};

/** Locations of one map and their target: exactly one of `before`, `after`, `toStart` and `toEnd`. */
export type MoveLocationsInput = {
  /** Move after this location; not one of `ids`. */
  after?: string | null | undefined;
  /** Move before this location; not one of `ids`. */
  before?: string | null | undefined;
  /**
   * 1 to 255 printable ASCII characters, for the whole call. For 24 hours the same key with the same content returns the
   * locations as they are by then and writes nothing again; with other content it is `CONFLICT`. A call that fails
   * without writing anything frees its key. `OVERLOADED`: the call is under way.
   */
  idempotencyKey?: string | null | undefined;
  /** The locations' identifiers, 1 to 1,000, unique, in their new sequence. */
  ids: Array<string>;
  /** The identifier of the locations' map. */
  mapId: string;
  /** If true, move to the end of the list. */
  toEnd?: boolean | null | undefined;
  /** If true, move to the start of the list. */
  toStart?: boolean | null | undefined;
};

/** A circle on the globe. */
export type NearInput = {
  /** Degrees north of the equator, -90 to 90. */
  latitude: number;
  /** Degrees east of Greenwich, -180 to 180. */
  longitude: number;
  /** Metres, 0 to 20,037,509, inclusive. */
  radius: number;
};

/** Known coordinates. */
export type PositionInput = {
  /** Degrees north of the equator, -90 to 90. */
  latitude: number;
  /** Degrees east of Greenwich, -180 to 180. */
  longitude: number;
  /** Your own identifier of the place; by default `point:` and the coordinates. */
  placeId?: string | null | undefined;
};

/**
 * A condition on a property: one of `eq`, `in`, `prefix`, `exists` and `openAt`, or `from`, `to` or both. In fields of
 * type `number`, decimal strings count as numbers.
 */
export type PropertyFilter = {
  /** Equal to this string, number, boolean or null, in type and value. */
  eq?: unknown;
  /** Whether the property exists and is neither null nor an empty string. */
  exists?: boolean | null | undefined;
  /** At least this: a number, a string, or in fields of type `date` a day or a time. */
  from?: unknown;
  /** Equal to one of 1 to 100 values, as for `eq`. */
  in?: Array<unknown> | null | undefined;
  /** The key in `properties`. */
  name: string;
  /**
   * In a field of type `openingHours`: a time at which the place is open, by the clock of the map's `timeZone`. Texts
   * that are no opening hours, and all locations of maps without a time zone, do not match.
   */
  openAt?: string | null | undefined;
  /** Starts with this text, ignoring case and accents. */
  prefix?: string | null | undefined;
  /** At most this, as for `from`. A day includes all of it, in UTC. */
  to?: unknown;
};

/** A range of times, inclusive. */
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
  /** New values; each replaces the old one entirely. A changed address is geocoded again. */
  fields?: Record<string, unknown> | null | undefined;
  /** Whether `fields` is merged into the existing fields by key (`merge`, the default) or replaces them (`replace`). */
  fieldsMode?: FieldsMode | null | undefined;
  /** The location's identifier. */
  id: string;
  /**
   * 1 to 255 printable ASCII characters, for the whole call. For 24 hours the same key with the same content returns the
   * same location and writes nothing again; with other content it is `CONFLICT`. A call that fails without writing
   * anything frees its key. `OVERLOADED`: the call is under way.
   */
  idempotencyKey?: string | null | undefined;
  /** The expected version. If the location has another one, the error is `CONFLICT` with `extensions.currentVersion`. */
  ifVersion?: number | null | undefined;
  /** The identifier of the location's map. */
  mapId: string;
  /** The new sort key in the list, as for `createLocation`. */
  order?: string | null | undefined;
  /** The coordinates. Null geocodes the address again. */
  position?: PositionInput | null | undefined;
  /** Keys to remove from the fields. */
  unset?: Array<string> | null | undefined;
};

export type LocationFragment = { id: string, name: string, placeId: string, latitude: number, longitude: number, properties: Record<string, unknown>, order: string, externalId: string | null, version: number, createdAt: string, updatedAt: string, geocoding: { provider: string, precision: GeocodingPrecision, label: string | null, isAmbiguous: boolean, isChecked: boolean } };

export type LocationsQueryVariables = Exact<{
  mapId: string;
  filter?: LocationFilter | null | undefined;
  orderBy?: LocationOrderInput | null | undefined;
  after?: string | null | undefined;
}>;


export type LocationsQuery = { map: { locations: { nodes: Array<{ id: string, name: string, placeId: string, latitude: number, longitude: number, properties: Record<string, unknown>, order: string, externalId: string | null, version: number, createdAt: string, updatedAt: string, geocoding: { provider: string, precision: GeocodingPrecision, label: string | null, isAmbiguous: boolean, isChecked: boolean } }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null } | null };

export type CreateMutationVariables = Exact<{
  input: CreateLocationInput;
}>;


export type CreateMutation = { createLocation: { location: { id: string, name: string, placeId: string, latitude: number, longitude: number, properties: Record<string, unknown>, order: string, externalId: string | null, version: number, createdAt: string, updatedAt: string, geocoding: { provider: string, precision: GeocodingPrecision, label: string | null, isAmbiguous: boolean, isChecked: boolean } } } | null };

export type UpdateMutationVariables = Exact<{
  input: UpdateLocationInput;
}>;


export type UpdateMutation = { updateLocation: { location: { id: string, name: string, placeId: string, latitude: number, longitude: number, properties: Record<string, unknown>, order: string, externalId: string | null, version: number, createdAt: string, updatedAt: string, geocoding: { provider: string, precision: GeocodingPrecision, label: string | null, isAmbiguous: boolean, isChecked: boolean } } } | null };

export type MoveMutationVariables = Exact<{
  input: MoveLocationsInput;
}>;


export type MoveMutation = { moveLocations: { locations: Array<{ id: string, name: string, placeId: string, latitude: number, longitude: number, properties: Record<string, unknown>, order: string, externalId: string | null, version: number, createdAt: string, updatedAt: string, geocoding: { provider: string, precision: GeocodingPrecision, label: string | null, isAmbiguous: boolean, isChecked: boolean } }> } | null };

export type DeleteMutationVariables = Exact<{
  input: DeleteLocationInput;
}>;


export type DeleteMutation = { deleteLocation: { location: { id: string, name: string, placeId: string, latitude: number, longitude: number, properties: Record<string, unknown>, order: string, externalId: string | null, version: number, createdAt: string, updatedAt: string, geocoding: { provider: string, precision: GeocodingPrecision, label: string | null, isAmbiguous: boolean, isChecked: boolean } } } | null };

export type ChangesSubscriptionVariables = Exact<{
  mapId: string;
  since?: string | null | undefined;
}>;


export type ChangesSubscription = { locationChanges: { cursor: string, kind: LocationChangeKind, locationId: string | null, location: { id: string, name: string, placeId: string, latitude: number, longitude: number, properties: Record<string, unknown>, order: string, externalId: string | null, version: number, createdAt: string, updatedAt: string, geocoding: { provider: string, precision: GeocodingPrecision, label: string | null, isAmbiguous: boolean, isChecked: boolean } } | null } };
