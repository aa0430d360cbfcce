/** What a request passes to its storage calls. */

import type { Actor } from '../domain/actor.ts';
import type { Deadline } from './deadline.ts';
import type { ReadTimestamp } from './read-timestamp.ts';

export interface StorageScope {
  /** For the log; absent for a command. */
  readonly requestId?: string;
  /**
   * How stale a read may be: it may miss what other processes wrote after this timestamp, but never this process's own
   * writes. By default a read sees everything up to its call.
   */
  readonly readTimestamp?: ReadTimestamp;
  /** The time limits of the request. By default each call has the limits that the store was opened with. */
  readonly deadline?: Deadline;
  /** Aborted when the caller is gone. Long operations watch it. */
  readonly signal?: AbortSignal;
  /** The call that writes of locations belong to; without it they keep no history. */
  readonly call?: WriteCall;
}

/** What the writes of one call have in common. */
export interface WriteCall {
  /** From `newHistoryId`: ids sort by time, as text. */
  readonly id: string;
  readonly actor: Actor;
  /** Name of the mutation, or of the command. */
  readonly operation: string;
  /**
   * Former states to keep of each location: a change of version `v` may remove those of versions up to
   * `v - mostVersions`. 0 keeps none.
   */
  readonly mostVersions: number;
  /** Whether deleted locations go to the trash. */
  readonly keepsTrash: boolean;
}
