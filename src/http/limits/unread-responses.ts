/** Answers that wait for their readers: they are counted, and a connection whose reader takes nothing is cut. */

import type { ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { Readable } from 'node:stream';

import type { FastifyInstance } from 'fastify';

import type { ResponseMemory } from '../../graphql/limits/response-memory.ts';

/** The answers of a connection that wait, each with its bytes: several may have been asked for at once. */
type Waiting = Map<ServerResponse, number>;

/**
 * @param app whose answers are watched, whatever they are
 * @param memory where they count while they wait
 * @param timeoutMs milliseconds after which a connection is cut whose reader takes nothing
 */
export function watchUnreadResponses(app: FastifyInstance, memory: ResponseMemory, timeoutMs: number): void {
  const waitingOn = new WeakMap<Socket, Waiting>();

  const end = (socket: Socket, response: ServerResponse, waiting: Waiting) => {
    memory.release(waiting.get(response) ?? 0);
    waiting.delete(response);
    if (waiting.size > 0) socket.setTimeout(timeoutMs);
    // Node may have set another limit by now, for the idle connection.
    else if (socket.timeout === timeoutMs) socket.setTimeout(0);
  };

  const waitingOf = (socket: Socket): Waiting => {
    const known = waitingOn.get(socket);
    if (known !== undefined) return known;
    const waiting: Waiting = new Map();
    waitingOn.set(socket, waiting);
    // An answer that was never assigned its socket emits no `close` when the connection ends.
    socket.once('close', () => {
      for (const response of waiting.keys()) end(socket, response, waiting);
    });
    return waiting;
  };

  app.addHook('onSend', ({ raw: { socket } }, { raw: response }, payload, done) => {
    // Sends the answer, since no hook after this one waits for anything.
    done(null, payload);
    const bytes = response.writableLength;
    // Nearly always the kernel has already taken all of it. A stream is not written yet, and counts its bytes itself.
    if (bytes === 0 && !(payload instanceof Readable)) return;
    // A request injected by a test has no connection.
    if (!(socket instanceof Socket)) return;
    // A pipelined answer whose turn never comes: no event would give its bytes back.
    if (socket.destroyed) return;
    const waiting = waitingOf(socket);
    memory.add(bytes);
    waiting.set(response, bytes);
    // After so long without progress Node cuts the connection. A write that is taken in part counts as progress.
    socket.setTimeout(timeoutMs);
    response.once('close', () => end(socket, response, waiting));
  });
}
