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

import type { StoredGeocode } from '../domain/geocode.ts';
import type { Invitation } from '../domain/invitation.ts';
import type { ListEnd } from '../domain/list/list-end.ts';
import type { LocationRecord } from '../domain/location.ts';
import type { MapRecord } from '../domain/map.ts';
import type { AccountRecord, AccountStorage } from './accounts.ts';
import type { ChangeLog } from './changes.ts';
import type { GeocodeStorage } from './geocodes.ts';
import type { CallChange, HistoryRecord, HistoryStore, VersionRecord } from './history.ts';
import type {
  IdempotencyRecord,
  IdempotencyScope,
  IdempotencyStorage,
  KeyedCallStorage,
} from './idempotency.ts';
import type { ExportStorage, LocationStorage } from './locations.ts';
import type { LogoRecord, LogoStorage, MapStorage } from './maps.ts';
import type { OwnerRecord, OwnerStorage } from './owners.ts';
import type { SearchStore } from './search.ts';
import type { InvitationStorage, MapLinkStorage, MemberStorage } from './sharing.ts';
import type { TokenRecord, TokenStorage } from './tokens.ts';
import type { WebhookRecord, WebhookStorage } from './webhooks.ts';

export type { StoredGeocode } from '../domain/geocode.ts';
export type * from './accounts.ts';
export type { MapUnavailable } from './changes.ts';
export type * from './geocodes.ts';
export type * from './history.ts';
export type * from './idempotency.ts';
export type * from './locations.ts';
export type * from './maps.ts';
export type * from './options.ts';
export type * from './owners.ts';
export type * from './sharing.ts';
export type { StorageScope, WriteCall } from './storage-scope.ts';
export type * from './tokens.ts';

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

/** The store's own values, and whether it holds anything else. */
export interface MetaStorage {
  /** True while the store holds no owner, token or map. */
  isEmpty(): Promise<boolean>;
  /** Reads one of the store's own values. */
  getMeta(key: string): Promise<string | null>;
  /** Stores a value unless the key has one. Resolves to whether it did: true for one of several concurrent calls. */
  setMetaIfAbsent(key: string, value: string): Promise<boolean>;
  /** Stores one of the store's own values, and replaces an earlier one. */
  setMeta(key: string, value: string): Promise<void>;
  /** Removes one of the store's own values, if it exists. */
  removeMeta(key: string): Promise<void>;
}

/** Reads a whole store, for copies and backups. */
export interface DumpStorage {
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
}

/** Loads a whole store, for copies and restores. */
export interface LoadStorage {
  /** Stores items in a dump's order, in a store that has none of them. A failed call may have stored some. */
  load(items: readonly StoredItem[]): Promise<void>;
  /**
   * Removes everything except leases, which expire, and the store's own values with these keys. Only for the target of
   * a copy or a restore.
   */
  removeAll(keptMetaKeys: readonly string[]): Promise<void>;
}

export interface Storage
  extends
    MetaStorage,
    DumpStorage,
    LoadStorage,
    SearchStore,
    ChangeLog,
    HistoryStore,
    WebhookStorage,
    AccountStorage,
    OwnerStorage,
    TokenStorage,
    MapStorage,
    LogoStorage,
    MemberStorage,
    InvitationStorage,
    MapLinkStorage,
    IdempotencyStorage,
    KeyedCallStorage,
    LocationStorage,
    ExportStorage,
    GeocodeStorage {
  /** Resolves when the database responds. */
  ping(): Promise<void>;
  /** Waits for pending calls, and closes the database. Further calls do nothing. */
  close(): Promise<void>;

  /** Removes what has expired by `now`. Resolves to the number of records removed. */
  removeExpired(now: number): Promise<number>;
}
