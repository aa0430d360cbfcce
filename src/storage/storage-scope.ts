/** What a request allows of the calls of its store. */

import type { Deadline } from './deadline.ts';
import type { ReadTimestamp } from './read-timestamp.ts';

export interface StorageScope {
  /** Of the request, for the log; absent for a command. */
  readonly requestId?: string;
  /**
   * How old the result of a read may be: a request need not see what other processes wrote after it came. By default the
   * result is as new as the call. This process's own writes are never missing.
   */
  readonly readTimestamp?: ReadTimestamp;
  /** The time that all calls of a request have together. By default each call has what the store was opened with. */
  readonly deadline?: Deadline;
  /** Aborted when the caller has gone. What takes long looks at it. */
  readonly signal?: AbortSignal;
}
