/**
 * The storage port: what the services need from a database, and what every adapter guarantees. It knows neither SQL nor
 * documents. One contract suite (test/contract/storage-suite.ts) runs on every adapter.
 *
 * - A method rejects with ServiceError STORAGE_UNAVAILABLE when the database cannot be reached in time. Callers need
 *   not handle any other error.
 * - A write is durable when it resolves. A rejected write has stored nothing; after STORAGE_UNAVAILABLE the outcome is
 *   unknown.
 * - A method sees every write that completed before the call, in any process.
 */

import type { GeocodingCount } from '../domain/filter/geocoding-groups.ts';
import type { StoredGeocode } from '../domain/geocode.ts';
import type { LocationRecord } from '../domain/location.ts';
import type { LocationTemplate } from '../domain/location-template.ts';
import type { Invitation } from '../domain/invitation.ts';
import type { MapRecord } from '../domain/map.ts';
import type { MemberChange } from '../domain/members.ts';
import type { PageRequest } from '../domain/paging/paging.ts';
import type { SortKey } from '../domain/list/sort-key.ts';
import type { ExportFormat } from '../transfer/formats.ts';
import type { AccountStorage } from './accounts.ts';
import type { ChangeLog, MapUnavailable } from './changes.ts';
import type { HistoryStore } from './history.ts';
import type { SearchStore, VersionHit } from './search.ts';
import type { StorageScope } from './storage-scope.ts';
import type { WebhookStorage } from './webhooks.ts';
import type {
  ExportedLocations,
  IdempotencyRecord,
  IdempotencyScope,
  InsertOutcome,
  InvitationOutcome,
  InvitationUse,
  KeyedCallHold,
  KeyedCallRecord,
  LocationInsert,
  LocationMove,
  LocationUpdate,
  LocationsJson,
  LogoRecord,
  MapKeyChange,
  MapLinkOutcome,
  MapLinkRecord,
  MapPatch,
  MapsQuery,
  PublishedMapEntry,
  MembersOutcome,
  MoveOutcome,
  NewKeyedCall,
  NewMapLink,
  NewOwner,
  OwnerRecord,
  QuotaCount,
  StoredItem,
  TokenRecord,
  TokenUse,
  TokenWithOwner,
  TokensPage,
  UpdateOutcome,
} from './records.ts';

export type { StoredGeocode } from '../domain/geocode.ts';
export type * from './accounts.ts';
export type { MapUnavailable } from './changes.ts';
export type * from './history.ts';
export type * from './options.ts';
export type * from './records.ts';
export type { StorageScope, WriteCall } from './storage-scope.ts';

export interface Storage extends SearchStore, ChangeLog, HistoryStore, WebhookStorage, AccountStorage {
  /** Resolves when the database responds. */
  ping(): Promise<void>;
  /** Waits for pending calls, and closes the database. Further calls do nothing. */
  close(): Promise<void>;

  /** True while the store holds no owner, token or map. */
  isEmpty(): Promise<boolean>;
  /** Reads one of the store's own values. */
  getMeta(key: string): Promise<string | null>;
  /** Stores a value unless the key has one. Resolves to whether it did: true for one of several concurrent calls. */
  setMetaIfAbsent(key: string, value: string): Promise<boolean>;

  /** Finds the owner with that name, or stores this one. Of several concurrent calls one stores its owner. */
  findOrCreateOwner(owner: NewOwner): Promise<{ owner: OwnerRecord; created: boolean }>;
  findOwnerByName(name: string, scope?: StorageScope): Promise<OwnerRecord | null>;
  findOwner(id: string): Promise<OwnerRecord | null>;
  /** One entry per id, in order; null for an unknown owner. */
  findOwners(ids: readonly string[], scope?: StorageScope): Promise<readonly (OwnerRecord | null)[]>;
  /** Resolves to false if there is no such owner, or another one has the name. */
  renameOwner(id: string, name: string): Promise<boolean>;
  /** Ignores an unknown owner. */
  setDisplayName(ownerId: string, displayName: string | null): Promise<void>;
  /** All owners, by name. */
  listOwners(): Promise<readonly OwnerRecord[]>;

  insertToken(token: TokenRecord): Promise<void>;
  /** Finds expired and revoked tokens too. This method and the following ones of tokens include links. */
  findTokenByHash(hash: string, scope?: StorageScope): Promise<TokenWithOwner | null>;
  /** As {@link findTokenByHash}, by id. */
  findToken(id: string, scope?: StorageScope): Promise<TokenWithOwner | null>;
  /** All tokens by time of creation; with `ownerId` that owner's only, or a page of them. */
  listTokens(ownerId?: string, page?: TokensPage): Promise<readonly TokenWithOwner[]>;
  /** Revokes a token. One that is already revoked keeps its time. Resolves to whether the token exists. */
  revokeToken(id: string, revokedAt: number): Promise<boolean>;
  /**
   * Stores when tokens were last used. Ignores unknown tokens, and uses less than `intervalMs` after the stored one, so
   * that each token is written once per interval, by any number of processes.
   */
  saveTokenUses(uses: readonly TokenUse[], intervalMs: number): Promise<void>;

  /** All members of the map must be stored owners. */
  insertMap(map: MapRecord, scope?: StorageScope): Promise<void>;
  /** One entry per id, in order; null for an unknown map. Includes deleted maps. */
  getMaps(ids: readonly string[], scope?: StorageScope): Promise<readonly (MapRecord | null)[]>;
  /** The maps that an owner is a member of, including deleted ones, by time of creation, then id. Ascending, even from the end. */
  listMaps(query: MapsQuery, scope?: StorageScope): Promise<readonly MapRecord[]>;
  countMaps(query: Pick<MapsQuery, 'ownerId' | 'mapId'>, scope?: StorageScope): Promise<number>;
  /** A page of the published maps that are not deleted, of all owners, by id. */
  listPublishedMaps(
    page: { readonly after: string | null; readonly limit: number },
    scope?: StorageScope,
  ): Promise<readonly PublishedMapEntry[]>;
  /**
   * Applies the patch atomically.
   *
   * @param options.evenIfDeleted also updates a deleted map; otherwise that stays as it is, and the result is
   *   `map-deleted`
   * @param options.logo the file of the patch's logo, stored with it; a patch without a logo (null) removes the file
   */
  updateMap(
    id: string,
    patch: MapPatch,
    options: { readonly evenIfDeleted: boolean; readonly logo?: LogoRecord },
    scope?: StorageScope,
  ): Promise<{ readonly kind: 'updated'; readonly map: MapRecord } | MapUnavailable>;
  /** The file of the logo that a map names, also of a deleted map; null if the map has been given another one meanwhile. */
  getLogo(mapId: string, hash: string, scope?: StorageScope): Promise<LogoRecord | null>;
  /**
   * Changes the members of a map by the rules of domain/members.ts. Of concurrent changes each sees the one before. Tokens
   * limited to the map are revoked with the membership of their owner, before the call resolves, and stay revoked. The
   * invitations of somebody who is no longer an owner are removed, and their links to the map revoked.
   *
   * @param now when tokens are revoked
   */
  changeMembers(
    mapId: string,
    change: MemberChange,
    now: number,
    scope?: StorageScope,
  ): Promise<MembersOutcome>;
  /**
   * Stores an invitation, if its creator is an owner of the map. Concurrent calls never exceed the limit of open
   * invitations together.
   */
  insertInvitation(invitation: Invitation, scope?: StorageScope): Promise<InvitationOutcome>;
  /** The open invitations of a map, by time of creation, then id. Empty for an unknown map. */
  listInvitations(mapId: string, now: number, scope?: StorageScope): Promise<readonly Invitation[]>;
  /** Null for an unknown or expired invitation, and for one to a deleted map. */
  findInvitation(hash: string, now: number, scope?: StorageScope): Promise<Invitation | null>;
  /**
   * Adds a stored owner to the members of the invitation's map, or raises the owner's role, and counts the use; atomically.
   * Where that changes nothing, the use is not counted. The last use removes the invitation.
   */
  useInvitation(hash: string, ownerId: string, now: number, scope?: StorageScope): Promise<InvitationUse>;
  /** Resolves to whether the map had the invitation: true for one of several concurrent calls. */
  removeInvitation(mapId: string, id: string, scope?: StorageScope): Promise<boolean>;
  /** Stores a link, if its owner is an owner of the map. Concurrent calls never exceed the limit of open links together. */
  insertMapLink(link: NewMapLink, scope?: StorageScope): Promise<MapLinkOutcome>;
  /** The links of a map that are neither revoked nor expired, by time of creation, then id. Empty for an unknown map. */
  listMapLinks(mapId: string, now: number, scope?: StorageScope): Promise<readonly MapLinkRecord[]>;
  /** Replaces the hash of an open link, which counts as unused again. Null if the map has no such open link. */
  replaceMapLink(
    mapId: string,
    id: string,
    hash: string,
    now: number,
    scope?: StorageScope,
  ): Promise<MapLinkRecord | null>;
  /** Resolves to whether the map had the open link: true for one of several concurrent calls. */
  revokeMapLink(mapId: string, id: string, now: number, scope?: StorageScope): Promise<boolean>;
  /** Every map with a provider or geocoding key, including deleted maps. */
  listMapsWithKeys(): AsyncIterable<MapRecord>;
  /**
   * Replaces keys that still equal `from`, in deleted maps too. A failed call may have replaced some of them.
   *
   * @returns the number replaced
   */
  changeMapKeys(changes: readonly MapKeyChange[]): Promise<number>;

  /**
   * Stores locations in the given order. Each gets the map's next sequence number and, where `order` is null, an order
   * at the current end of the list (contract §3). Each item is stored atomically, with its idempotency record and the
   * map's largest number. Of concurrent inserts with the same idempotency key one stores its location; of those with
   * the same external id, the first.
   */
  insertLocations(
    mapId: string,
    inserts: readonly LocationInsert[],
    now: number,
    scope?: StorageScope,
  ): Promise<{ readonly kind: 'done'; readonly outcomes: readonly InsertOutcome[] } | MapUnavailable>;
  /** One entry per key, in order; null where none is stored or it has expired by `now`. */
  findIdempotencyRecords(
    scope: IdempotencyScope,
    keys: readonly string[],
    now: number,
    within?: StorageScope,
  ): Promise<readonly (IdempotencyRecord | null)[]>;
  /**
   * Stores a call under its key, unless the key has one that has not expired by `now`. A stored one with the same digest
   * and no result, which nobody holds any more, gets the new `heldUntil` and keeps its `callId`. Of concurrent calls one
   * holds the call.
   *
   * @returns the call as it is stored now, and whether this call holds it
   */
  holdKeyedCall(
    scope: IdempotencyScope,
    key: string,
    call: NewKeyedCall,
    now: number,
    within?: StorageScope,
  ): Promise<{ readonly isHeld: boolean; readonly call: KeyedCallRecord }>;
  /** Stores the result of a held call, and ends the hold. Does nothing if another request holds the call. */
  endKeyedCall(
    scope: IdempotencyScope,
    key: string,
    hold: KeyedCallHold,
    result: string | null,
    within?: StorageScope,
  ): Promise<void>;
  /** Removes a held call, so that its key is free. Does nothing if another request holds the call. */
  removeKeyedCall(
    scope: IdempotencyScope,
    key: string,
    hold: KeyedCallHold,
    within?: StorageScope,
  ): Promise<void>;
  /** One entry per id, in order; null where the map has no such location. */
  getLocations(
    mapId: string,
    ids: readonly string[],
    scope?: StorageScope,
  ): Promise<readonly (LocationRecord | null)[]>;
  /** As {@link getLocations}, by external ids. */
  findLocationsByExternalIds(
    mapId: string,
    externalIds: readonly string[],
    scope?: StorageScope,
  ): Promise<readonly (LocationRecord | null)[]>;
  /**
   * Updates locations, each atomically and to its next version. A location with a new order keeps its sequence number,
   * which decides among equal orders.
   */
  updateLocations(
    mapId: string,
    updates: readonly LocationUpdate[],
    scope?: StorageScope,
  ): Promise<{ readonly kind: 'done'; readonly outcomes: readonly UpdateOutcome[] } | MapUnavailable>;
  /**
   * Moves locations next to each other in the map's list by changing their orders, and those of neighbours where there
   * is no room (domain/list/move-plan.ts). The relative order of all others stays. Each location with a new order gets its
   * next version; the orders count as used. Writes nothing if the sequence is right already. Moves of one map are
   * serialized.
   */
  moveLocations(mapId: string, move: LocationMove, now: number, scope?: StorageScope): Promise<MoveOutcome>;
  /**
   * A page of a map's list, by order key (bytewise), then by sequence number. Ascending, even from the end. The cost
   * does not depend on the position. Empty for an unknown map.
   */
  listLocations(
    mapId: string,
    page: PageRequest<SortKey>,
    scope?: StorageScope,
  ): Promise<readonly LocationRecord[]>;
  /** The same page as JSON. A store that can renders it without creating location objects. */
  listLocationsJson(
    mapId: string,
    page: PageRequest<SortKey>,
    template: LocationTemplate,
    scope?: StorageScope,
  ): Promise<LocationsJson>;
  /**
   * The next locations of a walk through a map's whole list. A store that can reads them off the event loop, and stops
   * when the scope's signal aborts. Empty for an unknown map.
   */
  exportLocations(
    mapId: string,
    page: Pick<PageRequest<SortKey>, 'limit' | 'after'>,
    format: ExportFormat,
    scope?: StorageScope,
  ): Promise<ExportedLocations>;
  /** Whether the map's list has locations between these exclusive bounds. */
  hasLocations(
    mapId: string,
    range: Pick<PageRequest<SortKey>, 'after' | 'before'>,
    scope?: StorageScope,
  ): Promise<boolean>;
  /**
   * The location with `skipped` locations before it in the map's list, or after it with `fromEnd`; null past the end.
   * It reads that many index keys, and one location.
   */
  locationAt(
    mapId: string,
    position: { readonly skipped: number; readonly fromEnd: boolean },
    scope?: StorageScope,
  ): Promise<LocationRecord | null>;
  /** The number of a map's locations; 0 for an unknown map. The cost does not depend on that number. */
  countLocations(mapId: string, scope?: StorageScope): Promise<number>;
  /**
   * The groups of a map's locations by how they were geocoded, unordered; none for an unknown map. The cost does not
   * depend on the number of locations.
   */
  countByGeocoding(mapId: string, scope?: StorageScope): Promise<readonly GeocodingCount[]>;
  /**
   * Identifies the content of a map's list: differs after every change of a location or of the set of locations, and
   * possibly without one. Empty for an unknown map.
   */
  listRevision(mapId: string, scope?: StorageScope): Promise<string>;
  /**
   * Deletes a location; the scope's call decides whether it goes to the trash (history.ts). Resolves to its last state,
   * for one of several concurrent calls.
   */
  deleteLocation(
    mapId: string,
    id: string,
    scope?: StorageScope,
  ): Promise<
    | { readonly kind: 'deleted'; readonly location: LocationRecord }
    | { readonly kind: 'missing' }
    | MapUnavailable
  >;
  /**
   * As {@link deleteLocation}, for several locations. Ignores unknown ids.
   *
   * @returns the ids that this call deleted, each once, in the given order
   */
  deleteLocations(
    mapId: string,
    ids: readonly string[],
    scope?: StorageScope,
  ): Promise<{ readonly kind: 'done'; readonly deletedIds: readonly string[] } | MapUnavailable>;

  /** As {@link deleteLocations}, ignoring locations that have another version. */
  deleteVersions(
    mapId: string,
    locations: readonly VersionHit[],
    scope?: StorageScope,
  ): ReturnType<Storage['deleteLocations']>;

  /** The geocode stored under the key; null where there is none, or it has expired by `now`. */
  getGeocode(key: string, now: number): Promise<StoredGeocode | null>;
  /** Stores a geocode, and replaces an earlier one with its key. */
  putGeocode(geocode: StoredGeocode): Promise<void>;
  /**
   * Increments all counters, or none when one has reached its limit. Concurrent calls never exceed a limit together.
   *
   * @param expiresAt when the counters are removed
   * @returns the name of a counter at its limit; null when all were incremented
   */
  takeQuota(counts: readonly QuotaCount[], expiresAt: number): Promise<string | null>;

  /** Removes what has expired by `now`. Resolves to the number of records removed. */
  removeExpired(now: number): Promise<number>;

  /** Stores one of the store's own values, and replaces an earlier one. */
  setMeta(key: string, value: string): Promise<void>;
  /** Removes one of the store's own values, if it exists. */
  removeMeta(key: string): Promise<void>;
  /**
   * Every record, in the same order on every adapter: the store's own values by key; owners by id; accounts by owner id;
   * maps by id, each followed by its logo, its locations in the list's order, its idempotency records by token and key, its webhooks
   * by id, its history (records by id, each followed by its changes, then versions by location and version), and its
   * invitations by time of creation; tokens by id; geocodes by key. Omits idempotency records, invitations and geocodes
   * that expire by `expiringAfter`, keyed calls, sessions, one-time secrets and attempts. Not a snapshot: concurrent writes may be
   * included or missing.
   */
  dump(expiringAfter: number): AsyncIterable<StoredItem>;
  /**
   * Every record but geocodes, for a backup. As {@link dump}, with a map's locations in any order, each at most once. A
   * snapshot where the store offers one. Elsewhere concurrent writes may be included or missing, and may refer to
   * owners, maps and tokens that are missing; everything else is complete.
   */
  snapshot(expiringAfter: number): AsyncIterable<StoredItem>;
  /** Stores items in a dump's order, in a store that has none of them. A failed call may have stored some. */
  load(items: readonly StoredItem[]): Promise<void>;
  /**
   * Removes everything except leases, which expire, and the store's own values with these keys. Only for the target of
   * a copy or a restore.
   */
  removeAll(keptMetaKeys: readonly string[]): Promise<void>;
}
