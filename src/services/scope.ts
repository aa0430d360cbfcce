/** For whom, as of when and for how long a service works: the first argument of every verb. */

import type { StorageScope } from '../storage/storage.ts';
import type { Caller } from './caller.ts';

/** Without a deadline and a signal nobody waits at the other end of a connection, as with a command. */
export interface Scope extends StorageScope {
  /** Null where the request carries no token. */
  readonly caller: Caller | null;
  /** Aborted once the caller has gone, with a {@link CallerGoneError}. */
  readonly signal?: AbortSignal;
}

/** Nobody is left to answer: no failure, and nothing to be logged. */
export class CallerGoneError extends Error {
  constructor() {
    super('The client has gone.');
  }
}
