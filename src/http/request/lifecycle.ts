/** From a request's arrival to its handler: waiting, authentication, and the scope that the handler runs in. */

import { IncomingMessage } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';

import type { FastifyInstance, FastifyReply, FastifyRequest, preHandlerHookHandler } from 'fastify';

import type { RequestContext, Streaming } from '../../graphql/context.ts';
import { createContext } from '../../graphql/context.ts';
import type { BudgetLimits } from '../../graphql/limits/operation-budget.ts';
import type { Caller } from '../../services/caller.ts';
import type { Services } from '../../services/services.ts';
import type { TimeLimits } from '../../storage/deadline.ts';
import type { ReadTimestamp } from '../../storage/read-timestamp.ts';
import { now } from '../../storage/read-timestamp.ts';
import type { Overload } from '../limits/overload.ts';
import type { Authentication } from './authentication.ts';
import { awaitEarlierResponses } from './pipelining.ts';
import { RequestScope } from './scope.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Null before {@link RequestLifecycle.begin}. */
    scope: RequestScope | null;
    /** Code of the error response; null for none. */
    errorCode: string | null;
    /** True for a subscription, whose response lasts as long as the client wants. */
    isStreamed: boolean;
  }
}

let turn: Promise<ReadTimestamp> | null = null;

/**
 * Resolves at the end of the current event-loop turn, when every request that has arrived is read. The requests of a
 * turn then run back to back, which on a busy server takes about half the time: code and data stay in the processor's
 * caches, the store checks for changes once, and responses leave together (decision 7).
 *
 * @returns the read timestamp shared by all requests of the turn, later than the arrival of each
 */
export function endOfTurn(): Promise<ReadTimestamp> {
  turn ??= nextTurn().then(() => {
    turn = null;
    return now();
  });
  return turn;
}

export interface RequestLifecycle {
  /** Authenticates and counts the request. @returns null without a token */
  begin(request: FastifyRequest, reply: FastifyReply): Promise<Caller | null>;
  /** As {@link begin}, but does not count requests without a token: public routes have their own rate limit. */
  beginPublic(request: FastifyRequest, reply: FastifyReply): Promise<Caller | null>;
  /** For responses that are the same for everyone: reads no token and counts nothing. */
  beginAnonymous(request: FastifyRequest, reply: FastifyReply): Promise<unknown>;
  /**
   * Call it when the body is complete. A request whose body arrived late is authenticated again and gets a new read
   * timestamp.
   *
   * @returns null if there is nothing to wait for
   */
  bodyArrived(request: FastifyRequest, reply: FastifyReply): Promise<void> | null;
  /** @throws Error before the request has begun */
  scopeOf(request: FastifyRequest): RequestScope;
  /** @param streaming null for a single response */
  contextOf(request: FastifyRequest, limits: BudgetLimits, streaming?: Streaming | null): RequestContext;
}

type Identify = (request: FastifyRequest, reply: FastifyReply, scope: RequestScope) => Promise<Caller | null>;

/**
 * @param app its requests get the properties declared above
 * @param overload is notified how long requests wait
 */
export function createRequestLifecycle(
  app: FastifyInstance,
  authentication: Authentication,
  services: Services,
  limits: TimeLimits,
  overload: Overload,
  publicUrl: string | null,
): RequestLifecycle {
  const server = {
    publicUrl,
    countWrongSecret: (address: string) => authentication.countAt(address, null),
  };
  decorateRequests(app, overload);
  /** Requests that began before their body was complete. */
  const early = new WeakSet<FastifyRequest>();
  const enter = async (
    request: FastifyRequest,
    reply: FastifyReply,
    identify: Identify | null,
  ): Promise<Caller | null> => {
    const since = overload.enter();
    try {
      const readTimestamp = await endOfTurn();
      const isEarly = !hasArrived(request);
      if (isEarly) early.add(request);
      const scope = new RequestScope(request, reply, limits, readTimestamp, server);
      scope.caller = identify === null ? null : await identify(request, reply, scope);
      // The time that a client takes to send a body is no sign of overload.
      scope.waitsSince = isEarly ? null : since;
      request.scope = scope;
      return scope.caller;
    } finally {
      overload.leave();
    }
  };
  const identifyAgain: Identify = (request, _reply, scope) => authentication.identify(request, scope);
  const beginAgain = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    await enter(request, reply, identifyAgain);
    const { waitsSince } = scopeOf(request);
    if (waitsSince !== null) overload.started(waitsSince);
  };
  const begin =
    (identify: Identify | null): RequestLifecycle['begin'] =>
    (request, reply) => {
      // Waiting for earlier requests of the same connection is no sign of overload either.
      const earlier = awaitEarlierResponses(request, reply);
      const run = () => enter(request, reply, identify);
      return earlier === null ? run() : earlier.then(run);
    };
  return {
    begin: begin((request, reply, scope) => authentication.admit(request, reply, scope)),
    beginPublic: begin((request, reply, scope) => authentication.admitPublic(request, reply, scope)),
    beginAnonymous: begin(null),
    bodyArrived: (request, reply) => (early.has(request) ? beginAgain(request, reply) : null),
    scopeOf,
    contextOf: (request, budget, streaming) => createContext(services, scopeOf(request), budget, streaming),
  };
}

function decorateRequests(app: FastifyInstance, overload: Overload): void {
  app.decorateRequest('scope', null);
  app.decorateRequest('errorCode', null);
  app.decorateRequest('isStreamed', false);
  // Runs right before the handler. Requests whose body arrived late have reported already.
  app.addHook('preHandler', ({ scope }, _reply, done) => {
    const since = scope?.waitsSince ?? null;
    if (since !== null) overload.started(since);
    done();
  });
}

function scopeOf({ scope }: FastifyRequest): RequestScope {
  if (scope === null) throw new Error('A request was served before it was authenticated.');
  return scope;
}

/** `bodyArrived` as a hook that creates no promise when there is nothing to wait for. */
export function onBodyArrived(requests: RequestLifecycle): preHandlerHookHandler {
  return (request, reply, done) => {
    const arriving = requests.bodyArrived(request, reply);
    if (arriving === null) done();
    else arriving.then(() => done(), done);
  };
}

/** Only the body of a POST is read. */
function hasArrived({ method, raw }: FastifyRequest): boolean {
  // A request that a test injects is complete from the start.
  return method !== 'POST' || raw.complete || !(raw instanceof IncomingMessage);
}
