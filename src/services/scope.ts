/** The first argument of every service method: the caller, its read timestamp, deadline and cancellation. */

import type { TraceContext } from '../lib/trace-context.ts';
import type { StorageScope } from '../storage/storage.ts';
import type { Caller } from './caller.ts';

/** Commands have neither deadline nor signal. */
export interface Scope extends StorageScope {
  /** Null if the request has no token. */
  readonly caller: Caller | null;
  /** Name of the GraphQL operation, set when it is executed. */
  operation?: string | undefined;
  /** Code of the first error in the response. */
  errorCode?: string | undefined;
  /** The validators of a read of /v0. The first upstream call takes them; later calls get none. */
  readonly takeValidators?: () => Validators | undefined;
  /** The base of absolute links to this server, without a slash at the end; absent outside of requests. */
  readonly baseUrl?: string;
  /** Counts a wrong secret for the client's address. @throws ServiceError RATE_LIMITED */
  countWrongSecret?(): void;
  /** Set if the request is part of a trace. */
  readonly trace?: TraceContext | undefined;
  /** Aborted with a {@link CallerGoneError} when the client disconnects. */
  readonly signal?: AbortSignal;
}

/** The validators of one conditional read (RFC 9110, 8.8). */
export interface Validators {
  /** The client's `If-None-Match`. */
  readonly ifNoneMatch: string | null;
  /** The `ETag` of the upstream's response; null before it arrives, and where the upstream sends none. */
  etag: string | null;
}

/** The client's copy is current, so the response has no body. */
export class NotModifiedError extends Error {
  /** @param next the query of the upstream's `Link` to the next page, without `limit` */
  constructor(readonly next: string | null = null) {
    super('The upstream responded with 304.');
  }
}

/** The client has disconnected. Not a failure, and not logged. */
export class CallerGoneError extends Error {
  constructor() {
    super('The client disconnected.');
  }
}

/** Ids and names that identify a request in the log. */
export interface LogFields {
  readonly requestId?: string | undefined;
  readonly owner?: string | undefined;
  readonly tokenId?: string | undefined;
  readonly operation?: string | undefined;
}

export function logFieldsOf(scope: Scope | null): LogFields {
  if (scope === null) return {};
  const { requestId, caller, operation } = scope;
  // A gateway's token ids are digests of its clients' tokens: keep them out of the log.
  if (caller === null || caller.ownerName === '') return { requestId, operation };
  return { requestId, owner: caller.ownerName, tokenId: caller.tokenId, operation };
}
