/** A worker's side of the IPC channel to its primary. */

import type { Counts, Rate, SharedCounts, Total } from '../../http/limits/rate-limit.ts';
import type { Acceptor } from '../../http/shutdown.ts';
import type { MetricsSnapshot } from '../observability/metrics.ts';
import { Deferred } from '../../lib/deferred.ts';
import type { FromWorker, ToWorker } from './messages.ts';

export interface LinkOptions {
  readonly processes: number;
  /** Called when all processes are about to stop. */
  readonly onDrain: () => void;
  /** Called when the primary stops this worker, with the time it may take. */
  readonly onStop: (timeoutMs: number) => void;
  readonly onReopenAudit: () => void;
  readonly snapshot: () => Promise<MetricsSnapshot>;
}

export interface Link extends Acceptor {
  readonly sharedCounts: Readonly<Record<Rate, SharedCounts>>;
}

/** Sends and receives messages. If the primary dies, Node ends its workers. */
export function linkToPrimary({ processes, onDrain, onStop, onReopenAudit, snapshot }: LinkOptions): Link {
  const portClosed = new Deferred<void>();
  let handedOver = () => {};
  const counts = {
    requests: new LinkedCounts('requests', processes),
    public: new LinkedCounts('public', processes),
  };
  process.on('message', (message: ToWorker) => {
    switch (message.type) {
      case 'drain':
        onDrain();
        break;
      case 'stop':
        onStop(message.timeoutMs);
        break;
      case 'closed':
        portClosed.resolve();
        break;
      case 'handedOver':
        handedOver();
        break;
      case 'totals':
        counts[message.rate].learn(message.totals);
        break;
      case 'usedUp':
        counts[message.rate].learnUsedUp(message.totals);
        break;
      case 'reopenAudit':
        onReopenAudit();
        break;
      case 'collect':
        void snapshot().then((taken) => send({ type: 'metrics', id: message.id, snapshot: taken }));
        break;
      case 'serve':
      // The first message; worker.ts has handled it.
    }
  });
  return {
    sharedCounts: counts,
    handOver: () =>
      new Promise((resolve) => {
        handedOver = resolve;
        void send({ type: 'handOver' });
      }),
    closed: () => {
      void send({ type: 'closed' });
      return portClosed.promise;
    },
  };
}

type Learn = (totals: readonly Total[]) => void;

/** The counts of one rate limit, which the primary adds up. */
class LinkedCounts implements SharedCounts {
  readonly processes: number;
  readonly #rate: Rate;
  learn: Learn = () => {};
  learnUsedUp: Learn = () => {};

  constructor(rate: Rate, processes: number) {
    this.#rate = rate;
    this.processes = processes;
  }

  onUsedUp(listener: Learn): void {
    this.learnUsedUp = listener;
  }

  add(counts: Counts): Promise<readonly Total[]> {
    return new Promise((resolve) => {
      // Only one report is in flight at a time, so the next totals belong to it.
      this.learn = resolve;
      void send({ type: 'counts', rate: this.#rate, counts });
    });
  }
}

/** Resolves when the message has been sent, or cannot be. */
export function send(message: FromWorker): Promise<void> {
  return new Promise((resolve) => {
    if (process.send === undefined || !process.connected) resolve();
    else process.send(message, undefined, undefined, () => resolve());
  });
}
