/** The composed application, as a server or a command uses it, and the parts that it is composed of. */

import type { Geocoder } from '../../geocoding/geocoder.ts';
import type { OnCall } from '../../geocoding/events.ts';
import type { ExecutorSchemas } from '../../graphql/execution/executor.ts';
import type { BackendPages } from '../../http/routes/backend-routes.ts';
import type { Post } from '../../lib/outbound/post.ts';
import type { OpenApiSettings } from '../../rest/openapi/document.ts';
import type { OpenApiDocument } from '../../rest/openapi/openapi.ts';
import type { V0Row } from '../../rest/table.ts';
import type { Passwords } from '../../services/accounts/passwords.ts';
import type { Audit } from '../../services/audit/audit.ts';
import type { Services } from '../../services/services.ts';
import type { WebhookCounts } from '../../services/webhooks/dispatcher.ts';
import type { WebhookMessage } from '../../services/webhooks/message.ts';
import type { Attempt } from '../../services/webhooks/send-message.ts';
import type { Storage, StorageCommand, StorageNotice } from '../../storage/storage.ts';
import type { WebhookRecord } from '../../storage/webhooks.ts';
import type { Tracing } from '../../tracing/tracing.ts';
import type { UpstreamEvent } from '../../upstream/client.ts';

/** The services over a store (store.ts) or over an upstream (upstream.ts). */
export interface Application {
  readonly services: Services;
  /** Null when writes are not audited. */
  readonly audit: Audit | null;
  /** Reopens the file of the audit log; null when there is none. */
  readonly reopenAudit: (() => void) | null;
  /** False until the store is open and found usable. Until then every call fails with STORAGE_UNAVAILABLE. */
  isReady(): boolean;
  /** Resolves when the store or the upstream responds. */
  ping(): Promise<void>;
  /** How long a ping may take, in milliseconds. */
  readonly pingTimeoutMs: number;
  /** Loads the schemas, the /v0 table and the pages. Commands need none of them. */
  loadApi(): Promise<BackendApi>;
  close(): Promise<void>;
}

/** What the layers above the services differ in: over a store (store-api.ts), or over an upstream (upstream-api.ts). */
export interface BackendApi {
  readonly schemas: ExecutorSchemas;
  readonly rows: readonly V0Row[];
  openApi(settings: OpenApiSettings): Promise<OpenApiDocument>;
  readonly pages: BackendPages;
}

/** Parts of an application that tests replace, its observers, and what depends on the process that it runs in. */
export interface Parts {
  readonly storage?: Storage;
  readonly geocoder?: Geocoder;
  /** Computes password hashes. */
  readonly passwords?: Passwords;
  /** Milliseconds since the epoch. */
  readonly clock?: () => number;
  /** Sends messages to webhooks. By default only globally routable addresses are allowed. */
  readonly post?: Post;
  /** Null by default: no tracing. */
  readonly tracing?: Tracing | null;

  /** See StorageOptions. */
  readonly fileCacheBytes?: number;
  /** Gives calls of the store the time limit of a copy, for commands: no client waits for them. */
  readonly hasLongCalls?: boolean;
  /** Number of processes that serve together and share limits such as the pool size; 1 by default. */
  readonly processes?: number;

  readonly onStorageCommand?: (command: StorageCommand) => void;
  /** See StorageOptions. */
  readonly namesRequests?: boolean;
  /** Called with what an operator should know about the store. */
  readonly onStorageNotice?: (notice: StorageNotice) => void;
  /** Called for every call to a geocoding provider, and for every cache hit. */
  readonly onGeocode?: OnCall;
  readonly onGeocodeCacheFailure?: (error: unknown, requestId: string | undefined) => void;
  /** Called for every request to an upstream. */
  readonly onUpstreamCall?: (event: UpstreamEvent) => void;
  /** Called when the keys of the JWT issuer cannot be fetched. */
  readonly onIssuerFailure?: (error: unknown, requestId: string | undefined) => void;
  /** Called when a line of the audit log cannot be written. */
  readonly onAuditFailure?: (error: unknown, requestId: string | null) => void;
  /** Called when the last use of tokens or sessions cannot be stored. */
  readonly onTokenUseFailure?: (error: unknown) => void;
  /** Called each time the store fails while changes are read. */
  readonly onChangesFailure?: (error: unknown) => void;
  /** Called for each attempt to deliver a message to a webhook. */
  readonly onWebhookAttempt?: (attempted: AttemptedDelivery) => void;
  /** Called when a webhook is disabled because its receiver does not accept its messages. */
  readonly onWebhookDisabled?: (webhook: WebhookRecord) => void;
  readonly onWebhookCounts?: (counts: WebhookCounts) => void;
  /** Called each time the store fails while messages are delivered. */
  readonly onWebhooksFailure?: (error: unknown) => void;
}

export interface AttemptedDelivery {
  readonly webhook: WebhookRecord;
  readonly message: WebhookMessage;
  readonly attempt: Attempt;
}
