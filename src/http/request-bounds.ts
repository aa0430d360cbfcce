/** How long a client waits for an answer: until it goes, and by its own or the deployment's deadline. */

import type { FastifyReply, FastifyRequest } from 'fastify';

import type { Bounds } from '../services/bounds.ts';
import { CallerGoneError } from '../services/bounds.ts';

/** RFC 7240, 4.3: the seconds that a client is ready to wait. */
const WAIT = /(?:^|,)\s*wait\s*=\s*"?([0-9]{1,9})"?\s*(?:[,;]|$)/i;

/** @param limitMs how long any request may take for its addresses, from now on */
export function boundsOf(request: FastifyRequest, reply: FastifyReply, limitMs: number): Bounds {
  return new RequestBounds(reply, Math.min(limitMs, waitOf(request)));
}

class RequestBounds implements Bounds {
  readonly #reply: FastifyReply;
  readonly #endsAt: number;
  #signal: AbortSignal | null = null;

  constructor(reply: FastifyReply, limitMs: number) {
    this.#reply = reply;
    this.#endsAt = performance.now() + limitMs;
  }

  /** Made when it is first asked for, which few requests do. */
  get signal(): AbortSignal {
    this.#signal ??= signalOf(this.#reply);
    return this.#signal;
  }

  timeLeft(): number {
    return this.#endsAt - performance.now();
  }
}

/** Milliseconds. */
function waitOf({ headers: { prefer } }: FastifyRequest): number {
  if (prefer === undefined) return Number.POSITIVE_INFINITY;
  const seconds = WAIT.exec(String(prefer))?.[1];
  return seconds === undefined ? Number.POSITIVE_INFINITY : Number(seconds) * 1000;
}

function signalOf({ raw }: FastifyReply): AbortSignal {
  if (raw.destroyed) return AbortSignal.abort(new CallerGoneError());
  const controller = new AbortController();
  raw.once('close', () => {
    if (!raw.writableFinished) controller.abort(new CallerGoneError());
  });
  return controller.signal;
}
