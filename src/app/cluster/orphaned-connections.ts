/**
 * Connections that were handed to a worker just before it ended.
 *
 * The primary keeps a connection until the worker says that it has it. Node (20 to 24) never learns that a dead worker will
 * not say so: the connection stays open, nobody answers it, and its client waits for as long as it likes. A worker says that it
 * has a connection before it reads from it, so one that was not taken is still whole, and another worker can have it.
 */

import type { Worker } from 'node:cluster';
import type { ChildProcess, SendHandle } from 'node:child_process';

/** What Node's own messages between the primary and a worker have in common, as far as this looks at them. */
interface InternalMessage {
  readonly cmd?: string;
  readonly act?: string;
  readonly seq?: number;
  readonly ack?: number;
}

const CLUSTER = 'NODE_CLUSTER';

/**
 * To be called when a worker has been forked.
 *
 * @param othersServe whether another worker can take a connection, asked when this one has ended
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
  // Either event may come first or alone. Once the worker is not connected, Node has taken it off its list.
  for (const event of ['disconnect', 'exit']) {
    worker.on(event, () => {
      if (worker.isConnected()) return;
      for (const [ack, handle] of handed) {
        handed.delete(ack);
        // What a worker answers that is about to stop: Node then gives the connection to another.
        if (othersServe()) child.emit('internalMessage', { cmd: CLUSTER, ack, accepted: false });
        else handle.close();
      }
    });
  }
}
