/** An orderly end: no new connections, whole answers for what was received, and a limit to the patience. */

import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Server as NetServer } from 'node:net';
import { setImmediate as turn, setTimeout as delay } from 'node:timers/promises';

import type { FastifyInstance } from 'fastify';

/** How often connections that have had their answer are let go. */
const SWEEP_MS = 50;
/** Connections that wait to be accepted at most: what `listen` asks for by default. */
const BACKLOG = 511;

/** The process that accepts connections for this one and others, and hands them over one by one. */
export interface Acceptor {
  /** Resolves when it has had the time to hand over a connection that waits for this process. */
  turn(): Promise<void>;
  /** Resolves when it accepts none any more, after this server has closed. */
  closed(): Promise<void>;
}

/** New connections can go on coming: they are then given up. */
const HAND_OVER_MS = 1_000;

/**
 * Must be called before the server listens.
 *
 * @param acceptor null where the server itself accepts its connections
 * @returns ends the server: resolves when every connection is done, or was cut after `timeoutMs`
 */
export function prepareShutdown(
  app: FastifyInstance,
  acceptor: Acceptor | null = null,
): (timeoutMs: number) => Promise<void> {
  let closing = false;
  const connections = trackConnections(app.server);
  app.addHook('onSend', (request, reply, payload, done) => {
    // Said any earlier, it would end the connection before the answers to requests pipelined behind this one.
    if (closing && connections.isLastOf(request.raw.socket, reply.raw)) reply.header('connection', 'close');
    done(null, payload);
  });
  return async (timeoutMs) => {
    const deadline = performance.now() + timeoutMs;
    await takeWhatHasArrived(connections);
    if (acceptor !== null) {
      const limit = Math.min(deadline, performance.now() + HAND_OVER_MS);
      await takeWhatIsHandedOver(connections, acceptor, limit);
    }
    const closed = closeServer(app.server);
    // Told any earlier to go, a client would come back by a connection that nobody takes.
    if (acceptor !== null) await Promise.race([acceptor.closed(), delay(deadline - performance.now())]);
    closing = true;
    await drain(app.server, connections, closed, deadline);
    await app.close();
  };
}

interface Connections {
  /** How many there have been. */
  accepted(): number;
  /** Whether no request has come on that connection after the one of this answer. */
  isLastOf(socket: Socket, answer: ServerResponse): boolean;
  /** Whether an answer is being made, or has not yet left this process. */
  areAnswersDue(): boolean;
  /** Connections that have not sent a byte: Node does not count them among the idle ones. */
  silent(): Socket[];
}

function trackConnections(server: Server): Connections {
  let accepted = 0;
  let answersDue = 0;
  const lastAnswers = new Map<Socket, ServerResponse | null>();
  const answered = () => {
    answersDue -= 1;
  };
  server.on('connection', (socket: Socket) => {
    accepted += 1;
    lastAnswers.set(socket, null);
    socket.once('close', () => lastAnswers.delete(socket));
  });
  server.on('request', (request: IncomingMessage, answer: ServerResponse) => {
    answersDue += 1;
    answer.once('close', answered);
    if (lastAnswers.has(request.socket)) lastAnswers.set(request.socket, answer);
  });
  return {
    accepted: () => accepted,
    isLastOf: (socket, answer) => (lastAnswers.get(socket) ?? answer) === answer,
    areAnswersDue: () => answersDue > 0,
    silent: () => [...lastAnswers.keys()].filter(({ bytesRead }) => bytesRead === 0),
  };
}

/** Accepts and reads what has reached this machine but not yet this process. */
async function takeWhatHasArrived(connections: Connections): Promise<void> {
  await delay(SWEEP_MS);
  // libuv accepts one connection a turn of the event loop; a turn without one says that none waits.
  const most = connections.accepted() + BACKLOG;
  let accepted: number;
  do {
    accepted = connections.accepted();
    await turn();
  } while (connections.accepted() > accepted && accepted < most);
  // What the last of them sent is read in the turn after.
  await turn();
}

/** As long as there are any: the next one comes before the acceptor's word that it had the time to send it. */
async function takeWhatIsHandedOver(
  connections: Connections,
  acceptor: Acceptor,
  deadline: number,
): Promise<void> {
  let accepted: number;
  do {
    accepted = connections.accepted();
    await acceptor.turn();
  } while (connections.accepted() > accepted && performance.now() < deadline);
}

/** Lets no connection in; resolves when those that are there have gone. */
function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    // http's own close would at once cut connections whose request is still unread in the kernel.
    NetServer.prototype.close.call(server, () => resolve());
  });
}

async function drain(
  server: Server,
  connections: Connections,
  closed: Promise<void>,
  deadline: number,
): Promise<void> {
  const state = { isClosed: false };
  void closed.then(() => (state.isClosed = true));
  await takeWhatHasArrived(connections);
  while (!state.isClosed && performance.now() < deadline) {
    for (const socket of connections.silent()) socket.destroy();
    // Node takes a connection for idle whose answer is written but not yet sent; while any is due, all may stay.
    if (!connections.areAnswersDue()) server.closeIdleConnections();
    await Promise.race([closed, delay(SWEEP_MS)]);
  }
  server.closeAllConnections();
  await closed;
}
