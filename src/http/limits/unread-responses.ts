/** Counts the memory of responses that clients have not read, and cuts connections whose client stops reading. */

import type { ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { Readable } from 'node:stream';

import type { FastifyInstance } from 'fastify';

import type { ResponseMemory } from '../../graphql/limits/response-memory.ts';

/** Unread bytes per response: a connection may have several pipelined responses. */
type Waiting = Map<ServerResponse, number>;

/**
 * @param app all its responses are watched
 * @param memory counts the unread bytes
 * @param timeoutMs milliseconds without progress after which a connection is cut
 */
export function watchUnreadResponses(app: FastifyInstance, memory: ResponseMemory, timeoutMs: number): void {
  const waitingOn = new WeakMap<Socket, Waiting>();

  const end = (socket: Socket, response: ServerResponse, waiting: Waiting) => {
    memory.release(waiting.get(response) ?? 0);
    waiting.delete(response);
    if (waiting.size > 0) socket.setTimeout(timeoutMs);
    // Node may have set its keep-alive timeout by now.
    else if (socket.timeout === timeoutMs) socket.setTimeout(0);
  };

  const waitingOf = (socket: Socket): Waiting => {
    const known = waitingOn.get(socket);
    if (known !== undefined) return known;
    const waiting: Waiting = new Map();
    waitingOn.set(socket, waiting);
    // A response that was never assigned its socket emits no `close` when the connection ends.
    socket.once('close', () => {
      for (const response of waiting.keys()) end(socket, response, waiting);
    });
    return waiting;
  };

  app.addHook('onSend', ({ raw: { socket } }, { raw: response }, payload, done) => {
    // Continues sending: no later hook is asynchronous.
    done(null, payload);
    const bytes = response.writableLength;
    // Usually the kernel has taken all of it. A stream is not written yet, and counts its own bytes.
    if (bytes === 0 && !(payload instanceof Readable)) return;
    // A request that a test injects has no connection.
    if (!(socket instanceof Socket)) return;
    // No event would release the bytes of a pipelined response whose turn never comes.
    if (socket.destroyed) return;
    const waiting = waitingOf(socket);
    memory.add(bytes);
    waiting.set(response, bytes);
    // Node cuts the connection after this time without progress; a partial write counts as progress.
    socket.setTimeout(timeoutMs);
    response.once('close', () => end(socket, response, waiting));
  });
}
