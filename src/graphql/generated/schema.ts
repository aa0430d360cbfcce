import type { JsonObject } from '../../domain/json.ts';
import type { GraphQLResolveInfo, GraphQLScalarType, GraphQLScalarTypeConfig } from 'graphql';
import type { Caller } from '../../services/caller.ts';
import type { OwnToken } from '../../services/tokens/own-tokens.ts';
import type { MapView, LocationView } from '../../domain/public-view.ts';
import type { FieldDefinition } from '../../domain/map.ts';
import type { LocationPage, ClusterSource, LocationEdgeSource, MapPage, MapEdgeSource, PageInfoSource, CreateLocationsResultSource, UpsertLocationsResultSource, NodeSource, LocationChangeSource } from '../source-types.ts';
import type { Box } from '../../domain/filter/box.ts';
import type { ShownWebhook } from '../../services/webhooks/webhook-service.ts';
import type { RequestContext } from '../context.ts';
export type Maybe<T> = T | null;
export type InputMaybe<T> = Maybe<T>;
export type Omit<T, K extends keyof T> = Pick<T, Exclude<keyof T, K>>;
export type RequireFields<T, K extends keyof T> = Omit<T, K> & { [P in K]-?: NonNullable<T[P]> };
/** All built-in and custom scalars, mapped to their actual values */
export type Scalars = {
  ID: { input: string; output: string; }
  String: { input: string; output: string; }
  Boolean: { input: boolean; output: boolean; }
  Int: { input: number; output: number; }
  Float: { input: number; output: number; }
  /** A date and time in UTC, ISO 8601 with three digits of milliseconds: `2026-01-31T12:00:00.000Z`. */
  DateTime: { input: Date; output: number; }
  /** Any JSON value. */
  JSON: { input: unknown; output: unknown; }
  /** Any JSON object. Keys and values come back exactly as they were passed. */
  JSONObject: { input: JsonObject; output: JsonObject; }
  /** Degrees north of the equator, WGS 84, from -90 to 90; never rounded. */
  Latitude: { input: number; output: number; }
  /** Degrees east of Greenwich, WGS 84, from -180 to 180; never rounded. */
  Longitude: { input: number; output: number; }
};

/** A box in degrees. */
export type Bbox = {
  __typename?: 'Bbox';
  /** Degrees from -180 to 180. */
  east: Scalars['Float']['output'];
  /** Degrees from -90 to 90. */
  north: Scalars['Float']['output'];
  /** Degrees from -90 to 90. */
  south: Scalars['Float']['output'];
  /** Degrees from -180 to 180. */
  west: Scalars['Float']['output'];
};

/** A box in degrees. One whose west is greater than its east crosses the antimeridian. */
export type BboxInput = {
  /** Degrees from -180 to 180. */
  east: Scalars['Float']['input'];
  /** From -90 to 90, not less than `south`. */
  north: Scalars['Float']['input'];
  /** Degrees from -90 to 90. */
  south: Scalars['Float']['input'];
  /** Degrees from -180 to 180. */
  west: Scalars['Float']['input'];
};

/** Locations near one another. */
export type Cluster = {
  __typename?: 'Cluster';
  /** The smallest box around them. */
  bbox: Bbox;
  /** How many locations there are. */
  count: Scalars['Int']['output'];
  /** The mean of the locations' latitudes, degrees. */
  latitude: Scalars['Float']['output'];
  /** The location itself, where it is the only one. */
  location: Maybe<Location>;
  /** The mean of the locations' longitudes, degrees. */
  longitude: Scalars['Float']['output'];
};

/** A new location. */
export type CreateLocationInput = {
  /** Your own identifier of the location, unique in its map: 1 to 255 characters. One that is in use is `CONFLICT`. */
  externalId?: InputMaybe<Scalars['String']['input']>;
  /** All data of the location; the map's name field and address field are required. */
  fields: Scalars['JSONObject']['input'];
  /**
   * 1 to 255 printable ASCII characters: the same key with the same content gets the first answer again for 24 hours,
   * and stores nothing.
   */
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
  /** The identifier of the location's map. */
  mapId: Scalars['ID']['input'];
  /**
   * The rank in the list, 1 to 256 characters: a decimal number sorts by value, any other text after all numbers. By
   * default the location goes to the end.
   */
  order?: InputMaybe<Scalars['String']['input']>;
  /** The point itself, where it is known: then no geocoder is asked. The address field is required all the same. */
  position?: InputMaybe<PositionInput>;
};

/** The location that was created. */
export type CreateLocationPayload = {
  __typename?: 'CreateLocationPayload';
  /** The location's edge in its map's `locations`, for a client's cache. */
  edge: LocationEdge;
  /** The new location. */
  location: Location;
  /** The map it belongs to. */
  map: Map;
};

/** Why a location was not stored. */
export type CreateLocationsError = {
  __typename?: 'CreateLocationsError';
  /** The code, as in `extensions.code` of an error. */
  code: Scalars['String']['output'];
  /** What is wrong, for a person to read. */
  message: Scalars['String']['output'];
};

/** New locations of one map. */
export type CreateLocationsInput = {
  /** Whether only to check: then nothing is stored and no geocoder asked, and a result without an error is good. */
  dryRun?: InputMaybe<Scalars['Boolean']['input']>;
  /** The new locations, 1 to 1,000; those without an order are appended in the order given. */
  locations: Array<CreateLocationsItemInput>;
  /** The identifier of the locations' map. */
  mapId: Scalars['ID']['input'];
};

/** One of several new locations. */
export type CreateLocationsItemInput = {
  /** Your own identifier of the location, as for `createLocation`. */
  externalId?: InputMaybe<Scalars['String']['input']>;
  /** All data of the location; the map's name field and address field are required. */
  fields: Scalars['JSONObject']['input'];
  /** 1 to 255 printable ASCII characters, as for `createLocation`. */
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
  /** The rank in the list; by default the end. */
  order?: InputMaybe<Scalars['String']['input']>;
  /** The point itself, where it is known, as for `createLocation`. */
  position?: InputMaybe<PositionInput>;
};

/** What became of several new locations. */
export type CreateLocationsPayload = {
  __typename?: 'CreateLocationsPayload';
  /** The map they belong to. */
  map: Map;
  /** One result for each location, in the order given. */
  results: Array<CreateLocationsResult>;
};

/** What became of one of several new locations. */
export type CreateLocationsResult = {
  __typename?: 'CreateLocationsResult';
  /** Why it was not stored. */
  error: Maybe<CreateLocationsError>;
  /** The location, where it was stored; null in a dry run. */
  location: Maybe<Location>;
};

/** A new map. */
export type CreateMapInput = {
  /**
   * The field definitions, at most 100, with unique names and one field each for name and address. By default `Name`
   * (placeName) and `Address` (address).
   */
  fields?: InputMaybe<Array<FieldInput>>;
  /** The maps provider's key with which addresses are geocoded. */
  geocodingApiKey?: InputMaybe<Scalars['String']['input']>;
  /** Whether the map is published to the public; false by default. */
  isPublished?: InputMaybe<Scalars['Boolean']['input']>;
  /** The map's name: not blank, at most 256 characters. */
  name: Scalars['String']['input'];
  /** The maps provider's key with which this map is loaded. */
  providerMapApiKey?: InputMaybe<Scalars['String']['input']>;
};

/** The map that was created. */
export type CreateMapPayload = {
  __typename?: 'CreateMapPayload';
  /** The new map. */
  map: Map;
};

/** A new token. */
export type CreateTokenInput = {
  /** When it stops working; without it never. */
  expiresAt?: InputMaybe<Scalars['DateTime']['input']>;
  /** The one map that it opens; without it all maps of its owner. */
  mapId?: InputMaybe<Scalars['ID']['input']>;
  /** What its owner calls it: not blank, at most 128 characters. */
  name?: InputMaybe<Scalars['String']['input']>;
  /** What it may do. */
  scope: TokenScope;
};

/** The token that was made. */
export type CreateTokenPayload = {
  __typename?: 'CreateTokenPayload';
  /** What is sent with requests. It is shown this once. */
  secret: Scalars['String']['output'];
  /** The new token. */
  token: Token;
};

/** A new webhook. */
export type CreateWebhookInput = {
  /** The kinds of changes that it is told of, at least one. */
  events: Array<WebhookEvent>;
  /** The identifier of the map. */
  mapId: Scalars['ID']['input'];
  /** Where messages are sent: an https address without user information, at most 2,048 characters. */
  url: Scalars['String']['input'];
};

/** The webhook that was made. */
export type CreateWebhookPayload = {
  __typename?: 'CreateWebhookPayload';
  /** What its messages are signed with. It is shown this once. */
  secret: Scalars['String']['output'];
  /** The new webhook. */
  webhook: Webhook;
};

/** The location to delete. */
export type DeleteLocationInput = {
  /** The location's identifier. */
  id: Scalars['ID']['input'];
  /** The identifier of the location's map. */
  mapId: Scalars['ID']['input'];
};

/** The location that was deleted. */
export type DeleteLocationPayload = {
  __typename?: 'DeleteLocationPayload';
  /** Its identifier, for a client's cache. */
  deletedId: Scalars['ID']['output'];
  /** The location as it was. */
  location: Location;
  /** The map it belonged to. */
  map: Map;
};

/** The locations to delete. */
export type DeleteLocationsInput = {
  /**
   * Required with a filter: how many locations it lets through. With another number nothing is deleted, and the error is
   * `CONFLICT`.
   */
  expectedCount?: InputMaybe<Scalars['Int']['input']>;
  /** Instead of identifiers: all that the filter lets through. */
  filter?: InputMaybe<LocationFilter>;
  /** The locations' identifiers, 1 to 1,000. Those that are not there are left out. */
  ids?: InputMaybe<Array<Scalars['ID']['input']>>;
  /** The identifier of the locations' map. */
  mapId: Scalars['ID']['input'];
};

/** The locations that were deleted. */
export type DeleteLocationsPayload = {
  __typename?: 'DeleteLocationsPayload';
  /** Their number. */
  deletedCount: Scalars['Int']['output'];
  /** Their identifiers, each once, in the order given, or in that of the list. */
  deletedIds: Array<Scalars['ID']['output']>;
  /** The map they belonged to. */
  map: Map;
};

/** The map to delete. */
export type DeleteMapInput = {
  /** The map's identifier. */
  id: Scalars['ID']['input'];
};

/** The map that was deleted. */
export type DeleteMapPayload = {
  __typename?: 'DeleteMapPayload';
  /** The map as it is now. */
  map: Map;
};

/** The webhook to delete. */
export type DeleteWebhookInput = {
  /** The webhook's identifier. */
  id: Scalars['ID']['input'];
  /** The identifier of the map. */
  mapId: Scalars['ID']['input'];
};

/** The webhook that was deleted. */
export type DeleteWebhookPayload = {
  __typename?: 'DeleteWebhookPayload';
  /** Its identifier. */
  deletedId: Scalars['ID']['output'];
};

/** The direction of an order. */
export type Direction =
  /** The smallest, the earliest or the first in the alphabet comes first. */
  | 'asc'
  /** The largest, the latest or the last in the alphabet comes first. */
  | 'desc';

/** The definition of one field of a map's locations. */
export type Field = {
  __typename?: 'Field';
  /** Whether the public sees the field's values. */
  isPublic: Scalars['Boolean']['output'];
  /** The field's name: a key in a location's `properties`. */
  name: Scalars['String']['output'];
  /** What the field holds. */
  type: FieldType;
};

/** The definition of one field. */
export type FieldInput = {
  /** Whether the public sees the field's values; true by default. */
  isPublic?: InputMaybe<Scalars['Boolean']['input']>;
  /** The field's name, unique in the map: not blank, at most 256 characters. */
  name: Scalars['String']['input'];
  /** What the field holds. */
  type: FieldType;
};

/** What a field holds. */
export type FieldType =
  /** The address that is geocoded. */
  | 'address'
  /** The address of a sound file. */
  | 'audio'
  /** A category. */
  | 'category'
  /** A call to action. */
  | 'cta'
  /** A date. */
  | 'date'
  /** A longer text. */
  | 'description'
  /** The address of a picture. */
  | 'image_link'
  /** A number. */
  | 'number'
  /** A telephone number. */
  | 'phone'
  /** The location's name. */
  | 'placeName'
  /** A tag. */
  | 'tag'
  /** Plain text. */
  | 'text'
  /** The address of a website. */
  | 'website';

/** What becomes of the fields that a location has. */
export type FieldsMode =
  /** Those that are not passed stay. */
  | 'merge'
  /** Those that are not passed go. */
  | 'replace';

/** How an address became a point. */
export type Geocoding = {
  __typename?: 'Geocoding';
  /** How exactly the point stands for the address. */
  precision: GeocodingPrecision;
  /** The geocoder that answered, such as `offline`; `manual` where the caller gave the point. */
  provider: Scalars['String']['output'];
};

/** A place that an address may mean. */
export type GeocodingCandidate = {
  __typename?: 'GeocodingCandidate';
  /** The address as the geocoder writes it; null where it gives none, or its terms do not let it be kept. */
  formattedAddress: Maybe<Scalars['String']['output']>;
  /** Degrees north of the equator. */
  latitude: Scalars['Latitude']['output'];
  /** Degrees east of Greenwich. */
  longitude: Scalars['Longitude']['output'];
  /** The geocoder's identifier of the place. */
  placeId: Scalars['String']['output'];
  /** How exactly the point stands for the address. */
  precision: GeocodingPrecision;
  /** The geocoder that answered, such as `offline`. */
  provider: Scalars['String']['output'];
};

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

/** Coordinates as strings that hold plain decimal numbers, the shortest that read back as the same doubles. */
export type LatLngLiteral = {
  __typename?: 'LatLngLiteral';
  /** Degrees north of the equator. */
  lat: Scalars['String']['output'];
  /** Degrees east of Greenwich. */
  lng: Scalars['String']['output'];
};

/**
 * A location on a map. In the public view of its map it has no external id, and only the properties that are public fields;
 * all else is public.
 */
export type Location = Node & {
  __typename?: 'Location';
  /** When the location was created. */
  createdAt: Scalars['DateTime']['output'];
  /** Your own identifier of the location, unique in its map. Null in the public view. */
  externalId: Maybe<Scalars['String']['output']>;
  /** How the address became a point. */
  geocoding: Geocoding;
  /** The location's identifier. */
  id: Scalars['ID']['output'];
  /** The coordinates as /v0 gives them: decimals in strings. */
  latLngLiteral: LatLngLiteral;
  /** Degrees north of the equator. */
  latitude: Scalars['Latitude']['output'];
  /** Degrees east of Greenwich. */
  longitude: Scalars['Longitude']['output'];
  /** The map that the location belongs to. */
  map: Map;
  /** The location's name: the value of the map's name field. */
  name: Scalars['String']['output'];
  /** The location's rank in the map's list: a decimal number sorts by value, any other text after all numbers. */
  order: Scalars['String']['output'];
  /** The geocoder's identifier of the place. */
  placeId: Scalars['String']['output'];
  /** All fields of the location as they were passed; in the public view the values of the public fields. */
  properties: Scalars['JSONObject']['output'];
  /** When it was changed last; the time of its creation at first. */
  updatedAt: Scalars['DateTime']['output'];
  /** 1 when it was created, one more with every change: of fields, point, order or external id. */
  version: Scalars['Int']['output'];
};

/** One change of a map's locations, or the advice to read the map anew. */
export type LocationChange = {
  __typename?: 'LocationChange';
  /** Its place in the map's log of changes. A subscription goes on from there with it as `since`. */
  cursor: Scalars['String']['output'];
  /** What has happened. */
  kind: LocationChangeKind;
  /**
   * The location as it stands when this is sent, which may be later than the change; null once it is deleted, and in a
   * `resync`.
   */
  location: Maybe<Location>;
  /** The location's identifier; null only in a `resync`. */
  locationId: Maybe<Scalars['ID']['output']>;
};

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

/** A page of a map's locations. */
export type LocationConnection = {
  __typename?: 'LocationConnection';
  /** The page's locations, each with its cursor. */
  edges: Array<LocationEdge>;
  /**
   * The `order` of the first location after the page, null where the page is the last: what /v0's `offset` takes. Null as
   * well with a filter or an order.
   */
  nextOrder: Maybe<Scalars['String']['output']>;
  /** The page's locations. */
  nodes: Array<Location>;
  /** Where the page stands. */
  pageInfo: PageInfo;
  /** The number of locations on all pages; counted only when asked for. */
  totalCount: Scalars['Int']['output'];
};

/** A location in a connection. */
export type LocationEdge = {
  __typename?: 'LocationEdge';
  /** A cursor: the page after it begins behind this location. It stays good when the location is deleted. */
  cursor: Scalars['String']['output'];
  /** Metres from the point of the filter's one `near`; null where the filter has none that always holds, or several. */
  distance: Maybe<Scalars['Float']['output']>;
  /** The location. */
  node: Location;
};

/** Which locations to find. What is given beside one another must all hold; `{}` lets everything through. */
export type LocationFilter = {
  /** All of these must hold. */
  and?: InputMaybe<Array<LocationFilter>>;
  /** In a box, its edges included. */
  bbox?: InputMaybe<BboxInput>;
  /** The time of creation. */
  createdAt?: InputMaybe<TimeRange>;
  /** These external identifiers, 1 to 1,000. */
  externalIds?: InputMaybe<Array<Scalars['String']['input']>>;
  /** These identifiers, 1 to 1,000. */
  ids?: InputMaybe<Array<Scalars['ID']['input']>>;
  /** Near a point. */
  near?: InputMaybe<NearInput>;
  /** This must not hold. */
  not?: InputMaybe<LocationFilter>;
  /** One of these must hold. */
  or?: InputMaybe<Array<LocationFilter>>;
  /**
   * In a GeoJSON Polygon or MultiPolygon of at most 1,000 positions, its edges included and its holes not. Edges are
   * straight lines in longitude and latitude.
   */
  polygon?: InputMaybe<Scalars['JSONObject']['input']>;
  /** A property's value. */
  property?: InputMaybe<PropertyFilter>;
  /**
   * Words, or their beginnings, of the name or of the texts in `properties`, without regard to case, accents and the
   * apostrophes between letters: 1 to 256 characters, at most 10 words.
   */
  search?: InputMaybe<Scalars['String']['input']>;
  /** The time of the last change. */
  updatedAt?: InputMaybe<TimeRange>;
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
  direction?: InputMaybe<Direction>;
  /** The property's name, by `property` alone. */
  property?: InputMaybe<Scalars['String']['input']>;
};

/**
 * A map: a list of locations, and the definition of the fields that its locations have.
 *
 * Through `publicMap`, a map and all that is reached through it is in the public view: it has no keys, and the public fields
 * alone. Filters and orders on any other property are `BAD_USER_INPUT`, and `search` looks at the names and the public fields.
 */
export type Map = Node & {
  __typename?: 'Map';
  /**
   * The map's locations in a box, those near one another together: one cluster for each cell of a grid that touches the box
   * and holds locations, from north to south and then eastwards. More than 2,000 are refused.
   */
  clusters: Maybe<Array<Cluster>>;
  /** When the map was created. */
  createdAt: Scalars['DateTime']['output'];
  /** The definitions of the locations' fields; in the public view those that are public. */
  fields: Array<Field>;
  /**
   * The maps provider's key with which addresses are geocoded: a secret. Null for a token that may only read, and in the
   * public view.
   */
  geocodingApiKey: Maybe<Scalars['String']['output']>;
  /** The map's identifier. */
  id: Scalars['ID']['output'];
  /** Whether the map is deleted. A deleted map can be read, deleted again and restored, and nothing else. */
  isDeleted: Scalars['Boolean']['output'];
  /** Whether the map is published to the public. */
  isPublished: Scalars['Boolean']['output'];
  /** One of the map's locations; null with the error `LOCATION_NOT_FOUND` or `MAP_DELETED`. */
  location: Maybe<Location>;
  /**
   * The location at a place of the map's list; null with the error `LOCATION_NOT_FOUND`, beyond the list's end, or
   * `MAP_DELETED`. It takes the longer the farther the place is from both ends of the list. The public finds none.
   */
  locationAt: Maybe<Location>;
  /** The location with that external id; null with the error `LOCATION_NOT_FOUND` or `MAP_DELETED`. The public finds none. */
  locationByExternalId: Maybe<Location>;
  /**
   * The map's locations by `order`: numbers by value, then texts; equal orders in order of creation. Null with the
   * error `MAP_DELETED` where the map is deleted.
   */
  locations: Maybe<LocationConnection>;
  /** The map's name. */
  name: Scalars['String']['output'];
  /**
   * The maps provider's key with which this map is loaded: a secret. Null for a token that may only read, and in the public
   * view.
   */
  providerMapApiKey: Maybe<Scalars['String']['output']>;
  /** When the map was changed last, its locations aside; the time of its creation at first. */
  updatedAt: Scalars['DateTime']['output'];
  /** The map's webhooks, in order of creation. Needs a token that may write; not in the public view. */
  webhooks: Array<Webhook>;
};


/**
 * A map: a list of locations, and the definition of the fields that its locations have.
 *
 * Through `publicMap`, a map and all that is reached through it is in the public view: it has no keys, and the public fields
 * alone. Filters and orders on any other property are `BAD_USER_INPUT`, and `search` looks at the names and the public fields.
 */
export type MapClustersArgs = {
  bbox: BboxInput;
  filter: InputMaybe<LocationFilter>;
  zoom: Scalars['Int']['input'];
};


/**
 * A map: a list of locations, and the definition of the fields that its locations have.
 *
 * Through `publicMap`, a map and all that is reached through it is in the public view: it has no keys, and the public fields
 * alone. Filters and orders on any other property are `BAD_USER_INPUT`, and `search` looks at the names and the public fields.
 */
export type MapLocationArgs = {
  id: Scalars['ID']['input'];
};


/**
 * A map: a list of locations, and the definition of the fields that its locations have.
 *
 * Through `publicMap`, a map and all that is reached through it is in the public view: it has no keys, and the public fields
 * alone. Filters and orders on any other property are `BAD_USER_INPUT`, and `search` looks at the names and the public fields.
 */
export type MapLocationAtArgs = {
  place: Scalars['Int']['input'];
};


/**
 * A map: a list of locations, and the definition of the fields that its locations have.
 *
 * Through `publicMap`, a map and all that is reached through it is in the public view: it has no keys, and the public fields
 * alone. Filters and orders on any other property are `BAD_USER_INPUT`, and `search` looks at the names and the public fields.
 */
export type MapLocationByExternalIdArgs = {
  externalId: Scalars['String']['input'];
};


/**
 * A map: a list of locations, and the definition of the fields that its locations have.
 *
 * Through `publicMap`, a map and all that is reached through it is in the public view: it has no keys, and the public fields
 * alone. Filters and orders on any other property are `BAD_USER_INPUT`, and `search` looks at the names and the public fields.
 */
export type MapLocationsArgs = {
  after: InputMaybe<Scalars['String']['input']>;
  before: InputMaybe<Scalars['String']['input']>;
  filter: InputMaybe<LocationFilter>;
  first: InputMaybe<Scalars['Int']['input']>;
  last: InputMaybe<Scalars['Int']['input']>;
  orderBy: InputMaybe<LocationOrderInput>;
};

/** A page of maps. */
export type MapConnection = {
  __typename?: 'MapConnection';
  /** The page's maps, each with its cursor. */
  edges: Array<MapEdge>;
  /** The page's maps. */
  nodes: Array<Map>;
  /** Where the page stands. */
  pageInfo: PageInfo;
  /** The number of maps on all pages; counted only when asked for. */
  totalCount: Scalars['Int']['output'];
};

/** A map in a connection. */
export type MapEdge = {
  __typename?: 'MapEdge';
  /** A cursor: the page after it begins behind this map. */
  cursor: Scalars['String']['output'];
  /** The map. */
  node: Map;
};

/** Which maps to list. What is given must all hold; null is as if absent. */
export type MapFilter = {
  /** Deleted maps, or those that are not; without it both. */
  isDeleted?: InputMaybe<Scalars['Boolean']['input']>;
  /** Published maps, or those that are not; without it both. */
  isPublished?: InputMaybe<Scalars['Boolean']['input']>;
  /**
   * Words of the map's name, or their beginnings, without regard to case, accents and the apostrophes between letters: 1
   * to 256 characters, 10 words at most.
   */
  search?: InputMaybe<Scalars['String']['input']>;
};

/** What maps are ordered by. */
export type MapOrderBy =
  /** The time of their creation. */
  | 'created'
  /** Their names: without regard to case and accents, then by code point. */
  | 'name'
  /** The time of their last change, that of their locations aside. */
  | 'updated';

/** In which order to list maps. Whatever is equal follows the order of creation, in both directions. */
export type MapOrderInput = {
  /** What is compared. */
  by: MapOrderBy;
  /** The direction, ascending by default. */
  direction?: InputMaybe<Direction>;
};

/** Locations of one map and their new place: exactly one of `before`, `after`, `toStart` and `toEnd`. */
export type MoveLocationsInput = {
  /** The location to stand after; none of `ids`. */
  after?: InputMaybe<Scalars['ID']['input']>;
  /** The location to stand before; none of `ids`. */
  before?: InputMaybe<Scalars['ID']['input']>;
  /** The locations' identifiers, 1 to 1,000 and all different, in their new sequence. */
  ids: Array<Scalars['ID']['input']>;
  /** The identifier of the locations' map. */
  mapId: Scalars['ID']['input'];
  /** True: to the end of the list. */
  toEnd?: InputMaybe<Scalars['Boolean']['input']>;
  /** True: to the start of the list. */
  toStart?: InputMaybe<Scalars['Boolean']['input']>;
};

/** The locations that were moved. */
export type MoveLocationsPayload = {
  __typename?: 'MoveLocationsPayload';
  /** The locations as they are now, in their new sequence. */
  locations: Array<Location>;
  /** The map they belong to. */
  map: Map;
};

/** What can be changed. */
export type Mutation = {
  __typename?: 'Mutation';
  /** Creates a location: its address is geocoded, and it takes the rank that `order` gives, or the end of the list. */
  createLocation: Maybe<CreateLocationPayload>;
  /**
   * Creates 1 to 1,000 locations at once. All good ones are stored, in the order given; each result says what became of
   * its location.
   */
  createLocations: Maybe<CreateLocationsPayload>;
  /** Creates a map. */
  createMap: Maybe<CreateMapPayload>;
  /**
   * Makes a token of the same owner. It needs a token that may write and is not limited to one map; one that expires makes
   * none that lives longer.
   */
  createToken: Maybe<CreateTokenPayload>;
  /** Makes a webhook of a map: changes from now on are sent to it. Each message is signed with its secret. */
  createWebhook: Maybe<CreateWebhookPayload>;
  /** Deletes a location for good. */
  deleteLocation: Maybe<DeleteLocationPayload>;
  /** Deletes locations for good: 1 to 1,000 by their identifiers, or what a filter lets through, 10,000 at most. */
  deleteLocations: Maybe<DeleteLocationsPayload>;
  /** Marks a map as deleted; it can be restored. Deleting it again changes nothing. */
  deleteMap: Maybe<DeleteMapPayload>;
  /** Deletes a webhook for good. */
  deleteWebhook: Maybe<DeleteWebhookPayload>;
  /**
   * Moves 1 to 1,000 locations within their map's list: before or after another one, to its start or to its end. They
   * stand together there, in the order given; nobody else's place in the sequence changes.
   */
  moveLocations: Maybe<MoveLocationsPayload>;
  /** Makes a deleted map usable again, with all its locations. */
  restoreMap: Maybe<RestoreMapPayload>;
  /**
   * Makes a token stop working at its next request, also the token of this request. It needs a token that may write and is
   * not limited to one map. Revoking one again changes nothing.
   */
  revokeToken: Maybe<RevokeTokenPayload>;
  /** Gives a webhook another secret. The old one signs beside it for 24 hours. */
  rotateWebhookSecret: Maybe<RotateWebhookSecretPayload>;
  /** Sends a webhook one message of type `webhook.test` at once, and says what came of it. Nothing else changes. */
  testWebhook: Maybe<TestWebhookPayload>;
  /** Changes a location. What the input leaves out stays as it is; what is as it was already changes nothing. */
  updateLocation: Maybe<UpdateLocationPayload>;
  /** Changes a map. What the input leaves out stays as it is. */
  updateMap: Maybe<UpdateMapPayload>;
  /** Changes a webhook. What the input leaves out stays as it is. */
  updateWebhook: Maybe<UpdateWebhookPayload>;
  /**
   * Creates or changes 1 to 1,000 locations by their external ids. All good ones are written; each result says what became
   * of its location.
   */
  upsertLocations: Maybe<UpsertLocationsPayload>;
};


/** What can be changed. */
export type MutationCreateLocationArgs = {
  input: CreateLocationInput;
};


/** What can be changed. */
export type MutationCreateLocationsArgs = {
  input: CreateLocationsInput;
};


/** What can be changed. */
export type MutationCreateMapArgs = {
  input: CreateMapInput;
};


/** What can be changed. */
export type MutationCreateTokenArgs = {
  input: CreateTokenInput;
};


/** What can be changed. */
export type MutationCreateWebhookArgs = {
  input: CreateWebhookInput;
};


/** What can be changed. */
export type MutationDeleteLocationArgs = {
  input: DeleteLocationInput;
};


/** What can be changed. */
export type MutationDeleteLocationsArgs = {
  input: DeleteLocationsInput;
};


/** What can be changed. */
export type MutationDeleteMapArgs = {
  input: DeleteMapInput;
};


/** What can be changed. */
export type MutationDeleteWebhookArgs = {
  input: DeleteWebhookInput;
};


/** What can be changed. */
export type MutationMoveLocationsArgs = {
  input: MoveLocationsInput;
};


/** What can be changed. */
export type MutationRestoreMapArgs = {
  input: RestoreMapInput;
};


/** What can be changed. */
export type MutationRevokeTokenArgs = {
  input: RevokeTokenInput;
};


/** What can be changed. */
export type MutationRotateWebhookSecretArgs = {
  input: RotateWebhookSecretInput;
};


/** What can be changed. */
export type MutationTestWebhookArgs = {
  input: TestWebhookInput;
};


/** What can be changed. */
export type MutationUpdateLocationArgs = {
  input: UpdateLocationInput;
};


/** What can be changed. */
export type MutationUpdateMapArgs = {
  input: UpdateMapInput;
};


/** What can be changed. */
export type MutationUpdateWebhookArgs = {
  input: UpdateWebhookInput;
};


/** What can be changed. */
export type MutationUpsertLocationsArgs = {
  input: UpsertLocationsInput;
};

/** A circle on the globe. */
export type NearInput = {
  /** Degrees north of the equator, -90 to 90. */
  latitude: Scalars['Float']['input'];
  /** Degrees east of Greenwich, -180 to 180. */
  longitude: Scalars['Float']['input'];
  /** Metres, 0 to 20,037,509; the edge is inside. */
  radius: Scalars['Float']['input'];
};

/** An object with a global identifier. */
export type Node = {
  /** The identifier: unique across the service, the same in GraphQL and in /v0. */
  id: Scalars['ID']['output'];
};

/** Where a page stands in its connection. */
export type PageInfo = {
  __typename?: 'PageInfo';
  /** The cursor of the page's last edge; null on an empty page. */
  endCursor: Maybe<Scalars['String']['output']>;
  /** Whether there is more after the page's last edge. */
  hasNextPage: Scalars['Boolean']['output'];
  /** Whether there is more before the page's first edge. */
  hasPreviousPage: Scalars['Boolean']['output'];
  /** The cursor of the page's first edge; null on an empty page. */
  startCursor: Maybe<Scalars['String']['output']>;
};

/** A point that the caller knows. */
export type PositionInput = {
  /** Degrees north of the equator, -90 to 90. */
  latitude: Scalars['Latitude']['input'];
  /** Degrees east of Greenwich, -180 to 180. */
  longitude: Scalars['Longitude']['input'];
  /** Your own identifier of the place; by default `point:` and the coordinates. */
  placeId?: InputMaybe<Scalars['String']['input']>;
};

/**
 * What a property must be: `eq`, `in`, `prefix` or `exists` alone, or `from`, `to` or both. In a field of type `number` a
 * string that is a decimal counts as that number.
 */
export type PropertyFilter = {
  /** A string, a number, a boolean or null: the same type and value. */
  eq?: InputMaybe<Scalars['JSON']['input']>;
  /** Whether the key is there with something that is neither null nor an empty string. */
  exists?: InputMaybe<Scalars['Boolean']['input']>;
  /** At least this: a number, a string, or in a field of type `date` a day or a time. */
  from?: InputMaybe<Scalars['JSON']['input']>;
  /** One of 1 to 100 values, each as `eq`. */
  in?: InputMaybe<Array<InputMaybe<Scalars['JSON']['input']>>>;
  /** The key in `properties`. */
  name: Scalars['String']['input'];
  /** The beginning of a string, without regard to case and accents. */
  prefix?: InputMaybe<Scalars['String']['input']>;
  /** At most this, as `from`. A day stands for all of it, in UTC. */
  to?: InputMaybe<Scalars['JSON']['input']>;
};

/** What can be read. */
export type Query = {
  __typename?: 'Query';
  /**
   * The places that an address may mean, at most 5, the likeliest first: it is the one that a location with that address
   * gets. It stores nothing, but it costs what creating a location costs, and needs a token that may write. Null with the
   * errors of `createLocation`.
   */
  geocode: Maybe<Array<GeocodingCandidate>>;
  /** One location of one of your maps; null with the error `MAP_NOT_FOUND`, `MAP_DELETED` or `LOCATION_NOT_FOUND`. */
  location: Maybe<Location>;
  /** One of your maps; null with the error `MAP_NOT_FOUND` where there is no such map of yours. A deleted map is found. */
  map: Maybe<Map>;
  /** The map or location of that identifier; null, without an error, where there is none of yours. */
  node: Maybe<Node>;
  /** The maps and locations of these identifiers, in the order asked; null for each that is not yours. */
  nodes: Maybe<Array<Maybe<Node>>>;
  /**
   * A published map that is not deleted, anybody's: the one root field that needs no token. Everything reached through it
   * is in the public view, the same for everybody: no API keys, no external ids, and only the public fields. Null with the
   * error `MAP_NOT_FOUND` for every other map.
   */
  publicMap: Maybe<Map>;
  /** The owner of the request's token. */
  viewer: Maybe<Viewer>;
};


/** What can be read. */
export type QueryGeocodeArgs = {
  address: Scalars['String']['input'];
  mapId: Scalars['ID']['input'];
};


/** What can be read. */
export type QueryLocationArgs = {
  id: Scalars['ID']['input'];
  mapId: Scalars['ID']['input'];
};


/** What can be read. */
export type QueryMapArgs = {
  id: Scalars['ID']['input'];
};


/** What can be read. */
export type QueryNodeArgs = {
  id: Scalars['ID']['input'];
};


/** What can be read. */
export type QueryNodesArgs = {
  ids: Array<Scalars['ID']['input']>;
};


/** What can be read. */
export type QueryPublicMapArgs = {
  id: Scalars['ID']['input'];
};

/** The map to restore. */
export type RestoreMapInput = {
  /** The map's identifier. */
  id: Scalars['ID']['input'];
};

/** The map that was restored. */
export type RestoreMapPayload = {
  __typename?: 'RestoreMapPayload';
  /** The map as it is now. */
  map: Map;
};

/** The token to revoke. */
export type RevokeTokenInput = {
  /** The token's identifier. */
  id: Scalars['ID']['input'];
};

/** The token that was revoked. */
export type RevokeTokenPayload = {
  __typename?: 'RevokeTokenPayload';
  /** Its identifier. */
  revokedId: Scalars['ID']['output'];
};

/** The webhook that gets another secret. */
export type RotateWebhookSecretInput = {
  /** The webhook's identifier. */
  id: Scalars['ID']['input'];
  /** The identifier of the map. */
  mapId: Scalars['ID']['input'];
};

/** The webhook that got another secret. */
export type RotateWebhookSecretPayload = {
  __typename?: 'RotateWebhookSecretPayload';
  /** What its messages are signed with from now on. It is shown this once. */
  secret: Scalars['String']['output'];
  /** The webhook as it is now. */
  webhook: Webhook;
};

/** What is told as it happens, over WebSocket or as server-sent events. */
export type Subscription = {
  __typename?: 'Subscription';
  /**
   * Tells of every change of a map's locations from now on, in the order in which they were made, whichever process made
   * them. Needs a token that may read the map. It ends with `MAP_DELETED` when the map is deleted.
   */
  locationChanges: LocationChange;
};


/** What is told as it happens, over WebSocket or as server-sent events. */
export type SubscriptionLocationChangesArgs = {
  mapId: Scalars['ID']['input'];
  since: InputMaybe<Scalars['String']['input']>;
};

/** The webhook that is sent a message. */
export type TestWebhookInput = {
  /** The webhook's identifier. */
  id: Scalars['ID']['input'];
  /** The identifier of the map. */
  mapId: Scalars['ID']['input'];
};

/** What came of a message that was sent to try a webhook. */
export type TestWebhookPayload = {
  __typename?: 'TestWebhookPayload';
  /** Whether it has arrived, which only a status from 200 to 299 says. */
  delivered: Scalars['Boolean']['output'];
  /** Why it has not arrived; null where it has. */
  error: Maybe<Scalars['String']['output']>;
  /** The HTTP status that was answered; null where there was no answer. */
  status: Maybe<Scalars['Int']['output']>;
  /** The webhook. */
  webhook: Webhook;
};

/** A range of times, its ends included. */
export type TimeRange = {
  /** The earliest. */
  from?: InputMaybe<Scalars['DateTime']['input']>;
  /** The latest. */
  to?: InputMaybe<Scalars['DateTime']['input']>;
};

/** A token: what it may do, and not the secret that is sent with requests. */
export type Token = {
  __typename?: 'Token';
  /** When it was made. */
  createdAt: Scalars['DateTime']['output'];
  /** When it stops working; null where it never does. */
  expiresAt: Maybe<Scalars['DateTime']['output']>;
  /** The token's identifier. */
  id: Scalars['ID']['output'];
  /** Whether it is the token of this request. */
  isCurrent: Scalars['Boolean']['output'];
  /** When it was used last, to the minute; null where it never was. */
  lastUsedAt: Maybe<Scalars['DateTime']['output']>;
  /** The one map that it is limited to; null where it opens all maps of its owner. */
  map: Maybe<Map>;
  /** What its owner calls it. */
  name: Maybe<Scalars['String']['output']>;
  /** What it may do. */
  scope: TokenScope;
};

/** What a token may do. */
export type TokenScope =
  /** Read maps and locations; the maps' API keys are left out. */
  | 'read'
  /** Read everything, and create, change and delete. */
  | 'write';

/** Changes to a location. */
export type UpdateLocationInput = {
  /** Your own identifier of the location, unique in its map; null removes it. */
  externalId?: InputMaybe<Scalars['String']['input']>;
  /** New values, each whole. Where the address changes, it is geocoded anew. */
  fields?: InputMaybe<Scalars['JSONObject']['input']>;
  /** Whether `fields` is merged into what is there, key by key (`merge`, the default), or takes its place (`replace`). */
  fieldsMode?: InputMaybe<FieldsMode>;
  /** The location's identifier. */
  id: Scalars['ID']['input'];
  /** Changes nothing but this version of the location. Another one is `CONFLICT` with `extensions.currentVersion`. */
  ifVersion?: InputMaybe<Scalars['Int']['input']>;
  /** The identifier of the location's map. */
  mapId: Scalars['ID']['input'];
  /** The new rank in the list, as for `createLocation`. */
  order?: InputMaybe<Scalars['String']['input']>;
  /** The point itself. Null has the address geocoded anew. */
  position?: InputMaybe<PositionInput>;
  /** Keys to remove from the fields. */
  unset?: InputMaybe<Array<Scalars['String']['input']>>;
};

/** The location that was changed. */
export type UpdateLocationPayload = {
  __typename?: 'UpdateLocationPayload';
  /** The location's edge in its map's `locations`, for a client's cache. */
  edge: LocationEdge;
  /** The location as it is now. */
  location: Location;
  /** The map it belongs to. */
  map: Map;
};

/** Changes to a map. */
export type UpdateMapInput = {
  /** The whole new list of field definitions, by the rules of creation. The locations stay as they are. */
  fields?: InputMaybe<Array<FieldInput>>;
  /** The new key with which addresses are geocoded; null removes it. */
  geocodingApiKey?: InputMaybe<Scalars['String']['input']>;
  /** The map's identifier. */
  id: Scalars['ID']['input'];
  /** Whether the map is published to the public. */
  isPublished?: InputMaybe<Scalars['Boolean']['input']>;
  /** The new name. */
  name?: InputMaybe<Scalars['String']['input']>;
  /** The new key with which this map is loaded; null removes it. */
  providerMapApiKey?: InputMaybe<Scalars['String']['input']>;
};

/** The map that was changed. */
export type UpdateMapPayload = {
  __typename?: 'UpdateMapPayload';
  /** The map as it is now. */
  map: Map;
};

/** Changes to a webhook. */
export type UpdateWebhookInput = {
  /** The kinds of changes that it is told of from now on, at least one. */
  events?: InputMaybe<Array<WebhookEvent>>;
  /** The webhook's identifier. */
  id: Scalars['ID']['input'];
  /** The identifier of the map. */
  mapId: Scalars['ID']['input'];
  /** Whether messages are sent. `active` also sends a message again at once that has failed. */
  status?: InputMaybe<WebhookStatusInput>;
  /** Where messages are sent from now on. A message that has failed is sent there at once. */
  url?: InputMaybe<Scalars['String']['input']>;
};

/** The webhook that was changed. */
export type UpdateWebhookPayload = {
  __typename?: 'UpdateWebhookPayload';
  /** The webhook as it is now. */
  webhook: Webhook;
};

/** Why nothing was done with a location. */
export type UpsertLocationsError = {
  __typename?: 'UpsertLocationsError';
  /** The code, as in `extensions.code` of an error. */
  code: Scalars['String']['output'];
  /** What is wrong, for a person to read. */
  message: Scalars['String']['output'];
};

/** Locations of one map, by their external ids. */
export type UpsertLocationsInput = {
  /** Whether only to check: then nothing is stored and no geocoder asked, and `outcome` says what would be done. */
  dryRun?: InputMaybe<Scalars['Boolean']['input']>;
  /** The locations, 1 to 1,000; new ones without an order are appended in the order given. */
  locations: Array<UpsertLocationsItemInput>;
  /** The identifier of the locations' map. */
  mapId: Scalars['ID']['input'];
};

/** One of several locations that are created or changed. */
export type UpsertLocationsItemInput = {
  /** Your own identifier of the location, unique in its map; it may stand in a call once. */
  externalId: Scalars['String']['input'];
  /** All data of the location; it takes the place of what is there. */
  fields: Scalars['JSONObject']['input'];
  /** The rank in the list. Without it a location keeps its place, and a new one goes to the end. */
  order?: InputMaybe<Scalars['String']['input']>;
  /** The point itself. Null has the address geocoded anew. */
  position?: InputMaybe<PositionInput>;
};

/** What became of several locations. */
export type UpsertLocationsPayload = {
  __typename?: 'UpsertLocationsPayload';
  /** The map they belong to. */
  map: Map;
  /** One result for each location, in the order given. */
  results: Array<UpsertLocationsResult>;
};

/** What became of one of several locations. */
export type UpsertLocationsResult = {
  __typename?: 'UpsertLocationsResult';
  /** Why nothing was done. */
  error: Maybe<UpsertLocationsError>;
  /** The location as it is now, where it was not refused; null in a dry run. */
  location: Maybe<Location>;
  /** What was done; null beside an error. */
  outcome: Maybe<UpsertOutcome>;
};

/** What was done with a location. */
export type UpsertOutcome =
  /** There was none with the external id. */
  | 'created'
  /** It was so already. */
  | 'unchanged'
  /** It was changed. */
  | 'updated';

/** The owner of the request's token, and what the token allows. */
export type Viewer = {
  __typename?: 'Viewer';
  /**
   * The locations of all of the owner's maps that are not deleted, by map in order of creation, then by the map's list; only
   * those of the one map for a token that is limited to it.
   */
  locations: Maybe<LocationConnection>;
  /** The owner's maps, deleted ones included, in order of creation; only the one map for a token that is limited to it. */
  maps: Maybe<MapConnection>;
  /** The owner's name. */
  owner: Scalars['String']['output'];
  /** What the token may do. */
  scope: TokenScope;
  /** The token of this request; null for a JWT. */
  token: Maybe<Token>;
  /**
   * The owner's tokens that are not revoked, in order of creation. A token that may only read, or only one map, sees
   * itself alone.
   */
  tokens: Maybe<Array<Token>>;
};


/** The owner of the request's token, and what the token allows. */
export type ViewerLocationsArgs = {
  after: InputMaybe<Scalars['String']['input']>;
  before: InputMaybe<Scalars['String']['input']>;
  filter: InputMaybe<LocationFilter>;
  first: InputMaybe<Scalars['Int']['input']>;
  last: InputMaybe<Scalars['Int']['input']>;
  orderBy: InputMaybe<LocationOrderInput>;
};


/** The owner of the request's token, and what the token allows. */
export type ViewerMapsArgs = {
  after: InputMaybe<Scalars['String']['input']>;
  before: InputMaybe<Scalars['String']['input']>;
  filter: InputMaybe<MapFilter>;
  first: InputMaybe<Scalars['Int']['input']>;
  last: InputMaybe<Scalars['Int']['input']>;
  orderBy: InputMaybe<MapOrderInput>;
};


/** The owner of the request's token, and what the token allows. */
export type ViewerTokensArgs = {
  after: InputMaybe<Scalars['ID']['input']>;
  first: InputMaybe<Scalars['Int']['input']>;
};

/** An address that is told of a map's changes, by Standard Webhooks. */
export type Webhook = {
  __typename?: 'Webhook';
  /** The kinds of changes that it is told of. */
  events: Array<WebhookEvent>;
  /** The webhook's identifier. */
  id: Scalars['ID']['output'];
  /** When a message was last sent, whether or not it arrived; null where none was. */
  lastAttemptAt: Maybe<Scalars['DateTime']['output']>;
  /** Why it did not arrive; null where it did. */
  lastError: Maybe<Scalars['String']['output']>;
  /** The HTTP status that was answered then; null where there was no answer. */
  lastStatus: Maybe<Scalars['Int']['output']>;
  /** Whether messages are sent, and arrive. */
  status: WebhookStatus;
  /** Where messages are sent. */
  url: Scalars['String']['output'];
};

/** A kind of change that a webhook is told of. */
export type WebhookEvent =
  /** A location was created. */
  | 'created'
  /** It was deleted. */
  | 'deleted'
  /** Its order is another, and nothing else. */
  | 'moved'
  /** Its fields, its point or its external id are others. */
  | 'updated';

/** How a webhook is. */
export type WebhookStatus =
  /** What was sent last has arrived, or nothing was sent yet. */
  | 'active'
  /** Nothing is sent. `updateWebhook` with `status: active` goes on after the last message that has arrived. */
  | 'disabled'
  /** A message did not arrive; it is sent again. What comes after it waits. */
  | 'failing';

/** What a webhook's status is set to. */
export type WebhookStatusInput =
  /** Messages are sent. */
  | 'active'
  /** None is. */
  | 'disabled';



export type ResolverTypeWrapper<T> = Promise<T> | T;


export type ResolverWithResolve<TResult, TParent, TContext, TArgs> = {
  resolve: ResolverFn<TResult, TParent, TContext, TArgs>;
};
export type Resolver<TResult, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>, TArgs = Record<PropertyKey, never>> = ResolverFn<TResult, TParent, TContext, TArgs> | ResolverWithResolve<TResult, TParent, TContext, TArgs>;

export type ResolverFn<TResult, TParent, TContext, TArgs> = (
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => Promise<TResult> | TResult;

export type SubscriptionSubscribeFn<TResult, TParent, TContext, TArgs> = (
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => AsyncIterable<TResult> | Promise<AsyncIterable<TResult>>;

export type SubscriptionResolveFn<TResult, TParent, TContext, TArgs> = (
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => TResult | Promise<TResult>;

export interface SubscriptionSubscriberObject<TResult, TKey extends string, TParent, TContext, TArgs> {
  subscribe: SubscriptionSubscribeFn<{ [key in TKey]: TResult }, TParent, TContext, TArgs>;
  resolve?: SubscriptionResolveFn<TResult, { [key in TKey]: TResult }, TContext, TArgs>;
}

export interface SubscriptionResolverObject<TResult, TParent, TContext, TArgs> {
  subscribe: SubscriptionSubscribeFn<any, TParent, TContext, TArgs>;
  resolve: SubscriptionResolveFn<TResult, any, TContext, TArgs>;
}

export type SubscriptionObject<TResult, TKey extends string, TParent, TContext, TArgs> =
  | SubscriptionSubscriberObject<TResult, TKey, TParent, TContext, TArgs>
  | SubscriptionResolverObject<TResult, TParent, TContext, TArgs>;

export type SubscriptionResolver<TResult, TKey extends string, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>, TArgs = Record<PropertyKey, never>> =
  | ((...args: any[]) => SubscriptionObject<TResult, TKey, TParent, TContext, TArgs>)
  | SubscriptionObject<TResult, TKey, TParent, TContext, TArgs>;

export type TypeResolveFn<TTypes, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>> = (
  parent: TParent,
  context: TContext,
  info: GraphQLResolveInfo
) => Maybe<TTypes> | Promise<Maybe<TTypes>>;

export type IsTypeOfResolverFn<T = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>> = (obj: T, context: TContext, info: GraphQLResolveInfo) => boolean | Promise<boolean>;

export type NextResolverFn<T> = () => Promise<T>;

export type DirectiveResolverFn<TResult = Record<PropertyKey, never>, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>, TArgs = Record<PropertyKey, never>> = (
  next: NextResolverFn<TResult>,
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => TResult | Promise<TResult>;





/** Mapping between all available schema types and the resolvers types */
export type ResolversTypes = {
  Bbox: ResolverTypeWrapper<Box>;
  BboxInput: BboxInput;
  Boolean: ResolverTypeWrapper<Scalars['Boolean']['output']>;
  Cluster: ResolverTypeWrapper<ClusterSource>;
  CreateLocationInput: CreateLocationInput;
  CreateLocationPayload: ResolverTypeWrapper<Omit<CreateLocationPayload, 'edge' | 'location' | 'map'> & { edge: ResolversTypes['LocationEdge'], location: ResolversTypes['Location'], map: ResolversTypes['Map'] }>;
  CreateLocationsError: ResolverTypeWrapper<CreateLocationsError>;
  CreateLocationsInput: CreateLocationsInput;
  CreateLocationsItemInput: CreateLocationsItemInput;
  CreateLocationsPayload: ResolverTypeWrapper<Omit<CreateLocationsPayload, 'map' | 'results'> & { map: ResolversTypes['Map'], results: Array<ResolversTypes['CreateLocationsResult']> }>;
  CreateLocationsResult: ResolverTypeWrapper<CreateLocationsResultSource>;
  CreateMapInput: CreateMapInput;
  CreateMapPayload: ResolverTypeWrapper<Omit<CreateMapPayload, 'map'> & { map: ResolversTypes['Map'] }>;
  CreateTokenInput: CreateTokenInput;
  CreateTokenPayload: ResolverTypeWrapper<Omit<CreateTokenPayload, 'token'> & { token: ResolversTypes['Token'] }>;
  CreateWebhookInput: CreateWebhookInput;
  CreateWebhookPayload: ResolverTypeWrapper<Omit<CreateWebhookPayload, 'webhook'> & { webhook: ResolversTypes['Webhook'] }>;
  DateTime: ResolverTypeWrapper<Scalars['DateTime']['output']>;
  DeleteLocationInput: DeleteLocationInput;
  DeleteLocationPayload: ResolverTypeWrapper<Omit<DeleteLocationPayload, 'location' | 'map'> & { location: ResolversTypes['Location'], map: ResolversTypes['Map'] }>;
  DeleteLocationsInput: DeleteLocationsInput;
  DeleteLocationsPayload: ResolverTypeWrapper<Omit<DeleteLocationsPayload, 'map'> & { map: ResolversTypes['Map'] }>;
  DeleteMapInput: DeleteMapInput;
  DeleteMapPayload: ResolverTypeWrapper<Omit<DeleteMapPayload, 'map'> & { map: ResolversTypes['Map'] }>;
  DeleteWebhookInput: DeleteWebhookInput;
  DeleteWebhookPayload: ResolverTypeWrapper<DeleteWebhookPayload>;
  Direction: Direction;
  Field: ResolverTypeWrapper<FieldDefinition>;
  FieldInput: FieldInput;
  FieldType: FieldType;
  FieldsMode: FieldsMode;
  Float: ResolverTypeWrapper<Scalars['Float']['output']>;
  Geocoding: ResolverTypeWrapper<Geocoding>;
  GeocodingCandidate: ResolverTypeWrapper<GeocodingCandidate>;
  GeocodingPrecision: GeocodingPrecision;
  ID: ResolverTypeWrapper<Scalars['ID']['output']>;
  Int: ResolverTypeWrapper<Scalars['Int']['output']>;
  JSON: ResolverTypeWrapper<Scalars['JSON']['output']>;
  JSONObject: ResolverTypeWrapper<Scalars['JSONObject']['output']>;
  LatLngLiteral: ResolverTypeWrapper<LatLngLiteral>;
  Latitude: ResolverTypeWrapper<Scalars['Latitude']['output']>;
  Location: ResolverTypeWrapper<LocationView>;
  LocationChange: ResolverTypeWrapper<LocationChangeSource>;
  LocationChangeKind: LocationChangeKind;
  LocationConnection: ResolverTypeWrapper<LocationPage>;
  LocationEdge: ResolverTypeWrapper<LocationEdgeSource>;
  LocationFilter: LocationFilter;
  LocationOrderBy: LocationOrderBy;
  LocationOrderInput: LocationOrderInput;
  Longitude: ResolverTypeWrapper<Scalars['Longitude']['output']>;
  Map: ResolverTypeWrapper<MapView>;
  MapConnection: ResolverTypeWrapper<MapPage>;
  MapEdge: ResolverTypeWrapper<MapEdgeSource>;
  MapFilter: MapFilter;
  MapOrderBy: MapOrderBy;
  MapOrderInput: MapOrderInput;
  MoveLocationsInput: MoveLocationsInput;
  MoveLocationsPayload: ResolverTypeWrapper<Omit<MoveLocationsPayload, 'locations' | 'map'> & { locations: Array<ResolversTypes['Location']>, map: ResolversTypes['Map'] }>;
  Mutation: ResolverTypeWrapper<Record<PropertyKey, never>>;
  NearInput: NearInput;
  Node: ResolverTypeWrapper<NodeSource>;
  PageInfo: ResolverTypeWrapper<PageInfoSource>;
  PositionInput: PositionInput;
  PropertyFilter: PropertyFilter;
  Query: ResolverTypeWrapper<Record<PropertyKey, never>>;
  RestoreMapInput: RestoreMapInput;
  RestoreMapPayload: ResolverTypeWrapper<Omit<RestoreMapPayload, 'map'> & { map: ResolversTypes['Map'] }>;
  RevokeTokenInput: RevokeTokenInput;
  RevokeTokenPayload: ResolverTypeWrapper<RevokeTokenPayload>;
  RotateWebhookSecretInput: RotateWebhookSecretInput;
  RotateWebhookSecretPayload: ResolverTypeWrapper<Omit<RotateWebhookSecretPayload, 'webhook'> & { webhook: ResolversTypes['Webhook'] }>;
  String: ResolverTypeWrapper<Scalars['String']['output']>;
  Subscription: ResolverTypeWrapper<Record<PropertyKey, never>>;
  TestWebhookInput: TestWebhookInput;
  TestWebhookPayload: ResolverTypeWrapper<Omit<TestWebhookPayload, 'webhook'> & { webhook: ResolversTypes['Webhook'] }>;
  TimeRange: TimeRange;
  Token: ResolverTypeWrapper<OwnToken>;
  TokenScope: TokenScope;
  UpdateLocationInput: UpdateLocationInput;
  UpdateLocationPayload: ResolverTypeWrapper<Omit<UpdateLocationPayload, 'edge' | 'location' | 'map'> & { edge: ResolversTypes['LocationEdge'], location: ResolversTypes['Location'], map: ResolversTypes['Map'] }>;
  UpdateMapInput: UpdateMapInput;
  UpdateMapPayload: ResolverTypeWrapper<Omit<UpdateMapPayload, 'map'> & { map: ResolversTypes['Map'] }>;
  UpdateWebhookInput: UpdateWebhookInput;
  UpdateWebhookPayload: ResolverTypeWrapper<Omit<UpdateWebhookPayload, 'webhook'> & { webhook: ResolversTypes['Webhook'] }>;
  UpsertLocationsError: ResolverTypeWrapper<UpsertLocationsError>;
  UpsertLocationsInput: UpsertLocationsInput;
  UpsertLocationsItemInput: UpsertLocationsItemInput;
  UpsertLocationsPayload: ResolverTypeWrapper<Omit<UpsertLocationsPayload, 'map' | 'results'> & { map: ResolversTypes['Map'], results: Array<ResolversTypes['UpsertLocationsResult']> }>;
  UpsertLocationsResult: ResolverTypeWrapper<UpsertLocationsResultSource>;
  UpsertOutcome: UpsertOutcome;
  Viewer: ResolverTypeWrapper<Caller>;
  Webhook: ResolverTypeWrapper<ShownWebhook>;
  WebhookEvent: WebhookEvent;
  WebhookStatus: WebhookStatus;
  WebhookStatusInput: WebhookStatusInput;
};

/** Mapping between all available schema types and the resolvers parents */
export type ResolversParentTypes = {
  Bbox: Box;
  BboxInput: BboxInput;
  Boolean: Scalars['Boolean']['output'];
  Cluster: ClusterSource;
  CreateLocationInput: CreateLocationInput;
  CreateLocationPayload: Omit<CreateLocationPayload, 'edge' | 'location' | 'map'> & { edge: ResolversParentTypes['LocationEdge'], location: ResolversParentTypes['Location'], map: ResolversParentTypes['Map'] };
  CreateLocationsError: CreateLocationsError;
  CreateLocationsInput: CreateLocationsInput;
  CreateLocationsItemInput: CreateLocationsItemInput;
  CreateLocationsPayload: Omit<CreateLocationsPayload, 'map' | 'results'> & { map: ResolversParentTypes['Map'], results: Array<ResolversParentTypes['CreateLocationsResult']> };
  CreateLocationsResult: CreateLocationsResultSource;
  CreateMapInput: CreateMapInput;
  CreateMapPayload: Omit<CreateMapPayload, 'map'> & { map: ResolversParentTypes['Map'] };
  CreateTokenInput: CreateTokenInput;
  CreateTokenPayload: Omit<CreateTokenPayload, 'token'> & { token: ResolversParentTypes['Token'] };
  CreateWebhookInput: CreateWebhookInput;
  CreateWebhookPayload: Omit<CreateWebhookPayload, 'webhook'> & { webhook: ResolversParentTypes['Webhook'] };
  DateTime: Scalars['DateTime']['output'];
  DeleteLocationInput: DeleteLocationInput;
  DeleteLocationPayload: Omit<DeleteLocationPayload, 'location' | 'map'> & { location: ResolversParentTypes['Location'], map: ResolversParentTypes['Map'] };
  DeleteLocationsInput: DeleteLocationsInput;
  DeleteLocationsPayload: Omit<DeleteLocationsPayload, 'map'> & { map: ResolversParentTypes['Map'] };
  DeleteMapInput: DeleteMapInput;
  DeleteMapPayload: Omit<DeleteMapPayload, 'map'> & { map: ResolversParentTypes['Map'] };
  DeleteWebhookInput: DeleteWebhookInput;
  DeleteWebhookPayload: DeleteWebhookPayload;
  Field: FieldDefinition;
  FieldInput: FieldInput;
  Float: Scalars['Float']['output'];
  Geocoding: Geocoding;
  GeocodingCandidate: GeocodingCandidate;
  ID: Scalars['ID']['output'];
  Int: Scalars['Int']['output'];
  JSON: Scalars['JSON']['output'];
  JSONObject: Scalars['JSONObject']['output'];
  LatLngLiteral: LatLngLiteral;
  Latitude: Scalars['Latitude']['output'];
  Location: LocationView;
  LocationChange: LocationChangeSource;
  LocationConnection: LocationPage;
  LocationEdge: LocationEdgeSource;
  LocationFilter: LocationFilter;
  LocationOrderInput: LocationOrderInput;
  Longitude: Scalars['Longitude']['output'];
  Map: MapView;
  MapConnection: MapPage;
  MapEdge: MapEdgeSource;
  MapFilter: MapFilter;
  MapOrderInput: MapOrderInput;
  MoveLocationsInput: MoveLocationsInput;
  MoveLocationsPayload: Omit<MoveLocationsPayload, 'locations' | 'map'> & { locations: Array<ResolversParentTypes['Location']>, map: ResolversParentTypes['Map'] };
  Mutation: Record<PropertyKey, never>;
  NearInput: NearInput;
  Node: NodeSource;
  PageInfo: PageInfoSource;
  PositionInput: PositionInput;
  PropertyFilter: PropertyFilter;
  Query: Record<PropertyKey, never>;
  RestoreMapInput: RestoreMapInput;
  RestoreMapPayload: Omit<RestoreMapPayload, 'map'> & { map: ResolversParentTypes['Map'] };
  RevokeTokenInput: RevokeTokenInput;
  RevokeTokenPayload: RevokeTokenPayload;
  RotateWebhookSecretInput: RotateWebhookSecretInput;
  RotateWebhookSecretPayload: Omit<RotateWebhookSecretPayload, 'webhook'> & { webhook: ResolversParentTypes['Webhook'] };
  String: Scalars['String']['output'];
  Subscription: Record<PropertyKey, never>;
  TestWebhookInput: TestWebhookInput;
  TestWebhookPayload: Omit<TestWebhookPayload, 'webhook'> & { webhook: ResolversParentTypes['Webhook'] };
  TimeRange: TimeRange;
  Token: OwnToken;
  UpdateLocationInput: UpdateLocationInput;
  UpdateLocationPayload: Omit<UpdateLocationPayload, 'edge' | 'location' | 'map'> & { edge: ResolversParentTypes['LocationEdge'], location: ResolversParentTypes['Location'], map: ResolversParentTypes['Map'] };
  UpdateMapInput: UpdateMapInput;
  UpdateMapPayload: Omit<UpdateMapPayload, 'map'> & { map: ResolversParentTypes['Map'] };
  UpdateWebhookInput: UpdateWebhookInput;
  UpdateWebhookPayload: Omit<UpdateWebhookPayload, 'webhook'> & { webhook: ResolversParentTypes['Webhook'] };
  UpsertLocationsError: UpsertLocationsError;
  UpsertLocationsInput: UpsertLocationsInput;
  UpsertLocationsItemInput: UpsertLocationsItemInput;
  UpsertLocationsPayload: Omit<UpsertLocationsPayload, 'map' | 'results'> & { map: ResolversParentTypes['Map'], results: Array<ResolversParentTypes['UpsertLocationsResult']> };
  UpsertLocationsResult: UpsertLocationsResultSource;
  Viewer: Caller;
  Webhook: ShownWebhook;
};

export type BboxResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Bbox'] = ResolversParentTypes['Bbox']> = {
  east?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  north?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  south?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  west?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
};

export type ClusterResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Cluster'] = ResolversParentTypes['Cluster']> = {
  bbox?: Resolver<ResolversTypes['Bbox'], ParentType, ContextType>;
  count?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  latitude?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  location?: Resolver<Maybe<ResolversTypes['Location']>, ParentType, ContextType>;
  longitude?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
};

export type CreateLocationPayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['CreateLocationPayload'] = ResolversParentTypes['CreateLocationPayload']> = {
  edge?: Resolver<ResolversTypes['LocationEdge'], ParentType, ContextType>;
  location?: Resolver<ResolversTypes['Location'], ParentType, ContextType>;
  map?: Resolver<ResolversTypes['Map'], ParentType, ContextType>;
};

export type CreateLocationsErrorResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['CreateLocationsError'] = ResolversParentTypes['CreateLocationsError']> = {
  code?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type CreateLocationsPayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['CreateLocationsPayload'] = ResolversParentTypes['CreateLocationsPayload']> = {
  map?: Resolver<ResolversTypes['Map'], ParentType, ContextType>;
  results?: Resolver<Array<ResolversTypes['CreateLocationsResult']>, ParentType, ContextType>;
};

export type CreateLocationsResultResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['CreateLocationsResult'] = ResolversParentTypes['CreateLocationsResult']> = {
  error?: Resolver<Maybe<ResolversTypes['CreateLocationsError']>, ParentType, ContextType>;
  location?: Resolver<Maybe<ResolversTypes['Location']>, ParentType, ContextType>;
};

export type CreateMapPayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['CreateMapPayload'] = ResolversParentTypes['CreateMapPayload']> = {
  map?: Resolver<ResolversTypes['Map'], ParentType, ContextType>;
};

export type CreateTokenPayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['CreateTokenPayload'] = ResolversParentTypes['CreateTokenPayload']> = {
  secret?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  token?: Resolver<ResolversTypes['Token'], ParentType, ContextType>;
};

export type CreateWebhookPayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['CreateWebhookPayload'] = ResolversParentTypes['CreateWebhookPayload']> = {
  secret?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  webhook?: Resolver<ResolversTypes['Webhook'], ParentType, ContextType>;
};

export interface DateTimeScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['DateTime'], any> {
  name: 'DateTime';
}

export type DeleteLocationPayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['DeleteLocationPayload'] = ResolversParentTypes['DeleteLocationPayload']> = {
  deletedId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  location?: Resolver<ResolversTypes['Location'], ParentType, ContextType>;
  map?: Resolver<ResolversTypes['Map'], ParentType, ContextType>;
};

export type DeleteLocationsPayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['DeleteLocationsPayload'] = ResolversParentTypes['DeleteLocationsPayload']> = {
  deletedCount?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  deletedIds?: Resolver<Array<ResolversTypes['ID']>, ParentType, ContextType>;
  map?: Resolver<ResolversTypes['Map'], ParentType, ContextType>;
};

export type DeleteMapPayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['DeleteMapPayload'] = ResolversParentTypes['DeleteMapPayload']> = {
  map?: Resolver<ResolversTypes['Map'], ParentType, ContextType>;
};

export type DeleteWebhookPayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['DeleteWebhookPayload'] = ResolversParentTypes['DeleteWebhookPayload']> = {
  deletedId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
};

export type FieldResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Field'] = ResolversParentTypes['Field']> = {
  isPublic?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  type?: Resolver<ResolversTypes['FieldType'], ParentType, ContextType>;
};

export type GeocodingResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Geocoding'] = ResolversParentTypes['Geocoding']> = {
  precision?: Resolver<ResolversTypes['GeocodingPrecision'], ParentType, ContextType>;
  provider?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type GeocodingCandidateResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['GeocodingCandidate'] = ResolversParentTypes['GeocodingCandidate']> = {
  formattedAddress?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  latitude?: Resolver<ResolversTypes['Latitude'], ParentType, ContextType>;
  longitude?: Resolver<ResolversTypes['Longitude'], ParentType, ContextType>;
  placeId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  precision?: Resolver<ResolversTypes['GeocodingPrecision'], ParentType, ContextType>;
  provider?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export interface JsonScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['JSON'], any> {
  name: 'JSON';
}

export interface JsonObjectScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['JSONObject'], any> {
  name: 'JSONObject';
}

export type LatLngLiteralResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['LatLngLiteral'] = ResolversParentTypes['LatLngLiteral']> = {
  lat?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  lng?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export interface LatitudeScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['Latitude'], any> {
  name: 'Latitude';
}

export type LocationResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Location'] = ResolversParentTypes['Location']> = {
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  externalId?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  geocoding?: Resolver<ResolversTypes['Geocoding'], ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  latLngLiteral?: Resolver<ResolversTypes['LatLngLiteral'], ParentType, ContextType>;
  latitude?: Resolver<ResolversTypes['Latitude'], ParentType, ContextType>;
  longitude?: Resolver<ResolversTypes['Longitude'], ParentType, ContextType>;
  map?: Resolver<ResolversTypes['Map'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  order?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  placeId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  properties?: Resolver<ResolversTypes['JSONObject'], ParentType, ContextType>;
  updatedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  version?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type LocationChangeResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['LocationChange'] = ResolversParentTypes['LocationChange']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  kind?: Resolver<ResolversTypes['LocationChangeKind'], ParentType, ContextType>;
  location?: Resolver<Maybe<ResolversTypes['Location']>, ParentType, ContextType>;
  locationId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
};

export type LocationConnectionResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['LocationConnection'] = ResolversParentTypes['LocationConnection']> = {
  edges?: Resolver<Array<ResolversTypes['LocationEdge']>, ParentType, ContextType>;
  nextOrder?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  nodes?: Resolver<Array<ResolversTypes['Location']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
  totalCount?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type LocationEdgeResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['LocationEdge'] = ResolversParentTypes['LocationEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  distance?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  node?: Resolver<ResolversTypes['Location'], ParentType, ContextType>;
};

export interface LongitudeScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['Longitude'], any> {
  name: 'Longitude';
}

export type MapResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Map'] = ResolversParentTypes['Map']> = {
  clusters?: Resolver<Maybe<Array<ResolversTypes['Cluster']>>, ParentType, ContextType, RequireFields<MapClustersArgs, 'bbox' | 'zoom'>>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  fields?: Resolver<Array<ResolversTypes['Field']>, ParentType, ContextType>;
  geocodingApiKey?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  isDeleted?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  isPublished?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  location?: Resolver<Maybe<ResolversTypes['Location']>, ParentType, ContextType, RequireFields<MapLocationArgs, 'id'>>;
  locationAt?: Resolver<Maybe<ResolversTypes['Location']>, ParentType, ContextType, RequireFields<MapLocationAtArgs, 'place'>>;
  locationByExternalId?: Resolver<Maybe<ResolversTypes['Location']>, ParentType, ContextType, RequireFields<MapLocationByExternalIdArgs, 'externalId'>>;
  locations?: Resolver<Maybe<ResolversTypes['LocationConnection']>, ParentType, ContextType, Partial<MapLocationsArgs>>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  providerMapApiKey?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  updatedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  webhooks?: Resolver<Array<ResolversTypes['Webhook']>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type MapConnectionResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['MapConnection'] = ResolversParentTypes['MapConnection']> = {
  edges?: Resolver<Array<ResolversTypes['MapEdge']>, ParentType, ContextType>;
  nodes?: Resolver<Array<ResolversTypes['Map']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
  totalCount?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type MapEdgeResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['MapEdge'] = ResolversParentTypes['MapEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['Map'], ParentType, ContextType>;
};

export type MoveLocationsPayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['MoveLocationsPayload'] = ResolversParentTypes['MoveLocationsPayload']> = {
  locations?: Resolver<Array<ResolversTypes['Location']>, ParentType, ContextType>;
  map?: Resolver<ResolversTypes['Map'], ParentType, ContextType>;
};

export type MutationResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Mutation'] = ResolversParentTypes['Mutation']> = {
  createLocation?: Resolver<Maybe<ResolversTypes['CreateLocationPayload']>, ParentType, ContextType, RequireFields<MutationCreateLocationArgs, 'input'>>;
  createLocations?: Resolver<Maybe<ResolversTypes['CreateLocationsPayload']>, ParentType, ContextType, RequireFields<MutationCreateLocationsArgs, 'input'>>;
  createMap?: Resolver<Maybe<ResolversTypes['CreateMapPayload']>, ParentType, ContextType, RequireFields<MutationCreateMapArgs, 'input'>>;
  createToken?: Resolver<Maybe<ResolversTypes['CreateTokenPayload']>, ParentType, ContextType, RequireFields<MutationCreateTokenArgs, 'input'>>;
  createWebhook?: Resolver<Maybe<ResolversTypes['CreateWebhookPayload']>, ParentType, ContextType, RequireFields<MutationCreateWebhookArgs, 'input'>>;
  deleteLocation?: Resolver<Maybe<ResolversTypes['DeleteLocationPayload']>, ParentType, ContextType, RequireFields<MutationDeleteLocationArgs, 'input'>>;
  deleteLocations?: Resolver<Maybe<ResolversTypes['DeleteLocationsPayload']>, ParentType, ContextType, RequireFields<MutationDeleteLocationsArgs, 'input'>>;
  deleteMap?: Resolver<Maybe<ResolversTypes['DeleteMapPayload']>, ParentType, ContextType, RequireFields<MutationDeleteMapArgs, 'input'>>;
  deleteWebhook?: Resolver<Maybe<ResolversTypes['DeleteWebhookPayload']>, ParentType, ContextType, RequireFields<MutationDeleteWebhookArgs, 'input'>>;
  moveLocations?: Resolver<Maybe<ResolversTypes['MoveLocationsPayload']>, ParentType, ContextType, RequireFields<MutationMoveLocationsArgs, 'input'>>;
  restoreMap?: Resolver<Maybe<ResolversTypes['RestoreMapPayload']>, ParentType, ContextType, RequireFields<MutationRestoreMapArgs, 'input'>>;
  revokeToken?: Resolver<Maybe<ResolversTypes['RevokeTokenPayload']>, ParentType, ContextType, RequireFields<MutationRevokeTokenArgs, 'input'>>;
  rotateWebhookSecret?: Resolver<Maybe<ResolversTypes['RotateWebhookSecretPayload']>, ParentType, ContextType, RequireFields<MutationRotateWebhookSecretArgs, 'input'>>;
  testWebhook?: Resolver<Maybe<ResolversTypes['TestWebhookPayload']>, ParentType, ContextType, RequireFields<MutationTestWebhookArgs, 'input'>>;
  updateLocation?: Resolver<Maybe<ResolversTypes['UpdateLocationPayload']>, ParentType, ContextType, RequireFields<MutationUpdateLocationArgs, 'input'>>;
  updateMap?: Resolver<Maybe<ResolversTypes['UpdateMapPayload']>, ParentType, ContextType, RequireFields<MutationUpdateMapArgs, 'input'>>;
  updateWebhook?: Resolver<Maybe<ResolversTypes['UpdateWebhookPayload']>, ParentType, ContextType, RequireFields<MutationUpdateWebhookArgs, 'input'>>;
  upsertLocations?: Resolver<Maybe<ResolversTypes['UpsertLocationsPayload']>, ParentType, ContextType, RequireFields<MutationUpsertLocationsArgs, 'input'>>;
};

export type NodeResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Node'] = ResolversParentTypes['Node']> = {
  __resolveType: TypeResolveFn<'Location' | 'Map', ParentType, ContextType>;
};

export type PageInfoResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['PageInfo'] = ResolversParentTypes['PageInfo']> = {
  endCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  hasNextPage?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  hasPreviousPage?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  startCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type QueryResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Query'] = ResolversParentTypes['Query']> = {
  geocode?: Resolver<Maybe<Array<ResolversTypes['GeocodingCandidate']>>, ParentType, ContextType, RequireFields<QueryGeocodeArgs, 'address' | 'mapId'>>;
  location?: Resolver<Maybe<ResolversTypes['Location']>, ParentType, ContextType, RequireFields<QueryLocationArgs, 'id' | 'mapId'>>;
  map?: Resolver<Maybe<ResolversTypes['Map']>, ParentType, ContextType, RequireFields<QueryMapArgs, 'id'>>;
  node?: Resolver<Maybe<ResolversTypes['Node']>, ParentType, ContextType, RequireFields<QueryNodeArgs, 'id'>>;
  nodes?: Resolver<Maybe<Array<Maybe<ResolversTypes['Node']>>>, ParentType, ContextType, RequireFields<QueryNodesArgs, 'ids'>>;
  publicMap?: Resolver<Maybe<ResolversTypes['Map']>, ParentType, ContextType, RequireFields<QueryPublicMapArgs, 'id'>>;
  viewer?: Resolver<Maybe<ResolversTypes['Viewer']>, ParentType, ContextType>;
};

export type RestoreMapPayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['RestoreMapPayload'] = ResolversParentTypes['RestoreMapPayload']> = {
  map?: Resolver<ResolversTypes['Map'], ParentType, ContextType>;
};

export type RevokeTokenPayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['RevokeTokenPayload'] = ResolversParentTypes['RevokeTokenPayload']> = {
  revokedId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
};

export type RotateWebhookSecretPayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['RotateWebhookSecretPayload'] = ResolversParentTypes['RotateWebhookSecretPayload']> = {
  secret?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  webhook?: Resolver<ResolversTypes['Webhook'], ParentType, ContextType>;
};

export type SubscriptionResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Subscription'] = ResolversParentTypes['Subscription']> = {
  locationChanges?: SubscriptionResolver<ResolversTypes['LocationChange'], "locationChanges", ParentType, ContextType, RequireFields<SubscriptionLocationChangesArgs, 'mapId'>>;
};

export type TestWebhookPayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['TestWebhookPayload'] = ResolversParentTypes['TestWebhookPayload']> = {
  delivered?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  error?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  status?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  webhook?: Resolver<ResolversTypes['Webhook'], ParentType, ContextType>;
};

export type TokenResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Token'] = ResolversParentTypes['Token']> = {
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  expiresAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  isCurrent?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  lastUsedAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  map?: Resolver<Maybe<ResolversTypes['Map']>, ParentType, ContextType>;
  name?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  scope?: Resolver<ResolversTypes['TokenScope'], ParentType, ContextType>;
};

export type UpdateLocationPayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['UpdateLocationPayload'] = ResolversParentTypes['UpdateLocationPayload']> = {
  edge?: Resolver<ResolversTypes['LocationEdge'], ParentType, ContextType>;
  location?: Resolver<ResolversTypes['Location'], ParentType, ContextType>;
  map?: Resolver<ResolversTypes['Map'], ParentType, ContextType>;
};

export type UpdateMapPayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['UpdateMapPayload'] = ResolversParentTypes['UpdateMapPayload']> = {
  map?: Resolver<ResolversTypes['Map'], ParentType, ContextType>;
};

export type UpdateWebhookPayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['UpdateWebhookPayload'] = ResolversParentTypes['UpdateWebhookPayload']> = {
  webhook?: Resolver<ResolversTypes['Webhook'], ParentType, ContextType>;
};

export type UpsertLocationsErrorResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['UpsertLocationsError'] = ResolversParentTypes['UpsertLocationsError']> = {
  code?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type UpsertLocationsPayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['UpsertLocationsPayload'] = ResolversParentTypes['UpsertLocationsPayload']> = {
  map?: Resolver<ResolversTypes['Map'], ParentType, ContextType>;
  results?: Resolver<Array<ResolversTypes['UpsertLocationsResult']>, ParentType, ContextType>;
};

export type UpsertLocationsResultResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['UpsertLocationsResult'] = ResolversParentTypes['UpsertLocationsResult']> = {
  error?: Resolver<Maybe<ResolversTypes['UpsertLocationsError']>, ParentType, ContextType>;
  location?: Resolver<Maybe<ResolversTypes['Location']>, ParentType, ContextType>;
  outcome?: Resolver<Maybe<ResolversTypes['UpsertOutcome']>, ParentType, ContextType>;
};

export type ViewerResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Viewer'] = ResolversParentTypes['Viewer']> = {
  locations?: Resolver<Maybe<ResolversTypes['LocationConnection']>, ParentType, ContextType, Partial<ViewerLocationsArgs>>;
  maps?: Resolver<Maybe<ResolversTypes['MapConnection']>, ParentType, ContextType, Partial<ViewerMapsArgs>>;
  owner?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  scope?: Resolver<ResolversTypes['TokenScope'], ParentType, ContextType>;
  token?: Resolver<Maybe<ResolversTypes['Token']>, ParentType, ContextType>;
  tokens?: Resolver<Maybe<Array<ResolversTypes['Token']>>, ParentType, ContextType, Partial<ViewerTokensArgs>>;
};

export type WebhookResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Webhook'] = ResolversParentTypes['Webhook']> = {
  events?: Resolver<Array<ResolversTypes['WebhookEvent']>, ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  lastAttemptAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  lastError?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  lastStatus?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  status?: Resolver<ResolversTypes['WebhookStatus'], ParentType, ContextType>;
  url?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type Resolvers<ContextType = RequestContext> = {
  Bbox?: BboxResolvers<ContextType>;
  Cluster?: ClusterResolvers<ContextType>;
  CreateLocationPayload?: CreateLocationPayloadResolvers<ContextType>;
  CreateLocationsError?: CreateLocationsErrorResolvers<ContextType>;
  CreateLocationsPayload?: CreateLocationsPayloadResolvers<ContextType>;
  CreateLocationsResult?: CreateLocationsResultResolvers<ContextType>;
  CreateMapPayload?: CreateMapPayloadResolvers<ContextType>;
  CreateTokenPayload?: CreateTokenPayloadResolvers<ContextType>;
  CreateWebhookPayload?: CreateWebhookPayloadResolvers<ContextType>;
  DateTime?: GraphQLScalarType;
  DeleteLocationPayload?: DeleteLocationPayloadResolvers<ContextType>;
  DeleteLocationsPayload?: DeleteLocationsPayloadResolvers<ContextType>;
  DeleteMapPayload?: DeleteMapPayloadResolvers<ContextType>;
  DeleteWebhookPayload?: DeleteWebhookPayloadResolvers<ContextType>;
  Field?: FieldResolvers<ContextType>;
  Geocoding?: GeocodingResolvers<ContextType>;
  GeocodingCandidate?: GeocodingCandidateResolvers<ContextType>;
  JSON?: GraphQLScalarType;
  JSONObject?: GraphQLScalarType;
  LatLngLiteral?: LatLngLiteralResolvers<ContextType>;
  Latitude?: GraphQLScalarType;
  Location?: LocationResolvers<ContextType>;
  LocationChange?: LocationChangeResolvers<ContextType>;
  LocationConnection?: LocationConnectionResolvers<ContextType>;
  LocationEdge?: LocationEdgeResolvers<ContextType>;
  Longitude?: GraphQLScalarType;
  Map?: MapResolvers<ContextType>;
  MapConnection?: MapConnectionResolvers<ContextType>;
  MapEdge?: MapEdgeResolvers<ContextType>;
  MoveLocationsPayload?: MoveLocationsPayloadResolvers<ContextType>;
  Mutation?: MutationResolvers<ContextType>;
  Node?: NodeResolvers<ContextType>;
  PageInfo?: PageInfoResolvers<ContextType>;
  Query?: QueryResolvers<ContextType>;
  RestoreMapPayload?: RestoreMapPayloadResolvers<ContextType>;
  RevokeTokenPayload?: RevokeTokenPayloadResolvers<ContextType>;
  RotateWebhookSecretPayload?: RotateWebhookSecretPayloadResolvers<ContextType>;
  Subscription?: SubscriptionResolvers<ContextType>;
  TestWebhookPayload?: TestWebhookPayloadResolvers<ContextType>;
  Token?: TokenResolvers<ContextType>;
  UpdateLocationPayload?: UpdateLocationPayloadResolvers<ContextType>;
  UpdateMapPayload?: UpdateMapPayloadResolvers<ContextType>;
  UpdateWebhookPayload?: UpdateWebhookPayloadResolvers<ContextType>;
  UpsertLocationsError?: UpsertLocationsErrorResolvers<ContextType>;
  UpsertLocationsPayload?: UpsertLocationsPayloadResolvers<ContextType>;
  UpsertLocationsResult?: UpsertLocationsResultResolvers<ContextType>;
  Viewer?: ViewerResolvers<ContextType>;
  Webhook?: WebhookResolvers<ContextType>;
};

