/** What a request carries from its authentication to its handler. */

import type { FastifyRequest } from 'fastify';

import type { Caller } from '../services/caller.ts';
import type { Authenticate } from './authentication.ts';

/** What a request's work for the store runs in: it may wait so long for all its calls together. */
export interface RequestBudget {
  run<T>(work: () => T): T;
}

interface RequestState {
  readonly caller: Caller | null;
  readonly budget: RequestBudget;
}

export interface Requests {
  /** Begins the request's budget and finds out who asks; null where it carries no token. */
  begin(request: FastifyRequest): Promise<Caller | null>;
  /** Does the request's work within what is left of its budget. */
  serve<T>(request: FastifyRequest, work: (caller: Caller | null) => T): T;
}

export function trackRequests(authenticate: Authenticate, beginBudget: () => RequestBudget): Requests {
  const states = new WeakMap<FastifyRequest, RequestState>();
  return {
    async begin(request) {
      const budget = beginBudget();
      const caller = await budget.run(() => authenticate(request));
      states.set(request, { caller, budget });
      return caller;
    },
    serve(request, work) {
      const state = states.get(request);
      if (state === undefined) throw new Error('A request was served before it was authenticated.');
      return state.budget.run(() => work(state.caller));
    },
  };
}
