/**
 * The storage port: all that the services need from a database, and all that an adapter promises. It knows nothing of
 * SQL or documents. One contract suite (test/contract/storage-suite.ts) runs on every adapter.
 *
 * - A method rejects with ServiceError STORAGE_UNAVAILABLE when the database cannot be reached in time. Callers need not
 *   understand any other error.
 * - A write is durable when it resolves. When it rejects it has stored nothing, except that after STORAGE_UNAVAILABLE
 *   the outcome is unknown.
 * - A method sees every write that was answered before it was called, whichever process made the write.
 */

import type { StoredGeocode } from '../domain/geocode.ts';
import type { JsonText } from '../domain/json/json-text.ts';
import type { UsedKey } from '../domain/idempotency.ts';
import type { ListEnd } from '../domain/list/list-end.ts';
import type { LocationRecord, NewLocation } from '../domain/location.ts';
import type { LocationTemplate } from '../domain/location-template.ts';
import type { MapRecord } from '../domain/map.ts';
import type { MapSortKey } from '../domain/paging/cursor.ts';
import type { MovePosition } from '../domain/list/move-plan.ts';
import type { PageRequest } from '../domain/paging/paging.ts';
import type { SortKey } from '../domain/list/sort-key.ts';
import type { ExportFormat } from '../transfer/formats.ts';
import type { ChangeLog } from './changes.ts';
import type { VersionHit, SearchStore } from './search.ts';
import type { MapUnavailable } from './map-unavailable.ts';
import type { StorageScope } from './storage-scope.ts';
import type { WebhookRecord, WebhookStorage } from './webhooks.ts';

export type { MapUnavailable } from './map-unavailable.ts';
export type { StorageScope } from './storage-scope.ts';
export type { StoredGeocode } from '../domain/geocode.ts';

export interface OwnerRecord {
  readonly id: string;
  /** Unique across the store. */
  readonly name: string;
  /** Milliseconds since the epoch, as every time in this file. */
  readonly createdAt: number;
}

export type TokenScope = 'read' | 'write';

export interface TokenRecord {
  readonly id: string;
  readonly ownerId: string;
  /** SHA-256 of the token, lower-case hex. The token itself is never stored. */
  readonly hash: string;
  /** What its owner calls it; null where it has no name. */
  readonly name: string | null;
  readonly scope: TokenScope;
  /** The one map that the token is limited to. */
  readonly mapId: string | null;
  readonly createdAt: number;
  readonly expiresAt: number | null;
  readonly revokedAt: number | null;
  /** Null until it is used. Later uses are stored now and then: see {@link Storage.saveTokenUses}. */
  readonly lastUsedAt: number | null;
}

/** A page of an owner's tokens. */
export interface TokensPage {
  readonly limit: number;
  /** The token before the page; null for the first page. */
  readonly after: Pick<TokenRecord, 'id' | 'createdAt'> | null;
}

/** A request that a token was good for. */
export interface TokenUse {
  readonly tokenId: string;
  readonly usedAt: number;
}

export interface TokenWithOwner extends TokenRecord {
  readonly ownerName: string;
}

export type MapPatch = Partial<
  Pick<
    MapRecord,
    'name' | 'isDeleted' | 'isPublished' | 'providerMapApiKey' | 'geocodingApiKey' | 'fields' | 'updatedAt'
  >
>;

/** A provider or geocoding key as it is stored: how it was read, and what takes its place. */
export interface MapKeyChange {
  readonly mapId: string;
  readonly name: 'providerMapApiKey' | 'geocodingApiKey';
  readonly from: string;
  readonly to: string;
}

export interface MapsQuery extends PageRequest<MapSortKey> {
  readonly ownerId: string;
  /** Limits the list to one map. */
  readonly mapId: string | null;
}

/** An idempotency key belongs to a token and a map. */
export interface IdempotencyScope {
  readonly tokenId: string;
  readonly mapId: string;
}

export interface IdempotencyRecord extends UsedKey {
  /** The location as it was first answered. */
  readonly location: LocationRecord;
}

export interface LocationInsert {
  readonly location: NewLocation;
  /** The caller's order, already checked; null appends the location. */
  readonly order: string | null;
  readonly idempotency: {
    readonly tokenId: string;
    readonly key: string;
    readonly digest: string;
    /** The record counts for nothing from this time on. */
    readonly expiresAt: number;
  } | null;
}

export type InsertOutcome =
  | { readonly kind: 'inserted'; readonly location: LocationRecord }
  /** The same key and digest were stored before. Nothing is stored now. */
  | { readonly kind: 'replayed'; readonly location: LocationRecord }
  /** The same key was stored with another digest. Nothing is stored now. */
  | { readonly kind: 'conflict' }
  /** Another location of the map has the external id; nothing is stored now. */
  | { readonly kind: 'external-id-taken' };

/** A change of a location that was read before. */
export interface LocationUpdate {
  readonly id: string;
  /** The version that was read. The change is made to no other. */
  readonly version: number;
  readonly updatedAt: number;
  /** The new order, already checked; null leaves the location where it is. */
  readonly order: string | null;
  /** What takes the place of what was read; a value that did not change is given again. */
  readonly values: Pick<
    LocationRecord,
    'name' | 'placeId' | 'latitude' | 'longitude' | 'properties' | 'geocoding' | 'externalId'
  >;
}

export type UpdateOutcome =
  | { readonly kind: 'updated'; readonly location: LocationRecord }
  | { readonly kind: 'missing' }
  /** Somebody else has changed it meanwhile; the location as it is now. */
  | { readonly kind: 'changed'; readonly location: LocationRecord }
  /** Another location of the map has the external id. */
  | { readonly kind: 'external-id-taken' };

/** A move of locations within their map's list. */
export interface LocationMove {
  /** One or more, all different, in their new sequence. */
  readonly ids: readonly string[];
  /** Beside none of `ids`. */
  readonly position: MovePosition;
}

export type MoveOutcome =
  /** The locations as they are now, in their new sequence. */
  | { readonly kind: 'moved'; readonly locations: readonly LocationRecord[] }
  /** The map has no location of that id, which is one of `ids` or the one of `position`. Nothing moves. */
  | { readonly kind: 'missing'; readonly id: string }
  /** More neighbours than one call may renumber would have to make room. Nothing moves. */
  | { readonly kind: 'too-many-neighbours' }
  | MapUnavailable;

/** A page of a map's list as JSON. */
export interface LocationsJson {
  /** An array, each location as the template says. */
  readonly json: JsonText;
  readonly count: number;
  /** Null where the page is empty. */
  readonly first: SortKey | null;
  readonly last: SortKey | null;
  /** The first location beyond the page, on the side where the page was cut off; null when the range ends there. */
  readonly next: (SortKey & { readonly order: string }) | null;
}

/** Some locations of a list, as a format writes them: each with its lead, and nothing around them. */
export interface ExportedLocations {
  /** UTF-8. */
  readonly bytes: Uint8Array;
  readonly count: number;
  /** Null where there are none. */
  readonly last: SortKey | null;
}

/** A count that goes up to a limit, such as a token's geocoded addresses of a day. */
export interface QuotaCount {
  readonly name: string;
  readonly limit: number;
}

/** One stored thing, with everything that is kept of it. */
export type StoredItem =
  | { readonly kind: 'meta'; readonly key: string; readonly value: string }
  | { readonly kind: 'owner'; readonly owner: OwnerRecord }
  | { readonly kind: 'map'; readonly map: MapRecord; readonly end: ListEnd }
  | { readonly kind: 'location'; readonly location: LocationRecord }
  | {
      readonly kind: 'idempotency';
      readonly scope: IdempotencyScope;
      readonly key: string;
      readonly record: IdempotencyRecord;
      readonly expiresAt: number;
    }
  | { readonly kind: 'webhook'; readonly webhook: WebhookRecord }
  | { readonly kind: 'token'; readonly token: TokenRecord }
  | { readonly kind: 'geocode'; readonly geocode: StoredGeocode };

export interface Storage extends SearchStore, ChangeLog, WebhookStorage {
  /** Resolves when the database answers. */
  ping(): Promise<void>;
  /** Waits for the calls under way, and lets go of the database. A second call does nothing. */
  close(): Promise<void>;

  /** True while the store holds no owner, no token and no map. */
  isEmpty(): Promise<boolean>;
  /** Reads one of the store's own small values. */
  getMeta(key: string): Promise<string | null>;
  /** Stores a value unless there is one. Resolves to whether it did. Of several calls at once, one does. */
  setMetaIfAbsent(key: string, value: string): Promise<boolean>;

  /** Finds the owner of that name, or stores this one. Of several calls at once, one stores its owner. */
  findOrCreateOwner(owner: OwnerRecord): Promise<{ owner: OwnerRecord; created: boolean }>;
  findOwnerByName(name: string, scope?: StorageScope): Promise<OwnerRecord | null>;
  findOwner(id: string): Promise<OwnerRecord | null>;
  /** All owners, by name. */
  listOwners(): Promise<readonly OwnerRecord[]>;

  insertToken(token: TokenRecord): Promise<void>;
  /** Also finds expired and revoked tokens. */
  findTokenByHash(hash: string, scope?: StorageScope): Promise<TokenWithOwner | null>;
  /** As {@link findTokenByHash}, by id. */
  findToken(id: string, scope?: StorageScope): Promise<TokenWithOwner | null>;
  /** All tokens, in order of creation; with an owner's id that owner's alone, or a page of them. */
  listTokens(ownerId?: string, page?: TokensPage): Promise<readonly TokenWithOwner[]>;
  /** Revokes by id. A token already revoked keeps its time. Resolves to whether there is such a token. */
  revokeToken(id: string, revokedAt: number): Promise<boolean>;
  /**
   * Stores when tokens were last used. A use within `intervalMs` of the stored one, or before it, changes nothing, so
   * that each token is written once in that time, however many processes serve. An unknown token is passed over.
   */
  saveTokenUses(uses: readonly TokenUse[], intervalMs: number): Promise<void>;

  insertMap(map: MapRecord, scope?: StorageScope): Promise<void>;
  /** One entry for each id, in the order asked; null for an unknown map. Deleted maps are found. */
  getMaps(ids: readonly string[], scope?: StorageScope): Promise<readonly (MapRecord | null)[]>;
  /** An owner's maps, deleted ones included, by time of creation, then id. Ascending, even from the end. */
  listMaps(query: MapsQuery, scope?: StorageScope): Promise<readonly MapRecord[]>;
  countMaps(query: Pick<MapsQuery, 'ownerId' | 'mapId'>, scope?: StorageScope): Promise<number>;
  /**
   * Changes what the patch names, all at once, and nothing else.
   *
   * @param options.evenIfDeleted changes a deleted map too. Otherwise it stays as it is, and the result is `map-deleted`
   */
  updateMap(
    id: string,
    patch: MapPatch,
    options: { evenIfDeleted: boolean },
    scope?: StorageScope,
  ): Promise<{ readonly kind: 'updated'; readonly map: MapRecord } | MapUnavailable>;
  /** Every map of the store that holds a provider or geocoding key, deleted ones included. */
  listMapsWithKeys(): AsyncIterable<MapRecord>;
  /**
   * Changes stored keys that are still as they were read; any other is left as it is. Of deleted maps too. A call that
   * fails may have changed some of them, each whole.
   *
   * @returns how many it changed
   */
  changeMapKeys(changes: readonly MapKeyChange[]): Promise<number>;

  /**
   * Stores locations, in the order given, giving each its place in the map's list (contract §3): a sequence number
   * larger than every earlier one of the map, and, where `order` is null, an order at the end as it is at that moment.
   * Each item is stored whole, together with its idempotency record and the map's largest number, or not at all.
   * One idempotency key used by several calls, or several items, at once stores one location; of several with one
   * external id the first is stored.
   */
  insertLocations(
    mapId: string,
    inserts: readonly LocationInsert[],
    now: number,
    scope?: StorageScope,
  ): Promise<{ readonly kind: 'done'; readonly outcomes: readonly InsertOutcome[] } | MapUnavailable>;
  /** One entry for each key, in the order asked; null when none is stored or it has expired by `now`. */
  findIdempotencyRecords(
    scope: IdempotencyScope,
    keys: readonly string[],
    now: number,
    within?: StorageScope,
  ): Promise<readonly (IdempotencyRecord | null)[]>;
  /** One entry for each id, in the order asked; null when the map has no such location. */
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
   * Changes locations, each whole or not at all, and each to its next version. A location with a new order keeps its
   * sequence number: among equal orders, creation decides.
   */
  updateLocations(
    mapId: string,
    updates: readonly LocationUpdate[],
    scope?: StorageScope,
  ): Promise<{ readonly kind: 'done'; readonly outcomes: readonly UpdateOutcome[] } | MapUnavailable>;
  /**
   * Puts locations together in the map's list, by giving them other orders, and neighbours too where there is no room
   * (domain/list/move-plan.ts). Nobody else's place changes. What gets another order gets its next version. The orders count
   * as used. Where all stand so already nothing is written. Moves of one map are made one after another.
   */
  moveLocations(mapId: string, move: LocationMove, now: number, scope?: StorageScope): Promise<MoveOutcome>;
  /**
   * A page of a map's list, by order key bytewise, then by sequence. Ascending, even from the end. It costs the same
   * wherever it is in the list. Empty for a map that is not there.
   */
  listLocations(
    mapId: string,
    page: PageRequest<SortKey>,
    scope?: StorageScope,
  ): Promise<readonly LocationRecord[]>;
  /** The same page, in the same order, as JSON. A store that can makes no object of any location. */
  listLocationsJson(
    mapId: string,
    page: PageRequest<SortKey>,
    template: LocationTemplate,
    scope?: StorageScope,
  ): Promise<LocationsJson>;
  /**
   * The next locations of a walk through a map's whole list. A store that can reads them beside the event loop, and gives
   * up when the scope's signal says that the caller has gone. Empty for a map that is not there.
   */
  exportLocations(
    mapId: string,
    page: Pick<PageRequest<SortKey>, 'limit' | 'after'>,
    format: ExportFormat,
    scope?: StorageScope,
  ): Promise<ExportedLocations>;
  /** Whether the map's list holds anything within these exclusive bounds. */
  hasLocations(
    mapId: string,
    range: Pick<PageRequest<SortKey>, 'after' | 'before'>,
    scope?: StorageScope,
  ): Promise<boolean>;
  /**
   * The location of a map's list that so many stand before, or behind with `fromEnd`; null where there are not so many.
   * It reads as many keys of an index, and no other location.
   */
  locationAt(
    mapId: string,
    position: { readonly skipped: number; readonly fromEnd: boolean },
    scope?: StorageScope,
  ): Promise<LocationRecord | null>;
  /** The number of a map's locations; 0 for a map that is not there. Its cost does not depend on that number. */
  countLocations(mapId: string, scope?: StorageScope): Promise<number>;
  /**
   * Stands for all that is in a map's list: another after every change of a location, and of which there are. It may be
   * another where nothing was changed. Empty for a map that is not there.
   */
  listRevision(mapId: string, scope?: StorageScope): Promise<string>;
  /** Removes a location for good. Resolves to it as it was. Of several calls at once, one gets it. */
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
   * Removes locations for good; one that is not there is passed over.
   *
   * @returns the ids of those that this call removed, each once, in the order given
   */
  deleteLocations(
    mapId: string,
    ids: readonly string[],
    scope?: StorageScope,
  ): Promise<{ readonly kind: 'done'; readonly deletedIds: readonly string[] } | MapUnavailable>;

  /** As {@link deleteLocations}; a location that has another version by now is passed over as well. */
  deleteVersions(
    mapId: string,
    locations: readonly VersionHit[],
    scope?: StorageScope,
  ): ReturnType<Storage['deleteLocations']>;

  /** The geocode kept under the key; null when there is none or it has expired by `now`. */
  getGeocode(key: string, now: number): Promise<StoredGeocode | null>;
  /** Keeps a geocode. It replaces an earlier one of its key. */
  putGeocode(geocode: StoredGeocode): Promise<void>;
  /**
   * Counts one for each name, or for none of them when one has reached its limit. Calls at once never exceed a limit
   * together.
   *
   * @param expiresAt when the counts are forgotten
   * @returns the name that has reached its limit; null when all were counted
   */
  takeQuota(counts: readonly QuotaCount[], expiresAt: number): Promise<string | null>;

  /** Removes what has expired by `now`. Resolves to the number of records removed. */
  removeExpired(now: number): Promise<number>;

  /** Stores one of the store's own small values. It replaces an earlier one. */
  setMeta(key: string, value: string): Promise<void>;
  /** Removes one of the store's own small values, if it is there. */
  removeMeta(key: string): Promise<void>;
  /**
   * Everything, in the same order on every adapter: the store's own values by key; owners by id; maps by id, each
   * followed by its locations in their order, its idempotency records by token and key and its webhooks by id; tokens by
   * id; kept geocodes by key. Records and geocodes that expire by `expiringAfter` are left out. It is not a snapshot: what
   * is written meanwhile may be in it or not.
   */
  dump(expiringAfter: number): AsyncIterable<StoredItem>;
  /**
   * Everything but the kept geocodes, for a backup. As {@link dump}, but a map's locations come in any order, each at most
   * once. It is of one moment where the store can read one. Where it cannot, what is written meanwhile may be in it or
   * not, and owners, maps and tokens that it names may be missing in it; whatever is not written meanwhile is in it.
   */
  snapshot(expiringAfter: number): AsyncIterable<StoredItem>;
  /**
   * Stores items of a dump, in its order, in a store that holds none of them. A call that fails may have stored some of
   * them.
   */
  load(items: readonly StoredItem[]): Promise<void>;
  /**
   * Removes everything except the store's own values of these keys, and leases, which are of processes and lapse by
   * themselves. For the target of a copy or of a restore only.
   */
  removeAll(keptMetaKeys: readonly string[]): Promise<void>;
}

/** A command as it was sent to the database. */
export interface StorageCommand {
  /** The database's name for it, such as `find`. */
  readonly command: string;
  readonly milliseconds: number;
  readonly isFailed: boolean;
  /** Of the request that it was sent for, where the store was to say so: the first, where it was for several. */
  readonly requestId?: string | undefined;
}

/** What an operator should read of a store. */
export interface StorageNotice {
  readonly level: 'info' | 'error';
  /** One or two whole sentences, without any secret. */
  readonly message: string;
}

/** What a store is opened with. */
export interface StorageOptions {
  /** Milliseconds that a call may wait for the database before it fails with STORAGE_UNAVAILABLE. */
  readonly timeoutMs: number;
  /** Milliseconds within which a server must be reached; `timeoutMs` by default. */
  readonly connectTimeoutMs?: number;
  /** The same, for the first time, when the store is opened; `timeoutMs` by default. */
  readonly openTimeoutMs?: number;
  /** As `timeoutMs`, for a search, which may have to look at a whole map; `timeoutMs` by default. */
  readonly searchTimeoutMs?: number;
  /** Bytes for pages that are asked for again, when the store can tell that they have not changed; 0 by default. */
  readonly pageCacheBytes?: number;
  /** Bytes of the database's file that the store may keep in memory for each connection, when it has one; by default few. */
  readonly fileCacheBytes?: number;
  /** Bytes of the database's file that are read as mapped memory, when it has one; none by default. */
  readonly mappedFileBytes?: number;
  /** Changes that the log of each map keeps; `MOST_CHANGES` of changes.ts by default. */
  readonly mostChanges?: number;
  /** Milliseconds after which a write is taken for one whose process died, when the store has to tell; by default few. */
  readonly lateWriteMs?: number;
  /** The most connections, when the store has a pool of them. */
  readonly poolSize?: number;
  /** The most threads for reads that take long, of each kind, when the store has any. */
  readonly readerThreads?: number;
  /** Called with every command, when the store sends any. */
  readonly onCommand?: (command: StorageCommand) => void;
  /** Whether commands say their request, which costs each call some time; by default not. */
  readonly namesRequests?: boolean;
  /** Called when a migration, or the wait for another process's, takes long; when a file was replaced or is damaged. */
  readonly onNotice?: (notice: StorageNotice) => void;
}
