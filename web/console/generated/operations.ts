/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
/** The invitation to accept. */
export type AcceptInvitationInput = {
  /** The secret: what follows `#join=` in the link. */
  secret: string;
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

/** How a category looks. */
export type CategoryStyleInput = {
  /** The colour, such as `#0b6bcb`. */
  color?: string | null | undefined;
  /** The name of a built-in icon, such as `cafe`. */
  icon?: string | null | undefined;
  /** The text to show in place of the value: not blank, at most 256 characters. */
  label?: string | null | undefined;
  /** A value of the map's category field, unique in the list: not blank, at most 256 characters. */
  value: string;
};

/** The current and the new password. */
export type ChangePasswordInput = {
  /** The password that the account has. */
  currentPassword: string;
  /** The new password: 10 to 256 characters, and not one of the most used passwords. */
  newPassword: string;
};

/** Locations to mark as checked. */
export type CheckLocationsInput = {
  /** The locations' identifiers, 1 to 1,000. Unknown ones are ignored. */
  ids: Array<string>;
  /** Whether their points are right. */
  isChecked: boolean;
  /** The map's identifier. */
  mapId: string;
};

/** A new invitation. */
export type CreateInvitationInput = {
  /** When it expires, within 30 days; by default after 30 days. */
  expiresAt?: string | null | undefined;
  /** The map's identifier. */
  mapId: string;
  /** How many people may accept it, at most 50; by default 1. */
  maxUses?: number | null | undefined;
  /** A note for the invited and for the owners of the map: not blank, at most 200 characters. */
  note?: string | null | undefined;
  /** The role that it gives. */
  role: MapRole;
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

/** New locations of one map. */
export type CreateLocationsInput = {
  /** Only validate: nothing is stored and no geocoder is called. A location without an error is valid. */
  dryRun?: boolean | null | undefined;
  /**
   * The `historyId` of an earlier call of `createLocations` or `upsertLocations` by the same caller within the last day: both
   * become one entry of the map's history, such as an import in parts.
   */
  historyId?: string | null | undefined;
  /**
   * 1 to 255 printable ASCII characters, for the whole call; the locations then have no keys of their own. For 24 hours the
   * same key with the same locations returns what was stored, stores nothing again, and tries only locations that failed; with
   * others it is `CONFLICT`. A call that stores nothing frees its key. `OVERLOADED`: the call is under way.
   */
  idempotencyKey?: string | null | undefined;
  /** The new locations, 1 to 1,000; those without an order are appended in the given order. */
  locations: Array<CreateLocationsItemInput>;
  /** The identifier of the locations' map. */
  mapId: string;
};

/** One of several new locations. */
export type CreateLocationsItemInput = {
  /** Your own identifier of the location, as for `createLocation`. */
  externalId?: string | null | undefined;
  /** All fields of the location; the map's name and address fields are required. */
  fields: Record<string, unknown>;
  /** 1 to 255 printable ASCII characters, as for `createLocation`. */
  idempotencyKey?: string | null | undefined;
  /** The sort key in the list; by default the location is appended. */
  order?: string | null | undefined;
  /** The coordinates, if known, as for `createLocation`. */
  position?: PositionInput | null | undefined;
};

/** A new map. */
export type CreateMapInput = {
  /**
   * The field definitions, at most 100: unique names, and one field each for name and address. By default `Name`
   * (placeName) and `Address` (address).
   */
  fields?: Array<FieldInput> | null | undefined;
  /** Where the addresses of the map are; by default anywhere in the world. */
  geocoding?: MapGeocodingInput | null | undefined;
  /** The maps provider's key that geocodes addresses. */
  geocodingApiKey?: string | null | undefined;
  /** Whether the map is published to the public; false by default. */
  isPublished?: boolean | null | undefined;
  /** The map's name: not blank, at most 256 characters. */
  name: string;
  /** The maps provider's key that loads this map. */
  providerMapApiKey?: string | null | undefined;
};

/** A new map link. */
export type CreateMapLinkInput = {
  /** When it expires; by default never. */
  expiresAt?: string | null | undefined;
  /** The map's identifier. */
  mapId: string;
  /** The link's name: not blank, at most 128 characters. */
  name: string;
  /** What it allows. */
  scope: MapLinkScope;
};

/** A new token. */
export type CreateTokenInput = {
  /** When it expires; by default never. */
  expiresAt?: string | null | undefined;
  /** Limits the token to this map; by default it covers all maps of its owner. */
  mapId?: string | null | undefined;
  /** The token's name: not blank, at most 128 characters. */
  name?: string | null | undefined;
  /** What the token may do. */
  scope: TokenScope;
};

/** A new webhook. */
export type CreateWebhookInput = {
  /** The kinds of changes to notify it of, at least one. */
  events: Array<WebhookEvent>;
  /** The identifier of the map. */
  mapId: string;
  /** Where messages are sent: an https URL without user information, at most 2,048 characters. */
  url: string;
};

/** The locations to delete. */
export type DeleteLocationsInput = {
  /**
   * Required with a filter: the number of matching locations. If it differs, nothing is deleted, and the error is
   * `CONFLICT`.
   */
  expectedCount?: number | null | undefined;
  /** Instead of identifiers: all locations that match. */
  filter?: LocationFilter | null | undefined;
  /** The locations' identifiers, 1 to 1,000. Unknown ones are ignored. */
  ids?: Array<string> | null | undefined;
  /** The identifier of the locations' map. */
  mapId: string;
};

/** The webhook to delete. */
export type DeleteWebhookInput = {
  /** The webhook's identifier. */
  id: string;
  /** The identifier of the map. */
  mapId: string;
};

/** A sort direction. */
export type Direction =
  /** Ascending: smallest, earliest or alphabetically first. */
  | 'asc'
  /** Descending: largest, latest or alphabetically last. */
  | 'desc';

/** The definition of one field. */
export type FieldInput = {
  /** Whether the field is visible in the public view; true by default. */
  isPublic?: boolean | null | undefined;
  /** The field's name, unique in the map: not blank, at most 256 characters. */
  name: string;
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

/** Which entries of the history to list. Conditions are combined with AND; null means omitted. */
export type HistoryFilter = {
  /** The name or the owner of who made the changes, exactly. */
  by?: string | null | undefined;
  /** A location that was changed, which may be deleted. */
  locationId?: string | null | undefined;
  /** The name of the mutation, or of the command. */
  operation?: string | null | undefined;
  /** One of these names of mutations and commands, 1 to 100. */
  operations?: Array<string> | null | undefined;
  /** Not before this time. */
  since?: string | null | undefined;
  /** Not after this time. */
  until?: string | null | undefined;
};

/** The map to leave. */
export type LeaveMapInput = {
  /** The map's identifier. */
  mapId: string;
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

/** Whether a page is light or dark. */
export type MapAppearance =
  /** As the reader's system. */
  | 'auto'
  /** Dark. */
  | 'dark'
  /** Light. */
  | 'light';

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

/** Where the addresses of a map are: geocoders find the right one of several streets of the same name. */
export type MapGeocodingInput = {
  /** A box in which results are preferred. */
  bounds?: BboxInput | null | undefined;
  /** At most 15 countries, ISO 3166-1 alpha-2, such as `DE`. Results in other countries are not used. */
  countries?: Array<string> | null | undefined;
  /** The language of results, a BCP 47 tag such as `de` or `pt-BR`. */
  language?: string | null | undefined;
};

/** What a map link allows. */
export type MapLinkScope =
  /** Also write locations, like the role `editor`. */
  | 'edit'
  /** Read the map and its locations, like the role `viewer`. */
  | 'view';

/** What a member may do on a map. Each role includes the ones before it. */
export type MapRole =
  /** Create, change, move, import, geocode and delete locations. */
  | 'editor'
  /** Everything: settings, API keys, webhooks, members and deletion of the map. */
  | 'owner'
  /** Read everything but the API keys and the webhooks. */
  | 'viewer';

/** Changes to the look of a map's page. */
export type MapThemeInput = {
  /** The colour of links, buttons and markers, such as `#0b6bcb`. */
  accent?: string | null | undefined;
  /** Whether the page is light or dark; `auto` by default. */
  appearance?: MapAppearance | null | undefined;
  /** The kind of font; `system` by default. */
  font?: MapFont | null | undefined;
  /** The logo in the header of the page: a data URL in base64 of a PNG, WebP or SVG file of at most 256 KiB. */
  logo?: string | null | undefined;
  /** Whether the page names the software; true by default. */
  poweredBy?: boolean | null | undefined;
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

/** A point. */
export type PointInput = {
  /** Degrees north of the equator. */
  latitude: number;
  /** Degrees east of Greenwich. */
  longitude: number;
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

/** The locations to delete for ever. */
export type PurgeLocationsInput = {
  /** The locations' identifiers, 1 to 1,000. Those that are not in the trash are ignored. */
  ids: Array<string>;
  /** The map's identifier. */
  mapId: string;
};

/** The member to remove. */
export type RemoveMemberInput = {
  /** The member's identifier. */
  id: string;
  /** The map's identifier. */
  mapId: string;
};

/** The link to replace. */
export type ReplaceMapLinkInput = {
  /** The link's identifier. */
  id: string;
  /** The map's identifier. */
  mapId: string;
};

/** The locations to restore. */
export type RestoreLocationsInput = {
  /** The locations' identifiers, 1 to 1,000. */
  ids: Array<string>;
  /** The map's identifier. */
  mapId: string;
};

/** The version to restore. */
export type RestoreVersionInput = {
  /** The location's identifier. */
  id: string;
  /** The map's identifier. */
  mapId: string;
  /** The version whose values the location gets. */
  version: number;
};

/** The invitation to revoke. */
export type RevokeInvitationInput = {
  /** The invitation's identifier. */
  id: string;
  /** The map's identifier. */
  mapId: string;
};

/** The link to revoke. */
export type RevokeMapLinkInput = {
  /** The link's identifier. */
  id: string;
  /** The map's identifier. */
  mapId: string;
};

/** The webhook that gets a new secret. */
export type RotateWebhookSecretInput = {
  /** The webhook's identifier. */
  id: string;
  /** The identifier of the map. */
  mapId: string;
};

/** The webhook to test. */
export type TestWebhookInput = {
  /** The webhook's identifier. */
  id: string;
  /** The identifier of the map. */
  mapId: string;
};

/** A range of times, inclusive. */
export type TimeRange = {
  /** The earliest. */
  from?: string | null | undefined;
  /** The latest. */
  to?: string | null | undefined;
};

/** What a token may do. */
export type TokenScope =
  /** Read maps and locations, without the maps' API keys. */
  | 'read'
  /** Read everything; create, change and delete. */
  | 'write';

/** The call to undo. */
export type UndoChangeInput = {
  /** Only say what would be reverted and what would be left: nothing is stored. */
  dryRun?: boolean | null | undefined;
  /** The call's identifier: `HistoryEntry.id`, or `historyId` of a payload. */
  historyId: string;
  /** The map's identifier. */
  mapId: string;
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

/** Changes to a map. */
export type UpdateMapInput = {
  /** How the categories look, at most 100: replaces the whole list; null removes it. */
  categories?: Array<CategoryStyleInput> | null | undefined;
  /** The complete new list of field definitions, with the rules of `createMap`. Locations stay unchanged. */
  fields?: Array<FieldInput> | null | undefined;
  /** Where the addresses of the map are: replaces all of it; null removes it. Existing points do not change. */
  geocoding?: MapGeocodingInput | null | undefined;
  /** The new key that geocodes addresses; null removes it. */
  geocodingApiKey?: string | null | undefined;
  /** The map's identifier. */
  id: string;
  /** Whether the map is published to the public. */
  isPublished?: boolean | null | undefined;
  /** The language of the map's page, one of en, de, fr, es, it, nl, pt-BR, pl, ja and ar; null removes it. */
  language?: string | null | undefined;
  /** The new name. */
  name?: string | null | undefined;
  /** The new key that loads this map; null removes it. */
  providerMapApiKey?: string | null | undefined;
  /** The look of the map's page: omitted members stay unchanged, null restores their default. Null restores all defaults. */
  theme?: MapThemeInput | null | undefined;
  /** The time zone of the map's opening hours, a name of the IANA database; null removes it. */
  timeZone?: string | null | undefined;
};

/** A member of a map, and its new role. */
export type UpdateMemberInput = {
  /** The member's identifier. */
  id: string;
  /** The map's identifier. */
  mapId: string;
  /** The new role. */
  role: MapRole;
};

/** Changes to a webhook. */
export type UpdateWebhookInput = {
  /** The kinds of changes to notify it of from now on, at least one. */
  events?: Array<WebhookEvent> | null | undefined;
  /** The webhook's identifier. */
  id: string;
  /** The identifier of the map. */
  mapId: string;
  /** Whether messages are sent. `active` also retries a failed message at once. */
  status?: WebhookStatusInput | null | undefined;
  /** Where messages are sent from now on. A failed message is retried there at once. */
  url?: string | null | undefined;
};

/** Locations of one map, by external id. */
export type UpsertLocationsInput = {
  /** Only validate: nothing is stored and no geocoder is called. `outcome` is what would be done. */
  dryRun?: boolean | null | undefined;
  /**
   * The `historyId` of an earlier call of `createLocations` or `upsertLocations` by the same caller within the last day: both
   * become one entry of the map's history, such as an import in parts.
   */
  historyId?: string | null | undefined;
  /** The locations, 1 to 1,000; new ones without an order are appended in the given order. */
  locations: Array<UpsertLocationsItemInput>;
  /** The identifier of the locations' map. */
  mapId: string;
};

/** One of several locations to create or change. */
export type UpsertLocationsItemInput = {
  /** Your own identifier of the location, unique in its map and in the call. */
  externalId: string;
  /** All fields of the location; they replace the existing ones. */
  fields: Record<string, unknown>;
  /** The sort key in the list. By default an existing location keeps its position, and a new one is appended. */
  order?: string | null | undefined;
  /** The coordinates. Null geocodes the address again. */
  position?: PositionInput | null | undefined;
};

/** What an upsert did. */
export type UpsertOutcome =
  /** The external id was new; the location was created. */
  | 'created'
  /** The location already had these values. */
  | 'unchanged'
  /** The location was changed. */
  | 'updated';

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

export type ViewerQueryVariables = Exact<{ [key: string]: never; }>;


export type ViewerQuery = { viewer: { owner: string, scope: TokenScope, account: { displayName: string, hasPassword: boolean, provider: string | null, createdAt: string } | null, token: { expiresAt: string | null, map: { id: string, name: string } | null } | null } | null };

export type LinkedMapQueryVariables = Exact<{ [key: string]: never; }>;


export type LinkedMapQuery = { viewer: { owner: string, maps: { nodes: Array<{ id: string }> } | null } | null };

export type MapsQueryVariables = Exact<{
  after?: string | null | undefined;
  role?: MapRole | null | undefined;
}>;


export type MapsQuery = { viewer: { maps: { nodes: Array<{ id: string, name: string, isPublished: boolean, updatedAt: string, myRole: MapRole | null, locations: { totalCount: number } | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null } | null };

export type SharedMapCountsQueryVariables = Exact<{ [key: string]: never; }>;


export type SharedMapCountsQuery = { viewer: { editor: { totalCount: number } | null, viewer: { totalCount: number } | null } | null };

export type MapNamesQueryVariables = Exact<{
  after?: string | null | undefined;
}>;


export type MapNamesQuery = { viewer: { maps: { nodes: Array<{ id: string, name: string }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null } | null };

export type DeletedMapsQueryVariables = Exact<{ [key: string]: never; }>;


export type DeletedMapsQuery = { viewer: { maps: { totalCount: number, nodes: Array<{ id: string, name: string, isPublished: boolean, updatedAt: string, myRole: MapRole | null }> } | null } | null };

export type MapCardFragment = { id: string, name: string, isPublished: boolean, updatedAt: string, myRole: MapRole | null };

export type EditedMapQueryVariables = Exact<{
  id: string;
}>;


export type EditedMapQuery = { map: { id: string, name: string, isPublished: boolean, isDeleted: boolean, myRole: MapRole | null, language: string | null, timeZone: string | null, fields: Array<{ name: string, type: FieldType, isPublic: boolean }>, geocoding: { countries: Array<string> } | null, theme: { accent: string | null, font: MapFont, appearance: MapAppearance, poweredBy: boolean, logo: { hash: string } | null }, categories: Array<{ value: string, label: string | null, color: string | null, icon: string | null }> } | null };

export type MapDetailsFragment = { id: string, name: string, isPublished: boolean, isDeleted: boolean, myRole: MapRole | null, language: string | null, timeZone: string | null, fields: Array<{ name: string, type: FieldType, isPublic: boolean }>, geocoding: { countries: Array<string> } | null, theme: { accent: string | null, font: MapFont, appearance: MapAppearance, poweredBy: boolean, logo: { hash: string } | null }, categories: Array<{ value: string, label: string | null, color: string | null, icon: string | null }> };

export type KeysQueryVariables = Exact<{
  id: string;
}>;


export type KeysQuery = { map: { providerMapApiKey: string | null, geocodingApiKey: string | null } | null };

export type RowsQueryVariables = Exact<{
  id: string;
  filter?: LocationFilter | null | undefined;
  orderBy?: LocationOrderInput | null | undefined;
  after?: string | null | undefined;
  isFirst: boolean;
}>;


export type RowsQuery = { map: { attributions?: Array<{ text: string, url: string | null }>, locations: { totalCount?: number, nodes: Array<{ id: string, name: string, version: number, latitude: number, longitude: number, properties: Record<string, unknown>, geocoding: { provider: string, precision: GeocodingPrecision, label: string | null, isAmbiguous: boolean, isChecked: boolean } }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null } | null };

export type CountQueryVariables = Exact<{
  id: string;
  filter?: LocationFilter | null | undefined;
}>;


export type CountQuery = { map: { locations: { totalCount: number } | null } | null };

export type PointCountsQueryVariables = Exact<{
  id: string;
  ambiguous: LocationFilter;
  toReview: LocationFilter;
}>;


export type PointCountsQuery = { map: { geocodingCounts: Array<{ precision: GeocodingPrecision, isChecked: boolean, count: number }>, ambiguous: { totalCount: number } | null, toReview: { totalCount: number } | null } | null };

export type IdsQueryVariables = Exact<{
  id: string;
  filter?: LocationFilter | null | undefined;
  orderBy?: LocationOrderInput | null | undefined;
  after?: string | null | undefined;
}>;


export type IdsQuery = { map: { locations: { nodes: Array<{ id: string }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null } | null };

export type IdAtQueryVariables = Exact<{
  id: string;
  position: number;
}>;


export type IdAtQuery = { map: { locationAt: { id: string } | null } | null };

export type OneRowQueryVariables = Exact<{
  id: string;
  locationId: string;
}>;


export type OneRowQuery = { location: { id: string, name: string, version: number, latitude: number, longitude: number, properties: Record<string, unknown>, geocoding: { provider: string, precision: GeocodingPrecision, label: string | null, isAmbiguous: boolean, isChecked: boolean } } | null };

export type RowFragment = { id: string, name: string, version: number, latitude: number, longitude: number, properties: Record<string, unknown>, geocoding: { provider: string, precision: GeocodingPrecision, label: string | null, isAmbiguous: boolean, isChecked: boolean } };

export type MapChangesSubscriptionVariables = Exact<{
  mapId: string;
  since?: string | null | undefined;
}>;


export type MapChangesSubscription = { locationChanges: { cursor: string, kind: LocationChangeKind, locationId: string | null, location: { id: string, name: string, version: number, latitude: number, longitude: number, properties: Record<string, unknown>, geocoding: { provider: string, precision: GeocodingPrecision, label: string | null, isAmbiguous: boolean, isChecked: boolean } } | null } };

export type InViewQueryVariables = Exact<{
  id: string;
  bbox: BboxInput;
  zoom: number;
  filter?: LocationFilter | null | undefined;
}>;


export type InViewQuery = { map: { clusters: Array<{ latitude: number, longitude: number, count: number, bbox: { south: number, west: number, north: number, east: number }, location: { id: string, name: string } | null }> | null } | null };

export type InStyledViewQueryVariables = Exact<{
  id: string;
  bbox: BboxInput;
  zoom: number;
  filter?: LocationFilter | null | undefined;
}>;


export type InStyledViewQuery = { map: { clusters: Array<{ latitude: number, longitude: number, count: number, location: { properties: Record<string, unknown>, id: string, name: string } | null, bbox: { south: number, west: number, north: number, east: number } }> | null } | null };

export type GeocodeQueryVariables = Exact<{
  mapId: string;
  address: string;
}>;


export type GeocodeQuery = { geocode: Array<{ placeId: string, latitude: number, longitude: number, formattedAddress: string | null, provider: string, precision: GeocodingPrecision }> | null };

export type SuggestAddressesQueryVariables = Exact<{
  mapId: string;
  text: string;
  near?: PointInput | null | undefined;
}>;


export type SuggestAddressesQuery = { suggestAddresses: Array<{ label: string, description: string | null, latitude: number, longitude: number }> };

export type ReverseGeocodeQueryVariables = Exact<{
  mapId: string;
  latitude: number;
  longitude: number;
}>;


export type ReverseGeocodeQuery = { reverseGeocode: { label: string | null, houseNumber: string | null, street: string | null, postcode: string | null, city: string | null, state: string | null, country: string | null, countryCode: string | null } | null };

export type CreateMapMutationVariables = Exact<{
  input: CreateMapInput;
}>;


export type CreateMapMutation = { createMap: { map: { id: string, name: string, isPublished: boolean, isDeleted: boolean, myRole: MapRole | null, language: string | null, timeZone: string | null, fields: Array<{ name: string, type: FieldType, isPublic: boolean }>, geocoding: { countries: Array<string> } | null, theme: { accent: string | null, font: MapFont, appearance: MapAppearance, poweredBy: boolean, logo: { hash: string } | null }, categories: Array<{ value: string, label: string | null, color: string | null, icon: string | null }> } } | null };

export type UpdateMapMutationVariables = Exact<{
  input: UpdateMapInput;
}>;


export type UpdateMapMutation = { updateMap: { map: { id: string, name: string, isPublished: boolean, isDeleted: boolean, myRole: MapRole | null, language: string | null, timeZone: string | null, fields: Array<{ name: string, type: FieldType, isPublic: boolean }>, geocoding: { countries: Array<string> } | null, theme: { accent: string | null, font: MapFont, appearance: MapAppearance, poweredBy: boolean, logo: { hash: string } | null }, categories: Array<{ value: string, label: string | null, color: string | null, icon: string | null }> } } | null };

export type DeleteMapMutationVariables = Exact<{
  id: string;
}>;


export type DeleteMapMutation = { deleteMap: { map: { id: string } } | null };

export type RestoreMapMutationVariables = Exact<{
  id: string;
}>;


export type RestoreMapMutation = { restoreMap: { map: { id: string } } | null };

export type CreateLocationMutationVariables = Exact<{
  input: CreateLocationInput;
}>;


export type CreateLocationMutation = { createLocation: { location: { id: string, name: string, version: number, latitude: number, longitude: number, properties: Record<string, unknown>, geocoding: { provider: string, precision: GeocodingPrecision, label: string | null, isAmbiguous: boolean, isChecked: boolean } } } | null };

export type UpdateLocationMutationVariables = Exact<{
  input: UpdateLocationInput;
}>;


export type UpdateLocationMutation = { updateLocation: { location: { id: string, name: string, version: number, latitude: number, longitude: number, properties: Record<string, unknown>, geocoding: { provider: string, precision: GeocodingPrecision, label: string | null, isAmbiguous: boolean, isChecked: boolean } } } | null };

export type CheckLocationsMutationVariables = Exact<{
  input: CheckLocationsInput;
}>;


export type CheckLocationsMutation = { checkLocations: { locations: Array<{ id: string, name: string, version: number, latitude: number, longitude: number, properties: Record<string, unknown>, geocoding: { provider: string, precision: GeocodingPrecision, label: string | null, isAmbiguous: boolean, isChecked: boolean } }> } | null };

export type MoveLocationsMutationVariables = Exact<{
  input: MoveLocationsInput;
}>;


export type MoveLocationsMutation = { moveLocations: { historyId: string | null, locations: Array<{ id: string, version: number }> } | null };

export type DeleteLocationsMutationVariables = Exact<{
  input: DeleteLocationsInput;
}>;


export type DeleteLocationsMutation = { deleteLocations: { deletedCount: number } | null };

export type ImportLocationsMutationVariables = Exact<{
  input: CreateLocationsInput;
}>;


export type ImportLocationsMutation = { createLocations: { historyId: string | null, results: Array<{ error: { code: string, message: string } | null }> } | null };

export type ImportUpsertsMutationVariables = Exact<{
  input: UpsertLocationsInput;
}>;


export type ImportUpsertsMutation = { upsertLocations: { historyId: string | null, results: Array<{ outcome: UpsertOutcome | null, error: { code: string, message: string } | null }> } | null };

export type SessionsQueryVariables = Exact<{ [key: string]: never; }>;


export type SessionsQuery = { viewer: { sessions: Array<{ id: string, createdAt: string, lastUsedAt: string, userAgent: string | null, isCurrent: boolean }> | null } | null };

export type SessionRowFragment = { id: string, createdAt: string, lastUsedAt: string, userAgent: string | null, isCurrent: boolean };

export type EndSessionsMutationVariables = Exact<{
  ids?: Array<string> | string | null | undefined;
}>;


export type EndSessionsMutation = { endSessions: { endedIds: Array<string> } | null };

export type ChangePasswordMutationVariables = Exact<{
  input: ChangePasswordInput;
}>;


export type ChangePasswordMutation = { changePassword: { endedIds: Array<string> } | null };

export type TokensQueryVariables = Exact<{
  after?: string | null | undefined;
}>;


export type TokensQuery = { viewer: { tokens: Array<{ id: string, name: string | null, scope: TokenScope, createdAt: string, expiresAt: string | null, lastUsedAt: string | null, isCurrent: boolean, map: { id: string, name: string } | null }> | null } | null };

export type TokenRowFragment = { id: string, name: string | null, scope: TokenScope, createdAt: string, expiresAt: string | null, lastUsedAt: string | null, isCurrent: boolean, map: { id: string, name: string } | null };

export type CreateTokenMutationVariables = Exact<{
  input: CreateTokenInput;
}>;


export type CreateTokenMutation = { createToken: { secret: string, token: { id: string, name: string | null, scope: TokenScope, createdAt: string, expiresAt: string | null, lastUsedAt: string | null, isCurrent: boolean, map: { id: string, name: string } | null } } | null };

export type RevokeTokenMutationVariables = Exact<{
  id: string;
}>;


export type RevokeTokenMutation = { revokeToken: { revokedId: string } | null };

export type SharingQueryVariables = Exact<{
  id: string;
  isOwner: boolean;
}>;


export type SharingQuery = { map: { members: Array<{ id: string, name: string, displayName: string, role: MapRole, since: string, isMe: boolean }> | null, invitations?: Array<{ id: string, role: MapRole, note: string | null, maxUses: number, uses: number, expiresAt: string, createdBy: string, createdByOwner: string }> | null, links?: Array<{ id: string, name: string, scope: MapLinkScope, expiresAt: string | null, lastUsedAt: string | null, createdBy: string, createdByOwner: string }> | null } | null };

export type CreateMapLinkMutationVariables = Exact<{
  input: CreateMapLinkInput;
}>;


export type CreateMapLinkMutation = { createMapLink: { consoleLink: string, pageLink: string | null, mapLink: { id: string, name: string, scope: MapLinkScope, expiresAt: string | null, lastUsedAt: string | null, createdBy: string, createdByOwner: string } } | null };

export type ReplaceMapLinkMutationVariables = Exact<{
  input: ReplaceMapLinkInput;
}>;


export type ReplaceMapLinkMutation = { replaceMapLink: { consoleLink: string, pageLink: string | null, mapLink: { id: string, name: string, scope: MapLinkScope, expiresAt: string | null, lastUsedAt: string | null, createdBy: string, createdByOwner: string } } | null };

export type RevokeMapLinkMutationVariables = Exact<{
  input: RevokeMapLinkInput;
}>;


export type RevokeMapLinkMutation = { revokeMapLink: { revokedId: string } | null };

export type MapLinkWithAddressesFragment = { consoleLink: string, pageLink: string | null, mapLink: { id: string, name: string, scope: MapLinkScope, expiresAt: string | null, lastUsedAt: string | null, createdBy: string, createdByOwner: string } };

export type ReplacedMapLinkFragment = { consoleLink: string, pageLink: string | null, mapLink: { id: string, name: string, scope: MapLinkScope, expiresAt: string | null, lastUsedAt: string | null, createdBy: string, createdByOwner: string } };

export type MapLinkFragment = { id: string, name: string, scope: MapLinkScope, expiresAt: string | null, lastUsedAt: string | null, createdBy: string, createdByOwner: string };

export type MemberFragment = { id: string, name: string, displayName: string, role: MapRole, since: string, isMe: boolean };

export type InvitationFragment = { id: string, role: MapRole, note: string | null, maxUses: number, uses: number, expiresAt: string, createdBy: string, createdByOwner: string };

export type UpdateMemberMutationVariables = Exact<{
  input: UpdateMemberInput;
}>;


export type UpdateMemberMutation = { updateMember: { map: { id: string, name: string, isPublished: boolean, isDeleted: boolean, myRole: MapRole | null, language: string | null, timeZone: string | null, fields: Array<{ name: string, type: FieldType, isPublic: boolean }>, geocoding: { countries: Array<string> } | null, theme: { accent: string | null, font: MapFont, appearance: MapAppearance, poweredBy: boolean, logo: { hash: string } | null }, categories: Array<{ value: string, label: string | null, color: string | null, icon: string | null }> }, member: { id: string, name: string, displayName: string, role: MapRole, since: string, isMe: boolean } } | null };

export type RemoveMemberMutationVariables = Exact<{
  input: RemoveMemberInput;
}>;


export type RemoveMemberMutation = { removeMember: { removedId: string } | null };

export type LeaveMapMutationVariables = Exact<{
  input: LeaveMapInput;
}>;


export type LeaveMapMutation = { leaveMap: { mapId: string } | null };

export type CreateInvitationMutationVariables = Exact<{
  input: CreateInvitationInput;
}>;


export type CreateInvitationMutation = { createInvitation: { link: string, invitation: { id: string, role: MapRole, note: string | null, maxUses: number, uses: number, expiresAt: string, createdBy: string, createdByOwner: string } } | null };

export type RevokeInvitationMutationVariables = Exact<{
  input: RevokeInvitationInput;
}>;


export type RevokeInvitationMutation = { revokeInvitation: { revokedId: string } | null };

export type InvitationQueryVariables = Exact<{
  secret: string;
}>;


export type InvitationQuery = { invitation: { mapName: string, role: MapRole, invitedBy: string, invitedByOwner: string, note: string | null } | null };

export type AcceptInvitationMutationVariables = Exact<{
  input: AcceptInvitationInput;
}>;


export type AcceptInvitationMutation = { acceptInvitation: { role: MapRole, map: { id: string, name: string } } | null };

export type WebhooksQueryVariables = Exact<{
  id: string;
}>;


export type WebhooksQuery = { map: { webhooks: Array<{ id: string, url: string, events: Array<WebhookEvent>, status: WebhookStatus, lastAttemptAt: string | null, lastStatus: number | null, lastError: string | null }> } | null };

export type WebhookRowFragment = { id: string, url: string, events: Array<WebhookEvent>, status: WebhookStatus, lastAttemptAt: string | null, lastStatus: number | null, lastError: string | null };

export type CreateWebhookMutationVariables = Exact<{
  input: CreateWebhookInput;
}>;


export type CreateWebhookMutation = { createWebhook: { secret: string, webhook: { id: string, url: string, events: Array<WebhookEvent>, status: WebhookStatus, lastAttemptAt: string | null, lastStatus: number | null, lastError: string | null } } | null };

export type UpdateWebhookMutationVariables = Exact<{
  input: UpdateWebhookInput;
}>;


export type UpdateWebhookMutation = { updateWebhook: { webhook: { id: string, url: string, events: Array<WebhookEvent>, status: WebhookStatus, lastAttemptAt: string | null, lastStatus: number | null, lastError: string | null } } | null };

export type DeleteWebhookMutationVariables = Exact<{
  input: DeleteWebhookInput;
}>;


export type DeleteWebhookMutation = { deleteWebhook: { deletedId: string } | null };

export type RotateWebhookSecretMutationVariables = Exact<{
  input: RotateWebhookSecretInput;
}>;


export type RotateWebhookSecretMutation = { rotateWebhookSecret: { secret: string, webhook: { id: string, url: string, events: Array<WebhookEvent>, status: WebhookStatus, lastAttemptAt: string | null, lastStatus: number | null, lastError: string | null } } | null };

export type TestWebhookMutationVariables = Exact<{
  input: TestWebhookInput;
}>;


export type TestWebhookMutation = { testWebhook: { delivered: boolean, status: number | null, error: string | null, webhook: { id: string, url: string, events: Array<WebhookEvent>, status: WebhookStatus, lastAttemptAt: string | null, lastStatus: number | null, lastError: string | null } } | null };

export type TrashQueryVariables = Exact<{
  id: string;
  search?: string | null | undefined;
  after?: string | null | undefined;
}>;


export type TrashQuery = { map: { trash: { nodes: Array<{ deletedAt: string, keptUntil: string, location: { id: string, name: string, properties: Record<string, unknown> }, deletedBy: { kind: ActorKind, name: string, owner: string | null } | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null } | null };

export type TrashedFragment = { deletedAt: string, keptUntil: string, location: { id: string, name: string, properties: Record<string, unknown> }, deletedBy: { kind: ActorKind, name: string, owner: string | null } | null };

export type ByFragment = { kind: ActorKind, name: string, owner: string | null };

export type NamesOfQueryVariables = Exact<{
  id: string;
  ids: Array<string> | string;
}>;


export type NamesOfQuery = { map: { locations: { nodes: Array<{ id: string, name: string, externalId: string | null }> } | null, trash: { nodes: Array<{ location: { id: string, name: string, externalId: string | null } }> } | null } | null };

export type NamesByExternalIdQueryVariables = Exact<{
  id: string;
  externalIds: Array<string> | string;
}>;


export type NamesByExternalIdQuery = { map: { locations: { nodes: Array<{ id: string, name: string, externalId: string | null }> } | null } | null };

export type NamedFragment = { id: string, name: string, externalId: string | null };

export type RestoreLocationsMutationVariables = Exact<{
  input: RestoreLocationsInput;
}>;


export type RestoreLocationsMutation = { restoreLocations: { historyId: string | null, results: Array<{ id: string, error: { code: string } | null }> } | null };

export type PurgeLocationsMutationVariables = Exact<{
  input: PurgeLocationsInput;
}>;


export type PurgeLocationsMutation = { purgeLocations: { purgedIds: Array<string> } | null };

export type UndoChangeMutationVariables = Exact<{
  input: UndoChangeInput;
}>;


export type UndoChangeMutation = { undoChange: { reverted: number, leftCount: number, historyId: string | null, left: Array<{ id: string, code: string }> } | null };

export type HistoryQueryVariables = Exact<{
  id: string;
  filter?: HistoryFilter | null | undefined;
  after?: string | null | undefined;
}>;


export type HistoryQuery = { map: { history: { nodes: Array<{ id: string, at: string, operation: string, created: number, updated: number, moved: number, deleted: number, locationIds: Array<string>, by: { kind: ActorKind, name: string, owner: string | null } }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null } | null };

export type CallFragment = { id: string, at: string, operation: string, created: number, updated: number, moved: number, deleted: number, locationIds: Array<string>, by: { kind: ActorKind, name: string, owner: string | null } };

export type VersionsQueryVariables = Exact<{
  mapId: string;
  id: string;
  after?: string | null | undefined;
}>;


export type VersionsQuery = { location: { versions: { nodes: Array<{ version: number, at: string, operation: string | null, by: { kind: ActorKind, name: string, owner: string | null } | null, changes: Array<{ path: string, before: unknown, after: unknown }> }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null } | null };

export type VersionFragment = { version: number, at: string, operation: string | null, by: { kind: ActorKind, name: string, owner: string | null } | null, changes: Array<{ path: string, before: unknown, after: unknown }> };

export type RestoreVersionMutationVariables = Exact<{
  input: RestoreVersionInput;
}>;


export type RestoreVersionMutation = { restoreVersion: { historyId: string | null, location: { id: string, name: string, version: number, latitude: number, longitude: number, properties: Record<string, unknown>, geocoding: { provider: string, precision: GeocodingPrecision, label: string | null, isAmbiguous: boolean, isChecked: boolean } } } | null };

export type PageEndFragment = { hasNextPage: boolean, endCursor: string | null };

export type CornersFragment = { south: number, west: number, north: number, east: number };

export type MapFeatureFragment = { latitude: number, longitude: number, count: number, bbox: { south: number, west: number, north: number, east: number }, location: { id: string, name: string } | null };

export type SourceFragment = { text: string, url: string | null };

export class TypedDocumentString<TResult, TVariables>
  extends String
  implements DocumentTypeDecoration<TResult, TVariables>
{
  __apiType?: NonNullable<DocumentTypeDecoration<TResult, TVariables>['__apiType']>;
  private value: string;
  public __meta__?: Record<string, any> | undefined;

  constructor(value: string, __meta__?: Record<string, any> | undefined) {
    super(value);
    this.value = value;
    this.__meta__ = __meta__;
  }

  override toString(): string & DocumentTypeDecoration<TResult, TVariables> {
    return this.value;
  }
}
export const MapCardFragmentDoc = new TypedDocumentString(`
    fragment MapCard on Map {
  id
  name
  isPublished
  updatedAt
  myRole
}
    `, {"fragmentName":"MapCard"}) as unknown as TypedDocumentString<MapCardFragment, unknown>;
export const MapDetailsFragmentDoc = new TypedDocumentString(`
    fragment MapDetails on Map {
  id
  name
  isPublished
  isDeleted
  myRole
  fields {
    name
    type
    isPublic
  }
  geocoding {
    countries
  }
  language
  timeZone
  theme {
    accent
    font
    appearance
    poweredBy
    logo {
      hash
    }
  }
  categories {
    value
    label
    color
    icon
  }
}
    `, {"fragmentName":"MapDetails"}) as unknown as TypedDocumentString<MapDetailsFragment, unknown>;
export const RowFragmentDoc = new TypedDocumentString(`
    fragment Row on Location {
  id
  name
  version
  latitude
  longitude
  properties
  geocoding {
    provider
    precision
    label
    isAmbiguous
    isChecked
  }
}
    `, {"fragmentName":"Row"}) as unknown as TypedDocumentString<RowFragment, unknown>;
export const SessionRowFragmentDoc = new TypedDocumentString(`
    fragment SessionRow on Session {
  id
  createdAt
  lastUsedAt
  userAgent
  isCurrent
}
    `, {"fragmentName":"SessionRow"}) as unknown as TypedDocumentString<SessionRowFragment, unknown>;
export const TokenRowFragmentDoc = new TypedDocumentString(`
    fragment TokenRow on Token {
  id
  name
  scope
  map {
    id
    name
  }
  createdAt
  expiresAt
  lastUsedAt
  isCurrent
}
    `, {"fragmentName":"TokenRow"}) as unknown as TypedDocumentString<TokenRowFragment, unknown>;
export const MapLinkFragmentDoc = new TypedDocumentString(`
    fragment MapLink on MapLink {
  id
  name
  scope
  expiresAt
  lastUsedAt
  createdBy
  createdByOwner
}
    `, {"fragmentName":"MapLink"}) as unknown as TypedDocumentString<MapLinkFragment, unknown>;
export const MapLinkWithAddressesFragmentDoc = new TypedDocumentString(`
    fragment MapLinkWithAddresses on CreateMapLinkPayload {
  mapLink {
    ...MapLink
  }
  consoleLink
  pageLink
}
    fragment MapLink on MapLink {
  id
  name
  scope
  expiresAt
  lastUsedAt
  createdBy
  createdByOwner
}`, {"fragmentName":"MapLinkWithAddresses"}) as unknown as TypedDocumentString<MapLinkWithAddressesFragment, unknown>;
export const ReplacedMapLinkFragmentDoc = new TypedDocumentString(`
    fragment ReplacedMapLink on ReplaceMapLinkPayload {
  mapLink {
    ...MapLink
  }
  consoleLink
  pageLink
}
    fragment MapLink on MapLink {
  id
  name
  scope
  expiresAt
  lastUsedAt
  createdBy
  createdByOwner
}`, {"fragmentName":"ReplacedMapLink"}) as unknown as TypedDocumentString<ReplacedMapLinkFragment, unknown>;
export const MemberFragmentDoc = new TypedDocumentString(`
    fragment Member on MapMember {
  id
  name
  displayName
  role
  since
  isMe
}
    `, {"fragmentName":"Member"}) as unknown as TypedDocumentString<MemberFragment, unknown>;
export const InvitationFragmentDoc = new TypedDocumentString(`
    fragment Invitation on Invitation {
  id
  role
  note
  maxUses
  uses
  expiresAt
  createdBy
  createdByOwner
}
    `, {"fragmentName":"Invitation"}) as unknown as TypedDocumentString<InvitationFragment, unknown>;
export const WebhookRowFragmentDoc = new TypedDocumentString(`
    fragment WebhookRow on Webhook {
  id
  url
  events
  status
  lastAttemptAt
  lastStatus
  lastError
}
    `, {"fragmentName":"WebhookRow"}) as unknown as TypedDocumentString<WebhookRowFragment, unknown>;
export const ByFragmentDoc = new TypedDocumentString(`
    fragment By on Actor {
  kind
  name
  owner
}
    `, {"fragmentName":"By"}) as unknown as TypedDocumentString<ByFragment, unknown>;
export const TrashedFragmentDoc = new TypedDocumentString(`
    fragment Trashed on TrashedLocation {
  location {
    id
    name
    properties
  }
  deletedAt
  deletedBy {
    ...By
  }
  keptUntil
}
    fragment By on Actor {
  kind
  name
  owner
}`, {"fragmentName":"Trashed"}) as unknown as TypedDocumentString<TrashedFragment, unknown>;
export const NamedFragmentDoc = new TypedDocumentString(`
    fragment Named on Location {
  id
  name
  externalId
}
    `, {"fragmentName":"Named"}) as unknown as TypedDocumentString<NamedFragment, unknown>;
export const CallFragmentDoc = new TypedDocumentString(`
    fragment Call on HistoryEntry {
  id
  at
  by {
    ...By
  }
  operation
  created
  updated
  moved
  deleted
  locationIds
}
    fragment By on Actor {
  kind
  name
  owner
}`, {"fragmentName":"Call"}) as unknown as TypedDocumentString<CallFragment, unknown>;
export const VersionFragmentDoc = new TypedDocumentString(`
    fragment Version on LocationVersion {
  version
  at
  by {
    ...By
  }
  operation
  changes {
    path
    before
    after
  }
}
    fragment By on Actor {
  kind
  name
  owner
}`, {"fragmentName":"Version"}) as unknown as TypedDocumentString<VersionFragment, unknown>;
export const PageEndFragmentDoc = new TypedDocumentString(`
    fragment PageEnd on PageInfo {
  hasNextPage
  endCursor
}
    `, {"fragmentName":"PageEnd"}) as unknown as TypedDocumentString<PageEndFragment, unknown>;
export const CornersFragmentDoc = new TypedDocumentString(`
    fragment Corners on Bbox {
  south
  west
  north
  east
}
    `, {"fragmentName":"Corners"}) as unknown as TypedDocumentString<CornersFragment, unknown>;
export const MapFeatureFragmentDoc = new TypedDocumentString(`
    fragment MapFeature on Cluster {
  latitude
  longitude
  count
  bbox {
    ...Corners
  }
  location {
    id
    name
  }
}
    fragment Corners on Bbox {
  south
  west
  north
  east
}`, {"fragmentName":"MapFeature"}) as unknown as TypedDocumentString<MapFeatureFragment, unknown>;
export const SourceFragmentDoc = new TypedDocumentString(`
    fragment Source on Attribution {
  text
  url
}
    `, {"fragmentName":"Source"}) as unknown as TypedDocumentString<SourceFragment, unknown>;
export const ViewerDocument = new TypedDocumentString(`
    query Viewer {
  viewer {
    owner
    scope
    account {
      displayName
      hasPassword
      provider
      createdAt
    }
    token {
      expiresAt
      map {
        id
        name
      }
    }
  }
}
    `) as unknown as TypedDocumentString<ViewerQuery, ViewerQueryVariables>;
export const LinkedMapDocument = new TypedDocumentString(`
    query LinkedMap {
  viewer {
    owner
    maps(first: 1) {
      nodes {
        id
      }
    }
  }
}
    `) as unknown as TypedDocumentString<LinkedMapQuery, LinkedMapQueryVariables>;
export const MapsDocument = new TypedDocumentString(`
    query Maps($after: String, $role: MapRole) {
  viewer {
    maps(first: 50, after: $after, filter: {isDeleted: false, role: $role}) {
      nodes {
        ...MapCard
        locations(first: 1) {
          totalCount
        }
      }
      pageInfo {
        ...PageEnd
      }
    }
  }
}
    fragment MapCard on Map {
  id
  name
  isPublished
  updatedAt
  myRole
}
fragment PageEnd on PageInfo {
  hasNextPage
  endCursor
}`) as unknown as TypedDocumentString<MapsQuery, MapsQueryVariables>;
export const SharedMapCountsDocument = new TypedDocumentString(`
    query SharedMapCounts {
  viewer {
    editor: maps(first: 1, filter: {isDeleted: false, role: editor}) {
      totalCount
    }
    viewer: maps(first: 1, filter: {isDeleted: false, role: viewer}) {
      totalCount
    }
  }
}
    `) as unknown as TypedDocumentString<SharedMapCountsQuery, SharedMapCountsQueryVariables>;
export const MapNamesDocument = new TypedDocumentString(`
    query MapNames($after: String) {
  viewer {
    maps(first: 100, after: $after, filter: {isDeleted: false}, orderBy: {by: name}) {
      nodes {
        id
        name
      }
      pageInfo {
        ...PageEnd
      }
    }
  }
}
    fragment PageEnd on PageInfo {
  hasNextPage
  endCursor
}`) as unknown as TypedDocumentString<MapNamesQuery, MapNamesQueryVariables>;
export const DeletedMapsDocument = new TypedDocumentString(`
    query DeletedMaps {
  viewer {
    maps(filter: {isDeleted: true}, orderBy: {by: updated, direction: desc}) {
      totalCount
      nodes {
        ...MapCard
      }
    }
  }
}
    fragment MapCard on Map {
  id
  name
  isPublished
  updatedAt
  myRole
}`) as unknown as TypedDocumentString<DeletedMapsQuery, DeletedMapsQueryVariables>;
export const EditedMapDocument = new TypedDocumentString(`
    query EditedMap($id: ID!) {
  map(id: $id) {
    ...MapDetails
  }
}
    fragment MapDetails on Map {
  id
  name
  isPublished
  isDeleted
  myRole
  fields {
    name
    type
    isPublic
  }
  geocoding {
    countries
  }
  language
  timeZone
  theme {
    accent
    font
    appearance
    poweredBy
    logo {
      hash
    }
  }
  categories {
    value
    label
    color
    icon
  }
}`) as unknown as TypedDocumentString<EditedMapQuery, EditedMapQueryVariables>;
export const KeysDocument = new TypedDocumentString(`
    query Keys($id: ID!) {
  map(id: $id) {
    providerMapApiKey
    geocodingApiKey
  }
}
    `) as unknown as TypedDocumentString<KeysQuery, KeysQueryVariables>;
export const RowsDocument = new TypedDocumentString(`
    query Rows($id: ID!, $filter: LocationFilter, $orderBy: LocationOrderInput, $after: String, $isFirst: Boolean!) {
  map(id: $id) {
    attributions @include(if: $isFirst) {
      ...Source
    }
    locations(first: 100, filter: $filter, orderBy: $orderBy, after: $after) {
      totalCount @include(if: $isFirst)
      nodes {
        ...Row
      }
      pageInfo {
        ...PageEnd
      }
    }
  }
}
    fragment Row on Location {
  id
  name
  version
  latitude
  longitude
  properties
  geocoding {
    provider
    precision
    label
    isAmbiguous
    isChecked
  }
}
fragment PageEnd on PageInfo {
  hasNextPage
  endCursor
}
fragment Source on Attribution {
  text
  url
}`) as unknown as TypedDocumentString<RowsQuery, RowsQueryVariables>;
export const CountDocument = new TypedDocumentString(`
    query Count($id: ID!, $filter: LocationFilter) {
  map(id: $id) {
    locations(first: 1, filter: $filter) {
      totalCount
    }
  }
}
    `) as unknown as TypedDocumentString<CountQuery, CountQueryVariables>;
export const PointCountsDocument = new TypedDocumentString(`
    query PointCounts($id: ID!, $ambiguous: LocationFilter!, $toReview: LocationFilter!) {
  map(id: $id) {
    geocodingCounts {
      precision
      isChecked
      count
    }
    ambiguous: locations(first: 1, filter: $ambiguous) {
      totalCount
    }
    toReview: locations(first: 1, filter: $toReview) {
      totalCount
    }
  }
}
    `) as unknown as TypedDocumentString<PointCountsQuery, PointCountsQueryVariables>;
export const IdsDocument = new TypedDocumentString(`
    query Ids($id: ID!, $filter: LocationFilter, $orderBy: LocationOrderInput, $after: String) {
  map(id: $id) {
    locations(first: 100, filter: $filter, orderBy: $orderBy, after: $after) {
      nodes {
        id
      }
      pageInfo {
        ...PageEnd
      }
    }
  }
}
    fragment PageEnd on PageInfo {
  hasNextPage
  endCursor
}`) as unknown as TypedDocumentString<IdsQuery, IdsQueryVariables>;
export const IdAtDocument = new TypedDocumentString(`
    query IdAt($id: ID!, $position: Int!) {
  map(id: $id) {
    locationAt(place: $position) {
      id
    }
  }
}
    `) as unknown as TypedDocumentString<IdAtQuery, IdAtQueryVariables>;
export const OneRowDocument = new TypedDocumentString(`
    query OneRow($id: ID!, $locationId: ID!) {
  location(mapId: $id, id: $locationId) {
    ...Row
  }
}
    fragment Row on Location {
  id
  name
  version
  latitude
  longitude
  properties
  geocoding {
    provider
    precision
    label
    isAmbiguous
    isChecked
  }
}`) as unknown as TypedDocumentString<OneRowQuery, OneRowQueryVariables>;
export const MapChangesDocument = new TypedDocumentString(`
    subscription MapChanges($mapId: ID!, $since: String) {
  locationChanges(mapId: $mapId, since: $since) {
    cursor
    kind
    locationId
    location {
      ...Row
    }
  }
}
    fragment Row on Location {
  id
  name
  version
  latitude
  longitude
  properties
  geocoding {
    provider
    precision
    label
    isAmbiguous
    isChecked
  }
}`) as unknown as TypedDocumentString<MapChangesSubscription, MapChangesSubscriptionVariables>;
export const InViewDocument = new TypedDocumentString(`
    query InView($id: ID!, $bbox: BboxInput!, $zoom: Int!, $filter: LocationFilter) {
  map(id: $id) {
    clusters(bbox: $bbox, zoom: $zoom, filter: $filter) {
      ...MapFeature
    }
  }
}
    fragment Corners on Bbox {
  south
  west
  north
  east
}
fragment MapFeature on Cluster {
  latitude
  longitude
  count
  bbox {
    ...Corners
  }
  location {
    id
    name
  }
}`) as unknown as TypedDocumentString<InViewQuery, InViewQueryVariables>;
export const InStyledViewDocument = new TypedDocumentString(`
    query InStyledView($id: ID!, $bbox: BboxInput!, $zoom: Int!, $filter: LocationFilter) {
  map(id: $id) {
    clusters(bbox: $bbox, zoom: $zoom, filter: $filter) {
      ...MapFeature
      location {
        properties
      }
    }
  }
}
    fragment Corners on Bbox {
  south
  west
  north
  east
}
fragment MapFeature on Cluster {
  latitude
  longitude
  count
  bbox {
    ...Corners
  }
  location {
    id
    name
  }
}`) as unknown as TypedDocumentString<InStyledViewQuery, InStyledViewQueryVariables>;
export const GeocodeDocument = new TypedDocumentString(`
    query Geocode($mapId: ID!, $address: String!) {
  geocode(mapId: $mapId, address: $address) {
    placeId
    latitude
    longitude
    formattedAddress
    provider
    precision
  }
}
    `) as unknown as TypedDocumentString<GeocodeQuery, GeocodeQueryVariables>;
export const SuggestAddressesDocument = new TypedDocumentString(`
    query SuggestAddresses($mapId: ID!, $text: String!, $near: PointInput) {
  suggestAddresses(mapId: $mapId, text: $text, near: $near) {
    label
    description
    latitude
    longitude
  }
}
    `) as unknown as TypedDocumentString<SuggestAddressesQuery, SuggestAddressesQueryVariables>;
export const ReverseGeocodeDocument = new TypedDocumentString(`
    query ReverseGeocode($mapId: ID!, $latitude: Latitude!, $longitude: Longitude!) {
  reverseGeocode(mapId: $mapId, latitude: $latitude, longitude: $longitude) {
    label
    houseNumber
    street
    postcode
    city
    state
    country
    countryCode
  }
}
    `) as unknown as TypedDocumentString<ReverseGeocodeQuery, ReverseGeocodeQueryVariables>;
export const CreateMapDocument = new TypedDocumentString(`
    mutation CreateMap($input: CreateMapInput!) {
  createMap(input: $input) {
    map {
      ...MapDetails
    }
  }
}
    fragment MapDetails on Map {
  id
  name
  isPublished
  isDeleted
  myRole
  fields {
    name
    type
    isPublic
  }
  geocoding {
    countries
  }
  language
  timeZone
  theme {
    accent
    font
    appearance
    poweredBy
    logo {
      hash
    }
  }
  categories {
    value
    label
    color
    icon
  }
}`) as unknown as TypedDocumentString<CreateMapMutation, CreateMapMutationVariables>;
export const UpdateMapDocument = new TypedDocumentString(`
    mutation UpdateMap($input: UpdateMapInput!) {
  updateMap(input: $input) {
    map {
      ...MapDetails
    }
  }
}
    fragment MapDetails on Map {
  id
  name
  isPublished
  isDeleted
  myRole
  fields {
    name
    type
    isPublic
  }
  geocoding {
    countries
  }
  language
  timeZone
  theme {
    accent
    font
    appearance
    poweredBy
    logo {
      hash
    }
  }
  categories {
    value
    label
    color
    icon
  }
}`) as unknown as TypedDocumentString<UpdateMapMutation, UpdateMapMutationVariables>;
export const DeleteMapDocument = new TypedDocumentString(`
    mutation DeleteMap($id: ID!) {
  deleteMap(input: {id: $id}) {
    map {
      id
    }
  }
}
    `) as unknown as TypedDocumentString<DeleteMapMutation, DeleteMapMutationVariables>;
export const RestoreMapDocument = new TypedDocumentString(`
    mutation RestoreMap($id: ID!) {
  restoreMap(input: {id: $id}) {
    map {
      id
    }
  }
}
    `) as unknown as TypedDocumentString<RestoreMapMutation, RestoreMapMutationVariables>;
export const CreateLocationDocument = new TypedDocumentString(`
    mutation CreateLocation($input: CreateLocationInput!) {
  createLocation(input: $input) {
    location {
      ...Row
    }
  }
}
    fragment Row on Location {
  id
  name
  version
  latitude
  longitude
  properties
  geocoding {
    provider
    precision
    label
    isAmbiguous
    isChecked
  }
}`) as unknown as TypedDocumentString<CreateLocationMutation, CreateLocationMutationVariables>;
export const UpdateLocationDocument = new TypedDocumentString(`
    mutation UpdateLocation($input: UpdateLocationInput!) {
  updateLocation(input: $input) {
    location {
      ...Row
    }
  }
}
    fragment Row on Location {
  id
  name
  version
  latitude
  longitude
  properties
  geocoding {
    provider
    precision
    label
    isAmbiguous
    isChecked
  }
}`) as unknown as TypedDocumentString<UpdateLocationMutation, UpdateLocationMutationVariables>;
export const CheckLocationsDocument = new TypedDocumentString(`
    mutation CheckLocations($input: CheckLocationsInput!) {
  checkLocations(input: $input) {
    locations {
      ...Row
    }
  }
}
    fragment Row on Location {
  id
  name
  version
  latitude
  longitude
  properties
  geocoding {
    provider
    precision
    label
    isAmbiguous
    isChecked
  }
}`) as unknown as TypedDocumentString<CheckLocationsMutation, CheckLocationsMutationVariables>;
export const MoveLocationsDocument = new TypedDocumentString(`
    mutation MoveLocations($input: MoveLocationsInput!) {
  moveLocations(input: $input) {
    historyId
    locations {
      id
      version
    }
  }
}
    `) as unknown as TypedDocumentString<MoveLocationsMutation, MoveLocationsMutationVariables>;
export const DeleteLocationsDocument = new TypedDocumentString(`
    mutation DeleteLocations($input: DeleteLocationsInput!) {
  deleteLocations(input: $input) {
    deletedCount
  }
}
    `) as unknown as TypedDocumentString<DeleteLocationsMutation, DeleteLocationsMutationVariables>;
export const ImportLocationsDocument = new TypedDocumentString(`
    mutation ImportLocations($input: CreateLocationsInput!) {
  createLocations(input: $input) {
    historyId
    results {
      error {
        code
        message
      }
    }
  }
}
    `) as unknown as TypedDocumentString<ImportLocationsMutation, ImportLocationsMutationVariables>;
export const ImportUpsertsDocument = new TypedDocumentString(`
    mutation ImportUpserts($input: UpsertLocationsInput!) {
  upsertLocations(input: $input) {
    historyId
    results {
      outcome
      error {
        code
        message
      }
    }
  }
}
    `) as unknown as TypedDocumentString<ImportUpsertsMutation, ImportUpsertsMutationVariables>;
export const SessionsDocument = new TypedDocumentString(`
    query Sessions {
  viewer {
    sessions {
      ...SessionRow
    }
  }
}
    fragment SessionRow on Session {
  id
  createdAt
  lastUsedAt
  userAgent
  isCurrent
}`) as unknown as TypedDocumentString<SessionsQuery, SessionsQueryVariables>;
export const EndSessionsDocument = new TypedDocumentString(`
    mutation EndSessions($ids: [ID!]) {
  endSessions(input: {ids: $ids}) {
    endedIds
  }
}
    `) as unknown as TypedDocumentString<EndSessionsMutation, EndSessionsMutationVariables>;
export const ChangePasswordDocument = new TypedDocumentString(`
    mutation ChangePassword($input: ChangePasswordInput!) {
  changePassword(input: $input) {
    endedIds
  }
}
    `) as unknown as TypedDocumentString<ChangePasswordMutation, ChangePasswordMutationVariables>;
export const TokensDocument = new TypedDocumentString(`
    query Tokens($after: ID) {
  viewer {
    tokens(first: 100, after: $after) {
      ...TokenRow
    }
  }
}
    fragment TokenRow on Token {
  id
  name
  scope
  map {
    id
    name
  }
  createdAt
  expiresAt
  lastUsedAt
  isCurrent
}`) as unknown as TypedDocumentString<TokensQuery, TokensQueryVariables>;
export const CreateTokenDocument = new TypedDocumentString(`
    mutation CreateToken($input: CreateTokenInput!) {
  createToken(input: $input) {
    secret
    token {
      ...TokenRow
    }
  }
}
    fragment TokenRow on Token {
  id
  name
  scope
  map {
    id
    name
  }
  createdAt
  expiresAt
  lastUsedAt
  isCurrent
}`) as unknown as TypedDocumentString<CreateTokenMutation, CreateTokenMutationVariables>;
export const RevokeTokenDocument = new TypedDocumentString(`
    mutation RevokeToken($id: ID!) {
  revokeToken(input: {id: $id}) {
    revokedId
  }
}
    `) as unknown as TypedDocumentString<RevokeTokenMutation, RevokeTokenMutationVariables>;
export const SharingDocument = new TypedDocumentString(`
    query Sharing($id: ID!, $isOwner: Boolean!) {
  map(id: $id) {
    members {
      ...Member
    }
    invitations @include(if: $isOwner) {
      ...Invitation
    }
    links @include(if: $isOwner) {
      ...MapLink
    }
  }
}
    fragment MapLink on MapLink {
  id
  name
  scope
  expiresAt
  lastUsedAt
  createdBy
  createdByOwner
}
fragment Member on MapMember {
  id
  name
  displayName
  role
  since
  isMe
}
fragment Invitation on Invitation {
  id
  role
  note
  maxUses
  uses
  expiresAt
  createdBy
  createdByOwner
}`) as unknown as TypedDocumentString<SharingQuery, SharingQueryVariables>;
export const CreateMapLinkDocument = new TypedDocumentString(`
    mutation CreateMapLink($input: CreateMapLinkInput!) {
  createMapLink(input: $input) {
    ...MapLinkWithAddresses
  }
}
    fragment MapLinkWithAddresses on CreateMapLinkPayload {
  mapLink {
    ...MapLink
  }
  consoleLink
  pageLink
}
fragment MapLink on MapLink {
  id
  name
  scope
  expiresAt
  lastUsedAt
  createdBy
  createdByOwner
}`) as unknown as TypedDocumentString<CreateMapLinkMutation, CreateMapLinkMutationVariables>;
export const ReplaceMapLinkDocument = new TypedDocumentString(`
    mutation ReplaceMapLink($input: ReplaceMapLinkInput!) {
  replaceMapLink(input: $input) {
    ...ReplacedMapLink
  }
}
    fragment ReplacedMapLink on ReplaceMapLinkPayload {
  mapLink {
    ...MapLink
  }
  consoleLink
  pageLink
}
fragment MapLink on MapLink {
  id
  name
  scope
  expiresAt
  lastUsedAt
  createdBy
  createdByOwner
}`) as unknown as TypedDocumentString<ReplaceMapLinkMutation, ReplaceMapLinkMutationVariables>;
export const RevokeMapLinkDocument = new TypedDocumentString(`
    mutation RevokeMapLink($input: RevokeMapLinkInput!) {
  revokeMapLink(input: $input) {
    revokedId
  }
}
    `) as unknown as TypedDocumentString<RevokeMapLinkMutation, RevokeMapLinkMutationVariables>;
export const UpdateMemberDocument = new TypedDocumentString(`
    mutation UpdateMember($input: UpdateMemberInput!) {
  updateMember(input: $input) {
    map {
      ...MapDetails
    }
    member {
      ...Member
    }
  }
}
    fragment MapDetails on Map {
  id
  name
  isPublished
  isDeleted
  myRole
  fields {
    name
    type
    isPublic
  }
  geocoding {
    countries
  }
  language
  timeZone
  theme {
    accent
    font
    appearance
    poweredBy
    logo {
      hash
    }
  }
  categories {
    value
    label
    color
    icon
  }
}
fragment Member on MapMember {
  id
  name
  displayName
  role
  since
  isMe
}`) as unknown as TypedDocumentString<UpdateMemberMutation, UpdateMemberMutationVariables>;
export const RemoveMemberDocument = new TypedDocumentString(`
    mutation RemoveMember($input: RemoveMemberInput!) {
  removeMember(input: $input) {
    removedId
  }
}
    `) as unknown as TypedDocumentString<RemoveMemberMutation, RemoveMemberMutationVariables>;
export const LeaveMapDocument = new TypedDocumentString(`
    mutation LeaveMap($input: LeaveMapInput!) {
  leaveMap(input: $input) {
    mapId
  }
}
    `) as unknown as TypedDocumentString<LeaveMapMutation, LeaveMapMutationVariables>;
export const CreateInvitationDocument = new TypedDocumentString(`
    mutation CreateInvitation($input: CreateInvitationInput!) {
  createInvitation(input: $input) {
    link
    invitation {
      ...Invitation
    }
  }
}
    fragment Invitation on Invitation {
  id
  role
  note
  maxUses
  uses
  expiresAt
  createdBy
  createdByOwner
}`) as unknown as TypedDocumentString<CreateInvitationMutation, CreateInvitationMutationVariables>;
export const RevokeInvitationDocument = new TypedDocumentString(`
    mutation RevokeInvitation($input: RevokeInvitationInput!) {
  revokeInvitation(input: $input) {
    revokedId
  }
}
    `) as unknown as TypedDocumentString<RevokeInvitationMutation, RevokeInvitationMutationVariables>;
export const InvitationDocument = new TypedDocumentString(`
    query Invitation($secret: String!) {
  invitation(secret: $secret) {
    mapName
    role
    invitedBy
    invitedByOwner
    note
  }
}
    `) as unknown as TypedDocumentString<InvitationQuery, InvitationQueryVariables>;
export const AcceptInvitationDocument = new TypedDocumentString(`
    mutation AcceptInvitation($input: AcceptInvitationInput!) {
  acceptInvitation(input: $input) {
    role
    map {
      id
      name
    }
  }
}
    `) as unknown as TypedDocumentString<AcceptInvitationMutation, AcceptInvitationMutationVariables>;
export const WebhooksDocument = new TypedDocumentString(`
    query Webhooks($id: ID!) {
  map(id: $id) {
    webhooks {
      ...WebhookRow
    }
  }
}
    fragment WebhookRow on Webhook {
  id
  url
  events
  status
  lastAttemptAt
  lastStatus
  lastError
}`) as unknown as TypedDocumentString<WebhooksQuery, WebhooksQueryVariables>;
export const CreateWebhookDocument = new TypedDocumentString(`
    mutation CreateWebhook($input: CreateWebhookInput!) {
  createWebhook(input: $input) {
    secret
    webhook {
      ...WebhookRow
    }
  }
}
    fragment WebhookRow on Webhook {
  id
  url
  events
  status
  lastAttemptAt
  lastStatus
  lastError
}`) as unknown as TypedDocumentString<CreateWebhookMutation, CreateWebhookMutationVariables>;
export const UpdateWebhookDocument = new TypedDocumentString(`
    mutation UpdateWebhook($input: UpdateWebhookInput!) {
  updateWebhook(input: $input) {
    webhook {
      ...WebhookRow
    }
  }
}
    fragment WebhookRow on Webhook {
  id
  url
  events
  status
  lastAttemptAt
  lastStatus
  lastError
}`) as unknown as TypedDocumentString<UpdateWebhookMutation, UpdateWebhookMutationVariables>;
export const DeleteWebhookDocument = new TypedDocumentString(`
    mutation DeleteWebhook($input: DeleteWebhookInput!) {
  deleteWebhook(input: $input) {
    deletedId
  }
}
    `) as unknown as TypedDocumentString<DeleteWebhookMutation, DeleteWebhookMutationVariables>;
export const RotateWebhookSecretDocument = new TypedDocumentString(`
    mutation RotateWebhookSecret($input: RotateWebhookSecretInput!) {
  rotateWebhookSecret(input: $input) {
    secret
    webhook {
      ...WebhookRow
    }
  }
}
    fragment WebhookRow on Webhook {
  id
  url
  events
  status
  lastAttemptAt
  lastStatus
  lastError
}`) as unknown as TypedDocumentString<RotateWebhookSecretMutation, RotateWebhookSecretMutationVariables>;
export const TestWebhookDocument = new TypedDocumentString(`
    mutation TestWebhook($input: TestWebhookInput!) {
  testWebhook(input: $input) {
    webhook {
      ...WebhookRow
    }
    delivered
    status
    error
  }
}
    fragment WebhookRow on Webhook {
  id
  url
  events
  status
  lastAttemptAt
  lastStatus
  lastError
}`) as unknown as TypedDocumentString<TestWebhookMutation, TestWebhookMutationVariables>;
export const TrashDocument = new TypedDocumentString(`
    query Trash($id: ID!, $search: String, $after: String) {
  map(id: $id) {
    trash(first: 50, search: $search, after: $after) {
      nodes {
        ...Trashed
      }
      pageInfo {
        ...PageEnd
      }
    }
  }
}
    fragment Trashed on TrashedLocation {
  location {
    id
    name
    properties
  }
  deletedAt
  deletedBy {
    ...By
  }
  keptUntil
}
fragment By on Actor {
  kind
  name
  owner
}
fragment PageEnd on PageInfo {
  hasNextPage
  endCursor
}`) as unknown as TypedDocumentString<TrashQuery, TrashQueryVariables>;
export const NamesOfDocument = new TypedDocumentString(`
    query NamesOf($id: ID!, $ids: [ID!]!) {
  map(id: $id) {
    locations(first: 100, filter: {ids: $ids}) {
      nodes {
        ...Named
      }
    }
    trash(first: 100, ids: $ids) {
      nodes {
        location {
          ...Named
        }
      }
    }
  }
}
    fragment Named on Location {
  id
  name
  externalId
}`) as unknown as TypedDocumentString<NamesOfQuery, NamesOfQueryVariables>;
export const NamesByExternalIdDocument = new TypedDocumentString(`
    query NamesByExternalId($id: ID!, $externalIds: [String!]!) {
  map(id: $id) {
    locations(first: 100, filter: {externalIds: $externalIds}) {
      nodes {
        ...Named
      }
    }
  }
}
    fragment Named on Location {
  id
  name
  externalId
}`) as unknown as TypedDocumentString<NamesByExternalIdQuery, NamesByExternalIdQueryVariables>;
export const RestoreLocationsDocument = new TypedDocumentString(`
    mutation RestoreLocations($input: RestoreLocationsInput!) {
  restoreLocations(input: $input) {
    results {
      id
      error {
        code
      }
    }
    historyId
  }
}
    `) as unknown as TypedDocumentString<RestoreLocationsMutation, RestoreLocationsMutationVariables>;
export const PurgeLocationsDocument = new TypedDocumentString(`
    mutation PurgeLocations($input: PurgeLocationsInput!) {
  purgeLocations(input: $input) {
    purgedIds
  }
}
    `) as unknown as TypedDocumentString<PurgeLocationsMutation, PurgeLocationsMutationVariables>;
export const UndoChangeDocument = new TypedDocumentString(`
    mutation UndoChange($input: UndoChangeInput!) {
  undoChange(input: $input) {
    reverted
    left {
      id
      code
    }
    leftCount
    historyId
  }
}
    `) as unknown as TypedDocumentString<UndoChangeMutation, UndoChangeMutationVariables>;
export const HistoryDocument = new TypedDocumentString(`
    query History($id: ID!, $filter: HistoryFilter, $after: String) {
  map(id: $id) {
    history(first: 20, filter: $filter, after: $after) {
      nodes {
        ...Call
      }
      pageInfo {
        ...PageEnd
      }
    }
  }
}
    fragment By on Actor {
  kind
  name
  owner
}
fragment Call on HistoryEntry {
  id
  at
  by {
    ...By
  }
  operation
  created
  updated
  moved
  deleted
  locationIds
}
fragment PageEnd on PageInfo {
  hasNextPage
  endCursor
}`) as unknown as TypedDocumentString<HistoryQuery, HistoryQueryVariables>;
export const VersionsDocument = new TypedDocumentString(`
    query Versions($mapId: ID!, $id: ID!, $after: String) {
  location(mapId: $mapId, id: $id) {
    versions(first: 20, after: $after) {
      nodes {
        ...Version
      }
      pageInfo {
        ...PageEnd
      }
    }
  }
}
    fragment By on Actor {
  kind
  name
  owner
}
fragment Version on LocationVersion {
  version
  at
  by {
    ...By
  }
  operation
  changes {
    path
    before
    after
  }
}
fragment PageEnd on PageInfo {
  hasNextPage
  endCursor
}`) as unknown as TypedDocumentString<VersionsQuery, VersionsQueryVariables>;
export const RestoreVersionDocument = new TypedDocumentString(`
    mutation RestoreVersion($input: RestoreVersionInput!) {
  restoreVersion(input: $input) {
    location {
      ...Row
    }
    historyId
  }
}
    fragment Row on Location {
  id
  name
  version
  latitude
  longitude
  properties
  geocoding {
    provider
    precision
    label
    isAmbiguous
    isChecked
  }
}`) as unknown as TypedDocumentString<RestoreVersionMutation, RestoreVersionMutationVariables>;