/** A request's scope: its caller, its logical time, and its deadline. */

import { setMaxListeners } from 'node:events';

import type { FastifyReply, FastifyRequest } from 'fastify';

import type { TraceContext } from '../../geocoding/geocoder.ts';
import type { Caller } from '../../services/caller.ts';
import type { Scope, Validators } from '../../services/scope.ts';
import { CallerGoneError } from '../../services/scope.ts';
import type { TimeLimits } from '../../storage/deadline.ts';
import { Deadline } from '../../storage/deadline.ts';
import type { ReadTimestamp } from '../../storage/read-timestamp.ts';
import { readTraceparent } from './trace-context.ts';

/** RFC 7240, 4.3: how many seconds the client is ready to wait. */
const WAIT = /(?:^|,)\s*wait\s*=\s*"?([0-9]{1,9})"?\s*(?:[,;]|$)/i;

export class RequestScope implements Scope {
  readonly requestId: string;
  operation: string | undefined = undefined;
  errorCode: string | undefined = undefined;
  readonly readTimestamp: ReadTimestamp;
  readonly deadline: Deadline;
  /** Null before the token was checked, and for a request without a token. */
  caller: Caller | null = null;
  /** Since when the request waits for its handler; null while its body is on its way. */
  waitsSince: number | null = null;
  readonly #reply: FastifyReply;
  #signal: AbortSignal | null = null;
  #validators: Validators | undefined;

  /** @param limits of every request, counted from now */
  constructor(
    request: FastifyRequest,
    reply: FastifyReply,
    limits: TimeLimits,
    readTimestamp: ReadTimestamp,
  ) {
    this.requestId = request.id;
    this.readTimestamp = readTimestamp;
    const totalMs = Math.min(limits.totalMs, waitOf(request));
    this.deadline = new Deadline({ ...limits, totalMs });
    this.#reply = reply;
  }

  /** Read when it is asked for: few requests need it. */
  get trace(): TraceContext | undefined {
    return readTraceparent(this.#reply.request.headers['traceparent']);
  }

  /** To be taken by the first call of an upstream. */
  giveValidators(validators: Validators): void {
    this.#validators = validators;
  }

  takeValidators(): Validators | undefined {
    const validators = this.#validators;
    this.#validators = undefined;
    return validators;
  }

  /** Made when it is first asked for: few requests need it. */
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
  // One operation may read dozens of pages at once, and each read listens. Node would warn of a leak at the eleventh.
  setMaxListeners(0, controller.signal);
  raw.once('close', () => {
    if (!raw.writableFinished) controller.abort(new CallerGoneError());
  });
  return controller.signal;
}
