/** Orderly shutdown: no new connections, complete responses for all received requests, and a time limit. */

import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Server as NetServer } from 'node:net';
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';

import type { FastifyInstance } from 'fastify';

/** Milliseconds between two sweeps that close idle connections. */
const SWEEP_MS = 50;
/**
 * Milliseconds without a request after which a kept-alive connection is closed, counted from its last response and
 * from the moment when responses start to say `Connection: close`. This gives a busy client, even one a fifth of a
 * second away, a response that tells it so. A request sent just as the connection closes is lost, however long this
 * is. Not a setting: the shutdown's time limit bounds it too.
 */
const QUIET_MS = 250;
/** Connections that can wait to be accepted: the default of `listen`. */
const BACKLOG = 511;

/** The process that accepts connections for several workers and hands them over one by one. */
export interface Acceptor {
  /** Resolves when it has had time to hand over a connection that waits for this process. */
  handOver(): Promise<void>;
  /** Resolves when it no longer accepts connections. Called after this server has closed. */
  closed(): Promise<void>;
}

/** Milliseconds to wait for handed-over connections; they may keep arriving. */
const HAND_OVER_MS = 1_000;

/**
 * Call it before the server listens.
 *
 * @param acceptor null if the server accepts its own connections
 * @param now monotonic milliseconds
 * @returns ends the server. Resolves when every connection is done, or was cut after `timeoutMs`
 */
export function prepareShutdown(
  app: FastifyInstance,
  acceptor: Acceptor | null = null,
  now: () => number = () => performance.now(),
): (timeoutMs: number) => Promise<void> {
  let closing = false;
  const connections = trackConnections(app.server, now);
  app.addHook('onSend', (request, reply, payload, done) => {
    // On an earlier response it would end the connection before the requests pipelined behind it are served.
    if (closing && connections.isLastOf(request.raw.socket, reply.raw)) reply.header('connection', 'close');
    done(null, payload);
  });
  return async (timeoutMs) => {
    const deadline = now() + timeoutMs;
    app.readiness.drain();
    await takeWhatHasArrived(connections);
    if (acceptor !== null) {
      const limit = Math.min(deadline, now() + HAND_OVER_MS);
      await takeWhatIsHandedOver(connections, acceptor, () => now() < limit);
    }
    const closed = closeServer(app.server);
    // A client told to close earlier would reconnect while no process accepts connections.
    if (acceptor !== null) await Promise.race([acceptor.closed(), delay(deadline - now())]);
    closing = true;
    readBeforeAnswering(app);
    app.live.drain();
    const closingSince = now();
    const isQuiet = () => {
      const since = now() - QUIET_MS;
      return closingSince <= since && connections.areIdleSince(since);
    };
    await drain(app.server, connections, closed, { isQuiet, isOver: () => now() >= deadline });
    await app.close();
  };
}

interface Connections {
  /** Connections accepted so far. */
  accepted(): number;
  /** Whether this response belongs to the newest request of its connection. */
  isLastOf(socket: Socket, response: ServerResponse): boolean;
  /** Whether no open connection has had a response in progress since that time. */
  areIdleSince(time: number): boolean;
  /** Connections without a single byte received. Node does not count them as idle. */
  silent(): Socket[];
}

interface Connection {
  /** The response to its newest request; null before the first. */
  last: ServerResponse | null;
  /** Responses in progress or not fully sent. */
  due: number;
  /** When the last response was sent, or the connection opened. */
  idleSince: number;
}

function trackConnections(server: Server, now: () => number): Connections {
  let accepted = 0;
  // A response that was never assigned its socket emits no `close`; its count is dropped with the connection.
  const open = new Map<Socket, Connection>();
  server.on('connection', (socket: Socket) => {
    accepted += 1;
    open.set(socket, { last: null, due: 0, idleSince: now() });
    socket.once('close', () => open.delete(socket));
  });
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const connection = open.get(request.socket);
    if (connection === undefined) return;
    connection.last = response;
    connection.due += 1;
    response.once('close', () => {
      connection.due -= 1;
      connection.idleSince = now();
    });
  });
  return {
    accepted: () => accepted,
    isLastOf: (socket, response) => (open.get(socket)?.last ?? response) === response,
    areIdleSince: (time) => [...open.values()].every(({ due, idleSince }) => due === 0 && idleSince <= time),
    silent: () => [...open.keys()].filter(({ bytesRead }) => bytesRead === 0),
  };
}

/** Accepts and reads what has reached this machine but not this process yet. */
async function takeWhatHasArrived(connections: Connections): Promise<void> {
  await delay(SWEEP_MS);
  // libuv accepts one connection per event-loop turn, so a turn without one means that none waits.
  const most = connections.accepted() + BACKLOG;
  let accepted: number;
  do {
    accepted = connections.accepted();
    await nextTurn();
  } while (connections.accepted() > accepted && accepted < most);
  // Data on the last one is read in the next turn.
  await nextTurn();
}

/** Continues while connections arrive: the acceptor hands over the next one before it reports that it had time to. */
async function takeWhatIsHandedOver(
  connections: Connections,
  acceptor: Acceptor,
  isInTime: () => boolean,
): Promise<void> {
  let accepted: number;
  do {
    accepted = connections.accepted();
    await acceptor.handOver();
  } while (connections.accepted() > accepted && isInTime());
}

/**
 * From now on each request waits one event-loop turn, in which the requests behind it are read. Otherwise an
 * immediate response could not know whether it is the last of its connection.
 */
function readBeforeAnswering({ server, routing }: Pick<FastifyInstance, 'server'> & Router): void {
  server.off('request', routing);
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    setImmediate(routing, request, response);
  });
}

interface Router {
  readonly routing: (request: IncomingMessage, response: ServerResponse) => void;
}

/** Stops accepting connections. Resolves when the existing ones are closed. */
function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    // http's own `close` would at once cut connections whose request is still unread in the kernel.
    NetServer.prototype.close.call(server, () => resolve());
  });
}

async function drain(
  server: Server,
  connections: Connections,
  closed: Promise<void>,
  { isQuiet, isOver }: Record<'isQuiet' | 'isOver', () => boolean>,
): Promise<void> {
  const state = { isClosed: false };
  void closed.then(() => (state.isClosed = true));
  await takeWhatHasArrived(connections);
  while (!state.isClosed && !isOver()) {
    for (const socket of connections.silent()) socket.destroy();
    if (isQuiet()) {
      // A process that was blocked has yet to read what arrived meanwhile.
      await nextTurn();
      // Node counts a connection as idle once its response is written but not sent, so close none while a response is
      // due.
      if (isQuiet()) server.closeIdleConnections();
    }
    await Promise.race([closed, delay(SWEEP_MS)]);
  }
  server.closeAllConnections();
  await closed;
}
