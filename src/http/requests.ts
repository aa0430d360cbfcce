/** What a request carries from its authentication to its handler. */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import type { RequestContext } from '../graphql/context.ts';
import { createContext } from '../graphql/context.ts';
import type { Caller } from '../services/caller.ts';
import type { Services } from '../services/services.ts';
import type { Authenticate } from './authentication.ts';
import { boundsOf } from './request-bounds.ts';
import { endOfTurn } from './turn.ts';

interface RequestState {
  readonly caller: Caller | null;
  readonly services: Services;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Null before the request has begun. */
    state: RequestState | null;
  }
}

export interface Requests {
  /** Finds out who asks; null where the request carries no token. */
  begin(request: FastifyRequest): Promise<Caller | null>;
  /** @param maxRows maps and locations that the request's operation may read */
  contextOf(request: FastifyRequest, reply: FastifyReply, maxRows: number): RequestContext;
}

/**
 * @param app is told of what its requests carry
 * @param timeoutMs how long a request may wait for its addresses
 */
export function trackRequests(
  app: FastifyInstance,
  authenticate: Authenticate,
  servicesForRequest: () => Services,
  timeoutMs: number,
): Requests {
  app.decorateRequest('state', null);
  return {
    async begin(request) {
      // Before the wait: what the store is asked for is as old as the request at most.
      const services = servicesForRequest();
      await endOfTurn();
      const caller = await authenticate(request, services.tokens);
      request.state = { caller, services };
      return caller;
    },
    contextOf(request, reply, maxRows) {
      const { state } = request;
      if (state === null) throw new Error('A request was served before it was authenticated.');
      return createContext(state.services, state.caller, maxRows, boundsOf(request, reply, timeoutMs));
    },
  };
}
