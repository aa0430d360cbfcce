/** What the primary and its workers tell one another. */

import type { Config } from '../../config.ts';
import type { Counts, Total } from '../../http/rate-limit.ts';
import type { MetricsSnapshot } from '../../observability/metrics.ts';

/** The first message to a worker, once it listens to messages: the settings are read, and the host looked up, once for all. */
export interface ServeMessage {
  readonly type: 'serve';
  readonly config: Config;
  /** The address to listen on. */
  readonly address: string;
}

export type ToWorker =
  | ServeMessage
  | { readonly type: 'stop'; readonly timeoutMs: number }
  /** The answer to `turn`. */
  | { readonly type: 'turned' }
  /** Nobody takes new connections any more. */
  | { readonly type: 'closed' }
  | { readonly type: 'totals'; readonly totals: readonly Total[] }
  | { readonly type: 'usedUp'; readonly totals: readonly Total[] }
  | { readonly type: 'collect'; readonly id: number };

export interface FailedMessage {
  readonly type: 'failed';
  readonly message: string;
  /** Null for a failure that an operator can do something about. */
  readonly stack: string | null;
}

export type FromWorker =
  | { readonly type: 'awake' }
  | FailedMessage
  /** A signal has come to this worker; it waits to be stopped. */
  | { readonly type: 'signalled' }
  /** To be answered when connections that wait have been handed over. */
  | { readonly type: 'turn' }
  /** This worker takes no new connections any more. */
  | { readonly type: 'closed' }
  | { readonly type: 'counts'; readonly counts: Counts }
  | { readonly type: 'metrics'; readonly id: number; readonly snapshot: MetricsSnapshot };
