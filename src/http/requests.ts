/** What a request carries from its authentication to its handler. */

import type { FastifyReply, FastifyRequest } from 'fastify';

import type { Bounds } from '../services/bounds.ts';
import type { Caller } from '../services/caller.ts';
import type { Authenticate } from './authentication.ts';
import { boundsOf } from './request-bounds.ts';

/** What a request's work for the store runs in: it may wait so long for all its calls together. */
export interface RequestBudget {
  run<T>(work: () => T): T;
}

interface RequestState {
  readonly caller: Caller | null;
  readonly budget: RequestBudget;
}

export type Work<T> = (caller: Caller | null, bounds: Bounds) => T;

export interface Requests {
  /** Begins the request's budget and finds out who asks; null where it carries no token. */
  begin(request: FastifyRequest): Promise<Caller | null>;
  /** Does the request's work within what is left of its budget. */
  serve<T>(request: FastifyRequest, reply: FastifyReply, work: Work<T>): T;
}

/** @param timeoutMs how long a request may wait for its addresses */
export function trackRequests(
  authenticate: Authenticate,
  beginBudget: () => RequestBudget,
  timeoutMs: number,
): Requests {
  const states = new WeakMap<FastifyRequest, RequestState>();
  return {
    async begin(request) {
      const budget = beginBudget();
      const caller = await budget.run(() => authenticate(request));
      states.set(request, { caller, budget });
      return caller;
    },
    serve(request, reply, work) {
      const state = states.get(request);
      if (state === undefined) throw new Error('A request was served before it was authenticated.');
      const bounds = boundsOf(request, reply, timeoutMs);
      return state.budget.run(() => work(state.caller, bounds));
    },
  };
}
