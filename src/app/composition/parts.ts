import type { Geocoder } from '../../geocoding/geocoder.ts';
import type { OnCall } from '../../geocoding/events.ts';
import type { Post } from '../../lib/outbound/post.ts';
import type { WebhookCounts } from '../../services/webhooks/dispatcher.ts';
import type { WebhookMessage } from '../../services/webhooks/message.ts';
import type { Attempt } from '../../services/webhooks/send-message.ts';
import type { Storage, StorageCommand, StorageNotice } from '../../storage/storage.ts';
import type { WebhookRecord } from '../../storage/webhooks.ts';
import type { Tracing } from '../../tracing/tracing.ts';
import type { UpstreamEvent } from '../../upstream/v0-upstream.ts';

/** Parts of a gateway that tests replace, and its observers. */
export interface Parts {
  readonly storage?: Storage;
  readonly geocoder?: Geocoder;
  /** Milliseconds since the epoch. */
  readonly clock?: () => number;
  readonly onStorageCommand?: (command: StorageCommand) => void;
  /** As in StorageOptions. */
  readonly namesRequests?: boolean;
  /** Told what an operator should read of the store. */
  readonly onStorageNotice?: (notice: StorageNotice) => void;
  /** Told of every call to a geocoding provider, and of every answer kept from earlier. */
  readonly onGeocode?: OnCall;
  /** Told of every request to an upstream. */
  readonly onUpstreamCall?: (event: UpstreamEvent) => void;
  readonly onGeocodeCacheFailure?: (error: unknown, requestId: string | undefined) => void;
  /** Told why the keys of JWTs could not be fetched, for which request. */
  readonly onIssuerFailure?: (error: unknown, requestId: string | undefined) => void;
  /** Told where a line of the audit log could not be written. */
  readonly onAuditFailure?: (error: unknown, requestId: string | null) => void;
  /** Told where the last use of tokens could not be stored. */
  readonly onTokenUseFailure?: (error: unknown) => void;
  /** Told each time that the store fails while changes are followed. */
  readonly onChangesFailure?: (error: unknown) => void;
  /** Told of each attempt to deliver a message to a webhook. */
  readonly onWebhookAttempt?: (attempted: AttemptedDelivery) => void;
  /** Told of a webhook that was disabled since its receiver does not take its messages. */
  readonly onWebhookDisabled?: (webhook: WebhookRecord) => void;
  readonly onWebhookCounts?: (counts: WebhookCounts) => void;
  /** Told each time that the store fails while messages are delivered. */
  readonly onWebhooksFailure?: (error: unknown) => void;
  /** Sends messages to webhooks; by default to globally routable addresses alone. */
  readonly post?: Post;
  /** As in StorageOptions. */
  readonly fileCacheBytes?: number;
  /** Whether calls of the store may take as long as those of a copy: no client waits for them. */
  readonly hasLongCalls?: boolean;
  /** Number of processes that serve together and share what the settings allow in all; by default 1. */
  readonly processes?: number;
  /** Null, as by default, where nothing is traced. */
  readonly tracing?: Tracing | null;
}

export interface AttemptedDelivery {
  readonly webhook: WebhookRecord;
  readonly message: WebhookMessage;
  readonly attempt: Attempt;
}
