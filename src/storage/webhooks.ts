/** The webhooks of maps, as part of the storage port: what they are, and how far each has delivered its map's log. */

import type { ChangeKind } from '../domain/change.ts';
import type { ChangeOffset } from './changes.ts';
import type { MapUnavailable } from './map-unavailable.ts';
import type { StorageScope } from './storage-scope.ts';

export interface WebhookRecord {
  readonly id: string;
  readonly mapId: string;
  readonly url: string;
  /** At least one, each once. */
  readonly events: readonly ChangeKind[];
  /** False: nothing is sent. */
  readonly isEnabled: boolean;
  /** Sealed. Null where a backup has left it out: it has to be given another before anything is sent. */
  readonly secret: string | null;
  /** The one before it, sealed, which signs too until then; null where there is none. */
  readonly formerSecret: { readonly secret: string; readonly until: number } | null;
  /** Milliseconds since the epoch, as every time in this file. */
  readonly createdAt: number;
  /** 1 at first; another after every change of the record. */
  readonly version: number;
  readonly delivery: WebhookDelivery;
}

/** How far a webhook has come in its map's log. */
export interface WebhookDelivery {
  /** Everything up to it was delivered, or was not asked for. */
  readonly place: ChangeOffset;
  /** Of the message after it: attempts that failed; 0 before the first. */
  readonly failures: number;
  /** When the first of them failed; null where there is none. */
  readonly failingSince: number | null;
  /** No attempt is made before that time; null where one may be made at once. */
  readonly nextAttemptAt: number | null;
  /** Of the last attempt of any message; null where none was made. */
  readonly lastAttemptAt: number | null;
  /** HTTP status that it was answered with; null where there was no answer. */
  readonly lastStatus: number | null;
  /** Why it failed, in a sentence; null where it was delivered. */
  readonly lastError: string | null;
}

/** What takes the place of what the record has; `delivery` as a whole. */
export type WebhookPatch = Partial<
  Pick<WebhookRecord, 'url' | 'events' | 'isEnabled' | 'secret' | 'formerSecret' | 'delivery'>
>;

export type WebhookUpdateOutcome =
  | { readonly kind: 'updated'; readonly webhook: WebhookRecord }
  | { readonly kind: 'missing' }
  /** It has another version than the one asked for; the webhook as it is. Nothing is stored. */
  | { readonly kind: 'changed'; readonly webhook: WebhookRecord };

export interface WebhookStorage {
  /** Stores a webhook unless its map has so many. Calls at once never exceed that together. */
  insertWebhook(
    webhook: WebhookRecord,
    mostOfMap: number,
    scope?: StorageScope,
  ): Promise<{ readonly kind: 'inserted' } | { readonly kind: 'too-many' } | MapUnavailable>;
  /** Those of a map, by time of creation, then id. Of deleted maps too; none for an unknown map. */
  listWebhooks(mapId: string, scope?: StorageScope): Promise<readonly WebhookRecord[]>;
  /** Those of the whole store after an id, by id; of deleted maps too. */
  pageWebhooks(page: {
    readonly limit: number;
    /** Null for the first page. */
    readonly after: string | null;
    /** True leaves out those that are disabled. */
    readonly enabledOnly: boolean;
  }): Promise<readonly WebhookRecord[]>;
  /** @param ifVersion the only version to change; null changes any */
  updateWebhook(
    mapId: string,
    id: string,
    patch: WebhookPatch,
    ifVersion: number | null,
    scope?: StorageScope,
  ): Promise<WebhookUpdateOutcome>;
  /** Resolves to whether there was such a webhook. Of several calls at once, one gets true. */
  deleteWebhook(mapId: string, id: string, scope?: StorageScope): Promise<boolean>;

  /**
   * The right to do something that one process of all does. Takes it, or keeps it for so long from now on.
   *
   * @param holder tells the processes apart
   * @returns false while another holder has it
   */
  holdLease(name: string, holder: string, milliseconds: number): Promise<boolean>;
  /** Lets go of it, if this holder has it. */
  dropLease(name: string, holder: string): Promise<void>;
}
