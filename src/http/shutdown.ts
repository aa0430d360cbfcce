/** An orderly end: no new connections, whole answers for what was received, and a limit to the patience. */

import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { Server as NetServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

import type { FastifyInstance } from 'fastify';

/** How often connections that have had their answer are let go. */
const SWEEP_MS = 50;

/**
 * Must be called before the server listens.
 *
 * @returns ends the server: resolves when every connection is done, or was cut after `timeoutMs`
 */
export function prepareShutdown(app: FastifyInstance): (timeoutMs: number) => Promise<void> {
  let closing = false;
  const silent = trackSilentConnections(app.server);
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (closing) reply.header('connection', 'close');
    done(null, payload);
  });
  return async (timeoutMs) => {
    closing = true;
    await drain(app.server, silent, timeoutMs);
    await app.close();
  };
}

/** Connections that have not sent a byte: Node does not count them among the idle ones. */
function trackSilentConnections(server: Server): () => Socket[] {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  return () => [...sockets].filter(({ bytesRead }) => bytesRead === 0);
}

async function drain(server: Server, silent: () => Socket[], timeoutMs: number): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  // What has reached this machine but not yet this process is accepted and read in these turns of the event loop.
  await delay(SWEEP_MS);
  const state = { isClosed: false };
  const closed = new Promise<void>((resolve) => {
    // http's own close would at once cut connections whose request is still unread in the kernel.
    NetServer.prototype.close.call(server, () => {
      state.isClosed = true;
      resolve();
    });
  });
  await delay(SWEEP_MS);
  while (!state.isClosed && performance.now() < deadline) {
    server.closeIdleConnections();
    for (const socket of silent()) socket.destroy();
    await Promise.race([closed, delay(SWEEP_MS)]);
  }
  server.closeAllConnections();
  await closed;
}
