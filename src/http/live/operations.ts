/** Operations that come over a connection which stays open: each is answered as a POST would be. */

import type { GraphQLFormattedError } from 'graphql';

import { overloaded } from '../../errors.ts';
import type { BudgetLimits } from '../../graphql/limits/operation-budget.ts';
import type { Responses, RequestContext, Streaming } from '../../graphql/context.ts';
import { createContext } from '../../graphql/context.ts';
import type { GraphqlEndpoint } from '../../graphql/endpoint.ts';
import type { Caller } from '../../services/caller.ts';
import type { Services } from '../../services/services.ts';
import type { TimeLimits } from '../../storage/deadline.ts';
import type { Authentication } from '../request/authentication.ts';
import { endOfTurn } from '../request/event-loop-turn.ts';
import type { Overload } from '../limits/overload.ts';
import { LiveScope } from './live-scope.ts';

export interface LiveOperationsOptions {
  readonly endpoint: GraphqlEndpoint;
  readonly services: Services;
  readonly authentication: Authentication;
  readonly overload: Overload;
  readonly budget: BudgetLimits;
  readonly times: TimeLimits;
}

/** By whom an operation comes. */
export interface Asker {
  readonly requestId: string;
  readonly address: string;
  readonly caller: Caller | null;
  isBlocked(): boolean;
}

/** An answer as the JSON text of a whole result, in UTF-8 where it is no string; or many of them. */
export type Performed =
  | { readonly kind: 'answer'; readonly text: string | Buffer }
  | { readonly kind: 'answers'; readonly responses: Responses }
  /** Nothing was executed. */
  | { readonly kind: 'refused'; readonly errors: readonly GraphQLFormattedError[] };

export interface LiveOperations {
  /**
   * @param body as of a POST
   * @throws ServiceError RATE_LIMITED, OVERLOADED; DocumentRefusal
   */
  perform(body: unknown, asker: Asker): Promise<Performed>;
  /** What a subscription needs beside its request. */
  streamingFor(asker: Asker, isReadOnly: boolean): Streaming;
}

const HEADERS = { accept: 'application/json', 'content-type': 'application/json' };

export function createLiveOperations(options: LiveOperationsOptions): LiveOperations {
  const { endpoint, services, authentication, overload, budget, times } = options;

  const streamingFor: LiveOperations['streamingFor'] = (asker, isReadOnly) => ({
    isReadOnly,
    isBlocked: () => asker.isBlocked(),
    renew: () => createContext(services, new LiveScope(asker.requestId, asker.caller, times), budget),
    responses: null,
  });

  const enter = async (asker: Asker): Promise<RequestContext> => {
    const { requestId, caller } = asker;
    const since = overload.enter();
    const readTimestamp = await endOfTurn();
    overload.leave();
    overload.started(since);
    const scope = new LiveScope(requestId, caller, times, readTimestamp);
    return createContext(services, scope, budget, streamingFor(asker, false));
  };

  return {
    streamingFor,
    async perform(body, asker) {
      if (overload.isOverloaded()) throw overloaded();
      authentication.countAt(asker.address, asker.caller);
      const context = await enter(asker);
      try {
        const request = { method: 'POST', headers: HEADERS, search: '', body };
        const { body: text } = await endpoint.response(request, context);
        const { refusal } = context.budget;
        if (refusal?.code === 'OVERLOADED') throw refusal;
        const responses = context.streaming?.responses ?? null;
        if (responses !== null) return { kind: 'answers', responses };
        const errors = errorsAlone(text);
        return errors === null ? { kind: 'answer', text } : { kind: 'refused', errors };
      } finally {
        context.budget.release();
      }
    },
  };
}

/** The errors of a result without data; null for any other. */
function errorsAlone(text: string | Buffer): readonly GraphQLFormattedError[] | null {
  // Only a result with errors begins so, and only one with data is given as bytes.
  if (typeof text !== 'string' || !text.startsWith('{"errors":')) return null;
  const { data, errors } = JSON.parse(text) as {
    readonly data?: unknown;
    readonly errors: readonly GraphQLFormattedError[];
  };
  return data === undefined ? errors : null;
}
