/**
 * Reassigns connections that were handed to a worker just before it ended.
 *
 * The primary keeps a connection until the worker acknowledges it. Node (20 to 24) does not notice when the worker dies before
 * that: the connection stays open, and its client hangs until its own timeout. A worker acknowledges a connection before it
 * reads from it, so an unacknowledged connection is intact and another worker can take it.
 */

import type { Worker } from 'node:cluster';
import type { ChildProcess, SendHandle } from 'node:child_process';

/** The members of Node's internal cluster messages that are read here. */
interface InternalMessage {
  readonly cmd?: string;
  readonly act?: string;
  readonly seq?: number;
  readonly ack?: number;
}

const CLUSTER = 'NODE_CLUSTER';

/**
 * Call this when a worker has been forked.
 *
 * @param othersServe whether another worker can take a connection; called when this one has ended
 */
export function reassignOrphanedConnections(worker: Worker, othersServe: () => boolean): void {
  const handed = new Map<number, { close(): void }>();
  const child = worker.process as ChildProcess & {
    emit(event: 'internalMessage', message: InternalMessage & { accepted: boolean }): boolean;
  };
  const send = child.send.bind(child) as (message: unknown, ...rest: unknown[]) => boolean;
  child.send = (message: InternalMessage, ...rest: readonly unknown[]) => {
    const [handle] = rest as [SendHandle & { close(): void }];
    if (message.cmd === CLUSTER && message.act === 'newconn') handed.set(message.seq ?? 0, handle);
    return send(message, ...rest);
  };
  child.on('internalMessage', ({ cmd, ack }: InternalMessage) => {
    if (cmd === CLUSTER && ack !== undefined) handed.delete(ack);
  });
  // Either event may come first, or alone. Once the worker is disconnected, Node has removed it from its list.
  for (const event of ['disconnect', 'exit']) {
    worker.on(event, () => {
      if (worker.isConnected()) return;
      for (const [ack, handle] of handed) {
        handed.delete(ack);
        // The reply of a worker that is about to stop: Node gives the connection to another one.
        if (othersServe()) child.emit('internalMessage', { cmd: CLUSTER, ack, accepted: false });
        else handle.close();
      }
    });
  }
}
