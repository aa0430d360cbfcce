/** The messages between the primary and its workers. */

import type { Config } from '../config.ts';
import type { Counts, Rate, Total } from '../../http/limits/rate-limit.ts';
import type { MetricsSnapshot } from '../observability/metrics.ts';
import type { ServedPages } from '../../web/pages.ts';

/**
 * The first message to a worker, sent when it is online. Only the primary reads the settings and resolves the host, so all
 * workers agree.
 */
export interface ServeMessage {
  readonly type: 'serve';
  readonly config: Config;
  /** The address to listen on. */
  readonly address: string;
}

export type ToWorker =
  | ServeMessage
  /** All processes are about to stop. The worker keeps serving until `stop`. */
  | { readonly type: 'drain' }
  | { readonly type: 'stop'; readonly timeoutMs: number }
  /** The reply to `handOver`: waiting connections have been handed over. */
  | { readonly type: 'handedOver' }
  /** No process accepts new connections. */
  | { readonly type: 'closed' }
  | { readonly type: 'totals'; readonly rate: Rate; readonly totals: readonly Total[] }
  | { readonly type: 'usedUp'; readonly rate: Rate; readonly totals: readonly Total[] }
  /** The audit log was rotated. */
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
  /** The pages that the server serves; sent before this worker listens. */
  | { readonly type: 'pages'; readonly served: ServedPages }
  /** This worker received a signal and waits for `stop`. */
  | { readonly type: 'signalled' }
  /** Requests the connections that wait at the primary. It replies `handedOver`. */
  | { readonly type: 'handOver' }
  /** This worker no longer accepts connections. */
  | { readonly type: 'closed' }
  | { readonly type: 'counts'; readonly rate: Rate; readonly counts: Counts }
  | { readonly type: 'metrics'; readonly id: number; readonly snapshot: MetricsSnapshot };
