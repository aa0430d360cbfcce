/** How long a client waits for an answer: until it goes, and by its own or the deployment's deadline. */

import type { FastifyReply, FastifyRequest } from 'fastify';

import type { Bounds } from '../services/bounds.ts';
import { CallerGoneError } from '../services/bounds.ts';

/** RFC 7240, 4.3: the seconds that a client is ready to wait. */
const WAIT = /(?:^|,)\s*wait\s*=\s*"?([0-9]{1,9})"?\s*(?:[,;]|$)/i;

/** @param limitMs how long any request may take for its addresses, from now on */
export function boundsOf(request: FastifyRequest, reply: FastifyReply, limitMs: number): Bounds {
  const endsAt = performance.now() + Math.min(limitMs, waitOf(request));
  let signal: AbortSignal | null = null;
  return {
    // Few requests ever look at it.
    get signal() {
      signal ??= signalOf(reply);
      return signal;
    },
    timeLeft: () => endsAt - performance.now(),
  };
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
