/** Operations on a connection that stays open. Each runs as a POST would. */

import type { GraphQLFormattedError } from 'graphql';

import { overloaded } from '../../errors.ts';
import type { RequestContext, Responses, Streaming } from '../../graphql/context.ts';
import { createContext } from '../../graphql/context.ts';
import type { GraphqlEndpoint } from '../../graphql/endpoint.ts';
import type { BudgetLimits } from '../../graphql/limits/operation-budget.ts';
import type { Caller } from '../../services/caller.ts';
import type { Scope } from '../../services/scope.ts';
import type { Services } from '../../services/services.ts';
import type { TimeLimits } from '../../storage/deadline.ts';
import { Deadline } from '../../storage/deadline.ts';
import type { ReadTimestamp } from '../../storage/read-timestamp.ts';
import { now } from '../../storage/read-timestamp.ts';
import type { Overload } from '../limits/overload.ts';
import type { Authentication } from '../request/authentication.ts';
import { endOfTurn } from '../request/lifecycle.ts';

export interface LiveOperationsOptions {
  readonly endpoint: GraphqlEndpoint;
  readonly services: Services;
  readonly authentication: Authentication;
  readonly overload: Overload;
  readonly budget: BudgetLimits;
  readonly times: TimeLimits;
}

/** The connection that an operation arrives on. */
export interface OperationClient {
  readonly requestId: string;
  readonly address: string;
  /** The base of absolute links to this server. */
  readonly baseUrl: string;
  readonly caller: Caller | null;
  isBlocked(): boolean;
}

export type LiveResult =
  /** JSON text of the whole result; UTF-8 if it is not a string. */
  | { readonly kind: 'single'; readonly text: string | Buffer }
  | { readonly kind: 'stream'; readonly responses: Responses }
  /** Nothing was executed. */
  | { readonly kind: 'rejected'; readonly errors: readonly GraphQLFormattedError[] };

export interface LiveOperations {
  /**
   * @param body as of a POST
   * @throws ServiceError RATE_LIMITED, OVERLOADED; DocumentRefusal
   */
  execute(body: unknown, client: OperationClient): Promise<LiveResult>;
  /** The part of a request's context that subscriptions need. */
  streamingFor(client: OperationClient, isReadOnly: boolean): Streaming;
}

const HEADERS = { accept: 'application/json', 'content-type': 'application/json' };

export function createLiveOperations(options: LiveOperationsOptions): LiveOperations {
  const { endpoint, services, authentication, overload, budget, times } = options;

  const countWrongSecret = (address: string) => authentication.countAt(address, null);

  const streamingFor: LiveOperations['streamingFor'] = (client, isReadOnly) => ({
    isReadOnly,
    isBlocked: () => client.isBlocked(),
    renew: () => createContext(services, new LiveScope(client, times, countWrongSecret), budget),
    responses: null,
  });

  const enter = async (client: OperationClient): Promise<RequestContext> => {
    const since = overload.enter();
    const readTimestamp = await endOfTurn();
    overload.leave();
    overload.started(since);
    const scope = new LiveScope(client, times, countWrongSecret, readTimestamp);
    return createContext(services, scope, budget, streamingFor(client, false));
  };

  return {
    streamingFor,
    async execute(body, client) {
      if (overload.isOverloaded()) throw overloaded();
      authentication.countAt(client.address, client.caller);
      const context = await enter(client);
      try {
        const request = { method: 'POST', headers: HEADERS, search: '', body };
        const { body: text } = await endpoint.response(request, context);
        const { refusal } = context.budget;
        if (refusal?.code === 'OVERLOADED') throw refusal;
        const responses = context.streaming?.responses ?? null;
        if (responses !== null) return { kind: 'stream', responses };
        const errors = errorsWithoutData(text);
        return errors === null ? { kind: 'single', text } : { kind: 'rejected', errors };
      } finally {
        context.budget.release();
      }
    },
  };
}

/** The errors of a result without data; null for any other. */
function errorsWithoutData(text: string | Buffer): readonly GraphQLFormattedError[] | null {
  // Results without data are strings, and only results with errors start like this.
  if (typeof text !== 'string' || !text.startsWith('{"errors":')) return null;
  const { data, errors } = JSON.parse(text) as {
    readonly data?: unknown;
    readonly errors: readonly GraphQLFormattedError[];
  };
  return data === undefined ? errors : null;
}

/** The scope of one operation, or of one response of a subscription. */
class LiveScope implements Scope {
  readonly requestId: string;
  readonly caller: Caller | null;
  readonly baseUrl: string;
  readonly countWrongSecret: () => void;
  operation: string | undefined = undefined;
  errorCode: string | undefined = undefined;
  readonly readTimestamp: ReadTimestamp;
  readonly deadline: Deadline;

  /** @param limits counted from now */
  constructor(
    { requestId, caller, address, baseUrl }: OperationClient,
    limits: TimeLimits,
    countWrongSecret: (address: string) => void,
    readTimestamp: ReadTimestamp = now(),
  ) {
    this.requestId = requestId;
    this.caller = caller;
    this.baseUrl = baseUrl;
    this.countWrongSecret = () => countWrongSecret(address);
    this.readTimestamp = readTimestamp;
    this.deadline = new Deadline(limits);
  }
}
