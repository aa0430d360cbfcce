/** The first argument of every service verb: who calls, as of which logical time, and how long the work may take. */

import type { TraceContext } from '../geocoding/geocoder.ts';
import type { StorageScope } from '../storage/storage.ts';
import type { Validators } from '../upstream/upstream.ts';
import type { Caller } from './caller.ts';

/** Commands have neither deadline nor signal, since no client waits on a connection. */
export interface Scope extends StorageScope {
  /** Null when the request carries no token. */
  readonly caller: Caller | null;
  /** The name of the GraphQL operation, known from its execution on; absent where it has none. */
  operation?: string | undefined;
  /** Of the first error that the operation is answered with. */
  errorCode?: string | undefined;
  /**
   * Of a read of /v0 in front of an upstream: what the client has. The first call takes them; further ones get none.
   */
  readonly takeValidators?: () => Validators | undefined;
  /** Of the request, where it is part of a trace. */
  readonly trace?: TraceContext | undefined;
  /** Aborted, with a {@link CallerGoneError}, when the caller has gone. */
  readonly signal?: AbortSignal;
}

/** The caller has gone, so nobody needs an answer. It is not a failure, and not logged. */
export class CallerGoneError extends Error {
  constructor() {
    super('The client has gone.');
  }
}
