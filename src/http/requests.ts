/** What a request carries from its authentication to its handler. */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import type { Bounds } from '../services/bounds.ts';
import type { Caller } from '../services/caller.ts';
import type { Services } from '../services/services.ts';
import type { Authenticate } from './authentication.ts';
import { boundsOf } from './request-bounds.ts';

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

export type Work<T> = (caller: Caller | null, services: Services, bounds: Bounds) => T;

export interface Requests {
  /** Finds out who asks; null where the request carries no token. */
  begin(request: FastifyRequest): Promise<Caller | null>;
  serve<T>(request: FastifyRequest, reply: FastifyReply, work: Work<T>): T;
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
      const services = servicesForRequest();
      const caller = await authenticate(request, services.tokens);
      request.state = { caller, services };
      return caller;
    },
    serve(request, reply, work) {
      const { state } = request;
      if (state === null) throw new Error('A request was served before it was authenticated.');
      return work(state.caller, state.services, boundsOf(request, reply, timeoutMs));
    },
  };
}
