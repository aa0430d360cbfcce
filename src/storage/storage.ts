/**
 * The storage port: all that the services need from a database, and all that an adapter promises. It knows nothing of
 * SQL or documents. One contract suite (test/contract/storage-suite.ts) runs on every adapter.
 *
 * Every method
 * - rejects with ServiceError STORAGE_UNAVAILABLE when the database cannot be reached in time, and with nothing else
 *   that a caller should understand;
 * - that writes is durable when it resolves, and has stored nothing when it rejects, but that after
 *   STORAGE_UNAVAILABLE the outcome is unknown;
 * - sees every write that was answered before it was called, whichever process made it.
 */

import type { StoredGeocode } from '../domain/geocode.ts';
import type { JsonText } from '../domain/json-text.ts';
import type { UsedKey } from '../domain/idempotency.ts';
import type { ListEnd } from '../domain/list-end.ts';
import type { LocationRecord, NewLocation } from '../domain/location.ts';
import type { LocationTemplate } from '../domain/location-template.ts';
import type { MapRecord } from '../domain/map.ts';
import type { MapSortKey } from '../domain/cursor.ts';
import type { PageRequest } from '../domain/paging.ts';
import type { SortKey } from '../domain/sort-key.ts';
import type { Deadline } from './deadline.ts';
import type { LogicalTime } from './logical-clock.ts';

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
  /** SHA-256 of the token, lower-case hex; the token itself is never stored. */
  readonly hash: string;
  readonly scope: TokenScope;
  /** The one map that the token is limited to. */
  readonly mapId: string | null;
  readonly createdAt: number;
  readonly expiresAt: number | null;
  readonly revokedAt: number | null;
}

export interface TokenWithOwner extends TokenRecord {
  readonly ownerName: string;
}

export type MapPatch = Partial<
  Pick<MapRecord, 'name' | 'isDeleted' | 'isPublished' | 'providerMapApiKey' | 'geocodingApiKey'>
>;

/** A map that takes no part in an operation: it is not there, or it is deleted. */
export type MapGone = { readonly kind: 'map-missing' } | { readonly kind: 'map-deleted' };

export interface MapsQuery extends PageRequest<MapSortKey> {
  readonly ownerId: string;
  /** Limits the list to one map. */
  readonly mapId: string | null;
}

/** A key belongs to its token and map. */
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
  /** The caller's order, already checked; null appends. */
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
  /** The same key and digest were stored before; nothing is stored now. */
  | { readonly kind: 'replayed'; readonly location: LocationRecord }
  /** The same key was stored with another digest; nothing is stored now. */
  | { readonly kind: 'conflict' };

/** A page of a map's list as JSON. */
export interface LocationsJson {
  /** An array, each location as the template says. */
  readonly json: JsonText;
  readonly count: number;
  /** Null where the page is empty. */
  readonly first: SortKey | null;
  readonly last: SortKey | null;
  /** The first location beyond the page, on the side it was not taken from; null where the range ends. */
  readonly next: (SortKey & { readonly order: string }) | null;
}

/** A count that goes up to a limit, such as a token's geocoded addresses of a day. */
export interface QuotaCount {
  readonly name: string;
  readonly limit: number;
}

/** One stored thing with all that is kept of it, as a copy of the store carries it. */
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
  | { readonly kind: 'token'; readonly token: TokenRecord }
  | { readonly kind: 'geocode'; readonly geocode: StoredGeocode };

/** What a request allows of the calls that are made for it. */
export interface StorageScope {
  /**
   * A read may be as old as that, and be remembered from then: a request need not be told what happened after it came.
   * By default it is as new as the call. This process's own writes are never missing.
   */
  readonly asOf?: LogicalTime;
  /** The time that all calls of a request have together; by default each has what the store was opened with. */
  readonly deadline?: Deadline;
}

export interface Storage {
  /** Resolves when the database answers. */
  ping(): Promise<void>;
  /** Waits for what is under way and lets go of the database. Calling it again does nothing. */
  close(): Promise<void>;

  /** True while the store holds no owner, no token and no map. */
  isEmpty(): Promise<boolean>;
  /** Reads one of the store's own small values. */
  getMeta(key: string): Promise<string | null>;
  /** Stores a value unless there is one; resolves to whether it did. Of several at once, one does. */
  setMetaIfAbsent(key: string, value: string): Promise<boolean>;

  /** Finds the owner of that name, or stores this one; of several at once, one is stored. */
  findOrCreateOwner(owner: OwnerRecord): Promise<{ owner: OwnerRecord; created: boolean }>;
  findOwnerByName(name: string): Promise<OwnerRecord | null>;
  findOwner(id: string): Promise<OwnerRecord | null>;
  /** All owners, by name. */
  listOwners(): Promise<readonly OwnerRecord[]>;

  insertToken(token: TokenRecord): Promise<void>;
  /** Also finds expired and revoked tokens: what they are good for is the caller's to judge. */
  findTokenByHash(hash: string, scope?: StorageScope): Promise<TokenWithOwner | null>;
  /** All tokens, in order of creation. */
  listTokens(): Promise<readonly TokenWithOwner[]>;
  /** Revokes by id; a token already revoked keeps its time. Resolves to whether there is such a token. */
  revokeToken(id: string, revokedAt: number): Promise<boolean>;

  insertMap(map: MapRecord, scope?: StorageScope): Promise<void>;
  /** One entry for each id, in the order asked; null where there is no such map. Deleted maps are found. */
  getMaps(ids: readonly string[], scope?: StorageScope): Promise<readonly (MapRecord | null)[]>;
  /** An owner's maps, deleted ones included, by time of creation, then id; ascending, also from the end. */
  listMaps(query: MapsQuery, scope?: StorageScope): Promise<readonly MapRecord[]>;
  countMaps(query: Pick<MapsQuery, 'ownerId' | 'mapId'>, scope?: StorageScope): Promise<number>;
  /**
   * Changes what the patch names, all at once, and nothing else.
   *
   * @param options.evenIfDeleted otherwise a deleted map is left as it is and answered `map-deleted`
   */
  updateMap(
    id: string,
    patch: MapPatch,
    options: { evenIfDeleted: boolean },
    scope?: StorageScope,
  ): Promise<{ readonly kind: 'updated'; readonly map: MapRecord } | MapGone>;
  /** Every map of the store that holds a provider or geocoding key, deleted ones included. */
  listMapsWithKeys(): AsyncIterable<MapRecord>;

  /**
   * Stores locations, in the order given, giving each its place in the map's list (contract §3): a sequence number
   * larger than every earlier one of the map, and, where `order` is null, an order at the end as it is at that moment.
   * Each item is stored whole, together with its idempotency record and the map's largest number, or not at all.
   * One idempotency key used by several calls, or several items, at once stores one location.
   */
  insertLocations(
    mapId: string,
    inserts: readonly LocationInsert[],
    now: number,
    scope?: StorageScope,
  ): Promise<{ readonly kind: 'done'; readonly outcomes: readonly InsertOutcome[] } | MapGone>;
  /** One entry for each key, in the order asked; null where none is stored or it has expired by `now`. */
  findIdempotencyRecords(
    scope: IdempotencyScope,
    keys: readonly string[],
    now: number,
    within?: StorageScope,
  ): Promise<readonly (IdempotencyRecord | null)[]>;
  /** One entry for each id, in the order asked; null where the map has no such location. */
  getLocations(
    mapId: string,
    ids: readonly string[],
    scope?: StorageScope,
  ): Promise<readonly (LocationRecord | null)[]>;
  /**
   * A page of a map's list, by order key bytewise and then by sequence; ascending, also from the end. Its cost does
   * not depend on where it stands. Empty for a map that is not there: the caller has looked at the map.
   */
  listLocations(
    mapId: string,
    page: PageRequest<SortKey>,
    scope?: StorageScope,
  ): Promise<readonly LocationRecord[]>;
  /** The same page, in the same order, as JSON; without one location becoming an object where the store can do that. */
  listLocationsJson(
    mapId: string,
    page: PageRequest<SortKey>,
    template: LocationTemplate,
    scope?: StorageScope,
  ): Promise<LocationsJson>;
  /** Whether the map's list holds anything within these exclusive bounds. */
  hasLocations(
    mapId: string,
    range: Pick<PageRequest<SortKey>, 'after' | 'before'>,
    scope?: StorageScope,
  ): Promise<boolean>;
  /** The number of a map's locations; 0 for a map that is not there. Its cost does not depend on that number. */
  countLocations(mapId: string, scope?: StorageScope): Promise<number>;
  /** Removes a location for good; resolves to it as it was. Of several at once, one is answered with it. */
  deleteLocation(
    mapId: string,
    id: string,
    scope?: StorageScope,
  ): Promise<
    { readonly kind: 'deleted'; readonly location: LocationRecord } | { readonly kind: 'missing' } | MapGone
  >;

  /** The geocode kept under the key; null where there is none or it has expired by `now`. */
  getGeocode(key: string, now: number): Promise<StoredGeocode | null>;
  /** Keeps a geocode in the place of an earlier one of its key. */
  putGeocode(geocode: StoredGeocode): Promise<void>;
  /**
   * Counts one for each name, or, where one of them has reached its limit, for none of them. Calls at once never pass
   * a limit together.
   *
   * @param expiresAt when the counts are to be forgotten
   * @returns the name that has reached its limit; null where all were counted
   */
  takeQuota(counts: readonly QuotaCount[], expiresAt: number): Promise<string | null>;

  /** Removes what has expired by `now`; resolves to the number of records removed. */
  removeExpired(now: number): Promise<number>;

  /** Stores one of the store's own small values in the place of what is there. */
  setMeta(key: string, value: string): Promise<void>;
  /** Forgets one of the store's own small values; does nothing where there is none. */
  removeMeta(key: string): Promise<void>;
  /**
   * Everything, in one order on every adapter: the store's own values by key; owners by id; maps by id, each followed
   * by its locations in their order and its idempotency records, by token and key, that do not expire before
   * `expiringAfter`; tokens by id; kept geocodes by key, likewise. Not a snapshot: what is written meanwhile may be in it or not.
   */
  dump(expiringAfter: number): AsyncIterable<StoredItem>;
  /**
   * Stores items of a dump, in its order, into a store that holds none of them. One that fails may have stored some of
   * them: the target of a copy that was cut short is begun again.
   */
  load(items: readonly StoredItem[]): Promise<void>;
  /** Removes everything but the values of these keys. For the target of a copy alone. */
  removeAll(keptMetaKeys: readonly string[]): Promise<void>;
}

/** A command as it was sent to the database. */
export interface StorageCommand {
  /** The database's own name of it, e.g. `find`. */
  readonly command: string;
  readonly milliseconds: number;
  readonly isFailed: boolean;
}

/** What an operator should read of a store. */
export interface StorageNotice {
  readonly level: 'info' | 'error';
  /** A whole sentence or two; it holds no secret. */
  readonly message: string;
}

/** What opening a store needs from outside. */
export interface StorageOptions {
  /** How long a call may wait for the database, milliseconds, before STORAGE_UNAVAILABLE. */
  readonly timeoutMs: number;
  /** Memory for pages that are asked for again, where the store can tell that they have not changed; 0 by default. */
  readonly pageCacheBytes?: number;
  /** Connections at most, where the store has a pool of them. */
  readonly poolSize?: number;
  /** Told of every command, where the store sends any. */
  readonly onCommand?: (command: StorageCommand) => void;
  /** Told of a migration that takes long, a wait for another process's, and a file that was replaced or is damaged. */
  readonly onNotice?: (notice: StorageNotice) => void;
}
