/** The first argument of every service verb: who calls, as of which logical time, and how long the work may take. */

import type { TraceContext } from '../geocoding/geocoder.ts';
import type { StorageScope } from '../storage/storage.ts';
import type { Caller } from './caller.ts';

/** Commands have neither deadline nor signal, since no client waits on a connection. */
export interface Scope extends StorageScope {
  /** Null when the request carries no token. */
  readonly caller: Caller | null;
  /** The name of the GraphQL operation, known from its execution on; absent where it has none. */
  operation?: string | undefined;
  /** Of the first error that the operation is answered with. */
  errorCode?: string | undefined;
  /** The validators of a read of /v0. The first upstream call takes them; later calls get none. */
  readonly takeValidators?: () => Validators | undefined;
  /** Of the request, where it is part of a trace. */
  readonly trace?: TraceContext | undefined;
  /** Aborted, with a {@link CallerGoneError}, when the caller has gone. */
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

/** The caller has gone, so nobody needs an answer. It is not a failure, and not logged. */
export class CallerGoneError extends Error {
  constructor() {
    super('The client has gone.');
  }
}
