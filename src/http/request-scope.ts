/** For whom and for how long a request is served: until its caller goes, and by its own or the deployment's deadline. */

import type { FastifyReply, FastifyRequest } from 'fastify';

import type { Caller } from '../services/caller.ts';
import type { Scope } from '../services/scope.ts';
import { CallerGoneError } from '../services/scope.ts';
import type { TimeLimits } from '../storage/deadline.ts';
import { Deadline } from '../storage/deadline.ts';
import type { LogicalTime } from '../storage/logical-clock.ts';

/** RFC 7240, 4.3: the seconds that a client is ready to wait. */
const WAIT = /(?:^|,)\s*wait\s*=\s*"?([0-9]{1,9})"?\s*(?:[,;]|$)/i;

export class RequestScope implements Scope {
  readonly asOf: LogicalTime;
  readonly deadline: Deadline;
  /** Null before the token was looked at, and where there is none. */
  caller: Caller | null = null;
  readonly #reply: FastifyReply;
  #signal: AbortSignal | null = null;

  /** @param limits that any request has, from now on */
  constructor(request: FastifyRequest, reply: FastifyReply, limits: TimeLimits, asOf: LogicalTime) {
    this.asOf = asOf;
    const totalMs = Math.min(limits.totalMs, waitOf(request));
    this.deadline = new Deadline({ totalMs, storageMs: limits.storageMs });
    this.#reply = reply;
  }

  /** Made when it is first asked for, which few requests do. */
  get signal(): AbortSignal {
    this.#signal ??= signalOf(this.#reply);
    return this.#signal;
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
