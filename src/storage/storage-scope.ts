/** What a request passes to its storage calls. */

import type { Deadline } from './deadline.ts';
import type { WriteCall } from './history.ts';
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
