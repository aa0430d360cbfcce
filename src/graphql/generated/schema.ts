import type { JsonObject } from '../../domain/json/json.ts';
import type { GraphQLResolveInfo, GraphQLScalarType, GraphQLScalarTypeConfig } from 'graphql';
import type { Caller } from '../../services/caller.ts';
import type { OwnToken } from '../../services/tokens/own-tokens.ts';
import type { ShownAccount } from '../../services/accounts/account-service.ts';
import type { ShownSession } from '../../services/accounts/session-service.ts';
import type { MapView, LocationView } from '../../domain/public-view.ts';
import type { MapThemeSource, LocationPage, ClusterSource, LocationEdgeSource, MapPage, MapEdgeSource, PageInfoSource, CreateLocationsResultSource, UpsertLocationsResultSource, NodeSource, LocationChangeSource, ActorSource, VersionPage, VersionEdgeSource, HistoryPage, HistoryEdgeSource, TrashPage, TrashEdgeSource } from '../source-types.ts';
import type { FieldDefinition } from '../../domain/map.ts';
import type { Box } from '../../domain/filter/box.ts';
import type { ShownVersion, HistoryRecord, ShownTrash } from '../../services/history/history-reads.ts';
import type { ShownMember } from '../../services/sharing/member-service.ts';
import type { ShownInvitation, PreviewedInvitation } from '../../services/sharing/invitation-service.ts';
import type { ShownMapLink } from '../../services/sharing/map-link-service.ts';
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
  /** A date and time in UTC, ISO 8601 with milliseconds: `2026-01-31T12:00:00.000Z`. */
  DateTime: { input: Date; output: number; }
  /** Any JSON value. */
  JSON: { input: unknown; output: unknown; }
  /** Any JSON object. Keys and values are returned exactly as they were passed. */
  JSONObject: { input: JsonObject; output: JsonObject; }
  /** Degrees north of the equator, WGS 84, from -90 to 90; never rounded. */
  Latitude: { input: number; output: number; }
  /** Degrees east of Greenwich, WGS 84, from -180 to 180; never rounded. */
  Longitude: { input: number; output: number; }
};

/** The invitation to accept. */
export type AcceptInvitationInput = {
  /** The secret: what follows `#join=` in the link. */
  secret: Scalars['String']['input'];
};

/** The map that you are a member of. */
export type AcceptInvitationPayload = {
  __typename?: 'AcceptInvitationPayload';
  /** The map. */
  map: Map;
  /** Your role on it. */
  role: MapRole;
};

/** A person's account, which signs in to the console. */
export type Account = {
  __typename?: 'Account';
  /** When it was created. */
  createdAt: Scalars['DateTime']['output'];
  /** What the OpenID Connect provider called the person at the last sign-in, or else the name. Not unique. */
  displayName: Scalars['String']['output'];
  /** Whether the account signs in with a password. */
  hasPassword: Scalars['Boolean']['output'];
  /** The owner's name, which is unique. */
  name: Scalars['String']['output'];
  /** The address of the OpenID Connect provider that it signs in at; null for an account of this server. */
  provider: Maybe<Scalars['String']['output']>;
};

/**
 * Who changed something, by the names that they have now. A link sees members and other links as `a member` and
 * `another link`.
 */
export type Actor = {
  __typename?: 'Actor';
  /** How they were known to the server. */
  kind: ActorKind;
  /**
   * An owner's display name; a token's name, or its owner's if it has none; `link:NAME`; `command line`. Empty if it was
   * deleted.
   */
  name: Scalars['String']['output'];
  /** The unique name of the owner, also of a token's; null for a link and the command line, and if it was deleted. */
  owner: Maybe<Scalars['String']['output']>;
};

/** How those who change something are known to the server. */
export type ActorKind =
  /** An owner, signed in or with a JWT. */
  | 'account'
  /** A link to a map. */
  | 'link'
  /** The command line of the server. */
  | 'operator'
  /** A token. */
  | 'token';

/** The address of a point. A part that the geocoder does not name is null. */
export type Address = {
  __typename?: 'Address';
  /** The city, town or village. */
  city: Maybe<Scalars['String']['output']>;
  /** The country's name. */
  country: Maybe<Scalars['String']['output']>;
  /** The country's ISO 3166-1 alpha-2 code, in upper case. */
  countryCode: Maybe<Scalars['String']['output']>;
  /** Metres from the point to the address. */
  distance: Scalars['Float']['output'];
  /** The house number. */
  houseNumber: Maybe<Scalars['String']['output']>;
  /** The address as the geocoder writes it. */
  label: Maybe<Scalars['String']['output']>;
  /** The postcode. */
  postcode: Maybe<Scalars['String']['output']>;
  /** The geocoder, such as `nominatim`. */
  provider: Scalars['String']['output'];
  /** The state, province or region. */
  state: Maybe<Scalars['String']['output']>;
  /** The street, without the house number. */
  street: Maybe<Scalars['String']['output']>;
};

/** An address suggested while one is typed. The whole address is the label and the description, separated by a comma. */
export type AddressSuggestion = {
  __typename?: 'AddressSuggestion';
  /** The rest of the address, such as town and country. */
  description: Maybe<Scalars['String']['output']>;
  /** The street with its number, or a name. */
  label: Scalars['String']['output'];
  /** Degrees north of the equator. */
  latitude: Scalars['Latitude']['output'];
  /** Degrees east of Greenwich. */
  longitude: Scalars['Longitude']['output'];
};

/** The source of data, which must be shown with them. */
export type Attribution = {
  __typename?: 'Attribution';
  /** The text to show, such as `© OpenStreetMap contributors`. */
  text: Scalars['String']['output'];
  /** What the text links to, an http or https address; null for no link. */
  url: Maybe<Scalars['String']['output']>;
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

/** A box in degrees. If west is greater than east, it crosses the antimeridian. */
export type BboxInput = {
  /** Degrees from -180 to 180. */
  east: Scalars['Float']['input'];
  /** Degrees from -90 to 90, at least `south`. */
  north: Scalars['Float']['input'];
  /** Degrees from -90 to 90. */
  south: Scalars['Float']['input'];
  /** Degrees from -180 to 180. */
  west: Scalars['Float']['input'];
};

/** How a category looks. */
export type CategoryStyle = {
  __typename?: 'CategoryStyle';
  /** The colour, `#rrggbb`; null for one of the page's choice. */
  color: Maybe<Scalars['String']['output']>;
  /** The name of an icon; null for a shape of the page's choice. */
  icon: Maybe<Scalars['String']['output']>;
  /** The text shown in place of the value; null for the value. */
  label: Maybe<Scalars['String']['output']>;
  /** A value of the map's category field, its first field of the type `category`. */
  value: Scalars['String']['output'];
};

/** How a category looks. */
export type CategoryStyleInput = {
  /** The colour, such as `#0b6bcb`. */
  color?: InputMaybe<Scalars['String']['input']>;
  /** The name of a built-in icon, such as `cafe`. */
  icon?: InputMaybe<Scalars['String']['input']>;
  /** The text to show in place of the value: not blank, at most 256 characters. */
  label?: InputMaybe<Scalars['String']['input']>;
  /** A value of the map's category field, unique in the list: not blank, at most 256 characters. */
  value: Scalars['String']['input'];
};

/** The current and the new password. */
export type ChangePasswordInput = {
  /** The password that the account has. */
  currentPassword: Scalars['String']['input'];
  /** The new password: 10 to 256 characters, and not one of the most used passwords. */
  newPassword: Scalars['String']['input'];
};

/** The sessions that ended with the former password. */
export type ChangePasswordPayload = {
  __typename?: 'ChangePasswordPayload';
  /** Their identifiers. */
  endedIds: Array<Scalars['ID']['output']>;
};

/** Locations to mark as checked. */
export type CheckLocationsInput = {
  /** The locations' identifiers, 1 to 1,000. Unknown ones are ignored. */
  ids: Array<Scalars['ID']['input']>;
  /** Whether their points are right. */
  isChecked: Scalars['Boolean']['input'];
  /** The map's identifier. */
  mapId: Scalars['ID']['input'];
};

/** The locations that are marked. */
export type CheckLocationsPayload = {
  __typename?: 'CheckLocationsPayload';
  /** This call in the map's history, for `undoChange`; null if it changed nothing, or no history is kept. */
  historyId: Maybe<Scalars['ID']['output']>;
  /** The locations as they are now, in the order of the identifiers. */
  locations: Array<Location>;
  /** The map. */
  map: Map;
};

/** A group of nearby locations. */
export type Cluster = {
  __typename?: 'Cluster';
  /** Their bounding box. */
  bbox: Bbox;
  /** The number of locations. */
  count: Scalars['Int']['output'];
  /** The mean of the locations' latitudes, degrees. */
  latitude: Scalars['Float']['output'];
  /** The location if it is the only one, else null. */
  location: Maybe<Location>;
  /** The mean of the locations' longitudes, degrees. */
  longitude: Scalars['Float']['output'];
};

/** A new invitation. */
export type CreateInvitationInput = {
  /** When it expires, within 30 days; by default after 30 days. */
  expiresAt?: InputMaybe<Scalars['DateTime']['input']>;
  /** The map's identifier. */
  mapId: Scalars['ID']['input'];
  /** How many people may accept it, at most 50; by default 1. */
  maxUses?: InputMaybe<Scalars['Int']['input']>;
  /** A note for the invited and for the owners of the map: not blank, at most 200 characters. */
  note?: InputMaybe<Scalars['String']['input']>;
  /** The role that it gives. */
  role: MapRole;
};

/** The invitation that was made. */
export type CreateInvitationPayload = {
  __typename?: 'CreateInvitationPayload';
  /** The new invitation. */
  invitation: Invitation;
  /** The link to send to the invited. It opens the console, with the secret in the fragment. Shown only once. */
  link: Scalars['String']['output'];
  /** The secret that `acceptInvitation` takes. Shown only once. */
  secret: Scalars['String']['output'];
};

/** A new location. */
export type CreateLocationInput = {
  /** Your own identifier of the location, unique in its map: 1 to 255 characters. One in use is `CONFLICT`. */
  externalId?: InputMaybe<Scalars['String']['input']>;
  /** All fields of the location; the map's name and address fields are required. */
  fields: Scalars['JSONObject']['input'];
  /**
   * 1 to 255 printable ASCII characters. For 24 hours the same key with the same content returns the first response
   * again and stores nothing.
   */
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
  /** The identifier of the location's map. */
  mapId: Scalars['ID']['input'];
  /**
   * The sort key in the list, 1 to 256 characters: decimal numbers sort by value, any other text after all numbers. By
   * default the location is appended.
   */
  order?: InputMaybe<Scalars['String']['input']>;
  /** The coordinates, if known: no geocoder is called. The address field is still required. */
  position?: InputMaybe<PositionInput>;
};

/** The location that was created. */
export type CreateLocationPayload = {
  __typename?: 'CreateLocationPayload';
  /** The location's edge in its map's `locations`, for a client's cache. */
  edge: LocationEdge;
  /** This call in the map's history, for `undoChange`; null if it changed nothing, or no history is kept. */
  historyId: Maybe<Scalars['ID']['output']>;
  /** The new location. */
  location: Location;
  /** The location's map. */
  map: Map;
};

/** Why a location was not stored. */
export type CreateLocationsError = {
  __typename?: 'CreateLocationsError';
  /** The code, as in `extensions.code` of an error. */
  code: Scalars['String']['output'];
  /** A description for people. */
  message: Scalars['String']['output'];
};

/** New locations of one map. */
export type CreateLocationsInput = {
  /** Only validate: nothing is stored and no geocoder is called. A location without an error is valid. */
  dryRun?: InputMaybe<Scalars['Boolean']['input']>;
  /**
   * The `historyId` of an earlier call of `createLocations` or `upsertLocations` by the same caller within the last day: both
   * become one entry of the map's history, such as an import in parts.
   */
  historyId?: InputMaybe<Scalars['ID']['input']>;
  /**
   * 1 to 255 printable ASCII characters, for the whole call; the locations then have no keys of their own. For 24 hours the
   * same key with the same locations returns what was stored, stores nothing again, and tries only locations that failed; with
   * others it is `CONFLICT`. A call that stores nothing frees its key. `OVERLOADED`: the call is under way.
   */
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
  /** The new locations, 1 to 1,000; those without an order are appended in the given order. */
  locations: Array<CreateLocationsItemInput>;
  /** The identifier of the locations' map. */
  mapId: Scalars['ID']['input'];
};

/** One of several new locations. */
export type CreateLocationsItemInput = {
  /** Your own identifier of the location, as for `createLocation`. */
  externalId?: InputMaybe<Scalars['String']['input']>;
  /** All fields of the location; the map's name and address fields are required. */
  fields: Scalars['JSONObject']['input'];
  /** 1 to 255 printable ASCII characters, as for `createLocation`. */
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
  /** The sort key in the list; by default the location is appended. */
  order?: InputMaybe<Scalars['String']['input']>;
  /** The coordinates, if known, as for `createLocation`. */
  position?: InputMaybe<PositionInput>;
};

/** The results of creating several locations. */
export type CreateLocationsPayload = {
  __typename?: 'CreateLocationsPayload';
  /** This call in the map's history, for `undoChange`; null if it changed nothing, or no history is kept. */
  historyId: Maybe<Scalars['ID']['output']>;
  /** The locations' map. */
  map: Map;
  /** One result per location, in the given order. */
  results: Array<CreateLocationsResult>;
};

/** The result of creating one of several locations. */
export type CreateLocationsResult = {
  __typename?: 'CreateLocationsResult';
  /** Why it was not stored; null on success. */
  error: Maybe<CreateLocationsError>;
  /** The stored location; null with an error, and in a dry run. */
  location: Maybe<Location>;
};

/** A new map. */
export type CreateMapInput = {
  /**
   * The field definitions, at most 100: unique names, and one field each for name and address. By default `Name`
   * (placeName) and `Address` (address).
   */
  fields?: InputMaybe<Array<FieldInput>>;
  /** Where the addresses of the map are; by default anywhere in the world. */
  geocoding?: InputMaybe<MapGeocodingInput>;
  /** The maps provider's key that geocodes addresses. */
  geocodingApiKey?: InputMaybe<Scalars['String']['input']>;
  /** Whether the map is published to the public; false by default. */
  isPublished?: InputMaybe<Scalars['Boolean']['input']>;
  /** The map's name: not blank, at most 256 characters. */
  name: Scalars['String']['input'];
  /** The maps provider's key that loads this map. */
  providerMapApiKey?: InputMaybe<Scalars['String']['input']>;
};

/** A new map link. */
export type CreateMapLinkInput = {
  /** When it expires; by default never. */
  expiresAt?: InputMaybe<Scalars['DateTime']['input']>;
  /** The map's identifier. */
  mapId: Scalars['ID']['input'];
  /** The link's name: not blank, at most 128 characters. */
  name: Scalars['String']['input'];
  /** What it allows. */
  scope: MapLinkScope;
};

/** The link that was made. */
export type CreateMapLinkPayload = {
  __typename?: 'CreateMapLinkPayload';
  /** The address that opens the map in the console, with the secret in the fragment. Shown only once. */
  consoleLink: Scalars['String']['output'];
  /** The new link. */
  mapLink: MapLink;
  /** The address of the map's page, with the secret in the fragment; null for a link that may edit. Shown only once. */
  pageLink: Maybe<Scalars['String']['output']>;
  /** The secret, to send as a bearer token. Shown only once. */
  secret: Scalars['String']['output'];
};

/** The map that was created. */
export type CreateMapPayload = {
  __typename?: 'CreateMapPayload';
  /** The new map. */
  map: Map;
};

/** A new token. */
export type CreateTokenInput = {
  /** When it expires; by default never. */
  expiresAt?: InputMaybe<Scalars['DateTime']['input']>;
  /** Limits the token to this map; by default it covers all maps of its owner. */
  mapId?: InputMaybe<Scalars['ID']['input']>;
  /** The token's name: not blank, at most 128 characters. */
  name?: InputMaybe<Scalars['String']['input']>;
  /** What the token may do. */
  scope: TokenScope;
};

/** The token that was created. */
export type CreateTokenPayload = {
  __typename?: 'CreateTokenPayload';
  /** The secret that authenticates requests. Shown only once. */
  secret: Scalars['String']['output'];
  /** The new token. */
  token: Token;
};

/** A new webhook. */
export type CreateWebhookInput = {
  /** The kinds of changes to notify it of, at least one. */
  events: Array<WebhookEvent>;
  /** The identifier of the map. */
  mapId: Scalars['ID']['input'];
  /** Where messages are sent: an https URL without user information, at most 2,048 characters. */
  url: Scalars['String']['input'];
};

/** The webhook that was created. */
export type CreateWebhookPayload = {
  __typename?: 'CreateWebhookPayload';
  /** The secret that signs its messages. Shown only once. */
  secret: Scalars['String']['output'];
  /** The new webhook. */
  webhook: Webhook;
};

/** The location to delete. */
export type DeleteLocationInput = {
  /** The location's identifier. */
  id: Scalars['ID']['input'];
  /**
   * 1 to 255 printable ASCII characters, for the whole call. For 24 hours the same key with the same content returns the
   * same location and writes nothing again; with other content it is `CONFLICT`. A call that fails without writing
   * anything frees its key. `OVERLOADED`: the call is under way.
   */
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
  /** The identifier of the location's map. */
  mapId: Scalars['ID']['input'];
};

/** The location that was deleted. */
export type DeleteLocationPayload = {
  __typename?: 'DeleteLocationPayload';
  /** Its identifier, for a client's cache. */
  deletedId: Scalars['ID']['output'];
  /** This call in the map's history, for `undoChange`; null if it changed nothing, or no history is kept. */
  historyId: Maybe<Scalars['ID']['output']>;
  /** The location before deletion. */
  location: Location;
  /** The location's map. */
  map: Map;
};

/** The locations to delete. */
export type DeleteLocationsInput = {
  /**
   * Required with a filter: the number of matching locations. If it differs, nothing is deleted, and the error is
   * `CONFLICT`.
   */
  expectedCount?: InputMaybe<Scalars['Int']['input']>;
  /** Instead of identifiers: all locations that match. */
  filter?: InputMaybe<LocationFilter>;
  /** The locations' identifiers, 1 to 1,000. Unknown ones are ignored. */
  ids?: InputMaybe<Array<Scalars['ID']['input']>>;
  /** The identifier of the locations' map. */
  mapId: Scalars['ID']['input'];
};

/** The locations that were deleted. */
export type DeleteLocationsPayload = {
  __typename?: 'DeleteLocationsPayload';
  /** Their number. */
  deletedCount: Scalars['Int']['output'];
  /** Their unique identifiers, in the given order, or for a filter in list order. */
  deletedIds: Array<Scalars['ID']['output']>;
  /** This call in the map's history, for `undoChange`; null if it changed nothing, or no history is kept. */
  historyId: Maybe<Scalars['ID']['output']>;
  /** The locations' map. */
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
  /** The webhook's identifier. */
  deletedId: Scalars['ID']['output'];
};

/** A sort direction. */
export type Direction =
  /** Ascending: smallest, earliest or alphabetically first. */
  | 'asc'
  /** Descending: largest, latest or alphabetically last. */
  | 'desc';

/** The sessions to end. */
export type EndSessionsInput = {
  /** The sessions' identifiers, at most 100; others than the account's are ignored. By default all but that of this request. */
  ids?: InputMaybe<Array<Scalars['ID']['input']>>;
};

/** The sessions that were ended. */
export type EndSessionsPayload = {
  __typename?: 'EndSessionsPayload';
  /** Their identifiers. */
  endedIds: Array<Scalars['ID']['output']>;
};

/** The definition of one field of a map's locations. */
export type Field = {
  __typename?: 'Field';
  /** Whether the field is visible in the public view. */
  isPublic: Scalars['Boolean']['output'];
  /** The field's name: a key in a location's `properties`. */
  name: Scalars['String']['output'];
  /** The type of the field's values. */
  type: FieldType;
};

/** The definition of one field. */
export type FieldInput = {
  /** Whether the field is visible in the public view; true by default. */
  isPublic?: InputMaybe<Scalars['Boolean']['input']>;
  /** The field's name, unique in the map: not blank, at most 256 characters. */
  name: Scalars['String']['input'];
  /** The type of the field's values. */
  type: FieldType;
};

/** The type of a field's values. */
export type FieldType =
  /** The location's address, which is geocoded. */
  | 'address'
  /** The URL of a sound file. */
  | 'audio'
  /** A category. */
  | 'category'
  /** A call to action. */
  | 'cta'
  /** A date. */
  | 'date'
  /** A longer text. */
  | 'description'
  /** The URL of an image. */
  | 'image_link'
  /** A number. */
  | 'number'
  /**
   * Opening hours in the syntax of OpenStreetMap, such as `Mo-Fr 09:00-18:00; Sa 10:00-14:00; PH off`, in the time zone of the map.
   * `/v0` shows the type as `text`.
   */
  | 'openingHours'
  /** A telephone number. */
  | 'phone'
  /** The location's name. */
  | 'placeName'
  /** A tag. */
  | 'tag'
  /** Plain text. */
  | 'text'
  /** The URL of a website. */
  | 'website';

/** What happens to existing fields. */
export type FieldsMode =
  /** Keep fields that are not passed. */
  | 'merge'
  /** Remove fields that are not passed. */
  | 'replace';

/** Why a location was not geocoded. */
export type GeocodeLocationsError = {
  __typename?: 'GeocodeLocationsError';
  /** The error code. */
  code: Scalars['String']['output'];
  /** The message. */
  message: Scalars['String']['output'];
};

/** Locations to geocode again: either `ids` or `filter`. */
export type GeocodeLocationsInput = {
  /** Only report: nothing is stored, but the geocoder is called. */
  dryRun?: InputMaybe<Scalars['Boolean']['input']>;
  /** With a filter: the number of matching locations. If it differs, nothing is geocoded, and the error is `CONFLICT`. */
  expectedCount?: InputMaybe<Scalars['Int']['input']>;
  /** Instead of identifiers: all locations that match, at most 1,000. */
  filter?: InputMaybe<LocationFilter>;
  /** The locations' identifiers, 1 to 1,000. Unknown ones are ignored. */
  ids?: InputMaybe<Array<Scalars['ID']['input']>>;
  /** Whether to replace points that a person has set or checked, too; false by default. */
  includeManual?: InputMaybe<Scalars['Boolean']['input']>;
  /** The map's identifier. */
  mapId: Scalars['ID']['input'];
  /** Whether to keep points of a better precision; true by default. */
  onlyBetter?: InputMaybe<Scalars['Boolean']['input']>;
};

/** What became of a location's point. */
export type GeocodeLocationsOutcome =
  /** It has the new point; with `dryRun` it would have. */
  | 'changed'
  /** It was set or checked by a person, or is of a better precision. */
  | 'kept'
  /** A quota was used up, or the geocoder failed. */
  | 'not_asked'
  /** The geocoder does not know the address. */
  | 'not_found'
  /** The geocoder found the same point. */
  | 'unchanged';

/** What became of the locations. */
export type GeocodeLocationsPayload = {
  __typename?: 'GeocodeLocationsPayload';
  /** This call in the map's history, for `undoChange`; null if it changed nothing, or no history is kept. */
  historyId: Maybe<Scalars['ID']['output']>;
  /** The map. */
  map: Map;
  /** One result for each location, in the order of the identifiers or of the list. */
  results: Array<GeocodeLocationsResult>;
};

/** What became of one location. */
export type GeocodeLocationsResult = {
  __typename?: 'GeocodeLocationsResult';
  /** What the geocoder found; null if it found nothing or was not called. */
  after: Maybe<GeocodedPoint>;
  /** The point before the call. */
  before: GeocodedPoint;
  /** Metres between both points. */
  distance: Maybe<Scalars['Float']['output']>;
  /** Why the geocoder found nothing or was not called. */
  error: Maybe<GeocodeLocationsError>;
  /** The location as it is now. */
  location: Location;
  /** What became of its point. */
  outcome: GeocodeLocationsOutcome;
};

/** A point, and where it comes from. */
export type GeocodedPoint = {
  __typename?: 'GeocodedPoint';
  /** Degrees north of the equator. */
  latitude: Scalars['Latitude']['output'];
  /** Degrees east of Greenwich. */
  longitude: Scalars['Longitude']['output'];
  /** How precisely the point matches the address. */
  precision: GeocodingPrecision;
  /** The geocoder, such as `offline`; `manual` for a point set by hand. */
  provider: Scalars['String']['output'];
};

/** How an address was geocoded. */
export type Geocoding = {
  __typename?: 'Geocoding';
  /** Whether the geocoder found another place of the same precision more than a kilometre away. */
  isAmbiguous: Scalars['Boolean']['output'];
  /** Whether a person has set the point or confirmed it with `checkLocations`. False again when a new address is geocoded. */
  isChecked: Scalars['Boolean']['output'];
  /**
   * The address as the geocoder writes it; null if it returned none, or its terms forbid storing it, and in the public
   * view if the address field is not public.
   */
  label: Maybe<Scalars['String']['output']>;
  /** How precisely the coordinates match the address. */
  precision: GeocodingPrecision;
  /** The geocoder, such as `offline`; `manual` if the caller passed coordinates. */
  provider: Scalars['String']['output'];
};

/** A place that an address may mean. */
export type GeocodingCandidate = {
  __typename?: 'GeocodingCandidate';
  /** The address as the geocoder writes it; null if it returns none, or its terms forbid storing it. */
  formattedAddress: Maybe<Scalars['String']['output']>;
  /** Degrees north of the equator. */
  latitude: Scalars['Latitude']['output'];
  /** Degrees east of Greenwich. */
  longitude: Scalars['Longitude']['output'];
  /** The geocoder's identifier of the place. */
  placeId: Scalars['String']['output'];
  /** How precisely the coordinates match the address. */
  precision: GeocodingPrecision;
  /** The geocoder, such as `offline`. */
  provider: Scalars['String']['output'];
};

/** The number of locations of one precision. */
export type GeocodingCount = {
  __typename?: 'GeocodingCount';
  /** The number of locations; at least 1. */
  count: Scalars['Int']['output'];
  /** Whether a person has set the points or confirmed them. */
  isChecked: Scalars['Boolean']['output'];
  /** How precisely their points match their addresses. */
  precision: GeocodingPrecision;
};

/** Conditions on how an address was geocoded: at least one. All of them must hold. */
export type GeocodingFilter = {
  /** Whether the geocoder found another place of the same precision more than a kilometre away. */
  isAmbiguous?: InputMaybe<Scalars['Boolean']['input']>;
  /** Whether a person has set the point or confirmed it. */
  isChecked?: InputMaybe<Scalars['Boolean']['input']>;
  /** One of these precisions. */
  precision?: InputMaybe<Array<GeocodingPrecision>>;
  /** One of these geocoders, 1 to 100; `manual` for points that the caller passed. */
  provider?: InputMaybe<Array<Scalars['String']['input']>>;
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

/** A page of the history of a map. */
export type HistoryConnection = {
  __typename?: 'HistoryConnection';
  /** The page's entries, each with its cursor. */
  edges: Array<HistoryEdge>;
  /** The page's entries. */
  nodes: Array<HistoryEntry>;
  /** The page's position in the connection. */
  pageInfo: PageInfo;
};

/** An entry in a connection. */
export type HistoryEdge = {
  __typename?: 'HistoryEdge';
  /** The entry's position, for `after`. */
  cursor: Scalars['String']['output'];
  /** The entry. */
  node: HistoryEntry;
};

/** All changes that one call made to the locations of a map. An import is one call. */
export type HistoryEntry = {
  __typename?: 'HistoryEntry';
  /** When the call began. */
  at: Scalars['DateTime']['output'];
  /** Who made it. */
  by: Actor;
  /** The number of locations that it created or restored. */
  created: Scalars['Int']['output'];
  /** The number of locations that it deleted. */
  deleted: Scalars['Int']['output'];
  /** The call's identifier, for `undoChange`. */
  id: Scalars['ID']['output'];
  /** Identifiers of the locations that it changed: at most 100, in the order of the changes. */
  locationIds: Array<Scalars['ID']['output']>;
  /** The number of locations that it moved in the list, with those that made room. */
  moved: Scalars['Int']['output'];
  /** The name of the mutation, or of the command. */
  operation: Scalars['String']['output'];
  /** The number of changes that it made to values of locations. */
  updated: Scalars['Int']['output'];
};

/** Which entries of the history to list. Conditions are combined with AND; null means omitted. */
export type HistoryFilter = {
  /** The name or the owner of who made the changes, exactly. */
  by?: InputMaybe<Scalars['String']['input']>;
  /** A location that was changed, which may be deleted. */
  locationId?: InputMaybe<Scalars['ID']['input']>;
  /** The name of the mutation, or of the command. */
  operation?: InputMaybe<Scalars['String']['input']>;
  /** One of these names of mutations and commands, 1 to 100. */
  operations?: InputMaybe<Array<Scalars['String']['input']>>;
  /** Not before this time. */
  since?: InputMaybe<Scalars['DateTime']['input']>;
  /** Not after this time. */
  until?: InputMaybe<Scalars['DateTime']['input']>;
};

/** An open invitation to a map. */
export type Invitation = {
  __typename?: 'Invitation';
  /** When it was made. */
  createdAt: Scalars['DateTime']['output'];
  /** The display name of the owner who made it. It ends when that is no longer an owner of the map. */
  createdBy: Scalars['String']['output'];
  /** The unique name of that owner. */
  createdByOwner: Scalars['String']['output'];
  /** When it expires. */
  expiresAt: Scalars['DateTime']['output'];
  /** The invitation's identifier. */
  id: Scalars['ID']['output'];
  /** How many people may accept it. */
  maxUses: Scalars['Int']['output'];
  /** A note for the invited and for the owners of the map. */
  note: Maybe<Scalars['String']['output']>;
  /** The role that it gives. */
  role: MapRole;
  /** How many have accepted it. */
  uses: Scalars['Int']['output'];
};

/** What the invited see of an invitation. */
export type InvitationPreview = {
  __typename?: 'InvitationPreview';
  /** When it expires. */
  expiresAt: Scalars['DateTime']['output'];
  /** The display name of the owner who made it. */
  invitedBy: Scalars['String']['output'];
  /** The unique name of that owner. */
  invitedByOwner: Scalars['String']['output'];
  /** The map's name. */
  mapName: Scalars['String']['output'];
  /** The note of that owner. */
  note: Maybe<Scalars['String']['output']>;
  /** The role that it gives. */
  role: MapRole;
};

/** Coordinates as plain decimal numbers in strings: the shortest that parse to the same doubles. */
export type LatLngLiteral = {
  __typename?: 'LatLngLiteral';
  /** Degrees north of the equator. */
  lat: Scalars['String']['output'];
  /** Degrees east of Greenwich. */
  lng: Scalars['String']['output'];
};

/** The map to leave. */
export type LeaveMapInput = {
  /** The map's identifier. */
  mapId: Scalars['ID']['input'];
};

/** The map that was left. */
export type LeaveMapPayload = {
  __typename?: 'LeaveMapPayload';
  /** The map's identifier. */
  mapId: Scalars['ID']['output'];
};

/**
 * A location on a map. The public view has no external id, and only the properties that are public fields; everything
 * else is public.
 */
export type Location = Node & {
  __typename?: 'Location';
  /** When the location was created. */
  createdAt: Scalars['DateTime']['output'];
  /** Your own identifier of the location, unique in its map. Null in the public view. */
  externalId: Maybe<Scalars['String']['output']>;
  /** How the address was geocoded. */
  geocoding: Geocoding;
  /** The location's identifier. */
  id: Scalars['ID']['output'];
  /** The coordinates as in /v0: decimal numbers in strings. */
  latLngLiteral: LatLngLiteral;
  /** Degrees north of the equator. */
  latitude: Scalars['Latitude']['output'];
  /** Degrees east of Greenwich. */
  longitude: Scalars['Longitude']['output'];
  /** The location's map. */
  map: Map;
  /** The location's name: the value of the map's name field. */
  name: Scalars['String']['output'];
  /** The sort key in the map's list: decimal numbers sort by value, any other text after all numbers. */
  order: Scalars['String']['output'];
  /** The geocoder's identifier of the place. */
  placeId: Scalars['String']['output'];
  /** All fields of the location as they were passed; in the public view only public fields. */
  properties: Scalars['JSONObject']['output'];
  /** When the location was last changed; initially its creation time. */
  updatedAt: Scalars['DateTime']['output'];
  /** 1 at creation; each change of fields, coordinates, order or external id adds 1. */
  version: Scalars['Int']['output'];
  /** The changes of the location, newest first. Null with the error `FORBIDDEN` in the public view. */
  versions: Maybe<LocationVersionConnection>;
};


/**
 * A location on a map. The public view has no external id, and only the properties that are public fields; everything
 * else is public.
 */
export type LocationVersionsArgs = {
  after: InputMaybe<Scalars['String']['input']>;
  first: InputMaybe<Scalars['Int']['input']>;
};

/** A change of a map's locations, or the instruction to read the map again. */
export type LocationChange = {
  __typename?: 'LocationChange';
  /** The change's position in the map's change log. Pass it as `since` to resume a subscription. */
  cursor: Scalars['String']['output'];
  /** The kind of change. */
  kind: LocationChangeKind;
  /**
   * The location as it is when the event is sent, which may be after later changes; null if it is deleted, and for a
   * `resync`.
   */
  location: Maybe<Location>;
  /** The location's identifier; null for a `resync`. */
  locationId: Maybe<Scalars['ID']['output']>;
};

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

/** A page of a map's locations. */
export type LocationConnection = {
  __typename?: 'LocationConnection';
  /** The page's locations, each with its cursor. */
  edges: Array<LocationEdge>;
  /**
   * The `order` of the first location after the page, as /v0's `offset` takes it; null on the last page, and with a
   * filter or order.
   */
  nextOrder: Maybe<Scalars['String']['output']>;
  /** The page's locations. */
  nodes: Array<Location>;
  /** The page's position in the connection. */
  pageInfo: PageInfo;
  /** The number of locations on all pages; computed only if selected. */
  totalCount: Scalars['Int']['output'];
};

/** A location in a connection. */
export type LocationEdge = {
  __typename?: 'LocationEdge';
  /** The edge's cursor. Stays valid when the location is deleted. */
  cursor: Scalars['String']['output'];
  /** Metres from the point of the filter's `near`; null unless exactly one `near` always applies. */
  distance: Maybe<Scalars['Float']['output']>;
  /** The location. */
  node: Location;
};

/** Which locations to find. Conditions are combined with AND; `{}` matches every location. */
export type LocationFilter = {
  /** All of these must match. */
  and?: InputMaybe<Array<LocationFilter>>;
  /** In a box, including its edges. */
  bbox?: InputMaybe<BboxInput>;
  /** The time of creation. */
  createdAt?: InputMaybe<TimeRange>;
  /** One of these external identifiers, 1 to 1,000. */
  externalIds?: InputMaybe<Array<Scalars['String']['input']>>;
  /** How the address was geocoded. */
  geocoding?: InputMaybe<GeocodingFilter>;
  /** One of these identifiers, 1 to 1,000. */
  ids?: InputMaybe<Array<Scalars['ID']['input']>>;
  /** Near a point. */
  near?: InputMaybe<NearInput>;
  /** This must not match. */
  not?: InputMaybe<LocationFilter>;
  /** At least one of these must match. */
  or?: InputMaybe<Array<LocationFilter>>;
  /**
   * In a GeoJSON Polygon or MultiPolygon of at most 1,000 positions, including its edges and excluding its holes. Edges
   * are straight lines in longitude and latitude.
   */
  polygon?: InputMaybe<Scalars['JSONObject']['input']>;
  /** A property's value. */
  property?: InputMaybe<PropertyFilter>;
  /**
   * Words of the name or of texts in `properties`, or prefixes of them, ignoring case, accents and apostrophes between
   * letters: 1 to 256 characters, at most 10 words.
   */
  search?: InputMaybe<Scalars['String']['input']>;
  /** The time of the last change. */
  updatedAt?: InputMaybe<TimeRange>;
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
  direction?: InputMaybe<Direction>;
  /** The property's name; only with `by: property`. */
  property?: InputMaybe<Scalars['String']['input']>;
};

/** A change of a location, by the version that it made. */
export type LocationVersion = {
  __typename?: 'LocationVersion';
  /** When it was made. */
  at: Scalars['DateTime']['output'];
  /** Who made it; null if that is not kept. */
  by: Maybe<Actor>;
  /** What it changed; empty if it created, deleted or restored the location. */
  changes: Array<VersionChange>;
  /** The whole call, for `undoChange`; null if it is not kept. */
  historyId: Maybe<Scalars['ID']['output']>;
  /** The name of the mutation, or of the command; null if that is not kept. */
  operation: Maybe<Scalars['String']['output']>;
  /** The version of the location after the change. Deleting counts as a version. */
  version: Scalars['Int']['output'];
};

/** A page of the changes of a location. */
export type LocationVersionConnection = {
  __typename?: 'LocationVersionConnection';
  /** The page's versions, each with its cursor. */
  edges: Array<LocationVersionEdge>;
  /** The page's versions. */
  nodes: Array<LocationVersion>;
  /** The page's position in the connection. */
  pageInfo: PageInfo;
};

/** A version in a connection. */
export type LocationVersionEdge = {
  __typename?: 'LocationVersionEdge';
  /** The version's position, for `after`. */
  cursor: Scalars['String']['output'];
  /** The version. */
  node: LocationVersion;
};

/**
 * A map: a list of locations, and the definitions of their fields.
 *
 * Through `publicMap`, a map and everything reached through it is in the public view: no API keys, no members, and only public
 * fields. Filters and orders on other properties are `BAD_USER_INPUT`, and `search` covers names and public fields.
 */
export type Map = Node & {
  __typename?: 'Map';
  /**
   * What must be shown with the map's points, by the terms of the geocoders that found them; empty for a deleted map. The cost
   * does not depend on the number of locations.
   */
  attributions: Array<Attribution>;
  /** How the categories of the map look, in the order of the legend; empty in the public view if its category field is hidden. */
  categories: Array<CategoryStyle>;
  /**
   * The map's locations in a box, grouped: one cluster per cell of a grid that touches the box and has locations, from
   * north to south and then from west to east. More than 2,000 clusters are an error.
   */
  clusters: Maybe<Array<Cluster>>;
  /** When the map was created. */
  createdAt: Scalars['DateTime']['output'];
  /** The definitions of the locations' fields; in the public view only public ones. */
  fields: Array<Field>;
  /** Where the addresses of the map are; null for the whole world, and in the public view. */
  geocoding: Maybe<MapGeocoding>;
  /** The maps provider's key that geocodes addresses: a secret. Null except for owners of the map with a token that may write. */
  geocodingApiKey: Maybe<Scalars['String']['output']>;
  /**
   * How many of the map's locations have which precision, from rooftop to region and unchecked ones first; empty for a
   * deleted map. The cost does not depend on the number of locations.
   */
  geocodingCounts: Array<GeocodingCount>;
  /**
   * The calls that changed the map's locations, newest first. Null with the error `FORBIDDEN` in the public view, and
   * `MAP_DELETED` if the map is deleted.
   */
  history: Maybe<HistoryConnection>;
  /** The map's identifier. */
  id: Scalars['ID']['output'];
  /**
   * The open invitations to the map, by creation, without their secrets; at most 50. Null with the error `FORBIDDEN`
   * below the role `owner` and in the public view.
   */
  invitations: Maybe<Array<Invitation>>;
  /** Whether the map is deleted. A deleted map can only be read, deleted again and restored. */
  isDeleted: Scalars['Boolean']['output'];
  /** Whether the map is published to the public. */
  isPublished: Scalars['Boolean']['output'];
  /** The language of the map's page, one of en, de, fr, es, it, nl, pt-BR, pl, ja and ar; null for the reader's. */
  language: Maybe<Scalars['String']['output']>;
  /**
   * The links to the map that are neither expired nor revoked, by creation, without their secrets; at most 50. Null with
   * the error `FORBIDDEN` below the role `owner` and in the public view.
   */
  links: Maybe<Array<MapLink>>;
  /** One of the map's locations; null with the error `LOCATION_NOT_FOUND` or `MAP_DELETED`. */
  location: Maybe<Location>;
  /**
   * The location at a position in the map's list; null with the error `LOCATION_NOT_FOUND` beyond the end, or
   * `MAP_DELETED`. Takes longer the farther the position is from both ends. Finds none in the public view.
   */
  locationAt: Maybe<Location>;
  /**
   * The location with that external id; null with the error `LOCATION_NOT_FOUND` or `MAP_DELETED`. Finds none in the
   * public view.
   */
  locationByExternalId: Maybe<Location>;
  /**
   * The map's locations by `order`: numbers by value, then texts; equal orders by creation. Null with the error
   * `MAP_DELETED` if the map is deleted.
   */
  locations: Maybe<LocationConnection>;
  /**
   * The map's members, by the time of joining; at most 200. Null with the error `FORBIDDEN` in the public view and
   * for a link.
   */
  members: Maybe<Array<MapMember>>;
  /** The viewer's role, whatever the token may do; null in the public view. */
  myRole: Maybe<MapRole>;
  /** The map's name. */
  name: Scalars['String']['output'];
  /** The maps provider's key that loads this map: a secret. Null except for owners of the map with a token that may write. */
  providerMapApiKey: Maybe<Scalars['String']['output']>;
  /** The look of the map's page. */
  theme: MapTheme;
  /** The time zone of the map's opening hours, a name of the IANA database such as `Europe/Berlin`; null if unknown. */
  timeZone: Maybe<Scalars['String']['output']>;
  /**
   * The map's deleted locations, the last ones first. Null with the error `FORBIDDEN` in the public view, and `MAP_DELETED`
   * if the map is deleted.
   */
  trash: Maybe<TrashConnection>;
  /** When the map, not its locations, was last changed; initially its creation time. */
  updatedAt: Scalars['DateTime']['output'];
  /** The map's webhooks, by creation. Needs a token that may write; not in the public view. */
  webhooks: Array<Webhook>;
};


/**
 * A map: a list of locations, and the definitions of their fields.
 *
 * Through `publicMap`, a map and everything reached through it is in the public view: no API keys, no members, and only public
 * fields. Filters and orders on other properties are `BAD_USER_INPUT`, and `search` covers names and public fields.
 */
export type MapClustersArgs = {
  bbox: BboxInput;
  filter: InputMaybe<LocationFilter>;
  zoom: Scalars['Int']['input'];
};


/**
 * A map: a list of locations, and the definitions of their fields.
 *
 * Through `publicMap`, a map and everything reached through it is in the public view: no API keys, no members, and only public
 * fields. Filters and orders on other properties are `BAD_USER_INPUT`, and `search` covers names and public fields.
 */
export type MapHistoryArgs = {
  after: InputMaybe<Scalars['String']['input']>;
  filter: InputMaybe<HistoryFilter>;
  first: InputMaybe<Scalars['Int']['input']>;
};


/**
 * A map: a list of locations, and the definitions of their fields.
 *
 * Through `publicMap`, a map and everything reached through it is in the public view: no API keys, no members, and only public
 * fields. Filters and orders on other properties are `BAD_USER_INPUT`, and `search` covers names and public fields.
 */
export type MapLocationArgs = {
  id: Scalars['ID']['input'];
};


/**
 * A map: a list of locations, and the definitions of their fields.
 *
 * Through `publicMap`, a map and everything reached through it is in the public view: no API keys, no members, and only public
 * fields. Filters and orders on other properties are `BAD_USER_INPUT`, and `search` covers names and public fields.
 */
export type MapLocationAtArgs = {
  place: Scalars['Int']['input'];
};


/**
 * A map: a list of locations, and the definitions of their fields.
 *
 * Through `publicMap`, a map and everything reached through it is in the public view: no API keys, no members, and only public
 * fields. Filters and orders on other properties are `BAD_USER_INPUT`, and `search` covers names and public fields.
 */
export type MapLocationByExternalIdArgs = {
  externalId: Scalars['String']['input'];
};


/**
 * A map: a list of locations, and the definitions of their fields.
 *
 * Through `publicMap`, a map and everything reached through it is in the public view: no API keys, no members, and only public
 * fields. Filters and orders on other properties are `BAD_USER_INPUT`, and `search` covers names and public fields.
 */
export type MapLocationsArgs = {
  after: InputMaybe<Scalars['String']['input']>;
  before: InputMaybe<Scalars['String']['input']>;
  filter: InputMaybe<LocationFilter>;
  first: InputMaybe<Scalars['Int']['input']>;
  last: InputMaybe<Scalars['Int']['input']>;
  orderBy: InputMaybe<LocationOrderInput>;
};


/**
 * A map: a list of locations, and the definitions of their fields.
 *
 * Through `publicMap`, a map and everything reached through it is in the public view: no API keys, no members, and only public
 * fields. Filters and orders on other properties are `BAD_USER_INPUT`, and `search` covers names and public fields.
 */
export type MapTrashArgs = {
  after: InputMaybe<Scalars['String']['input']>;
  first: InputMaybe<Scalars['Int']['input']>;
  ids: InputMaybe<Array<Scalars['ID']['input']>>;
  search: InputMaybe<Scalars['String']['input']>;
};

/** Whether a page is light or dark. */
export type MapAppearance =
  /** As the reader's system. */
  | 'auto'
  /** Dark. */
  | 'dark'
  /** Light. */
  | 'light';

/** A page of maps. */
export type MapConnection = {
  __typename?: 'MapConnection';
  /** The page's maps, each with its cursor. */
  edges: Array<MapEdge>;
  /** The page's maps. */
  nodes: Array<Map>;
  /** The page's position in the connection. */
  pageInfo: PageInfo;
  /** The number of maps on all pages; computed only if selected. */
  totalCount: Scalars['Int']['output'];
};

/** A map in a connection. */
export type MapEdge = {
  __typename?: 'MapEdge';
  /** The edge's cursor. */
  cursor: Scalars['String']['output'];
  /** The map. */
  node: Map;
};

/** Which maps to list. Conditions are combined with AND; null means omitted. */
export type MapFilter = {
  /** Only deleted maps, or only maps that are not; both by default. */
  isDeleted?: InputMaybe<Scalars['Boolean']['input']>;
  /** Only published maps, or only maps that are not; both by default. */
  isPublished?: InputMaybe<Scalars['Boolean']['input']>;
  /** Only maps on which the viewer has this role; any role by default. */
  role?: InputMaybe<MapRole>;
  /**
   * Words of the map's name, or prefixes of them, ignoring case, accents and apostrophes between letters: 1 to 256
   * characters, at most 10 words.
   */
  search?: InputMaybe<Scalars['String']['input']>;
};

/** A kind of font. */
export type MapFont =
  /** With characters of equal width. */
  | 'mono'
  /** With round ends. */
  | 'rounded'
  /** With serifs. */
  | 'serif'
  /** The font of the reader's system. */
  | 'system';

/** Where the addresses of a map are. */
export type MapGeocoding = {
  __typename?: 'MapGeocoding';
  /** The box in which results are preferred. */
  bounds: Maybe<Bbox>;
  /** ISO 3166-1 alpha-2 codes in upper case; empty for all countries. */
  countries: Array<Scalars['String']['output']>;
  /** The language of results. */
  language: Maybe<Scalars['String']['output']>;
};

/** Where the addresses of a map are: geocoders find the right one of several streets of the same name. */
export type MapGeocodingInput = {
  /** A box in which results are preferred. */
  bounds?: InputMaybe<BboxInput>;
  /** At most 15 countries, ISO 3166-1 alpha-2, such as `DE`. Results in other countries are not used. */
  countries?: InputMaybe<Array<Scalars['String']['input']>>;
  /** The language of results, a BCP 47 tag such as `de` or `pt-BR`. */
  language?: InputMaybe<Scalars['String']['input']>;
};

/** A link that opens one map without an account. */
export type MapLink = {
  __typename?: 'MapLink';
  /** When it was made. */
  createdAt: Scalars['DateTime']['output'];
  /** The display name of the owner who made it. It ends when that is no longer an owner of the map. */
  createdBy: Scalars['String']['output'];
  /** The unique name of that owner. */
  createdByOwner: Scalars['String']['output'];
  /** When it expires; null for never. */
  expiresAt: Maybe<Scalars['DateTime']['output']>;
  /** The link's identifier. */
  id: Scalars['ID']['output'];
  /** When it was last used, to the minute; null for never, or not since it was replaced. */
  lastUsedAt: Maybe<Scalars['DateTime']['output']>;
  /** The link's name. What is changed through the link is logged as `link:NAME`. */
  name: Scalars['String']['output'];
  /** What it allows. */
  scope: MapLinkScope;
};

/** What a map link allows. */
export type MapLinkScope =
  /** Also write locations, like the role `editor`. */
  | 'edit'
  /** Read the map and its locations, like the role `viewer`. */
  | 'view';

/** The logo of a map's page. */
export type MapLogo = {
  __typename?: 'MapLogo';
  /** The size of the file. */
  bytes: Scalars['Int']['output'];
  /** SHA-256 of the file, in lower-case hexadecimal digits. */
  hash: Scalars['String']['output'];
  /** The media type of the file: `image/png`, `image/webp` or `image/svg+xml`. */
  type: Scalars['String']['output'];
};

/** An owner who may use a map. */
export type MapMember = {
  __typename?: 'MapMember';
  /** What the owner's OpenID Connect provider called the person, or else the name. Not unique. */
  displayName: Scalars['String']['output'];
  /** The member's identifier, the same on every map. */
  id: Scalars['ID']['output'];
  /** Whether this is the viewer. */
  isMe: Scalars['Boolean']['output'];
  /** The owner's name, which is unique. */
  name: Scalars['String']['output'];
  /** What the member may do on the map. */
  role: MapRole;
  /** When the owner became a member. */
  since: Scalars['DateTime']['output'];
};

/** The values that maps can be ordered by. */
export type MapOrderBy =
  /** The creation time. */
  | 'created'
  /** The name, ignoring case and accents; ties by code point. */
  | 'name'
  /** The time of the map's own last change. */
  | 'updated';

/** The order in which to list maps. Ties follow creation, in both directions. */
export type MapOrderInput = {
  /** The value to order by. */
  by: MapOrderBy;
  /** The direction, ascending by default. */
  direction?: InputMaybe<Direction>;
};

/** What a member may do on a map. Each role includes the ones before it. */
export type MapRole =
  /** Create, change, move, import, geocode and delete locations. */
  | 'editor'
  /** Everything: settings, API keys, webhooks, members and deletion of the map. */
  | 'owner'
  /** Read everything but the API keys and the webhooks. */
  | 'viewer';

/** The look of a map's page. */
export type MapTheme = {
  __typename?: 'MapTheme';
  /** The colour of links, buttons and markers, `#rrggbb` as given; null for that of all pages. */
  accent: Maybe<Scalars['String']['output']>;
  /** The accent on dark pages: lightened where its contrast would be less than 4.5:1. Null without an accent. */
  accentOnDark: Maybe<Scalars['String']['output']>;
  /** The accent on light pages: darkened where its contrast would be less than 4.5:1. Null without an accent. */
  accentOnLight: Maybe<Scalars['String']['output']>;
  /** Whether the page is light or dark. */
  appearance: MapAppearance;
  /** The kind of font. All fonts are the reader's own. */
  font: MapFont;
  /** The logo in the header of the page, a file at `/maps/{id}/logo`; null for none. */
  logo: Maybe<MapLogo>;
  /** Whether the page names the software. */
  poweredBy: Scalars['Boolean']['output'];
};

/** Changes to the look of a map's page. */
export type MapThemeInput = {
  /** The colour of links, buttons and markers, such as `#0b6bcb`. */
  accent?: InputMaybe<Scalars['String']['input']>;
  /** Whether the page is light or dark; `auto` by default. */
  appearance?: InputMaybe<MapAppearance>;
  /** The kind of font; `system` by default. */
  font?: InputMaybe<MapFont>;
  /** The logo in the header of the page: a data URL in base64 of a PNG, WebP or SVG file of at most 256 KiB. */
  logo?: InputMaybe<Scalars['String']['input']>;
  /** Whether the page names the software; true by default. */
  poweredBy?: InputMaybe<Scalars['Boolean']['input']>;
};

/** Locations of one map and their target: exactly one of `before`, `after`, `toStart` and `toEnd`. */
export type MoveLocationsInput = {
  /** Move after this location; not one of `ids`. */
  after?: InputMaybe<Scalars['ID']['input']>;
  /** Move before this location; not one of `ids`. */
  before?: InputMaybe<Scalars['ID']['input']>;
  /**
   * 1 to 255 printable ASCII characters, for the whole call. For 24 hours the same key with the same content returns the
   * locations as they are by then and writes nothing again; with other content it is `CONFLICT`. A call that fails
   * without writing anything frees its key. `OVERLOADED`: the call is under way.
   */
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
  /** The locations' identifiers, 1 to 1,000, unique, in their new sequence. */
  ids: Array<Scalars['ID']['input']>;
  /** The identifier of the locations' map. */
  mapId: Scalars['ID']['input'];
  /** If true, move to the end of the list. */
  toEnd?: InputMaybe<Scalars['Boolean']['input']>;
  /** If true, move to the start of the list. */
  toStart?: InputMaybe<Scalars['Boolean']['input']>;
};

/** The locations that were moved. */
export type MoveLocationsPayload = {
  __typename?: 'MoveLocationsPayload';
  /** This call in the map's history, for `undoChange`; null if it changed nothing, or no history is kept. */
  historyId: Maybe<Scalars['ID']['output']>;
  /** The moved locations, in their new sequence. */
  locations: Array<Location>;
  /** The locations' map. */
  map: Map;
};

/** All writes. */
export type Mutation = {
  __typename?: 'Mutation';
  /**
   * Makes you a member of the map. A role that you have already is raised, and never lowered; an invitation that would
   * change nothing is not used up. Needs a session, or a token that may write and is not limited to one map. An unknown,
   * used, expired or revoked invitation is `INVITATION_NOT_FOUND`.
   */
  acceptInvitation: Maybe<AcceptInvitationPayload>;
  /**
   * Changes the account's password and ends all its other sessions. Needs a session. The error is `SIGN_IN_FAILED` if the
   * current password is wrong, and `RATE_LIMITED` after too many failures, which count as failures to sign in.
   */
  changePassword: Maybe<ChangePasswordPayload>;
  /**
   * Marks the points of 1 to 1,000 locations as checked by a person, or not. Changes `updatedAt` and `version` only where
   * the mark changes.
   */
  checkLocations: Maybe<CheckLocationsPayload>;
  /** Invites people to a map by a link. Needs the role `owner`. */
  createInvitation: Maybe<CreateInvitationPayload>;
  /** Creates a location: geocodes its address, and places it by `order` or at the end of the list. */
  createLocation: Maybe<CreateLocationPayload>;
  /** Creates 1 to 1,000 locations. Stores all valid ones, in the given order; each has its own result. */
  createLocations: Maybe<CreateLocationsPayload>;
  /** Creates a map. */
  createMap: Maybe<CreateMapPayload>;
  /**
   * Makes a link that opens a map without an account, until it is revoked or expires. While the map is deleted, it does
   * not work. Needs the role `owner`.
   */
  createMapLink: Maybe<CreateMapLinkPayload>;
  /**
   * Creates a token of the same owner. Needs a token that may write and is not limited to one map; an expiring token
   * cannot create one that lives longer.
   */
  createToken: Maybe<CreateTokenPayload>;
  /** Creates a webhook of a map, which is notified of changes from now on. Each message is signed with its secret. */
  createWebhook: Maybe<CreateWebhookPayload>;
  /** Deletes a location. It stays in the map's `trash` for a while. */
  deleteLocation: Maybe<DeleteLocationPayload>;
  /**
   * Deletes locations: 1 to 1,000 by identifier, or up to 10,000 that match a filter. They stay in the map's `trash` for a
   * while.
   */
  deleteLocations: Maybe<DeleteLocationsPayload>;
  /** Marks a map as deleted; it can be restored. Deleting it again changes nothing. */
  deleteMap: Maybe<DeleteMapPayload>;
  /** Deletes a webhook permanently. */
  deleteWebhook: Maybe<DeleteWebhookPayload>;
  /** Ends sessions of the account from their next request on. Needs a session. */
  endSessions: Maybe<EndSessionsPayload>;
  /**
   * Geocodes locations again: 1 to 1,000 by identifier, or that match a filter. Points that a person has set or checked stay,
   * and so do points of a better precision. Each address that is not cached counts towards the quotas. If a quota or the
   * geocoder ends the run, what was geocoded before is stored.
   */
  geocodeLocations: Maybe<GeocodeLocationsPayload>;
  /**
   * Ends your own membership, as `removeMember` does; any member with a token that may write can leave. The last owner
   * cannot: `LAST_OWNER`.
   */
  leaveMap: Maybe<LeaveMapPayload>;
  /**
   * Moves 1 to 1,000 locations within their map's list: before or after another location, to the start or to the end.
   * They are placed together in the given order; the other locations keep their sequence.
   */
  moveLocations: Maybe<MoveLocationsPayload>;
  /** Deletes 1 to 1,000 locations in the trash for ever, with their history. Needs the role `owner`. */
  purgeLocations: Maybe<PurgeLocationsPayload>;
  /**
   * Ends a membership from the next request on. Needs the role `owner`. Revokes the member's tokens that are limited to
   * the map, and the invitations that the member made. The last owner stays: `LAST_OWNER`.
   */
  removeMember: Maybe<RemoveMemberPayload>;
  /** Gives a link another secret: the former one ends at once. Everything else stays. Needs the role `owner`. */
  replaceMapLink: Maybe<ReplaceMapLinkPayload>;
  /**
   * Restores 1 to 1,000 deleted locations, with their identifiers, external ids, values and positions in the list. Nothing is
   * geocoded. Locations that exist already stay as they are; each has its own result.
   */
  restoreLocations: Maybe<RestoreLocationsPayload>;
  /** Restores a deleted map with all its locations. */
  restoreMap: Maybe<RestoreMapPayload>;
  /** Gives a location the fields, the point and the external id of an earlier version. Its position in the list stays. */
  restoreVersion: Maybe<RestoreVersionPayload>;
  /** Revokes an open invitation. Members who have accepted it stay. Needs the role `owner`. */
  revokeInvitation: Maybe<RevokeInvitationPayload>;
  /** Revokes a link from its next request on; open subscriptions end within two seconds. Needs the role `owner`. */
  revokeMapLink: Maybe<RevokeMapLinkPayload>;
  /**
   * Revokes a token from its next request on; it may be the token of this request. Needs a token that may write and is
   * not limited to one map. Revoking it again changes nothing.
   */
  revokeToken: Maybe<RevokeTokenPayload>;
  /** Gives a webhook a new secret. For 24 hours messages are signed with the old one too. */
  rotateWebhookSecret: Maybe<RotateWebhookSecretPayload>;
  /** Sends the webhook one message of type `webhook.test` at once, and returns the result. Changes nothing else. */
  testWebhook: Maybe<TestWebhookPayload>;
  /**
   * Undoes a whole call, such as an import: deletes what it created, gives what it changed its former values and position, and
   * restores what it deleted. Locations that were changed since are left. Undoing can be undone.
   */
  undoChange: Maybe<UndoChangePayload>;
  /** Changes a location. Omitted input fields stay unchanged; equal values change nothing. */
  updateLocation: Maybe<UpdateLocationPayload>;
  /** Changes a map. Omitted input fields stay unchanged. */
  updateMap: Maybe<UpdateMapPayload>;
  /** Gives a member of a map another role. Needs the role `owner`. The last owner keeps that role: `LAST_OWNER`. */
  updateMember: Maybe<UpdateMemberPayload>;
  /** Changes a webhook. Omitted input fields stay unchanged. */
  updateWebhook: Maybe<UpdateWebhookPayload>;
  /** Creates or changes 1 to 1,000 locations by external id. Writes all valid ones; each has its own result. */
  upsertLocations: Maybe<UpsertLocationsPayload>;
};


/** All writes. */
export type MutationAcceptInvitationArgs = {
  input: AcceptInvitationInput;
};


/** All writes. */
export type MutationChangePasswordArgs = {
  input: ChangePasswordInput;
};


/** All writes. */
export type MutationCheckLocationsArgs = {
  input: CheckLocationsInput;
};


/** All writes. */
export type MutationCreateInvitationArgs = {
  input: CreateInvitationInput;
};


/** All writes. */
export type MutationCreateLocationArgs = {
  input: CreateLocationInput;
};


/** All writes. */
export type MutationCreateLocationsArgs = {
  input: CreateLocationsInput;
};


/** All writes. */
export type MutationCreateMapArgs = {
  input: CreateMapInput;
};


/** All writes. */
export type MutationCreateMapLinkArgs = {
  input: CreateMapLinkInput;
};


/** All writes. */
export type MutationCreateTokenArgs = {
  input: CreateTokenInput;
};


/** All writes. */
export type MutationCreateWebhookArgs = {
  input: CreateWebhookInput;
};


/** All writes. */
export type MutationDeleteLocationArgs = {
  input: DeleteLocationInput;
};


/** All writes. */
export type MutationDeleteLocationsArgs = {
  input: DeleteLocationsInput;
};


/** All writes. */
export type MutationDeleteMapArgs = {
  input: DeleteMapInput;
};


/** All writes. */
export type MutationDeleteWebhookArgs = {
  input: DeleteWebhookInput;
};


/** All writes. */
export type MutationEndSessionsArgs = {
  input: EndSessionsInput;
};


/** All writes. */
export type MutationGeocodeLocationsArgs = {
  input: GeocodeLocationsInput;
};


/** All writes. */
export type MutationLeaveMapArgs = {
  input: LeaveMapInput;
};


/** All writes. */
export type MutationMoveLocationsArgs = {
  input: MoveLocationsInput;
};


/** All writes. */
export type MutationPurgeLocationsArgs = {
  input: PurgeLocationsInput;
};


/** All writes. */
export type MutationRemoveMemberArgs = {
  input: RemoveMemberInput;
};


/** All writes. */
export type MutationReplaceMapLinkArgs = {
  input: ReplaceMapLinkInput;
};


/** All writes. */
export type MutationRestoreLocationsArgs = {
  input: RestoreLocationsInput;
};


/** All writes. */
export type MutationRestoreMapArgs = {
  input: RestoreMapInput;
};


/** All writes. */
export type MutationRestoreVersionArgs = {
  input: RestoreVersionInput;
};


/** All writes. */
export type MutationRevokeInvitationArgs = {
  input: RevokeInvitationInput;
};


/** All writes. */
export type MutationRevokeMapLinkArgs = {
  input: RevokeMapLinkInput;
};


/** All writes. */
export type MutationRevokeTokenArgs = {
  input: RevokeTokenInput;
};


/** All writes. */
export type MutationRotateWebhookSecretArgs = {
  input: RotateWebhookSecretInput;
};


/** All writes. */
export type MutationTestWebhookArgs = {
  input: TestWebhookInput;
};


/** All writes. */
export type MutationUndoChangeArgs = {
  input: UndoChangeInput;
};


/** All writes. */
export type MutationUpdateLocationArgs = {
  input: UpdateLocationInput;
};


/** All writes. */
export type MutationUpdateMapArgs = {
  input: UpdateMapInput;
};


/** All writes. */
export type MutationUpdateMemberArgs = {
  input: UpdateMemberInput;
};


/** All writes. */
export type MutationUpdateWebhookArgs = {
  input: UpdateWebhookInput;
};


/** All writes. */
export type MutationUpsertLocationsArgs = {
  input: UpsertLocationsInput;
};

/** A circle on the globe. */
export type NearInput = {
  /** Degrees north of the equator, -90 to 90. */
  latitude: Scalars['Float']['input'];
  /** Degrees east of Greenwich, -180 to 180. */
  longitude: Scalars['Float']['input'];
  /** Metres, 0 to 20,037,509, inclusive. */
  radius: Scalars['Float']['input'];
};

/** An object with a global identifier. */
export type Node = {
  /** The identifier: unique across the service, the same in GraphQL and in /v0. */
  id: Scalars['ID']['output'];
};

/** A page's position in its connection. */
export type PageInfo = {
  __typename?: 'PageInfo';
  /** The cursor of the page's last edge; null on an empty page. */
  endCursor: Maybe<Scalars['String']['output']>;
  /** Whether there are edges after the page. */
  hasNextPage: Scalars['Boolean']['output'];
  /** Whether there are edges before the page. */
  hasPreviousPage: Scalars['Boolean']['output'];
  /** The cursor of the page's first edge; null on an empty page. */
  startCursor: Maybe<Scalars['String']['output']>;
};

/** A point. */
export type PointInput = {
  /** Degrees north of the equator. */
  latitude: Scalars['Latitude']['input'];
  /** Degrees east of Greenwich. */
  longitude: Scalars['Longitude']['input'];
};

/** Known coordinates. */
export type PositionInput = {
  /** Degrees north of the equator, -90 to 90. */
  latitude: Scalars['Latitude']['input'];
  /** Degrees east of Greenwich, -180 to 180. */
  longitude: Scalars['Longitude']['input'];
  /** Your own identifier of the place; by default `point:` and the coordinates. */
  placeId?: InputMaybe<Scalars['String']['input']>;
};

/**
 * A condition on a property: one of `eq`, `in`, `prefix`, `exists` and `openAt`, or `from`, `to` or both. In fields of
 * type `number`, decimal strings count as numbers.
 */
export type PropertyFilter = {
  /** Equal to this string, number, boolean or null, in type and value. */
  eq?: InputMaybe<Scalars['JSON']['input']>;
  /** Whether the property exists and is neither null nor an empty string. */
  exists?: InputMaybe<Scalars['Boolean']['input']>;
  /** At least this: a number, a string, or in fields of type `date` a day or a time. */
  from?: InputMaybe<Scalars['JSON']['input']>;
  /** Equal to one of 1 to 100 values, as for `eq`. */
  in?: InputMaybe<Array<InputMaybe<Scalars['JSON']['input']>>>;
  /** The key in `properties`. */
  name: Scalars['String']['input'];
  /**
   * In a field of type `openingHours`: a time at which the place is open, by the clock of the map's `timeZone`. Texts
   * that are no opening hours, and all locations of maps without a time zone, do not match.
   */
  openAt?: InputMaybe<Scalars['DateTime']['input']>;
  /** Starts with this text, ignoring case and accents. */
  prefix?: InputMaybe<Scalars['String']['input']>;
  /** At most this, as for `from`. A day includes all of it, in UTC. */
  to?: InputMaybe<Scalars['JSON']['input']>;
};

/** The locations to delete for ever. */
export type PurgeLocationsInput = {
  /** The locations' identifiers, 1 to 1,000. Those that are not in the trash are ignored. */
  ids: Array<Scalars['ID']['input']>;
  /** The map's identifier. */
  mapId: Scalars['ID']['input'];
};

/** The locations that were deleted for ever. */
export type PurgeLocationsPayload = {
  __typename?: 'PurgeLocationsPayload';
  /** The locations' map. */
  map: Map;
  /** Their unique identifiers, in the given order. */
  purgedIds: Array<Scalars['ID']['output']>;
};

/** All reads. */
export type Query = {
  __typename?: 'Query';
  /**
   * The places that an address may refer to, at most 5, most likely first: a location with that address gets the first.
   * Stores nothing, but costs as much as creating a location, and needs a token that may write. Null with the errors of
   * `createLocation`.
   */
  geocode: Maybe<Array<GeocodingCandidate>>;
  /**
   * Shows an invitation before it is accepted. Needs no token: the secret is enough. An unknown, used, expired or revoked
   * one is `INVITATION_NOT_FOUND`.
   */
  invitation: Maybe<InvitationPreview>;
  /** One location of one of your maps; null with the error `MAP_NOT_FOUND`, `MAP_DELETED` or `LOCATION_NOT_FOUND`. */
  location: Maybe<Location>;
  /** One of your maps, deleted or not; null with the error `MAP_NOT_FOUND` if you have no such map. */
  map: Maybe<Map>;
  /** The map or location with that identifier; null, without an error, if you have none. */
  node: Maybe<Node>;
  /** The maps and locations with these identifiers, in the given order; null for each that is not yours. */
  nodes: Maybe<Array<Maybe<Node>>>;
  /**
   * A published map of any owner that is not deleted: needs no token. Everything reached
   * through it is in the public view, the same for everyone: no API keys, no external ids, and only public fields. A link
   * opens its map in the same view, published or not. Null with the error `MAP_NOT_FOUND` for any other map.
   */
  publicMap: Maybe<Map>;
  /**
   * The address nearest to a point; null, without an error, if no geocoder in use has one within a kilometre. Counts towards
   * the map's quota like `geocode`, and needs a token that may write.
   */
  reverseGeocode: Maybe<Address>;
  /**
   * Addresses that begin with a text or resemble it, at most 5, most likely first; none for fewer than 3 characters. Each
   * call counts towards the map's quota like `geocode`, so wait until the user pauses. Needs a token that may write. The
   * error is `SUGGESTIONS_UNAVAILABLE` if no geocoder in use may suggest addresses.
   */
  suggestAddresses: Array<AddressSuggestion>;
  /** The owner of the request's token or session. */
  viewer: Maybe<Viewer>;
};


/** All reads. */
export type QueryGeocodeArgs = {
  address: Scalars['String']['input'];
  mapId: Scalars['ID']['input'];
};


/** All reads. */
export type QueryInvitationArgs = {
  secret: Scalars['String']['input'];
};


/** All reads. */
export type QueryLocationArgs = {
  id: Scalars['ID']['input'];
  mapId: Scalars['ID']['input'];
};


/** All reads. */
export type QueryMapArgs = {
  id: Scalars['ID']['input'];
};


/** All reads. */
export type QueryNodeArgs = {
  id: Scalars['ID']['input'];
};


/** All reads. */
export type QueryNodesArgs = {
  ids: Array<Scalars['ID']['input']>;
};


/** All reads. */
export type QueryPublicMapArgs = {
  id: Scalars['ID']['input'];
};


/** All reads. */
export type QueryReverseGeocodeArgs = {
  latitude: Scalars['Latitude']['input'];
  longitude: Scalars['Longitude']['input'];
  mapId: Scalars['ID']['input'];
};


/** All reads. */
export type QuerySuggestAddressesArgs = {
  mapId: Scalars['ID']['input'];
  near: InputMaybe<PointInput>;
  text: Scalars['String']['input'];
};

/** The member to remove. */
export type RemoveMemberInput = {
  /** The member's identifier. */
  id: Scalars['ID']['input'];
  /** The map's identifier. */
  mapId: Scalars['ID']['input'];
};

/** The member that was removed. */
export type RemoveMemberPayload = {
  __typename?: 'RemoveMemberPayload';
  /** The member's identifier. */
  removedId: Scalars['ID']['output'];
};

/** The link to replace. */
export type ReplaceMapLinkInput = {
  /** The link's identifier. */
  id: Scalars['ID']['input'];
  /** The map's identifier. */
  mapId: Scalars['ID']['input'];
};

/** The link that was replaced. */
export type ReplaceMapLinkPayload = {
  __typename?: 'ReplaceMapLinkPayload';
  /** The address that opens the map in the console, with the secret in the fragment. Shown only once. */
  consoleLink: Scalars['String']['output'];
  /** The link. */
  mapLink: MapLink;
  /** The address of the map's page, with the secret in the fragment; null for a link that may edit. Shown only once. */
  pageLink: Maybe<Scalars['String']['output']>;
  /** The new secret, to send as a bearer token. Shown only once. */
  secret: Scalars['String']['output'];
};

/** Why a location was not restored. */
export type RestoreLocationsError = {
  __typename?: 'RestoreLocationsError';
  /** The code, as in `extensions.code` of an error: `LOCATION_NOT_FOUND` or `EXTERNAL_ID_TAKEN`. */
  code: Scalars['String']['output'];
  /** A description for people. */
  message: Scalars['String']['output'];
};

/** The locations to restore. */
export type RestoreLocationsInput = {
  /** The locations' identifiers, 1 to 1,000. */
  ids: Array<Scalars['ID']['input']>;
  /** The map's identifier. */
  mapId: Scalars['ID']['input'];
};

/** The results of restoring several locations. */
export type RestoreLocationsPayload = {
  __typename?: 'RestoreLocationsPayload';
  /** This call in the map's history; null if it restored nothing, or no history is kept. */
  historyId: Maybe<Scalars['ID']['output']>;
  /** The locations' map. */
  map: Map;
  /** One result per identifier, in the given order. */
  results: Array<RestoreLocationsResult>;
};

/** The result of restoring one of several locations. */
export type RestoreLocationsResult = {
  __typename?: 'RestoreLocationsResult';
  /** Why it was not restored; null on success. */
  error: Maybe<RestoreLocationsError>;
  /** The location's identifier. */
  id: Scalars['ID']['output'];
  /** The location; null with an error. */
  location: Maybe<Location>;
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

/** The version to restore. */
export type RestoreVersionInput = {
  /** The location's identifier. */
  id: Scalars['ID']['input'];
  /** The map's identifier. */
  mapId: Scalars['ID']['input'];
  /** The version whose values the location gets. */
  version: Scalars['Int']['input'];
};

/** The location with the values of an earlier version. */
export type RestoreVersionPayload = {
  __typename?: 'RestoreVersionPayload';
  /** This call in the map's history; null if it changed nothing, or no history is kept. */
  historyId: Maybe<Scalars['ID']['output']>;
  /** The location as it is now. */
  location: Location;
  /** The location's map. */
  map: Map;
};

/** The invitation to revoke. */
export type RevokeInvitationInput = {
  /** The invitation's identifier. */
  id: Scalars['ID']['input'];
  /** The map's identifier. */
  mapId: Scalars['ID']['input'];
};

/** The invitation that was revoked. */
export type RevokeInvitationPayload = {
  __typename?: 'RevokeInvitationPayload';
  /** The invitation's identifier. */
  revokedId: Scalars['ID']['output'];
};

/** The link to revoke. */
export type RevokeMapLinkInput = {
  /** The link's identifier. */
  id: Scalars['ID']['input'];
  /** The map's identifier. */
  mapId: Scalars['ID']['input'];
};

/** The link that was revoked. */
export type RevokeMapLinkPayload = {
  __typename?: 'RevokeMapLinkPayload';
  /** The link's identifier. */
  revokedId: Scalars['ID']['output'];
};

/** The token to revoke. */
export type RevokeTokenInput = {
  /** The token's identifier. */
  id: Scalars['ID']['input'];
};

/** The token that was revoked. */
export type RevokeTokenPayload = {
  __typename?: 'RevokeTokenPayload';
  /** The token's identifier. */
  revokedId: Scalars['ID']['output'];
};

/** The webhook that gets a new secret. */
export type RotateWebhookSecretInput = {
  /** The webhook's identifier. */
  id: Scalars['ID']['input'];
  /** The identifier of the map. */
  mapId: Scalars['ID']['input'];
};

/** The webhook with its new secret. */
export type RotateWebhookSecretPayload = {
  __typename?: 'RotateWebhookSecretPayload';
  /** The new secret that signs its messages. Shown only once. */
  secret: Scalars['String']['output'];
  /** The webhook as it is now. */
  webhook: Webhook;
};

/** A browser that is signed in. */
export type Session = {
  __typename?: 'Session';
  /** When its person signed in. */
  createdAt: Scalars['DateTime']['output'];
  /** When it ends unless it is used before. */
  expiresAt: Scalars['DateTime']['output'];
  /** The session's identifier. */
  id: Scalars['ID']['output'];
  /** Whether this request uses it. */
  isCurrent: Scalars['Boolean']['output'];
  /** When it was last used, to the minute. */
  lastUsedAt: Scalars['DateTime']['output'];
  /** The browser that signed in, by its header `User-Agent`; null if it sent none. */
  userAgent: Maybe<Scalars['String']['output']>;
};

/** Live updates, over WebSocket or server-sent events. */
export type Subscription = {
  __typename?: 'Subscription';
  /**
   * Every change of a map's locations from now on, in the order in which they were made, by any process. Needs a token
   * that may read the map. Ends with `MAP_DELETED` when the map is deleted.
   */
  locationChanges: LocationChange;
};


/** Live updates, over WebSocket or server-sent events. */
export type SubscriptionLocationChangesArgs = {
  mapId: Scalars['ID']['input'];
  since: InputMaybe<Scalars['String']['input']>;
};

/** The webhook to test. */
export type TestWebhookInput = {
  /** The webhook's identifier. */
  id: Scalars['ID']['input'];
  /** The identifier of the map. */
  mapId: Scalars['ID']['input'];
};

/** The result of a test message. */
export type TestWebhookPayload = {
  __typename?: 'TestWebhookPayload';
  /** Whether the message was delivered: the response had a status from 200 to 299. */
  delivered: Scalars['Boolean']['output'];
  /** Why it was not delivered; null if it was. */
  error: Maybe<Scalars['String']['output']>;
  /** The HTTP status of the response; null if there was none. */
  status: Maybe<Scalars['Int']['output']>;
  /** The webhook. */
  webhook: Webhook;
};

/** A range of times, inclusive. */
export type TimeRange = {
  /** The earliest. */
  from?: InputMaybe<Scalars['DateTime']['input']>;
  /** The latest. */
  to?: InputMaybe<Scalars['DateTime']['input']>;
};

/** A token's properties, without the secret that authenticates requests. */
export type Token = {
  __typename?: 'Token';
  /** When it was created. */
  createdAt: Scalars['DateTime']['output'];
  /** When it expires; null for never. */
  expiresAt: Maybe<Scalars['DateTime']['output']>;
  /** The token's identifier. */
  id: Scalars['ID']['output'];
  /** Whether this request uses it. */
  isCurrent: Scalars['Boolean']['output'];
  /** When it was last used, to the minute; null for never. */
  lastUsedAt: Maybe<Scalars['DateTime']['output']>;
  /** The map that the token is limited to; null for all maps of its owner. */
  map: Maybe<Map>;
  /** The token's name. */
  name: Maybe<Scalars['String']['output']>;
  /** What the token may do. */
  scope: TokenScope;
};

/** What a token may do. */
export type TokenScope =
  /** Read maps and locations, without the maps' API keys. */
  | 'read'
  /** Read everything; create, change and delete. */
  | 'write';

/** A page of the trash of a map. */
export type TrashConnection = {
  __typename?: 'TrashConnection';
  /** The page's locations, each with its cursor. */
  edges: Array<TrashEdge>;
  /** The page's locations. */
  nodes: Array<TrashedLocation>;
  /** The page's position in the connection. */
  pageInfo: PageInfo;
};

/** A deleted location in a connection. */
export type TrashEdge = {
  __typename?: 'TrashEdge';
  /** The location's position, for `after`. */
  cursor: Scalars['String']['output'];
  /** The location. */
  node: TrashedLocation;
};

/** A deleted location that can be restored. */
export type TrashedLocation = {
  __typename?: 'TrashedLocation';
  /** When it was deleted. */
  deletedAt: Scalars['DateTime']['output'];
  /** Who deleted it; null if that is not kept. */
  deletedBy: Maybe<Actor>;
  /** The call that deleted it, for `undoChange`. */
  historyId: Scalars['ID']['output'];
  /** Until when it can be restored. */
  keptUntil: Scalars['DateTime']['output'];
  /** The location before its deletion. */
  location: Location;
};

/** The call to undo. */
export type UndoChangeInput = {
  /** Only say what would be reverted and what would be left: nothing is stored. */
  dryRun?: InputMaybe<Scalars['Boolean']['input']>;
  /** The call's identifier: `HistoryEntry.id`, or `historyId` of a payload. */
  historyId: Scalars['ID']['input'];
  /** The map's identifier. */
  mapId: Scalars['ID']['input'];
};

/** A location that was not reverted. */
export type UndoChangeLeft = {
  __typename?: 'UndoChangeLeft';
  /**
   * Why: `CONFLICT` if it was changed since, `HISTORY_NOT_FOUND` if its former state is not kept any more, or
   * `EXTERNAL_ID_TAKEN`.
   */
  code: Scalars['String']['output'];
  /** The location's identifier. */
  id: Scalars['ID']['output'];
  /** A description for people. */
  message: Scalars['String']['output'];
};

/** What undoing a call has changed. */
export type UndoChangePayload = {
  __typename?: 'UndoChangePayload';
  /** This call in the map's history, which can be undone, too; null if it changed nothing. */
  historyId: Maybe<Scalars['ID']['output']>;
  /** The locations that were left as they are, at most 1,000 of them. */
  left: Array<UndoChangeLeft>;
  /** The number of locations that were left as they are. */
  leftCount: Scalars['Int']['output'];
  /** The map. */
  map: Map;
  /** The number of locations that were reverted. */
  reverted: Scalars['Int']['output'];
};

/** Changes to a location. */
export type UpdateLocationInput = {
  /** Your own identifier of the location, unique in its map; null removes it. */
  externalId?: InputMaybe<Scalars['String']['input']>;
  /** New values; each replaces the old one entirely. A changed address is geocoded again. */
  fields?: InputMaybe<Scalars['JSONObject']['input']>;
  /** Whether `fields` is merged into the existing fields by key (`merge`, the default) or replaces them (`replace`). */
  fieldsMode?: InputMaybe<FieldsMode>;
  /** The location's identifier. */
  id: Scalars['ID']['input'];
  /**
   * 1 to 255 printable ASCII characters, for the whole call. For 24 hours the same key with the same content returns the
   * same location and writes nothing again; with other content it is `CONFLICT`. A call that fails without writing
   * anything frees its key. `OVERLOADED`: the call is under way.
   */
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
  /** The expected version. If the location has another one, the error is `CONFLICT` with `extensions.currentVersion`. */
  ifVersion?: InputMaybe<Scalars['Int']['input']>;
  /** The identifier of the location's map. */
  mapId: Scalars['ID']['input'];
  /** The new sort key in the list, as for `createLocation`. */
  order?: InputMaybe<Scalars['String']['input']>;
  /** The coordinates. Null geocodes the address again. */
  position?: InputMaybe<PositionInput>;
  /** Keys to remove from the fields. */
  unset?: InputMaybe<Array<Scalars['String']['input']>>;
};

/** The location that was changed. */
export type UpdateLocationPayload = {
  __typename?: 'UpdateLocationPayload';
  /** The location's edge in its map's `locations`, for a client's cache. */
  edge: LocationEdge;
  /** This call in the map's history, for `undoChange`; null if it changed nothing, or no history is kept. */
  historyId: Maybe<Scalars['ID']['output']>;
  /** The location as it is now. */
  location: Location;
  /** The location's map. */
  map: Map;
};

/** Changes to a map. */
export type UpdateMapInput = {
  /** How the categories look, at most 100: replaces the whole list; null removes it. */
  categories?: InputMaybe<Array<CategoryStyleInput>>;
  /** The complete new list of field definitions, with the rules of `createMap`. Locations stay unchanged. */
  fields?: InputMaybe<Array<FieldInput>>;
  /** Where the addresses of the map are: replaces all of it; null removes it. Existing points do not change. */
  geocoding?: InputMaybe<MapGeocodingInput>;
  /** The new key that geocodes addresses; null removes it. */
  geocodingApiKey?: InputMaybe<Scalars['String']['input']>;
  /** The map's identifier. */
  id: Scalars['ID']['input'];
  /** Whether the map is published to the public. */
  isPublished?: InputMaybe<Scalars['Boolean']['input']>;
  /** The language of the map's page, one of en, de, fr, es, it, nl, pt-BR, pl, ja and ar; null removes it. */
  language?: InputMaybe<Scalars['String']['input']>;
  /** The new name. */
  name?: InputMaybe<Scalars['String']['input']>;
  /** The new key that loads this map; null removes it. */
  providerMapApiKey?: InputMaybe<Scalars['String']['input']>;
  /** The look of the map's page: omitted members stay unchanged, null restores their default. Null restores all defaults. */
  theme?: InputMaybe<MapThemeInput>;
  /** The time zone of the map's opening hours, a name of the IANA database; null removes it. */
  timeZone?: InputMaybe<Scalars['String']['input']>;
};

/** The map that was changed. */
export type UpdateMapPayload = {
  __typename?: 'UpdateMapPayload';
  /** The map as it is now. */
  map: Map;
};

/** A member of a map, and its new role. */
export type UpdateMemberInput = {
  /** The member's identifier. */
  id: Scalars['ID']['input'];
  /** The map's identifier. */
  mapId: Scalars['ID']['input'];
  /** The new role. */
  role: MapRole;
};

/** The member that was changed. */
export type UpdateMemberPayload = {
  __typename?: 'UpdateMemberPayload';
  /** The map. */
  map: Map;
  /** The member as it is now. */
  member: MapMember;
};

/** Changes to a webhook. */
export type UpdateWebhookInput = {
  /** The kinds of changes to notify it of from now on, at least one. */
  events?: InputMaybe<Array<WebhookEvent>>;
  /** The webhook's identifier. */
  id: Scalars['ID']['input'];
  /** The identifier of the map. */
  mapId: Scalars['ID']['input'];
  /** Whether messages are sent. `active` also retries a failed message at once. */
  status?: InputMaybe<WebhookStatusInput>;
  /** Where messages are sent from now on. A failed message is retried there at once. */
  url?: InputMaybe<Scalars['String']['input']>;
};

/** The webhook that was changed. */
export type UpdateWebhookPayload = {
  __typename?: 'UpdateWebhookPayload';
  /** The webhook as it is now. */
  webhook: Webhook;
};

/** Why a location was not written. */
export type UpsertLocationsError = {
  __typename?: 'UpsertLocationsError';
  /** The code, as in `extensions.code` of an error. */
  code: Scalars['String']['output'];
  /** A description for people. */
  message: Scalars['String']['output'];
};

/** Locations of one map, by external id. */
export type UpsertLocationsInput = {
  /** Only validate: nothing is stored and no geocoder is called. `outcome` is what would be done. */
  dryRun?: InputMaybe<Scalars['Boolean']['input']>;
  /**
   * The `historyId` of an earlier call of `createLocations` or `upsertLocations` by the same caller within the last day: both
   * become one entry of the map's history, such as an import in parts.
   */
  historyId?: InputMaybe<Scalars['ID']['input']>;
  /** The locations, 1 to 1,000; new ones without an order are appended in the given order. */
  locations: Array<UpsertLocationsItemInput>;
  /** The identifier of the locations' map. */
  mapId: Scalars['ID']['input'];
};

/** One of several locations to create or change. */
export type UpsertLocationsItemInput = {
  /** Your own identifier of the location, unique in its map and in the call. */
  externalId: Scalars['String']['input'];
  /** All fields of the location; they replace the existing ones. */
  fields: Scalars['JSONObject']['input'];
  /** The sort key in the list. By default an existing location keeps its position, and a new one is appended. */
  order?: InputMaybe<Scalars['String']['input']>;
  /** The coordinates. Null geocodes the address again. */
  position?: InputMaybe<PositionInput>;
};

/** The results of upserting several locations. */
export type UpsertLocationsPayload = {
  __typename?: 'UpsertLocationsPayload';
  /** This call in the map's history, for `undoChange`; null if it changed nothing, or no history is kept. */
  historyId: Maybe<Scalars['ID']['output']>;
  /** The locations' map. */
  map: Map;
  /** One result per location, in the given order. */
  results: Array<UpsertLocationsResult>;
};

/** The result of upserting one of several locations. */
export type UpsertLocationsResult = {
  __typename?: 'UpsertLocationsResult';
  /** Why nothing was done; null on success. */
  error: Maybe<UpsertLocationsError>;
  /** The location after the change; null with an error, and in a dry run. */
  location: Maybe<Location>;
  /** What was done; null with an error. */
  outcome: Maybe<UpsertOutcome>;
};

/** What an upsert did. */
export type UpsertOutcome =
  /** The external id was new; the location was created. */
  | 'created'
  /** The location already had these values. */
  | 'unchanged'
  /** The location was changed. */
  | 'updated';

/** A changed value of a location. */
export type VersionChange = {
  __typename?: 'VersionChange';
  /** The value after; null where there is none. */
  after: Maybe<Scalars['JSON']['output']>;
  /** The value before; null where there was none. A point has `latitude`, `longitude` and how it was found. */
  before: Maybe<Scalars['JSON']['output']>;
  /** What it is: `properties.NAME`, `point`, `order` or `externalId`. */
  path: Scalars['String']['output'];
};

/**
 * The owner of the request's token or session, and what the request may do. A link to a map has no owner: it has its
 * name, its scope and its map, and nothing else.
 */
export type Viewer = {
  __typename?: 'Viewer';
  /** The owner's account; null if there is none, or for a token that is read-only or limited to one map. */
  account: Maybe<Account>;
  /**
   * The locations of all the owner's maps that are not deleted, by creation of the map and then by its list; for a token
   * limited to one map only its locations.
   */
  locations: Maybe<LocationConnection>;
  /** The owner's maps, including deleted ones, by creation; for a token limited to one map, or a link, only that map. */
  maps: Maybe<MapConnection>;
  /** The owner's name; `link:NAME` for a link. */
  owner: Scalars['String']['output'];
  /** What the token or link may do; a session may write. */
  scope: TokenScope;
  /** The account's sessions, at most 100, the one that was used last first. Only a session sees them; a token sees none. */
  sessions: Maybe<Array<Session>>;
  /** The token of this request; null for a JWT, a session or a link. */
  token: Maybe<Token>;
  /**
   * The owner's tokens that are not revoked, by creation. A token that is read-only or limited to one map sees only
   * itself, and a link sees none.
   */
  tokens: Maybe<Array<Token>>;
};


/**
 * The owner of the request's token or session, and what the request may do. A link to a map has no owner: it has its
 * name, its scope and its map, and nothing else.
 */
export type ViewerLocationsArgs = {
  after: InputMaybe<Scalars['String']['input']>;
  before: InputMaybe<Scalars['String']['input']>;
  filter: InputMaybe<LocationFilter>;
  first: InputMaybe<Scalars['Int']['input']>;
  last: InputMaybe<Scalars['Int']['input']>;
  orderBy: InputMaybe<LocationOrderInput>;
};


/**
 * The owner of the request's token or session, and what the request may do. A link to a map has no owner: it has its
 * name, its scope and its map, and nothing else.
 */
export type ViewerMapsArgs = {
  after: InputMaybe<Scalars['String']['input']>;
  before: InputMaybe<Scalars['String']['input']>;
  filter: InputMaybe<MapFilter>;
  first: InputMaybe<Scalars['Int']['input']>;
  last: InputMaybe<Scalars['Int']['input']>;
  orderBy: InputMaybe<MapOrderInput>;
};


/**
 * The owner of the request's token or session, and what the request may do. A link to a map has no owner: it has its
 * name, its scope and its map, and nothing else.
 */
export type ViewerTokensArgs = {
  after: InputMaybe<Scalars['ID']['input']>;
  first: InputMaybe<Scalars['Int']['input']>;
};

/** A URL that is notified of a map's changes, by Standard Webhooks. */
export type Webhook = {
  __typename?: 'Webhook';
  /** The kinds of changes it is notified of. */
  events: Array<WebhookEvent>;
  /** The webhook's identifier. */
  id: Scalars['ID']['output'];
  /** When a message was last sent, successfully or not; null for never. */
  lastAttemptAt: Maybe<Scalars['DateTime']['output']>;
  /** Why the last message was not delivered; null if it was. */
  lastError: Maybe<Scalars['String']['output']>;
  /** The HTTP status of the last response; null if there was none. */
  lastStatus: Maybe<Scalars['Int']['output']>;
  /** Whether messages are sent and delivered. */
  status: WebhookStatus;
  /** Where messages are sent. */
  url: Scalars['String']['output'];
};

/** Kinds of changes that a webhook can be notified of. */
export type WebhookEvent =
  /** A location was created. */
  | 'created'
  /** A location was deleted. */
  | 'deleted'
  /** Only its order changed. */
  | 'moved'
  /** Its fields, coordinates or external id changed. */
  | 'updated';

/** The status of a webhook. */
export type WebhookStatus =
  /** The last message was delivered, or none was sent yet. */
  | 'active'
  /** No messages are sent. `updateWebhook` with `status: active` resumes after the last delivered message. */
  | 'disabled'
  /** A message was not delivered and is retried; later messages wait. */
  | 'failing';

/** The status to set. */
export type WebhookStatusInput =
  /** Send messages. */
  | 'active'
  /** Stop sending messages. */
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
  AcceptInvitationInput: AcceptInvitationInput;
  AcceptInvitationPayload: ResolverTypeWrapper<Omit<AcceptInvitationPayload, 'map'> & { map: ResolversTypes['Map'] }>;
  Account: ResolverTypeWrapper<ShownAccount>;
  Actor: ResolverTypeWrapper<ActorSource>;
  ActorKind: ActorKind;
  Address: ResolverTypeWrapper<Address>;
  AddressSuggestion: ResolverTypeWrapper<AddressSuggestion>;
  Attribution: ResolverTypeWrapper<Attribution>;
  Bbox: ResolverTypeWrapper<Box>;
  BboxInput: BboxInput;
  Boolean: ResolverTypeWrapper<Scalars['Boolean']['output']>;
  CategoryStyle: ResolverTypeWrapper<CategoryStyle>;
  CategoryStyleInput: CategoryStyleInput;
  ChangePasswordInput: ChangePasswordInput;
  ChangePasswordPayload: ResolverTypeWrapper<ChangePasswordPayload>;
  CheckLocationsInput: CheckLocationsInput;
  CheckLocationsPayload: ResolverTypeWrapper<Omit<CheckLocationsPayload, 'locations' | 'map'> & { locations: Array<ResolversTypes['Location']>, map: ResolversTypes['Map'] }>;
  Cluster: ResolverTypeWrapper<ClusterSource>;
  CreateInvitationInput: CreateInvitationInput;
  CreateInvitationPayload: ResolverTypeWrapper<Omit<CreateInvitationPayload, 'invitation'> & { invitation: ResolversTypes['Invitation'] }>;
  CreateLocationInput: CreateLocationInput;
  CreateLocationPayload: ResolverTypeWrapper<Omit<CreateLocationPayload, 'edge' | 'location' | 'map'> & { edge: ResolversTypes['LocationEdge'], location: ResolversTypes['Location'], map: ResolversTypes['Map'] }>;
  CreateLocationsError: ResolverTypeWrapper<CreateLocationsError>;
  CreateLocationsInput: CreateLocationsInput;
  CreateLocationsItemInput: CreateLocationsItemInput;
  CreateLocationsPayload: ResolverTypeWrapper<Omit<CreateLocationsPayload, 'map' | 'results'> & { map: ResolversTypes['Map'], results: Array<ResolversTypes['CreateLocationsResult']> }>;
  CreateLocationsResult: ResolverTypeWrapper<CreateLocationsResultSource>;
  CreateMapInput: CreateMapInput;
  CreateMapLinkInput: CreateMapLinkInput;
  CreateMapLinkPayload: ResolverTypeWrapper<Omit<CreateMapLinkPayload, 'mapLink'> & { mapLink: ResolversTypes['MapLink'] }>;
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
  EndSessionsInput: EndSessionsInput;
  EndSessionsPayload: ResolverTypeWrapper<EndSessionsPayload>;
  Field: ResolverTypeWrapper<FieldDefinition>;
  FieldInput: FieldInput;
  FieldType: FieldType;
  FieldsMode: FieldsMode;
  Float: ResolverTypeWrapper<Scalars['Float']['output']>;
  GeocodeLocationsError: ResolverTypeWrapper<GeocodeLocationsError>;
  GeocodeLocationsInput: GeocodeLocationsInput;
  GeocodeLocationsOutcome: GeocodeLocationsOutcome;
  GeocodeLocationsPayload: ResolverTypeWrapper<Omit<GeocodeLocationsPayload, 'map' | 'results'> & { map: ResolversTypes['Map'], results: Array<ResolversTypes['GeocodeLocationsResult']> }>;
  GeocodeLocationsResult: ResolverTypeWrapper<Omit<GeocodeLocationsResult, 'location'> & { location: ResolversTypes['Location'] }>;
  GeocodedPoint: ResolverTypeWrapper<GeocodedPoint>;
  Geocoding: ResolverTypeWrapper<Geocoding>;
  GeocodingCandidate: ResolverTypeWrapper<GeocodingCandidate>;
  GeocodingCount: ResolverTypeWrapper<GeocodingCount>;
  GeocodingFilter: GeocodingFilter;
  GeocodingPrecision: GeocodingPrecision;
  HistoryConnection: ResolverTypeWrapper<HistoryPage>;
  HistoryEdge: ResolverTypeWrapper<HistoryEdgeSource>;
  HistoryEntry: ResolverTypeWrapper<HistoryRecord>;
  HistoryFilter: HistoryFilter;
  ID: ResolverTypeWrapper<Scalars['ID']['output']>;
  Int: ResolverTypeWrapper<Scalars['Int']['output']>;
  Invitation: ResolverTypeWrapper<ShownInvitation>;
  InvitationPreview: ResolverTypeWrapper<PreviewedInvitation>;
  JSON: ResolverTypeWrapper<Scalars['JSON']['output']>;
  JSONObject: ResolverTypeWrapper<Scalars['JSONObject']['output']>;
  LatLngLiteral: ResolverTypeWrapper<LatLngLiteral>;
  Latitude: ResolverTypeWrapper<Scalars['Latitude']['output']>;
  LeaveMapInput: LeaveMapInput;
  LeaveMapPayload: ResolverTypeWrapper<LeaveMapPayload>;
  Location: ResolverTypeWrapper<LocationView>;
  LocationChange: ResolverTypeWrapper<LocationChangeSource>;
  LocationChangeKind: LocationChangeKind;
  LocationConnection: ResolverTypeWrapper<LocationPage>;
  LocationEdge: ResolverTypeWrapper<LocationEdgeSource>;
  LocationFilter: LocationFilter;
  LocationOrderBy: LocationOrderBy;
  LocationOrderInput: LocationOrderInput;
  LocationVersion: ResolverTypeWrapper<ShownVersion>;
  LocationVersionConnection: ResolverTypeWrapper<VersionPage>;
  LocationVersionEdge: ResolverTypeWrapper<VersionEdgeSource>;
  Longitude: ResolverTypeWrapper<Scalars['Longitude']['output']>;
  Map: ResolverTypeWrapper<MapView>;
  MapAppearance: MapAppearance;
  MapConnection: ResolverTypeWrapper<MapPage>;
  MapEdge: ResolverTypeWrapper<MapEdgeSource>;
  MapFilter: MapFilter;
  MapFont: MapFont;
  MapGeocoding: ResolverTypeWrapper<Omit<MapGeocoding, 'bounds'> & { bounds?: Maybe<ResolversTypes['Bbox']> }>;
  MapGeocodingInput: MapGeocodingInput;
  MapLink: ResolverTypeWrapper<ShownMapLink>;
  MapLinkScope: MapLinkScope;
  MapLogo: ResolverTypeWrapper<MapLogo>;
  MapMember: ResolverTypeWrapper<ShownMember>;
  MapOrderBy: MapOrderBy;
  MapOrderInput: MapOrderInput;
  MapRole: MapRole;
  MapTheme: ResolverTypeWrapper<MapThemeSource>;
  MapThemeInput: MapThemeInput;
  MoveLocationsInput: MoveLocationsInput;
  MoveLocationsPayload: ResolverTypeWrapper<Omit<MoveLocationsPayload, 'locations' | 'map'> & { locations: Array<ResolversTypes['Location']>, map: ResolversTypes['Map'] }>;
  Mutation: ResolverTypeWrapper<Record<PropertyKey, never>>;
  NearInput: NearInput;
  Node: ResolverTypeWrapper<NodeSource>;
  PageInfo: ResolverTypeWrapper<PageInfoSource>;
  PointInput: PointInput;
  PositionInput: PositionInput;
  PropertyFilter: PropertyFilter;
  PurgeLocationsInput: PurgeLocationsInput;
  PurgeLocationsPayload: ResolverTypeWrapper<Omit<PurgeLocationsPayload, 'map'> & { map: ResolversTypes['Map'] }>;
  Query: ResolverTypeWrapper<Record<PropertyKey, never>>;
  RemoveMemberInput: RemoveMemberInput;
  RemoveMemberPayload: ResolverTypeWrapper<RemoveMemberPayload>;
  ReplaceMapLinkInput: ReplaceMapLinkInput;
  ReplaceMapLinkPayload: ResolverTypeWrapper<Omit<ReplaceMapLinkPayload, 'mapLink'> & { mapLink: ResolversTypes['MapLink'] }>;
  RestoreLocationsError: ResolverTypeWrapper<RestoreLocationsError>;
  RestoreLocationsInput: RestoreLocationsInput;
  RestoreLocationsPayload: ResolverTypeWrapper<Omit<RestoreLocationsPayload, 'map' | 'results'> & { map: ResolversTypes['Map'], results: Array<ResolversTypes['RestoreLocationsResult']> }>;
  RestoreLocationsResult: ResolverTypeWrapper<Omit<RestoreLocationsResult, 'location'> & { location?: Maybe<ResolversTypes['Location']> }>;
  RestoreMapInput: RestoreMapInput;
  RestoreMapPayload: ResolverTypeWrapper<Omit<RestoreMapPayload, 'map'> & { map: ResolversTypes['Map'] }>;
  RestoreVersionInput: RestoreVersionInput;
  RestoreVersionPayload: ResolverTypeWrapper<Omit<RestoreVersionPayload, 'location' | 'map'> & { location: ResolversTypes['Location'], map: ResolversTypes['Map'] }>;
  RevokeInvitationInput: RevokeInvitationInput;
  RevokeInvitationPayload: ResolverTypeWrapper<RevokeInvitationPayload>;
  RevokeMapLinkInput: RevokeMapLinkInput;
  RevokeMapLinkPayload: ResolverTypeWrapper<RevokeMapLinkPayload>;
  RevokeTokenInput: RevokeTokenInput;
  RevokeTokenPayload: ResolverTypeWrapper<RevokeTokenPayload>;
  RotateWebhookSecretInput: RotateWebhookSecretInput;
  RotateWebhookSecretPayload: ResolverTypeWrapper<Omit<RotateWebhookSecretPayload, 'webhook'> & { webhook: ResolversTypes['Webhook'] }>;
  Session: ResolverTypeWrapper<ShownSession>;
  String: ResolverTypeWrapper<Scalars['String']['output']>;
  Subscription: ResolverTypeWrapper<Record<PropertyKey, never>>;
  TestWebhookInput: TestWebhookInput;
  TestWebhookPayload: ResolverTypeWrapper<Omit<TestWebhookPayload, 'webhook'> & { webhook: ResolversTypes['Webhook'] }>;
  TimeRange: TimeRange;
  Token: ResolverTypeWrapper<OwnToken>;
  TokenScope: TokenScope;
  TrashConnection: ResolverTypeWrapper<TrashPage>;
  TrashEdge: ResolverTypeWrapper<TrashEdgeSource>;
  TrashedLocation: ResolverTypeWrapper<ShownTrash>;
  UndoChangeInput: UndoChangeInput;
  UndoChangeLeft: ResolverTypeWrapper<UndoChangeLeft>;
  UndoChangePayload: ResolverTypeWrapper<Omit<UndoChangePayload, 'map'> & { map: ResolversTypes['Map'] }>;
  UpdateLocationInput: UpdateLocationInput;
  UpdateLocationPayload: ResolverTypeWrapper<Omit<UpdateLocationPayload, 'edge' | 'location' | 'map'> & { edge: ResolversTypes['LocationEdge'], location: ResolversTypes['Location'], map: ResolversTypes['Map'] }>;
  UpdateMapInput: UpdateMapInput;
  UpdateMapPayload: ResolverTypeWrapper<Omit<UpdateMapPayload, 'map'> & { map: ResolversTypes['Map'] }>;
  UpdateMemberInput: UpdateMemberInput;
  UpdateMemberPayload: ResolverTypeWrapper<Omit<UpdateMemberPayload, 'map' | 'member'> & { map: ResolversTypes['Map'], member: ResolversTypes['MapMember'] }>;
  UpdateWebhookInput: UpdateWebhookInput;
  UpdateWebhookPayload: ResolverTypeWrapper<Omit<UpdateWebhookPayload, 'webhook'> & { webhook: ResolversTypes['Webhook'] }>;
  UpsertLocationsError: ResolverTypeWrapper<UpsertLocationsError>;
  UpsertLocationsInput: UpsertLocationsInput;
  UpsertLocationsItemInput: UpsertLocationsItemInput;
  UpsertLocationsPayload: ResolverTypeWrapper<Omit<UpsertLocationsPayload, 'map' | 'results'> & { map: ResolversTypes['Map'], results: Array<ResolversTypes['UpsertLocationsResult']> }>;
  UpsertLocationsResult: ResolverTypeWrapper<UpsertLocationsResultSource>;
  UpsertOutcome: UpsertOutcome;
  VersionChange: ResolverTypeWrapper<VersionChange>;
  Viewer: ResolverTypeWrapper<Caller>;
  Webhook: ResolverTypeWrapper<ShownWebhook>;
  WebhookEvent: WebhookEvent;
  WebhookStatus: WebhookStatus;
  WebhookStatusInput: WebhookStatusInput;
};

/** Mapping between all available schema types and the resolvers parents */
export type ResolversParentTypes = {
  AcceptInvitationInput: AcceptInvitationInput;
  AcceptInvitationPayload: Omit<AcceptInvitationPayload, 'map'> & { map: ResolversParentTypes['Map'] };
  Account: ShownAccount;
  Actor: ActorSource;
  Address: Address;
  AddressSuggestion: AddressSuggestion;
  Attribution: Attribution;
  Bbox: Box;
  BboxInput: BboxInput;
  Boolean: Scalars['Boolean']['output'];
  CategoryStyle: CategoryStyle;
  CategoryStyleInput: CategoryStyleInput;
  ChangePasswordInput: ChangePasswordInput;
  ChangePasswordPayload: ChangePasswordPayload;
  CheckLocationsInput: CheckLocationsInput;
  CheckLocationsPayload: Omit<CheckLocationsPayload, 'locations' | 'map'> & { locations: Array<ResolversParentTypes['Location']>, map: ResolversParentTypes['Map'] };
  Cluster: ClusterSource;
  CreateInvitationInput: CreateInvitationInput;
  CreateInvitationPayload: Omit<CreateInvitationPayload, 'invitation'> & { invitation: ResolversParentTypes['Invitation'] };
  CreateLocationInput: CreateLocationInput;
  CreateLocationPayload: Omit<CreateLocationPayload, 'edge' | 'location' | 'map'> & { edge: ResolversParentTypes['LocationEdge'], location: ResolversParentTypes['Location'], map: ResolversParentTypes['Map'] };
  CreateLocationsError: CreateLocationsError;
  CreateLocationsInput: CreateLocationsInput;
  CreateLocationsItemInput: CreateLocationsItemInput;
  CreateLocationsPayload: Omit<CreateLocationsPayload, 'map' | 'results'> & { map: ResolversParentTypes['Map'], results: Array<ResolversParentTypes['CreateLocationsResult']> };
  CreateLocationsResult: CreateLocationsResultSource;
  CreateMapInput: CreateMapInput;
  CreateMapLinkInput: CreateMapLinkInput;
  CreateMapLinkPayload: Omit<CreateMapLinkPayload, 'mapLink'> & { mapLink: ResolversParentTypes['MapLink'] };
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
  EndSessionsInput: EndSessionsInput;
  EndSessionsPayload: EndSessionsPayload;
  Field: FieldDefinition;
  FieldInput: FieldInput;
  Float: Scalars['Float']['output'];
  GeocodeLocationsError: GeocodeLocationsError;
  GeocodeLocationsInput: GeocodeLocationsInput;
  GeocodeLocationsPayload: Omit<GeocodeLocationsPayload, 'map' | 'results'> & { map: ResolversParentTypes['Map'], results: Array<ResolversParentTypes['GeocodeLocationsResult']> };
  GeocodeLocationsResult: Omit<GeocodeLocationsResult, 'location'> & { location: ResolversParentTypes['Location'] };
  GeocodedPoint: GeocodedPoint;
  Geocoding: Geocoding;
  GeocodingCandidate: GeocodingCandidate;
  GeocodingCount: GeocodingCount;
  GeocodingFilter: GeocodingFilter;
  HistoryConnection: HistoryPage;
  HistoryEdge: HistoryEdgeSource;
  HistoryEntry: HistoryRecord;
  HistoryFilter: HistoryFilter;
  ID: Scalars['ID']['output'];
  Int: Scalars['Int']['output'];
  Invitation: ShownInvitation;
  InvitationPreview: PreviewedInvitation;
  JSON: Scalars['JSON']['output'];
  JSONObject: Scalars['JSONObject']['output'];
  LatLngLiteral: LatLngLiteral;
  Latitude: Scalars['Latitude']['output'];
  LeaveMapInput: LeaveMapInput;
  LeaveMapPayload: LeaveMapPayload;
  Location: LocationView;
  LocationChange: LocationChangeSource;
  LocationConnection: LocationPage;
  LocationEdge: LocationEdgeSource;
  LocationFilter: LocationFilter;
  LocationOrderInput: LocationOrderInput;
  LocationVersion: ShownVersion;
  LocationVersionConnection: VersionPage;
  LocationVersionEdge: VersionEdgeSource;
  Longitude: Scalars['Longitude']['output'];
  Map: MapView;
  MapConnection: MapPage;
  MapEdge: MapEdgeSource;
  MapFilter: MapFilter;
  MapGeocoding: Omit<MapGeocoding, 'bounds'> & { bounds?: Maybe<ResolversParentTypes['Bbox']> };
  MapGeocodingInput: MapGeocodingInput;
  MapLink: ShownMapLink;
  MapLogo: MapLogo;
  MapMember: ShownMember;
  MapOrderInput: MapOrderInput;
  MapTheme: MapThemeSource;
  MapThemeInput: MapThemeInput;
  MoveLocationsInput: MoveLocationsInput;
  MoveLocationsPayload: Omit<MoveLocationsPayload, 'locations' | 'map'> & { locations: Array<ResolversParentTypes['Location']>, map: ResolversParentTypes['Map'] };
  Mutation: Record<PropertyKey, never>;
  NearInput: NearInput;
  Node: NodeSource;
  PageInfo: PageInfoSource;
  PointInput: PointInput;
  PositionInput: PositionInput;
  PropertyFilter: PropertyFilter;
  PurgeLocationsInput: PurgeLocationsInput;
  PurgeLocationsPayload: Omit<PurgeLocationsPayload, 'map'> & { map: ResolversParentTypes['Map'] };
  Query: Record<PropertyKey, never>;
  RemoveMemberInput: RemoveMemberInput;
  RemoveMemberPayload: RemoveMemberPayload;
  ReplaceMapLinkInput: ReplaceMapLinkInput;
  ReplaceMapLinkPayload: Omit<ReplaceMapLinkPayload, 'mapLink'> & { mapLink: ResolversParentTypes['MapLink'] };
  RestoreLocationsError: RestoreLocationsError;
  RestoreLocationsInput: RestoreLocationsInput;
  RestoreLocationsPayload: Omit<RestoreLocationsPayload, 'map' | 'results'> & { map: ResolversParentTypes['Map'], results: Array<ResolversParentTypes['RestoreLocationsResult']> };
  RestoreLocationsResult: Omit<RestoreLocationsResult, 'location'> & { location?: Maybe<ResolversParentTypes['Location']> };
  RestoreMapInput: RestoreMapInput;
  RestoreMapPayload: Omit<RestoreMapPayload, 'map'> & { map: ResolversParentTypes['Map'] };
  RestoreVersionInput: RestoreVersionInput;
  RestoreVersionPayload: Omit<RestoreVersionPayload, 'location' | 'map'> & { location: ResolversParentTypes['Location'], map: ResolversParentTypes['Map'] };
  RevokeInvitationInput: RevokeInvitationInput;
  RevokeInvitationPayload: RevokeInvitationPayload;
  RevokeMapLinkInput: RevokeMapLinkInput;
  RevokeMapLinkPayload: RevokeMapLinkPayload;
  RevokeTokenInput: RevokeTokenInput;
  RevokeTokenPayload: RevokeTokenPayload;
  RotateWebhookSecretInput: RotateWebhookSecretInput;
  RotateWebhookSecretPayload: Omit<RotateWebhookSecretPayload, 'webhook'> & { webhook: ResolversParentTypes['Webhook'] };
  Session: ShownSession;
  String: Scalars['String']['output'];
  Subscription: Record<PropertyKey, never>;
  TestWebhookInput: TestWebhookInput;
  TestWebhookPayload: Omit<TestWebhookPayload, 'webhook'> & { webhook: ResolversParentTypes['Webhook'] };
  TimeRange: TimeRange;
  Token: OwnToken;
  TrashConnection: TrashPage;
  TrashEdge: TrashEdgeSource;
  TrashedLocation: ShownTrash;
  UndoChangeInput: UndoChangeInput;
  UndoChangeLeft: UndoChangeLeft;
  UndoChangePayload: Omit<UndoChangePayload, 'map'> & { map: ResolversParentTypes['Map'] };
  UpdateLocationInput: UpdateLocationInput;
  UpdateLocationPayload: Omit<UpdateLocationPayload, 'edge' | 'location' | 'map'> & { edge: ResolversParentTypes['LocationEdge'], location: ResolversParentTypes['Location'], map: ResolversParentTypes['Map'] };
  UpdateMapInput: UpdateMapInput;
  UpdateMapPayload: Omit<UpdateMapPayload, 'map'> & { map: ResolversParentTypes['Map'] };
  UpdateMemberInput: UpdateMemberInput;
  UpdateMemberPayload: Omit<UpdateMemberPayload, 'map' | 'member'> & { map: ResolversParentTypes['Map'], member: ResolversParentTypes['MapMember'] };
  UpdateWebhookInput: UpdateWebhookInput;
  UpdateWebhookPayload: Omit<UpdateWebhookPayload, 'webhook'> & { webhook: ResolversParentTypes['Webhook'] };
  UpsertLocationsError: UpsertLocationsError;
  UpsertLocationsInput: UpsertLocationsInput;
  UpsertLocationsItemInput: UpsertLocationsItemInput;
  UpsertLocationsPayload: Omit<UpsertLocationsPayload, 'map' | 'results'> & { map: ResolversParentTypes['Map'], results: Array<ResolversParentTypes['UpsertLocationsResult']> };
  UpsertLocationsResult: UpsertLocationsResultSource;
  VersionChange: VersionChange;
  Viewer: Caller;
  Webhook: ShownWebhook;
};

export type AcceptInvitationPayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['AcceptInvitationPayload'] = ResolversParentTypes['AcceptInvitationPayload']> = {
  map?: Resolver<ResolversTypes['Map'], ParentType, ContextType>;
  role?: Resolver<ResolversTypes['MapRole'], ParentType, ContextType>;
};

export type AccountResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Account'] = ResolversParentTypes['Account']> = {
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  displayName?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  hasPassword?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  provider?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type ActorResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Actor'] = ResolversParentTypes['Actor']> = {
  kind?: Resolver<ResolversTypes['ActorKind'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  owner?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type AddressResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Address'] = ResolversParentTypes['Address']> = {
  city?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  country?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  countryCode?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  distance?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  houseNumber?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  label?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  postcode?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  provider?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  state?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  street?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type AddressSuggestionResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['AddressSuggestion'] = ResolversParentTypes['AddressSuggestion']> = {
  description?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  label?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  latitude?: Resolver<ResolversTypes['Latitude'], ParentType, ContextType>;
  longitude?: Resolver<ResolversTypes['Longitude'], ParentType, ContextType>;
};

export type AttributionResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Attribution'] = ResolversParentTypes['Attribution']> = {
  text?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  url?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type BboxResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Bbox'] = ResolversParentTypes['Bbox']> = {
  east?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  north?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  south?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  west?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
};

export type CategoryStyleResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['CategoryStyle'] = ResolversParentTypes['CategoryStyle']> = {
  color?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  icon?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  label?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  value?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type ChangePasswordPayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['ChangePasswordPayload'] = ResolversParentTypes['ChangePasswordPayload']> = {
  endedIds?: Resolver<Array<ResolversTypes['ID']>, ParentType, ContextType>;
};

export type CheckLocationsPayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['CheckLocationsPayload'] = ResolversParentTypes['CheckLocationsPayload']> = {
  historyId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  locations?: Resolver<Array<ResolversTypes['Location']>, ParentType, ContextType>;
  map?: Resolver<ResolversTypes['Map'], ParentType, ContextType>;
};

export type ClusterResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Cluster'] = ResolversParentTypes['Cluster']> = {
  bbox?: Resolver<ResolversTypes['Bbox'], ParentType, ContextType>;
  count?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  latitude?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  location?: Resolver<Maybe<ResolversTypes['Location']>, ParentType, ContextType>;
  longitude?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
};

export type CreateInvitationPayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['CreateInvitationPayload'] = ResolversParentTypes['CreateInvitationPayload']> = {
  invitation?: Resolver<ResolversTypes['Invitation'], ParentType, ContextType>;
  link?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  secret?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type CreateLocationPayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['CreateLocationPayload'] = ResolversParentTypes['CreateLocationPayload']> = {
  edge?: Resolver<ResolversTypes['LocationEdge'], ParentType, ContextType>;
  historyId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  location?: Resolver<ResolversTypes['Location'], ParentType, ContextType>;
  map?: Resolver<ResolversTypes['Map'], ParentType, ContextType>;
};

export type CreateLocationsErrorResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['CreateLocationsError'] = ResolversParentTypes['CreateLocationsError']> = {
  code?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type CreateLocationsPayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['CreateLocationsPayload'] = ResolversParentTypes['CreateLocationsPayload']> = {
  historyId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  map?: Resolver<ResolversTypes['Map'], ParentType, ContextType>;
  results?: Resolver<Array<ResolversTypes['CreateLocationsResult']>, ParentType, ContextType>;
};

export type CreateLocationsResultResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['CreateLocationsResult'] = ResolversParentTypes['CreateLocationsResult']> = {
  error?: Resolver<Maybe<ResolversTypes['CreateLocationsError']>, ParentType, ContextType>;
  location?: Resolver<Maybe<ResolversTypes['Location']>, ParentType, ContextType>;
};

export type CreateMapLinkPayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['CreateMapLinkPayload'] = ResolversParentTypes['CreateMapLinkPayload']> = {
  consoleLink?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  mapLink?: Resolver<ResolversTypes['MapLink'], ParentType, ContextType>;
  pageLink?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  secret?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
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
  historyId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  location?: Resolver<ResolversTypes['Location'], ParentType, ContextType>;
  map?: Resolver<ResolversTypes['Map'], ParentType, ContextType>;
};

export type DeleteLocationsPayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['DeleteLocationsPayload'] = ResolversParentTypes['DeleteLocationsPayload']> = {
  deletedCount?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  deletedIds?: Resolver<Array<ResolversTypes['ID']>, ParentType, ContextType>;
  historyId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  map?: Resolver<ResolversTypes['Map'], ParentType, ContextType>;
};

export type DeleteMapPayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['DeleteMapPayload'] = ResolversParentTypes['DeleteMapPayload']> = {
  map?: Resolver<ResolversTypes['Map'], ParentType, ContextType>;
};

export type DeleteWebhookPayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['DeleteWebhookPayload'] = ResolversParentTypes['DeleteWebhookPayload']> = {
  deletedId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
};

export type EndSessionsPayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['EndSessionsPayload'] = ResolversParentTypes['EndSessionsPayload']> = {
  endedIds?: Resolver<Array<ResolversTypes['ID']>, ParentType, ContextType>;
};

export type FieldResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Field'] = ResolversParentTypes['Field']> = {
  isPublic?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  type?: Resolver<ResolversTypes['FieldType'], ParentType, ContextType>;
};

export type GeocodeLocationsErrorResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['GeocodeLocationsError'] = ResolversParentTypes['GeocodeLocationsError']> = {
  code?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type GeocodeLocationsPayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['GeocodeLocationsPayload'] = ResolversParentTypes['GeocodeLocationsPayload']> = {
  historyId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  map?: Resolver<ResolversTypes['Map'], ParentType, ContextType>;
  results?: Resolver<Array<ResolversTypes['GeocodeLocationsResult']>, ParentType, ContextType>;
};

export type GeocodeLocationsResultResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['GeocodeLocationsResult'] = ResolversParentTypes['GeocodeLocationsResult']> = {
  after?: Resolver<Maybe<ResolversTypes['GeocodedPoint']>, ParentType, ContextType>;
  before?: Resolver<ResolversTypes['GeocodedPoint'], ParentType, ContextType>;
  distance?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  error?: Resolver<Maybe<ResolversTypes['GeocodeLocationsError']>, ParentType, ContextType>;
  location?: Resolver<ResolversTypes['Location'], ParentType, ContextType>;
  outcome?: Resolver<ResolversTypes['GeocodeLocationsOutcome'], ParentType, ContextType>;
};

export type GeocodedPointResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['GeocodedPoint'] = ResolversParentTypes['GeocodedPoint']> = {
  latitude?: Resolver<ResolversTypes['Latitude'], ParentType, ContextType>;
  longitude?: Resolver<ResolversTypes['Longitude'], ParentType, ContextType>;
  precision?: Resolver<ResolversTypes['GeocodingPrecision'], ParentType, ContextType>;
  provider?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type GeocodingResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Geocoding'] = ResolversParentTypes['Geocoding']> = {
  isAmbiguous?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  isChecked?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  label?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
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

export type GeocodingCountResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['GeocodingCount'] = ResolversParentTypes['GeocodingCount']> = {
  count?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  isChecked?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  precision?: Resolver<ResolversTypes['GeocodingPrecision'], ParentType, ContextType>;
};

export type HistoryConnectionResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['HistoryConnection'] = ResolversParentTypes['HistoryConnection']> = {
  edges?: Resolver<Array<ResolversTypes['HistoryEdge']>, ParentType, ContextType>;
  nodes?: Resolver<Array<ResolversTypes['HistoryEntry']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
};

export type HistoryEdgeResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['HistoryEdge'] = ResolversParentTypes['HistoryEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['HistoryEntry'], ParentType, ContextType>;
};

export type HistoryEntryResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['HistoryEntry'] = ResolversParentTypes['HistoryEntry']> = {
  at?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  by?: Resolver<ResolversTypes['Actor'], ParentType, ContextType>;
  created?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  deleted?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  locationIds?: Resolver<Array<ResolversTypes['ID']>, ParentType, ContextType>;
  moved?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  operation?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  updated?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type InvitationResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Invitation'] = ResolversParentTypes['Invitation']> = {
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  createdBy?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  createdByOwner?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  expiresAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  maxUses?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  note?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  role?: Resolver<ResolversTypes['MapRole'], ParentType, ContextType>;
  uses?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type InvitationPreviewResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['InvitationPreview'] = ResolversParentTypes['InvitationPreview']> = {
  expiresAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  invitedBy?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  invitedByOwner?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  mapName?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  note?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  role?: Resolver<ResolversTypes['MapRole'], ParentType, ContextType>;
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

export type LeaveMapPayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['LeaveMapPayload'] = ResolversParentTypes['LeaveMapPayload']> = {
  mapId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
};

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
  versions?: Resolver<Maybe<ResolversTypes['LocationVersionConnection']>, ParentType, ContextType, Partial<LocationVersionsArgs>>;
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

export type LocationVersionResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['LocationVersion'] = ResolversParentTypes['LocationVersion']> = {
  at?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  by?: Resolver<Maybe<ResolversTypes['Actor']>, ParentType, ContextType>;
  changes?: Resolver<Array<ResolversTypes['VersionChange']>, ParentType, ContextType>;
  historyId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  operation?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  version?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type LocationVersionConnectionResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['LocationVersionConnection'] = ResolversParentTypes['LocationVersionConnection']> = {
  edges?: Resolver<Array<ResolversTypes['LocationVersionEdge']>, ParentType, ContextType>;
  nodes?: Resolver<Array<ResolversTypes['LocationVersion']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
};

export type LocationVersionEdgeResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['LocationVersionEdge'] = ResolversParentTypes['LocationVersionEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['LocationVersion'], ParentType, ContextType>;
};

export interface LongitudeScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['Longitude'], any> {
  name: 'Longitude';
}

export type MapResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Map'] = ResolversParentTypes['Map']> = {
  attributions?: Resolver<Array<ResolversTypes['Attribution']>, ParentType, ContextType>;
  categories?: Resolver<Array<ResolversTypes['CategoryStyle']>, ParentType, ContextType>;
  clusters?: Resolver<Maybe<Array<ResolversTypes['Cluster']>>, ParentType, ContextType, RequireFields<MapClustersArgs, 'bbox' | 'zoom'>>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  fields?: Resolver<Array<ResolversTypes['Field']>, ParentType, ContextType>;
  geocoding?: Resolver<Maybe<ResolversTypes['MapGeocoding']>, ParentType, ContextType>;
  geocodingApiKey?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  geocodingCounts?: Resolver<Array<ResolversTypes['GeocodingCount']>, ParentType, ContextType>;
  history?: Resolver<Maybe<ResolversTypes['HistoryConnection']>, ParentType, ContextType, Partial<MapHistoryArgs>>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  invitations?: Resolver<Maybe<Array<ResolversTypes['Invitation']>>, ParentType, ContextType>;
  isDeleted?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  isPublished?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  language?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  links?: Resolver<Maybe<Array<ResolversTypes['MapLink']>>, ParentType, ContextType>;
  location?: Resolver<Maybe<ResolversTypes['Location']>, ParentType, ContextType, RequireFields<MapLocationArgs, 'id'>>;
  locationAt?: Resolver<Maybe<ResolversTypes['Location']>, ParentType, ContextType, RequireFields<MapLocationAtArgs, 'place'>>;
  locationByExternalId?: Resolver<Maybe<ResolversTypes['Location']>, ParentType, ContextType, RequireFields<MapLocationByExternalIdArgs, 'externalId'>>;
  locations?: Resolver<Maybe<ResolversTypes['LocationConnection']>, ParentType, ContextType, Partial<MapLocationsArgs>>;
  members?: Resolver<Maybe<Array<ResolversTypes['MapMember']>>, ParentType, ContextType>;
  myRole?: Resolver<Maybe<ResolversTypes['MapRole']>, ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  providerMapApiKey?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  theme?: Resolver<ResolversTypes['MapTheme'], ParentType, ContextType>;
  timeZone?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  trash?: Resolver<Maybe<ResolversTypes['TrashConnection']>, ParentType, ContextType, Partial<MapTrashArgs>>;
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

export type MapGeocodingResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['MapGeocoding'] = ResolversParentTypes['MapGeocoding']> = {
  bounds?: Resolver<Maybe<ResolversTypes['Bbox']>, ParentType, ContextType>;
  countries?: Resolver<Array<ResolversTypes['String']>, ParentType, ContextType>;
  language?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type MapLinkResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['MapLink'] = ResolversParentTypes['MapLink']> = {
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  createdBy?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  createdByOwner?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  expiresAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  lastUsedAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  scope?: Resolver<ResolversTypes['MapLinkScope'], ParentType, ContextType>;
};

export type MapLogoResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['MapLogo'] = ResolversParentTypes['MapLogo']> = {
  bytes?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  hash?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  type?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type MapMemberResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['MapMember'] = ResolversParentTypes['MapMember']> = {
  displayName?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  isMe?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  role?: Resolver<ResolversTypes['MapRole'], ParentType, ContextType>;
  since?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
};

export type MapThemeResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['MapTheme'] = ResolversParentTypes['MapTheme']> = {
  accent?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  accentOnDark?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  accentOnLight?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  appearance?: Resolver<ResolversTypes['MapAppearance'], ParentType, ContextType>;
  font?: Resolver<ResolversTypes['MapFont'], ParentType, ContextType>;
  logo?: Resolver<Maybe<ResolversTypes['MapLogo']>, ParentType, ContextType>;
  poweredBy?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
};

export type MoveLocationsPayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['MoveLocationsPayload'] = ResolversParentTypes['MoveLocationsPayload']> = {
  historyId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  locations?: Resolver<Array<ResolversTypes['Location']>, ParentType, ContextType>;
  map?: Resolver<ResolversTypes['Map'], ParentType, ContextType>;
};

export type MutationResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Mutation'] = ResolversParentTypes['Mutation']> = {
  acceptInvitation?: Resolver<Maybe<ResolversTypes['AcceptInvitationPayload']>, ParentType, ContextType, RequireFields<MutationAcceptInvitationArgs, 'input'>>;
  changePassword?: Resolver<Maybe<ResolversTypes['ChangePasswordPayload']>, ParentType, ContextType, RequireFields<MutationChangePasswordArgs, 'input'>>;
  checkLocations?: Resolver<Maybe<ResolversTypes['CheckLocationsPayload']>, ParentType, ContextType, RequireFields<MutationCheckLocationsArgs, 'input'>>;
  createInvitation?: Resolver<Maybe<ResolversTypes['CreateInvitationPayload']>, ParentType, ContextType, RequireFields<MutationCreateInvitationArgs, 'input'>>;
  createLocation?: Resolver<Maybe<ResolversTypes['CreateLocationPayload']>, ParentType, ContextType, RequireFields<MutationCreateLocationArgs, 'input'>>;
  createLocations?: Resolver<Maybe<ResolversTypes['CreateLocationsPayload']>, ParentType, ContextType, RequireFields<MutationCreateLocationsArgs, 'input'>>;
  createMap?: Resolver<Maybe<ResolversTypes['CreateMapPayload']>, ParentType, ContextType, RequireFields<MutationCreateMapArgs, 'input'>>;
  createMapLink?: Resolver<Maybe<ResolversTypes['CreateMapLinkPayload']>, ParentType, ContextType, RequireFields<MutationCreateMapLinkArgs, 'input'>>;
  createToken?: Resolver<Maybe<ResolversTypes['CreateTokenPayload']>, ParentType, ContextType, RequireFields<MutationCreateTokenArgs, 'input'>>;
  createWebhook?: Resolver<Maybe<ResolversTypes['CreateWebhookPayload']>, ParentType, ContextType, RequireFields<MutationCreateWebhookArgs, 'input'>>;
  deleteLocation?: Resolver<Maybe<ResolversTypes['DeleteLocationPayload']>, ParentType, ContextType, RequireFields<MutationDeleteLocationArgs, 'input'>>;
  deleteLocations?: Resolver<Maybe<ResolversTypes['DeleteLocationsPayload']>, ParentType, ContextType, RequireFields<MutationDeleteLocationsArgs, 'input'>>;
  deleteMap?: Resolver<Maybe<ResolversTypes['DeleteMapPayload']>, ParentType, ContextType, RequireFields<MutationDeleteMapArgs, 'input'>>;
  deleteWebhook?: Resolver<Maybe<ResolversTypes['DeleteWebhookPayload']>, ParentType, ContextType, RequireFields<MutationDeleteWebhookArgs, 'input'>>;
  endSessions?: Resolver<Maybe<ResolversTypes['EndSessionsPayload']>, ParentType, ContextType, RequireFields<MutationEndSessionsArgs, 'input'>>;
  geocodeLocations?: Resolver<Maybe<ResolversTypes['GeocodeLocationsPayload']>, ParentType, ContextType, RequireFields<MutationGeocodeLocationsArgs, 'input'>>;
  leaveMap?: Resolver<Maybe<ResolversTypes['LeaveMapPayload']>, ParentType, ContextType, RequireFields<MutationLeaveMapArgs, 'input'>>;
  moveLocations?: Resolver<Maybe<ResolversTypes['MoveLocationsPayload']>, ParentType, ContextType, RequireFields<MutationMoveLocationsArgs, 'input'>>;
  purgeLocations?: Resolver<Maybe<ResolversTypes['PurgeLocationsPayload']>, ParentType, ContextType, RequireFields<MutationPurgeLocationsArgs, 'input'>>;
  removeMember?: Resolver<Maybe<ResolversTypes['RemoveMemberPayload']>, ParentType, ContextType, RequireFields<MutationRemoveMemberArgs, 'input'>>;
  replaceMapLink?: Resolver<Maybe<ResolversTypes['ReplaceMapLinkPayload']>, ParentType, ContextType, RequireFields<MutationReplaceMapLinkArgs, 'input'>>;
  restoreLocations?: Resolver<Maybe<ResolversTypes['RestoreLocationsPayload']>, ParentType, ContextType, RequireFields<MutationRestoreLocationsArgs, 'input'>>;
  restoreMap?: Resolver<Maybe<ResolversTypes['RestoreMapPayload']>, ParentType, ContextType, RequireFields<MutationRestoreMapArgs, 'input'>>;
  restoreVersion?: Resolver<Maybe<ResolversTypes['RestoreVersionPayload']>, ParentType, ContextType, RequireFields<MutationRestoreVersionArgs, 'input'>>;
  revokeInvitation?: Resolver<Maybe<ResolversTypes['RevokeInvitationPayload']>, ParentType, ContextType, RequireFields<MutationRevokeInvitationArgs, 'input'>>;
  revokeMapLink?: Resolver<Maybe<ResolversTypes['RevokeMapLinkPayload']>, ParentType, ContextType, RequireFields<MutationRevokeMapLinkArgs, 'input'>>;
  revokeToken?: Resolver<Maybe<ResolversTypes['RevokeTokenPayload']>, ParentType, ContextType, RequireFields<MutationRevokeTokenArgs, 'input'>>;
  rotateWebhookSecret?: Resolver<Maybe<ResolversTypes['RotateWebhookSecretPayload']>, ParentType, ContextType, RequireFields<MutationRotateWebhookSecretArgs, 'input'>>;
  testWebhook?: Resolver<Maybe<ResolversTypes['TestWebhookPayload']>, ParentType, ContextType, RequireFields<MutationTestWebhookArgs, 'input'>>;
  undoChange?: Resolver<Maybe<ResolversTypes['UndoChangePayload']>, ParentType, ContextType, RequireFields<MutationUndoChangeArgs, 'input'>>;
  updateLocation?: Resolver<Maybe<ResolversTypes['UpdateLocationPayload']>, ParentType, ContextType, RequireFields<MutationUpdateLocationArgs, 'input'>>;
  updateMap?: Resolver<Maybe<ResolversTypes['UpdateMapPayload']>, ParentType, ContextType, RequireFields<MutationUpdateMapArgs, 'input'>>;
  updateMember?: Resolver<Maybe<ResolversTypes['UpdateMemberPayload']>, ParentType, ContextType, RequireFields<MutationUpdateMemberArgs, 'input'>>;
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

export type PurgeLocationsPayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['PurgeLocationsPayload'] = ResolversParentTypes['PurgeLocationsPayload']> = {
  map?: Resolver<ResolversTypes['Map'], ParentType, ContextType>;
  purgedIds?: Resolver<Array<ResolversTypes['ID']>, ParentType, ContextType>;
};

export type QueryResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Query'] = ResolversParentTypes['Query']> = {
  geocode?: Resolver<Maybe<Array<ResolversTypes['GeocodingCandidate']>>, ParentType, ContextType, RequireFields<QueryGeocodeArgs, 'address' | 'mapId'>>;
  invitation?: Resolver<Maybe<ResolversTypes['InvitationPreview']>, ParentType, ContextType, RequireFields<QueryInvitationArgs, 'secret'>>;
  location?: Resolver<Maybe<ResolversTypes['Location']>, ParentType, ContextType, RequireFields<QueryLocationArgs, 'id' | 'mapId'>>;
  map?: Resolver<Maybe<ResolversTypes['Map']>, ParentType, ContextType, RequireFields<QueryMapArgs, 'id'>>;
  node?: Resolver<Maybe<ResolversTypes['Node']>, ParentType, ContextType, RequireFields<QueryNodeArgs, 'id'>>;
  nodes?: Resolver<Maybe<Array<Maybe<ResolversTypes['Node']>>>, ParentType, ContextType, RequireFields<QueryNodesArgs, 'ids'>>;
  publicMap?: Resolver<Maybe<ResolversTypes['Map']>, ParentType, ContextType, RequireFields<QueryPublicMapArgs, 'id'>>;
  reverseGeocode?: Resolver<Maybe<ResolversTypes['Address']>, ParentType, ContextType, RequireFields<QueryReverseGeocodeArgs, 'latitude' | 'longitude' | 'mapId'>>;
  suggestAddresses?: Resolver<Array<ResolversTypes['AddressSuggestion']>, ParentType, ContextType, RequireFields<QuerySuggestAddressesArgs, 'mapId' | 'text'>>;
  viewer?: Resolver<Maybe<ResolversTypes['Viewer']>, ParentType, ContextType>;
};

export type RemoveMemberPayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['RemoveMemberPayload'] = ResolversParentTypes['RemoveMemberPayload']> = {
  removedId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
};

export type ReplaceMapLinkPayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['ReplaceMapLinkPayload'] = ResolversParentTypes['ReplaceMapLinkPayload']> = {
  consoleLink?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  mapLink?: Resolver<ResolversTypes['MapLink'], ParentType, ContextType>;
  pageLink?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  secret?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type RestoreLocationsErrorResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['RestoreLocationsError'] = ResolversParentTypes['RestoreLocationsError']> = {
  code?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type RestoreLocationsPayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['RestoreLocationsPayload'] = ResolversParentTypes['RestoreLocationsPayload']> = {
  historyId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  map?: Resolver<ResolversTypes['Map'], ParentType, ContextType>;
  results?: Resolver<Array<ResolversTypes['RestoreLocationsResult']>, ParentType, ContextType>;
};

export type RestoreLocationsResultResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['RestoreLocationsResult'] = ResolversParentTypes['RestoreLocationsResult']> = {
  error?: Resolver<Maybe<ResolversTypes['RestoreLocationsError']>, ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  location?: Resolver<Maybe<ResolversTypes['Location']>, ParentType, ContextType>;
};

export type RestoreMapPayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['RestoreMapPayload'] = ResolversParentTypes['RestoreMapPayload']> = {
  map?: Resolver<ResolversTypes['Map'], ParentType, ContextType>;
};

export type RestoreVersionPayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['RestoreVersionPayload'] = ResolversParentTypes['RestoreVersionPayload']> = {
  historyId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  location?: Resolver<ResolversTypes['Location'], ParentType, ContextType>;
  map?: Resolver<ResolversTypes['Map'], ParentType, ContextType>;
};

export type RevokeInvitationPayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['RevokeInvitationPayload'] = ResolversParentTypes['RevokeInvitationPayload']> = {
  revokedId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
};

export type RevokeMapLinkPayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['RevokeMapLinkPayload'] = ResolversParentTypes['RevokeMapLinkPayload']> = {
  revokedId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
};

export type RevokeTokenPayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['RevokeTokenPayload'] = ResolversParentTypes['RevokeTokenPayload']> = {
  revokedId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
};

export type RotateWebhookSecretPayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['RotateWebhookSecretPayload'] = ResolversParentTypes['RotateWebhookSecretPayload']> = {
  secret?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  webhook?: Resolver<ResolversTypes['Webhook'], ParentType, ContextType>;
};

export type SessionResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Session'] = ResolversParentTypes['Session']> = {
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  expiresAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  isCurrent?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  lastUsedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  userAgent?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
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

export type TrashConnectionResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['TrashConnection'] = ResolversParentTypes['TrashConnection']> = {
  edges?: Resolver<Array<ResolversTypes['TrashEdge']>, ParentType, ContextType>;
  nodes?: Resolver<Array<ResolversTypes['TrashedLocation']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
};

export type TrashEdgeResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['TrashEdge'] = ResolversParentTypes['TrashEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['TrashedLocation'], ParentType, ContextType>;
};

export type TrashedLocationResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['TrashedLocation'] = ResolversParentTypes['TrashedLocation']> = {
  deletedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  deletedBy?: Resolver<Maybe<ResolversTypes['Actor']>, ParentType, ContextType>;
  historyId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  keptUntil?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  location?: Resolver<ResolversTypes['Location'], ParentType, ContextType>;
};

export type UndoChangeLeftResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['UndoChangeLeft'] = ResolversParentTypes['UndoChangeLeft']> = {
  code?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type UndoChangePayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['UndoChangePayload'] = ResolversParentTypes['UndoChangePayload']> = {
  historyId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  left?: Resolver<Array<ResolversTypes['UndoChangeLeft']>, ParentType, ContextType>;
  leftCount?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  map?: Resolver<ResolversTypes['Map'], ParentType, ContextType>;
  reverted?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type UpdateLocationPayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['UpdateLocationPayload'] = ResolversParentTypes['UpdateLocationPayload']> = {
  edge?: Resolver<ResolversTypes['LocationEdge'], ParentType, ContextType>;
  historyId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  location?: Resolver<ResolversTypes['Location'], ParentType, ContextType>;
  map?: Resolver<ResolversTypes['Map'], ParentType, ContextType>;
};

export type UpdateMapPayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['UpdateMapPayload'] = ResolversParentTypes['UpdateMapPayload']> = {
  map?: Resolver<ResolversTypes['Map'], ParentType, ContextType>;
};

export type UpdateMemberPayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['UpdateMemberPayload'] = ResolversParentTypes['UpdateMemberPayload']> = {
  map?: Resolver<ResolversTypes['Map'], ParentType, ContextType>;
  member?: Resolver<ResolversTypes['MapMember'], ParentType, ContextType>;
};

export type UpdateWebhookPayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['UpdateWebhookPayload'] = ResolversParentTypes['UpdateWebhookPayload']> = {
  webhook?: Resolver<ResolversTypes['Webhook'], ParentType, ContextType>;
};

export type UpsertLocationsErrorResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['UpsertLocationsError'] = ResolversParentTypes['UpsertLocationsError']> = {
  code?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type UpsertLocationsPayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['UpsertLocationsPayload'] = ResolversParentTypes['UpsertLocationsPayload']> = {
  historyId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  map?: Resolver<ResolversTypes['Map'], ParentType, ContextType>;
  results?: Resolver<Array<ResolversTypes['UpsertLocationsResult']>, ParentType, ContextType>;
};

export type UpsertLocationsResultResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['UpsertLocationsResult'] = ResolversParentTypes['UpsertLocationsResult']> = {
  error?: Resolver<Maybe<ResolversTypes['UpsertLocationsError']>, ParentType, ContextType>;
  location?: Resolver<Maybe<ResolversTypes['Location']>, ParentType, ContextType>;
  outcome?: Resolver<Maybe<ResolversTypes['UpsertOutcome']>, ParentType, ContextType>;
};

export type VersionChangeResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['VersionChange'] = ResolversParentTypes['VersionChange']> = {
  after?: Resolver<Maybe<ResolversTypes['JSON']>, ParentType, ContextType>;
  before?: Resolver<Maybe<ResolversTypes['JSON']>, ParentType, ContextType>;
  path?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type ViewerResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Viewer'] = ResolversParentTypes['Viewer']> = {
  account?: Resolver<Maybe<ResolversTypes['Account']>, ParentType, ContextType>;
  locations?: Resolver<Maybe<ResolversTypes['LocationConnection']>, ParentType, ContextType, Partial<ViewerLocationsArgs>>;
  maps?: Resolver<Maybe<ResolversTypes['MapConnection']>, ParentType, ContextType, Partial<ViewerMapsArgs>>;
  owner?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  scope?: Resolver<ResolversTypes['TokenScope'], ParentType, ContextType>;
  sessions?: Resolver<Maybe<Array<ResolversTypes['Session']>>, ParentType, ContextType>;
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
  AcceptInvitationPayload?: AcceptInvitationPayloadResolvers<ContextType>;
  Account?: AccountResolvers<ContextType>;
  Actor?: ActorResolvers<ContextType>;
  Address?: AddressResolvers<ContextType>;
  AddressSuggestion?: AddressSuggestionResolvers<ContextType>;
  Attribution?: AttributionResolvers<ContextType>;
  Bbox?: BboxResolvers<ContextType>;
  CategoryStyle?: CategoryStyleResolvers<ContextType>;
  ChangePasswordPayload?: ChangePasswordPayloadResolvers<ContextType>;
  CheckLocationsPayload?: CheckLocationsPayloadResolvers<ContextType>;
  Cluster?: ClusterResolvers<ContextType>;
  CreateInvitationPayload?: CreateInvitationPayloadResolvers<ContextType>;
  CreateLocationPayload?: CreateLocationPayloadResolvers<ContextType>;
  CreateLocationsError?: CreateLocationsErrorResolvers<ContextType>;
  CreateLocationsPayload?: CreateLocationsPayloadResolvers<ContextType>;
  CreateLocationsResult?: CreateLocationsResultResolvers<ContextType>;
  CreateMapLinkPayload?: CreateMapLinkPayloadResolvers<ContextType>;
  CreateMapPayload?: CreateMapPayloadResolvers<ContextType>;
  CreateTokenPayload?: CreateTokenPayloadResolvers<ContextType>;
  CreateWebhookPayload?: CreateWebhookPayloadResolvers<ContextType>;
  DateTime?: GraphQLScalarType;
  DeleteLocationPayload?: DeleteLocationPayloadResolvers<ContextType>;
  DeleteLocationsPayload?: DeleteLocationsPayloadResolvers<ContextType>;
  DeleteMapPayload?: DeleteMapPayloadResolvers<ContextType>;
  DeleteWebhookPayload?: DeleteWebhookPayloadResolvers<ContextType>;
  EndSessionsPayload?: EndSessionsPayloadResolvers<ContextType>;
  Field?: FieldResolvers<ContextType>;
  GeocodeLocationsError?: GeocodeLocationsErrorResolvers<ContextType>;
  GeocodeLocationsPayload?: GeocodeLocationsPayloadResolvers<ContextType>;
  GeocodeLocationsResult?: GeocodeLocationsResultResolvers<ContextType>;
  GeocodedPoint?: GeocodedPointResolvers<ContextType>;
  Geocoding?: GeocodingResolvers<ContextType>;
  GeocodingCandidate?: GeocodingCandidateResolvers<ContextType>;
  GeocodingCount?: GeocodingCountResolvers<ContextType>;
  HistoryConnection?: HistoryConnectionResolvers<ContextType>;
  HistoryEdge?: HistoryEdgeResolvers<ContextType>;
  HistoryEntry?: HistoryEntryResolvers<ContextType>;
  Invitation?: InvitationResolvers<ContextType>;
  InvitationPreview?: InvitationPreviewResolvers<ContextType>;
  JSON?: GraphQLScalarType;
  JSONObject?: GraphQLScalarType;
  LatLngLiteral?: LatLngLiteralResolvers<ContextType>;
  Latitude?: GraphQLScalarType;
  LeaveMapPayload?: LeaveMapPayloadResolvers<ContextType>;
  Location?: LocationResolvers<ContextType>;
  LocationChange?: LocationChangeResolvers<ContextType>;
  LocationConnection?: LocationConnectionResolvers<ContextType>;
  LocationEdge?: LocationEdgeResolvers<ContextType>;
  LocationVersion?: LocationVersionResolvers<ContextType>;
  LocationVersionConnection?: LocationVersionConnectionResolvers<ContextType>;
  LocationVersionEdge?: LocationVersionEdgeResolvers<ContextType>;
  Longitude?: GraphQLScalarType;
  Map?: MapResolvers<ContextType>;
  MapConnection?: MapConnectionResolvers<ContextType>;
  MapEdge?: MapEdgeResolvers<ContextType>;
  MapGeocoding?: MapGeocodingResolvers<ContextType>;
  MapLink?: MapLinkResolvers<ContextType>;
  MapLogo?: MapLogoResolvers<ContextType>;
  MapMember?: MapMemberResolvers<ContextType>;
  MapTheme?: MapThemeResolvers<ContextType>;
  MoveLocationsPayload?: MoveLocationsPayloadResolvers<ContextType>;
  Mutation?: MutationResolvers<ContextType>;
  Node?: NodeResolvers<ContextType>;
  PageInfo?: PageInfoResolvers<ContextType>;
  PurgeLocationsPayload?: PurgeLocationsPayloadResolvers<ContextType>;
  Query?: QueryResolvers<ContextType>;
  RemoveMemberPayload?: RemoveMemberPayloadResolvers<ContextType>;
  ReplaceMapLinkPayload?: ReplaceMapLinkPayloadResolvers<ContextType>;
  RestoreLocationsError?: RestoreLocationsErrorResolvers<ContextType>;
  RestoreLocationsPayload?: RestoreLocationsPayloadResolvers<ContextType>;
  RestoreLocationsResult?: RestoreLocationsResultResolvers<ContextType>;
  RestoreMapPayload?: RestoreMapPayloadResolvers<ContextType>;
  RestoreVersionPayload?: RestoreVersionPayloadResolvers<ContextType>;
  RevokeInvitationPayload?: RevokeInvitationPayloadResolvers<ContextType>;
  RevokeMapLinkPayload?: RevokeMapLinkPayloadResolvers<ContextType>;
  RevokeTokenPayload?: RevokeTokenPayloadResolvers<ContextType>;
  RotateWebhookSecretPayload?: RotateWebhookSecretPayloadResolvers<ContextType>;
  Session?: SessionResolvers<ContextType>;
  Subscription?: SubscriptionResolvers<ContextType>;
  TestWebhookPayload?: TestWebhookPayloadResolvers<ContextType>;
  Token?: TokenResolvers<ContextType>;
  TrashConnection?: TrashConnectionResolvers<ContextType>;
  TrashEdge?: TrashEdgeResolvers<ContextType>;
  TrashedLocation?: TrashedLocationResolvers<ContextType>;
  UndoChangeLeft?: UndoChangeLeftResolvers<ContextType>;
  UndoChangePayload?: UndoChangePayloadResolvers<ContextType>;
  UpdateLocationPayload?: UpdateLocationPayloadResolvers<ContextType>;
  UpdateMapPayload?: UpdateMapPayloadResolvers<ContextType>;
  UpdateMemberPayload?: UpdateMemberPayloadResolvers<ContextType>;
  UpdateWebhookPayload?: UpdateWebhookPayloadResolvers<ContextType>;
  UpsertLocationsError?: UpsertLocationsErrorResolvers<ContextType>;
  UpsertLocationsPayload?: UpsertLocationsPayloadResolvers<ContextType>;
  UpsertLocationsResult?: UpsertLocationsResultResolvers<ContextType>;
  VersionChange?: VersionChangeResolvers<ContextType>;
  Viewer?: ViewerResolvers<ContextType>;
  Webhook?: WebhookResolvers<ContextType>;
};

