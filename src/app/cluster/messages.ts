/** The messages between the primary and its workers. */

import type { Config } from '../config.ts';
import type { Counts, Rate, Total } from '../../http/limits/rate-limit.ts';
import type { MetricsSnapshot } from '../observability/metrics.ts';
import type { ServedPages } from '../../web/pages.ts';

/**
 * The first message to a worker, sent when the worker listens. The primary has read the settings and looked up the
 * host, so that this happens only once.
 */
export interface ServeMessage {
  readonly type: 'serve';
  readonly config: Config;
  /** The address to listen on. */
  readonly address: string;
}

export type ToWorker =
  | ServeMessage
  /** All processes are about to stop; this one goes on until it is told to. */
  | { readonly type: 'drain' }
  | { readonly type: 'stop'; readonly timeoutMs: number }
  /** The answer to `handOver`: connections that waited were handed over. */
  | { readonly type: 'handedOver' }
  /** No process accepts new connections any more. */
  | { readonly type: 'closed' }
  | { readonly type: 'totals'; readonly rate: Rate; readonly totals: readonly Total[] }
  | { readonly type: 'usedUp'; readonly rate: Rate; readonly totals: readonly Total[] }
  /** The audit log was moved away. */
  | { readonly type: 'reopenAudit' }
  | { readonly type: 'collect'; readonly id: number };

export interface FailedMessage {
  readonly type: 'failed';
  readonly message: string;
  /** Null for a failure that an operator can fix. */
  readonly stack: string | null;
}

export type FromWorker =
  | { readonly type: 'online' }
  | FailedMessage
  /** What the server has for browsers; sent before this worker listens. */
  | { readonly type: 'pages'; readonly served: ServedPages }
  /** This worker received a signal, and waits to be stopped. */
  | { readonly type: 'signalled' }
  /** Asks the primary to hand over the connections that wait. It answers `handedOver`. */
  | { readonly type: 'handOver' }
  /** This worker accepts no new connections any more. */
  | { readonly type: 'closed' }
  | { readonly type: 'counts'; readonly rate: Rate; readonly counts: Counts }
  | { readonly type: 'metrics'; readonly id: number; readonly snapshot: MetricsSnapshot };
