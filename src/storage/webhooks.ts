/** Webhooks of maps and their delivery state: part of the storage port. */

import type { ChangeKind } from '../domain/change.ts';
import type { ChangeOffset, MapUnavailable } from './changes.ts';
import type { StorageScope } from './storage-scope.ts';

export interface WebhookRecord {
  readonly id: string;
  readonly mapId: string;
  readonly url: string;
  /** One or more, each once. */
  readonly events: readonly ChangeKind[];
  /** False: nothing is sent. */
  readonly isEnabled: boolean;
  /** Sealed. Null after a restore without secrets; nothing is sent until it has a new one. */
  readonly secret: string | null;
  /** The previous secret, sealed, which also signs until then. */
  readonly formerSecret: { readonly secret: string; readonly until: number } | null;
  /** Milliseconds since the epoch, as are all times in this file. */
  readonly createdAt: number;
  /** Starts at 1, and differs after every change. */
  readonly version: number;
  readonly delivery: WebhookDelivery;
}

/** How much of its map's log a webhook has delivered. */
export interface WebhookDelivery {
  /** Everything up to this offset was delivered, or not subscribed to. */
  readonly place: ChangeOffset;
  /** Failed attempts of the next message; 0 before the first. */
  readonly failures: number;
  /** Time of the first failed attempt; null where there is none. */
  readonly failingSince: number | null;
  /** Time before which no attempt is made; null for none. */
  readonly nextAttemptAt: number | null;
  /** Time of the last attempt; null before the first. */
  readonly lastAttemptAt: number | null;
  /** HTTP status of the last response; null without a response. */
  readonly lastStatus: number | null;
  /** Why the last attempt failed, in a sentence; null after success. */
  readonly lastError: string | null;
}

/** Replaces the named members; `delivery` as a whole. */
export type WebhookPatch = Partial<
  Pick<WebhookRecord, 'url' | 'events' | 'isEnabled' | 'secret' | 'formerSecret' | 'delivery'>
>;

export type WebhookUpdateOutcome =
  | { readonly kind: 'updated'; readonly webhook: WebhookRecord }
  | { readonly kind: 'missing' }
  /** The webhook has another version than `ifVersion`; its current state. Nothing is stored. */
  | { readonly kind: 'changed'; readonly webhook: WebhookRecord };

export interface WebhookStorage {
  /** Stores a webhook unless its map has `mostOfMap`. Concurrent calls never exceed that together. */
  insertWebhook(
    webhook: WebhookRecord,
    mostOfMap: number,
    scope?: StorageScope,
  ): Promise<{ readonly kind: 'inserted' } | { readonly kind: 'too-many' } | MapUnavailable>;
  /** A map's webhooks by time of creation, then id; also of deleted maps. Empty for an unknown map. */
  listWebhooks(mapId: string, scope?: StorageScope): Promise<readonly WebhookRecord[]>;
  /** Webhooks of all maps, including deleted ones, by id. */
  pageWebhooks(page: {
    readonly limit: number;
    /** The last id of the previous page; null for the first page. */
    readonly after: string | null;
    /** True omits disabled webhooks. */
    readonly enabledOnly: boolean;
  }): Promise<readonly WebhookRecord[]>;
  /** @param ifVersion the only version to update; null updates any */
  updateWebhook(
    mapId: string,
    id: string,
    patch: WebhookPatch,
    ifVersion: number | null,
    scope?: StorageScope,
  ): Promise<WebhookUpdateOutcome>;
  /** Resolves to whether the webhook existed: true for one of several concurrent calls. */
  deleteWebhook(mapId: string, id: string, scope?: StorageScope): Promise<boolean>;

  /**
   * Acquires or renews a lease, which one process holds at a time, for `milliseconds` from now on.
   *
   * @param holder identifies the process
   * @returns false while another holder has it
   */
  holdLease(name: string, holder: string, milliseconds: number): Promise<boolean>;
  /** Releases the lease if this holder has it. */
  dropLease(name: string, holder: string): Promise<void>;
}
