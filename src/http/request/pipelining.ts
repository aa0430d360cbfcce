/**
 * HTTP pipelining: requests sent on one connection without waiting for responses (RFC 9112, 9.3.2). A request that
 * may change something waits for the responses to earlier requests; later requests wait for its own.
 */

import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

import type { FastifyReply, FastifyRequest } from 'fastify';

interface Pipelined {
  readonly isSafe: boolean;
  readonly response: ServerResponse;
  /** Resolves when the request may begin; null if it did not have to wait. */
  readonly mayBegin: Promise<void> | null;
}

const SAFE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** The last request of each connection. */
const lastOf = new WeakMap<Socket, Pipelined>();

/** Resolves when the request may begin; null if it need not wait. */
export function awaitEarlierResponses(
  request: FastifyRequest,
  { raw: response }: FastifyReply,
): Promise<void> | null {
  const { socket } = request.raw;
  const isSafe = SAFE.has(request.method);
  // Node assigns the socket to a response only after the earlier responses are sent.
  const before = response.socket === null ? lastOf.get(socket) : undefined;
  const mayBegin = before === undefined ? null : follow(before, isSafe, socket);
  lastOf.set(socket, { isSafe, response, mayBegin });
  return mayBegin;
}

async function follow(before: Pipelined, isSafe: boolean, socket: Socket): Promise<void> {
  await before.mayBegin;
  if (isSafe && before.isSafe) return;
  const { response } = before;
  if (response.writableFinished || response.destroyed || socket.destroyed) return;
  await new Promise<void>((resolve) => {
    const end = () => {
      response.off('close', end);
      socket.off('close', end);
      resolve();
    };
    response.once('close', end);
    // A response that was never assigned its socket emits no `close` when the connection ends.
    socket.once('close', end);
  });
}
