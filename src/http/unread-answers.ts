/** Answers that wait for their readers: limits on how much is kept, and for how long. */

import { Socket } from 'node:net';

import type { FastifyReply } from 'fastify';

import { ServiceError } from '../errors.ts';

export interface UnreadLimits {
  /** Bytes of all answers that wait. */
  readonly maxBytes: number;
  /** Milliseconds after which a connection is cut whose reader takes nothing. */
  readonly timeoutMs: number;
}

export class UnreadAnswers {
  readonly #limits: UnreadLimits;
  /** Answers that wait, by connection: several may have been asked for at once. */
  readonly #answersOf = new WeakMap<Socket, number>();
  #bytes = 0;

  constructor(limits: UnreadLimits) {
    this.#limits = limits;
  }

  /** Bytes that wait. */
  get bytes(): number {
    return this.#bytes;
  }

  /** @throws ServiceError OVERLOADED when there is no room for so many bytes, or no room at all */
  assertRoom(bytes: number): void {
    // A single answer always has room: its length has a limit of its own.
    if (this.#bytes === 0 || this.#bytes + bytes <= this.#limits.maxBytes) return;
    throw new ServiceError('OVERLOADED', 'Too much waits to be read by clients; try again later.', {
      retryAfterSeconds: 1,
    });
  }

  /** Sends an answer, and counts it while it waits to be read. @throws ServiceError OVERLOADED */
  send(reply: FastifyReply, body: string | Buffer): FastifyReply {
    // In UTF-16 units: never more than the bytes.
    this.assertRoom(body.length);
    reply.send(body);
    // Nearly always the kernel has already taken all of it.
    if (reply.raw.writableLength > 0) this.#wait(reply, body.length);
    return reply;
  }

  #wait({ raw, request }: FastifyReply, bytes: number): void {
    const { socket } = request.raw;
    // A request injected by a test has no connection.
    if (!(socket instanceof Socket)) return;
    this.#bytes += bytes;
    const { timeoutMs } = this.#limits;
    // After so long without progress Node cuts the connection. A write that is taken in part counts as progress.
    socket.setTimeout(timeoutMs);
    this.#answersOf.set(socket, (this.#answersOf.get(socket) ?? 0) + 1);
    const end = () => {
      raw.off('close', end);
      socket.off('close', end);
      this.#bytes -= bytes;
      const left = (this.#answersOf.get(socket) ?? 1) - 1;
      this.#answersOf.set(socket, left);
      if (left > 0) socket.setTimeout(timeoutMs);
      // Node may have set another limit by now, for the idle connection.
      else if (socket.timeout === timeoutMs) socket.setTimeout(0);
    };
    raw.once('close', end);
    // An answer that was never assigned its socket emits no `close` when the connection ends.
    socket.once('close', end);
  }
}
