/** A TCP relay to another port, whose connections a test can cut. */

import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { connect, createServer } from 'node:net';

export interface TcpRelay {
  readonly port: number;
  /** Ends the existing connections, and accepts new ones. @returns the number of sockets ended */
  cut(): number;
  close(): void;
}

export async function startTcpRelay(to: number): Promise<TcpRelay> {
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(to, '127.0.0.1');
    client.pipe(upstream).pipe(client);
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket);
      // Whatever the cause, the other side must close, too.
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = () => {
    const { size } = sockets;
    for (const socket of sockets) socket.destroy();
    return size;
  };
  return {
    port: (server.address() as AddressInfo).port,
    cut,
    close() {
      server.close();
      cut();
    },
  };
}
