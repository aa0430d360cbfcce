/** A request's scope: its caller, read timestamp, deadline and trace context. */

import { setMaxListeners } from 'node:events';

import type { FastifyReply, FastifyRequest } from 'fastify';

import type { TraceContext } from '../../lib/trace-context.ts';
import type { Caller } from '../../services/caller.ts';
import type { Scope, Validators } from '../../services/scope.ts';
import { CallerGoneError } from '../../services/scope.ts';
import type { TimeLimits } from '../../storage/deadline.ts';
import { Deadline } from '../../storage/deadline.ts';
import type { ReadTimestamp } from '../../storage/read-timestamp.ts';
import { baseUrlOf } from './request-url.ts';

/** `Prefer: wait=SECONDS` (RFC 7240, 4.3). */
const WAIT = /(?:^|,)\s*wait\s*=\s*"?([0-9]{1,9})"?\s*(?:[,;]|$)/i;

/** What the scope of a request needs of the server. */
export interface RequestServer {
  readonly publicUrl: string | null;
  /** Counts a wrong secret for an address. @throws ServiceError RATE_LIMITED */
  countWrongSecret(address: string): void;
}

export class RequestScope implements Scope {
  readonly requestId: string;
  operation: string | undefined = undefined;
  errorCode: string | undefined = undefined;
  readonly readTimestamp: ReadTimestamp;
  readonly deadline: Deadline;
  /** Null before authentication, and for a request without a token. */
  caller: Caller | null = null;
  /** When the request began to wait for its handler; null until its body is complete. */
  waitsSince: number | null = null;
  readonly #reply: FastifyReply;
  readonly #server: RequestServer;
  #signal: AbortSignal | null = null;
  #validators: Validators | undefined;

  /** @param limits of every request, counted from now */
  constructor(
    request: FastifyRequest,
    reply: FastifyReply,
    limits: TimeLimits,
    readTimestamp: ReadTimestamp,
    server: RequestServer,
  ) {
    this.requestId = request.id;
    this.readTimestamp = readTimestamp;
    this.deadline = new Deadline(limits, waitOf(request));
    this.#reply = reply;
    this.#server = server;
  }

  get baseUrl(): string {
    return baseUrlOf(this.#reply.request, this.#server.publicUrl);
  }

  countWrongSecret(): void {
    this.#server.countWrongSecret(this.#reply.request.ip);
  }

  /** Parsed on access: few requests need it. */
  get trace(): TraceContext | undefined {
    return readTraceparent(this.#reply.request.headers['traceparent']);
  }

  /** Stores validators for the first call of an upstream to take. */
  giveValidators(validators: Validators): void {
    this.#validators = validators;
  }

  takeValidators(): Validators | undefined {
    const validators = this.#validators;
    this.#validators = undefined;
    return validators;
  }

  /** Aborts when the client disconnects. Created on access: few requests need it. */
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
  // An operation may read dozens of pages at once, each with a listener. Node would warn of a leak at the eleventh.
  setMaxListeners(0, controller.signal);
  raw.once('close', () => {
    if (!raw.writableFinished) controller.abort(new CallerGoneError());
  });
  return controller.signal;
}

/** Version, trace id, parent span and flags (https://www.w3.org/TR/trace-context/#traceparent-header). */
const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

const ZEROS = /^0+$/;

/** @returns undefined for a missing or invalid header. Later versions may append fields */
export function readTraceparent(header: unknown): TraceContext | undefined {
  if (typeof header !== 'string') return undefined;
  const [, version, traceId = '', spanId = '', flags = '', more] = TRACEPARENT.exec(header.trim()) ?? [];
  if (version === undefined || version === 'ff' || (version === '00' && more !== undefined)) return undefined;
  return ZEROS.test(traceId) || ZEROS.test(spanId) ? undefined : { traceId, flags };
}
