/** Answers that wait for their readers: how much of them is kept, and for how long. */

import { Socket } from 'node:net';

import type { FastifyReply } from 'fastify';

import { ServiceError } from '../errors.ts';

export interface UnreadLimits {
  /** Bytes of all answers that wait. */
  readonly maxBytes: number;
  /** How long a reader may take nothing, before its connection is cut. */
  readonly timeoutMs: number;
}

export class UnreadAnswers {
  readonly #limits: UnreadLimits;
  #bytes = 0;

  constructor(limits: UnreadLimits) {
    this.#limits = limits;
  }

  /** Bytes that wait. */
  get bytes(): number {
    return this.#bytes;
  }

  /** @throws ServiceError OVERLOADED where there is no room for so many bytes, or for none at all */
  assertRoom(bytes: number): void {
    // A single answer finds room however long it is: it has a limit of its own.
    if (this.#bytes === 0 || this.#bytes + bytes <= this.#limits.maxBytes) return;
    throw new ServiceError('OVERLOADED', 'Too much waits to be read by clients; try again later.', {
      retryAfterSeconds: 1,
    });
  }

  /** Sends an answer, and counts it while it waits. @throws ServiceError OVERLOADED */
  send(reply: FastifyReply, body: string | Buffer): FastifyReply {
    // In UTF-16 units, which are no more than the bytes.
    this.assertRoom(body.length);
    reply.send(body);
    // Nearly always the kernel has taken all of it by now.
    if (reply.raw.writableLength > 0) this.#wait(reply, body.length);
    return reply;
  }

  #wait({ raw, request }: FastifyReply, bytes: number): void {
    const { socket } = request.raw;
    // What is injected by a test has no connection.
    if (!(socket instanceof Socket)) return;
    this.#bytes += bytes;
    const { timeoutMs } = this.#limits;
    // Node cuts a connection on which nothing moves for so long, and looks at how much of a write was taken.
    socket.setTimeout(timeoutMs);
    raw.once('finish', () => {
      // Node has set a time for an idle connection, unless another request came behind this one.
      if (socket.timeout === timeoutMs) socket.setTimeout(0);
    });
    let hasEnded = false;
    const end = () => {
      if (!hasEnded) this.#bytes -= bytes;
      hasEnded = true;
    };
    raw.once('close', end);
    // Of an answer that never had the connection, Node says nothing when that ends.
    socket.once('close', end);
  }
}
