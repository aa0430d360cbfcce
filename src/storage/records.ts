/** The values that the storage port takes and returns. All times are milliseconds since the epoch. */

import type { StoredGeocode } from '../domain/geocode.ts';
import type { Invitation } from '../domain/invitation.ts';
import type { JsonText } from '../domain/json/json-text.ts';
import type { UsedKey } from '../domain/idempotency.ts';
import type { ListEnd } from '../domain/list/list-end.ts';
import type { LogoType } from '../domain/logo.ts';
import type { LocationRecord, NewLocation } from '../domain/location.ts';
import type { MapRecord } from '../domain/map.ts';
import type { MembersRefusal } from '../domain/members.ts';
import type { MapSortKey } from '../domain/paging/cursor.ts';
import type { MovePosition } from '../domain/list/move-plan.ts';
import type { PageRequest } from '../domain/paging/paging.ts';
import type { SortKey } from '../domain/list/sort-key.ts';
import type { AccountRecord } from './accounts.ts';
import type { MapUnavailable } from './changes.ts';
import type { CallChange, HistoryRecord, VersionRecord } from './history.ts';
import type { WebhookRecord } from './webhooks.ts';

export interface OwnerRecord {
  readonly id: string;
  /** Unique in the store. */
  readonly name: string;
  /** What the identity provider calls the person. Not unique; null if there is no such name. */
  readonly displayName: string | null;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
}

export type NewOwner = Omit<OwnerRecord, 'displayName'>;

export type TokenScope = 'read' | 'write';

export type TokenKind = 'token' | 'link';

export interface TokenRecord {
  readonly id: string;
  /** A link gives access to its map without the rights of its owner, who made it. */
  readonly kind: TokenKind;
  readonly ownerId: string;
  /** SHA-256 of the token, lower-case hex. The token itself is never stored. */
  readonly hash: string;
  /** The owner's label for it. */
  readonly name: string | null;
  readonly scope: TokenScope;
  /** The only map that the token gives access to; null for all of the owner's. */
  readonly mapId: string | null;
  readonly createdAt: number;
  readonly expiresAt: number | null;
  readonly revokedAt: number | null;
  /** Null until its first use. Later uses are stored at intervals; see {@link Storage.saveTokenUses}. */
  readonly lastUsedAt: number | null;
}

/** A page of an owner's tokens. */
export interface TokensPage {
  readonly limit: number;
  /** The last token of the previous page; null for the first page. */
  readonly after: Pick<TokenRecord, 'id' | 'createdAt'> | null;
}

/** A request authenticated with a token. */
export interface TokenUse {
  readonly tokenId: string;
  readonly usedAt: number;
}

export interface TokenWithOwner extends TokenRecord {
  readonly ownerName: string;
}

/** A link to one map. */
export interface MapLinkRecord extends TokenWithOwner {
  readonly kind: 'link';
  readonly name: string;
  readonly mapId: string;
}

export type NewMapLink = Omit<MapLinkRecord, 'ownerName'>;

export type MapPatch = Partial<
  Pick<
    MapRecord,
    | 'name'
    | 'isDeleted'
    | 'isPublished'
    | 'providerMapApiKey'
    | 'geocodingApiKey'
    | 'geocoding'
    | 'fields'
    | 'language'
    | 'timeZone'
    | 'theme'
    | 'logo'
    | 'categories'
    | 'updatedAt'
  >
>;

/** The file of a map's logo. */
export interface LogoRecord {
  readonly mapId: string;
  readonly type: LogoType;
  /** SHA-256 of the file, lower-case hex. */
  readonly hash: string;
  /** The file in base64. */
  readonly content: string;
}

export type MapKeyName = 'providerMapApiKey' | 'geocodingApiKey';

/** Replaces the stored ciphertext of a provider or geocoding key. */
export interface MapKeyChange {
  readonly mapId: string;
  readonly name: MapKeyName;
  readonly from: string;
  readonly to: string;
}

export interface MapsQuery extends PageRequest<MapSortKey> {
  /** The member whose maps are listed. */
  readonly ownerId: string;
  /** Restricts the list to one map. */
  readonly mapId: string | null;
}

/** A published map that is not deleted, as a list of pages needs it. */
export interface PublishedMapEntry {
  readonly id: string;
  /** When the map or one of its locations last changed. */
  readonly changedAt: number;
}

/** The map as it is now, or why its members stay as they are. */
export type MembersOutcome =
  { readonly kind: 'changed' | 'unchanged'; readonly map: MapRecord } | MembersRefusal | MapUnavailable;

export type InvitationOutcome =
  | { readonly kind: 'inserted' }
  | { readonly kind: 'not-an-owner' }
  | { readonly kind: 'too-many-invitations' }
  | MapUnavailable;

export type MapLinkOutcome =
  | { readonly kind: 'inserted' }
  | { readonly kind: 'not-an-owner' }
  | { readonly kind: 'too-many-links' }
  | MapUnavailable;

/** The map with its member, or why the invitation was not used. */
export type InvitationUse =
  | { readonly kind: 'changed' | 'unchanged'; readonly map: MapRecord }
  /** As {@link Storage.findInvitation} returns null. */
  | { readonly kind: 'invitation-missing' }
  | Extract<MembersRefusal, { kind: 'too-many-members' }>;

/** Idempotency keys are unique per token and map. */
export interface IdempotencyScope {
  readonly tokenId: string;
  readonly mapId: string;
}

export interface IdempotencyRecord extends UsedKey {
  /** The location of the first response. */
  readonly location: LocationRecord;
}

/** A call of a client under an idempotency key, which writes once. */
export interface KeyedCallRecord extends UsedKey {
  /** In the history of its map, where its writes are recorded. */
  readonly callId: string;
  /** What the call returned, in a format of the services; null if it has not ended, or keeps no result. */
  readonly result: string | null;
  /** Until then only the request that holds the call may run it. */
  readonly heldUntil: number;
}

export interface NewKeyedCall extends Omit<KeyedCallRecord, 'result'> {
  /** The record is ignored from then on. */
  readonly expiresAt: number;
}

/** Identifies the request that holds a call. */
export type KeyedCallHold = Pick<KeyedCallRecord, 'callId' | 'heldUntil'>;

export interface LocationInsert {
  readonly location: NewLocation;
  /** The caller's order, already validated; null appends the location. */
  readonly order: string | null;
  readonly idempotency: {
    readonly tokenId: string;
    readonly key: string;
    readonly digest: string;
    /** The record is ignored from then on. */
    readonly expiresAt: number;
  } | null;
}

export type InsertOutcome =
  | { readonly kind: 'inserted'; readonly location: LocationRecord }
  /** The key and digest were stored before. Nothing is stored. */
  | { readonly kind: 'replayed'; readonly location: LocationRecord }
  /** The key was stored with another digest. Nothing is stored. */
  | { readonly kind: 'conflict' }
  /** Another location of the map has the external id. Nothing is stored. */
  | { readonly kind: 'external-id-taken' };

/** An update of a location that was read before. */
export interface LocationUpdate {
  readonly id: string;
  /** The version that was read; only that version is updated. */
  readonly version: number;
  readonly updatedAt: number;
  /** The new order, already validated; null keeps the location's position. */
  readonly order: string | null;
  /** New values; unchanged ones are repeated. */
  readonly values: Pick<
    LocationRecord,
    'name' | 'placeId' | 'latitude' | 'longitude' | 'properties' | 'geocoding' | 'externalId'
  >;
}

export type UpdateOutcome =
  | { readonly kind: 'updated'; readonly location: LocationRecord }
  | { readonly kind: 'missing' }
  /** The location was updated in the meantime; its current state. */
  | { readonly kind: 'changed'; readonly location: LocationRecord }
  /** Another location of the map has the external id. */
  | { readonly kind: 'external-id-taken' };

/** Moves locations within their map's list. */
export interface LocationMove {
  /** One or more unique ids, in their new sequence. */
  readonly ids: readonly string[];
  /** Does not refer to any of `ids`. */
  readonly position: MovePosition;
}

export type MoveOutcome =
  /** The locations in their new state and sequence. */
  | { readonly kind: 'moved'; readonly locations: readonly LocationRecord[] }
  /** The map has no location with that id, one of `ids` or the target of `position`. Nothing moves. */
  | { readonly kind: 'missing'; readonly id: string }
  /** Making room would renumber more neighbours than one call may. Nothing moves. */
  | { readonly kind: 'too-many-neighbours' }
  | MapUnavailable;

/** A page of a map's list as JSON. */
export interface LocationsJson {
  /** An array, with each location rendered by the template. */
  readonly json: JsonText;
  readonly count: number;
  /** Null for an empty page. */
  readonly first: SortKey | null;
  readonly last: SortKey | null;
  /** The first location beyond the page, on the side where it is cut off; null at the end of the range. */
  readonly next: (SortKey & { readonly order: string }) | null;
}

/** Some locations of a list in an export format, each with its separator, without the format's header and footer. */
export interface ExportedLocations {
  /** UTF-8. */
  readonly bytes: Uint8Array;
  readonly count: number;
  /** Null where there are none. */
  readonly last: SortKey | null;
}

/** A counter with a limit, such as a token's geocoded addresses per day. */
export interface QuotaCount {
  readonly name: string;
  readonly limit: number;
}

/** One record with everything stored about it. */
export type StoredItem =
  | { readonly kind: 'meta'; readonly key: string; readonly value: string }
  | { readonly kind: 'owner'; readonly owner: OwnerRecord }
  | { readonly kind: 'account'; readonly account: AccountRecord }
  | { readonly kind: 'map'; readonly map: MapRecord; readonly end: ListEnd }
  | { readonly kind: 'logo'; readonly logo: LogoRecord }
  | { readonly kind: 'location'; readonly location: LocationRecord }
  | {
      readonly kind: 'idempotency';
      readonly scope: IdempotencyScope;
      readonly key: string;
      readonly record: IdempotencyRecord;
      readonly expiresAt: number;
    }
  | { readonly kind: 'webhook'; readonly webhook: WebhookRecord }
  | { readonly kind: 'invitation'; readonly invitation: Invitation }
  | { readonly kind: 'history'; readonly history: HistoryRecord }
  /**
   * Up to a thousand changes of the history record before it, in the order of the log. A new log goes on after the largest
   * number.
   */
  | {
      readonly kind: 'changes';
      readonly mapId: string;
      readonly historyId: string;
      readonly changes: readonly CallChange[];
    }
  /**
   * A store that already has the location does not load versions that are not older, and none into the trash: a backup may
   * not be of one moment.
   */
  | { readonly kind: 'version'; readonly mapId: string; readonly version: VersionRecord }
  | { readonly kind: 'token'; readonly token: TokenRecord }
  | { readonly kind: 'geocode'; readonly geocode: StoredGeocode };
