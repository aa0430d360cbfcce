/**
 * Requests that came over one connection without waiting for answers (RFC 9112, 9.3.2): one that may change something is
 * served when those before it are answered, and those behind it when it is answered itself.
 */

import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

import type { FastifyReply, FastifyRequest } from 'fastify';

interface Pipelined {
  readonly isSafe: boolean;
  readonly answer: ServerResponse;
  /** Resolves when its turn has come; null where it had not to wait. */
  readonly begun: Promise<void> | null;
}

const SAFE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** The last request of each connection. */
const lastOf = new WeakMap<Socket, Pipelined>();

/** Resolves when the request may begin. */
export function awaitTurnInPipeline(
  request: FastifyRequest,
  { raw: answer }: FastifyReply,
): Promise<void> | null {
  const { socket } = request.raw;
  const isSafe = SAFE.has(request.method);
  // Node gives the connection to an answer only when those before it have left.
  const before = answer.socket === null ? lastOf.get(socket) : undefined;
  const begun = before === undefined ? null : follow(before, isSafe, socket);
  lastOf.set(socket, { isSafe, answer, begun });
  return begun;
}

async function follow(before: Pipelined, isSafe: boolean, socket: Socket): Promise<void> {
  await before.begun;
  if (isSafe && before.isSafe) return;
  const { answer } = before;
  if (answer.writableFinished || answer.destroyed || socket.destroyed) return;
  await new Promise<void>((resolve) => {
    answer.once('close', resolve);
    // Of an answer that never had the connection, Node says nothing when that ends.
    socket.once('close', () => resolve());
  });
}
