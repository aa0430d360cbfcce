/** What is kept with a request between authentication and its handler. */

import { IncomingMessage } from 'node:http';

import type { FastifyInstance, FastifyReply, FastifyRequest, preHandlerHookHandler } from 'fastify';

import type { BudgetLimits } from '../../graphql/limits/operation-budget.ts';
import type { RequestContext, Streaming } from '../../graphql/context.ts';
import { createContext } from '../../graphql/context.ts';
import type { Caller } from '../../services/caller.ts';
import type { Services } from '../../services/services.ts';
import type { TimeLimits } from '../../storage/deadline.ts';
import type { Authentication } from './authentication.ts';
import { endOfTurn } from './event-loop-turn.ts';
import type { Overload } from '../limits/overload.ts';
import { awaitEarlierResponses } from './pipelining.ts';
import { RequestScope } from './scope.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Null before the request has begun. */
    scope: RequestScope | null;
    /** Of the failure that the request is answered with; null for none. */
    errorCode: string | null;
    /** Whether the answer goes on for as long as the client wants. */
    isStreamed: boolean;
  }
}

export interface RequestLifecycle {
  /** Authenticates the request; null for a request without a token. */
  begin(request: FastifyRequest, reply: FastifyReply): Promise<Caller | null>;
  /** As {@link begin}, for what has a rate of its own: without a token the request is not counted. */
  beginForAnybody(request: FastifyRequest, reply: FastifyReply): Promise<Caller | null>;
  /** For what is the same for everybody: no token is read, and nothing is counted. */
  beginWithoutToken(request: FastifyRequest, reply: FastifyReply): Promise<unknown>;
  /**
   * To be called when the body has arrived: token, map and data are read as they are then. Null when nothing has to be
   * done.
   */
  arrived(request: FastifyRequest, reply: FastifyReply): Promise<void> | null;
  /** @throws Error before the request has begun */
  scopeOf(request: FastifyRequest): RequestScope;
  /** @param streaming null where there is one answer */
  contextOf(request: FastifyRequest, limits: BudgetLimits, streaming?: Streaming | null): RequestContext;
}

/**
 * @param app to which the decorations of its requests are added
 * @param overload told how long they wait
 */
export function createRequestLifecycle(
  app: FastifyInstance,
  authentication: Authentication,
  services: Services,
  limits: TimeLimits,
  overload: Overload,
): RequestLifecycle {
  app.decorateRequest('scope', null);
  app.decorateRequest('errorCode', null);
  app.decorateRequest('isStreamed', false);
  // Just before the handler, but for a request whose body was on its way.
  app.addHook('preHandler', ({ scope }, _reply, done) => {
    const since = scope?.waitsSince ?? null;
    if (since !== null) overload.started(since);
    done();
  });
  /** Requests whose body was still on its way when they began. */
  const early = new WeakSet<FastifyRequest>();
  const enter = async (
    request: FastifyRequest,
    reply: FastifyReply,
    identify: ((scope: RequestScope) => Promise<Caller | null>) | null,
  ): Promise<RequestScope> => {
    const since = overload.enter();
    try {
      const readTimestamp = await endOfTurn();
      const isEarly = !hasArrived(request);
      if (isEarly) early.add(request);
      const scope = new RequestScope(request, reply, limits, readTimestamp);
      scope.caller = identify === null ? null : await identify(scope);
      // How long a client takes to send a body is no work of ours.
      scope.waitsSince = isEarly ? null : since;
      request.scope = scope;
      return scope;
    } finally {
      overload.leave();
    }
  };
  const beginAnew = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { waitsSince } = await enter(request, reply, (scope) => authentication.identify(request, scope));
    if (waitsSince !== null) overload.started(waitsSince);
  };
  const begin =
    (admit: 'admit' | 'admitAnybody' | null): RequestLifecycle['begin'] =>
    async (request, reply) => {
      // Nor is what a client has asked for before on the same connection.
      await awaitEarlierResponses(request, reply);
      const { caller } = await enter(
        request,
        reply,
        admit === null ? null : (scope) => authentication[admit](request, reply, scope),
      );
      return caller;
    };
  return {
    begin: begin('admit'),
    beginForAnybody: begin('admitAnybody'),
    beginWithoutToken: begin(null),
    arrived: (request, reply) => (early.has(request) ? beginAnew(request, reply) : null),
    scopeOf,
    contextOf: (request, budget, streaming) => createContext(services, scopeOf(request), budget, streaming),
  };
}

function scopeOf({ scope }: FastifyRequest): RequestScope {
  if (scope === null) throw new Error('A request was served before it was authenticated.');
  return scope;
}

/** `arrived` as a hook, which makes no promise when there is nothing to wait for. */
export function whenArrived(requests: RequestLifecycle): preHandlerHookHandler {
  return (request, reply, done) => {
    const arriving = requests.arrived(request, reply);
    if (arriving === null) done();
    else arriving.then(() => done(), done);
  };
}

/** Only a POST has a body that is read. */
function hasArrived({ method, raw }: FastifyRequest): boolean {
  // A request injected by a test is complete from the beginning.
  return method !== 'POST' || raw.complete || !(raw instanceof IncomingMessage);
}
