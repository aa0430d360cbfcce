/** The first argument of every service method: the caller, its read timestamp, deadline and cancellation. */

import type { TraceContext } from '../lib/trace-context.ts';
import type { Deadline } from '../storage/deadline.ts';
import type { ReadTimestamp } from '../storage/read-timestamp.ts';
import type { StorageScope, WriteCall } from '../storage/storage.ts';
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

/** A scope with another call or deadline. */
export class DerivedScope implements Scope {
  readonly requestId?: string | undefined;
  readonly caller: Caller | null;
  readonly readTimestamp?: ReadTimestamp | undefined;
  readonly deadline?: Deadline | undefined;
  readonly call?: WriteCall | undefined;
  readonly #scope: Scope;

  constructor(scope: Scope, changes: Pick<Scope, 'call' | 'deadline'>) {
    const { call, deadline } = { call: scope.call, deadline: scope.deadline, ...changes };
    this.requestId = scope.requestId;
    this.caller = scope.caller;
    this.readTimestamp = scope.readTimestamp;
    this.deadline = deadline;
    this.call = call;
    this.#scope = scope;
  }

  // Few requests need these, which are created on access.

  get trace(): TraceContext | undefined {
    return this.#scope.trace;
  }

  get signal(): AbortSignal | undefined {
    return this.#scope.signal;
  }
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
