/** What is kept with a request between authentication and its handler. */

import { IncomingMessage } from 'node:http';

import type { FastifyInstance, FastifyReply, FastifyRequest, preHandlerHookHandler } from 'fastify';

import type { AllowanceLimits } from '../graphql/allowance.ts';
import type { RequestContext } from '../graphql/context.ts';
import { createContext } from '../graphql/context.ts';
import type { Caller } from '../services/caller.ts';
import type { Services } from '../services/services.ts';
import type { TimeLimits } from '../storage/deadline.ts';
import type { Authentication } from './authentication.ts';
import { endOfTurn } from './event-loop-turn.ts';
import { awaitEarlierAnswers } from './pipelining.ts';
import { RequestScope } from './request-scope.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Null before the request has begun. */
    scope: RequestScope | null;
  }
}

export interface Requests {
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
  contextOf(request: FastifyRequest, limits: AllowanceLimits): RequestContext;
}

/** @param app to which the decorations of its requests are added */
export function trackRequests(
  app: FastifyInstance,
  authentication: Authentication,
  services: Services,
  limits: TimeLimits,
): Requests {
  app.decorateRequest('scope', null);
  /** Requests whose body was still on its way when they began. */
  const early = new WeakSet<FastifyRequest>();
  const beginAnew = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const scope = new RequestScope(request, reply, limits, await endOfTurn());
    scope.caller = await authentication.identify(request, scope);
    request.scope = scope;
  };
  const begin =
    (admit: 'admit' | 'admitAnybody' | null): Requests['begin'] =>
    async (request, reply) => {
      await awaitEarlierAnswers(request, reply);
      const asOf = await endOfTurn();
      if (!hasArrived(request)) early.add(request);
      const scope = new RequestScope(request, reply, limits, asOf);
      scope.caller = admit === null ? null : await authentication[admit](request, scope);
      request.scope = scope;
      return scope.caller;
    };
  return {
    begin: begin('admit'),
    beginForAnybody: begin('admitAnybody'),
    beginWithoutToken: begin(null),
    arrived: (request, reply) => (early.has(request) ? beginAnew(request, reply) : null),
    scopeOf,
    contextOf: (request, allowance) => createContext(services, scopeOf(request), allowance),
  };
}

function scopeOf({ scope }: FastifyRequest): RequestScope {
  if (scope === null) throw new Error('A request was served before it was authenticated.');
  return scope;
}

/** `arrived` as a hook, which makes no promise when there is nothing to wait for. */
export function whenArrived(requests: Requests): preHandlerHookHandler {
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
