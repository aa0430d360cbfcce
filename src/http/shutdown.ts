/** An orderly shutdown: no new connections, whole answers for all requests that were received, and a time limit. */

import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Server as NetServer } from 'node:net';
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';

import type { FastifyInstance } from 'fastify';

/** Milliseconds between two rounds that close connections whose answers are sent. */
const SWEEP_MS = 50;
/**
 * Milliseconds. A kept connection is closed when nothing has come on it for so long: since its last answer, and since
 * answers say that they are the last. A client that goes on asking is then told so, also where its answer and its next
 * request are a fifth of a second under way. Whoever asks just as the connection is closed is not, however long this is.
 * It is no setting: the shutdown's time limit holds for it, too.
 */
const QUIET_MS = 250;
/** The most connections that can wait to be accepted: what `listen` asks for by default. */
const BACKLOG = 511;

/** The process that accepts connections for this one and others, and hands them over one by one. */
export interface Acceptor {
  /** Resolves when it has had the time to hand over a connection that waits for this process. */
  handOver(): Promise<void>;
  /** Resolves when it accepts no more connections. Called after this server has closed. */
  closed(): Promise<void>;
}

/** Milliseconds. New connections may go on arriving; after this time they are given up. */
const HAND_OVER_MS = 1_000;

/**
 * Must be called before the server listens.
 *
 * @param acceptor null when the server accepts its connections itself
 * @param now milliseconds that only grow
 * @returns a function that ends the server. It resolves when every connection is done, or was cut after `timeoutMs`
 */
export function prepareShutdown(
  app: FastifyInstance,
  acceptor: Acceptor | null = null,
  now: () => number = () => performance.now(),
): (timeoutMs: number) => Promise<void> {
  let closing = false;
  const connections = trackConnections(app.server, now);
  app.addHook('onSend', (request, reply, payload, done) => {
    // Sent earlier, it would end the connection before the answers to the requests pipelined behind this one.
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
    // A client that was told earlier would reconnect while nobody accepts the connection.
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
  /** How many connections there have been. */
  accepted(): number;
  /** True when no request has come on that connection after the one of this answer. */
  isLastOf(socket: Socket, response: ServerResponse): boolean;
  /** True when on no open connection an answer is being made, nor has left this process after that time. */
  areIdleSince(time: number): boolean;
  /** Connections that have not sent a byte. Node does not count them as idle. */
  silent(): Socket[];
}

interface Connection {
  /** The answer to its newest request; null before the first. */
  last: ServerResponse | null;
  /** How many of its answers are being made, or have not yet left this process. */
  due: number;
  /** When the last of them left, or the connection began. */
  idleSince: number;
}

function trackConnections(server: Server, now: () => number): Connections {
  let accepted = 0;
  // An answer that was never assigned its connection emits no `close`. What is due on a connection goes with it.
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

/** Accepts and reads what has reached this machine but not yet this process. */
async function takeWhatHasArrived(connections: Connections): Promise<void> {
  await delay(SWEEP_MS);
  // libuv accepts one connection in each event-loop turn. A turn without one means that none waits.
  const most = connections.accepted() + BACKLOG;
  let accepted: number;
  do {
    accepted = connections.accepted();
    await nextTurn();
  } while (connections.accepted() > accepted && accepted < most);
  // What the last of them sent is read in the next turn.
  await nextTurn();
}

/** Goes on while connections arrive: the acceptor hands over the next one before it says that it had the time to. */
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
 * From now on each request waits for a turn, in which the requests behind it that have arrived are read. Else an answer
 * that is made at once could not say rightly whether it is the last of its connection.
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

/** Accepts no more connections. Resolves when the existing ones have gone. */
function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    // The `close` of http would at once cut connections whose request is still unread in the kernel.
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
      // A process that was held up has yet to read what came in that time.
      await nextTurn();
      // Node counts a connection as idle when its answer is written but not yet sent. So none is closed while one is due.
      if (isQuiet()) server.closeIdleConnections();
    }
    await Promise.race([closed, delay(SWEEP_MS)]);
  }
  server.closeAllConnections();
  await closed;
}
