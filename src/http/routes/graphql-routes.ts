/** /graphql on Fastify: passes plain requests to the GraphQL door, and sends its answers. */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { badUserInput, ERRORS } from '../../errors.ts';
import type { BudgetLimits } from '../../graphql/limits/operation-budget.ts';
import type { GraphqlEndpoint, GraphqlRequest } from '../../graphql/endpoint.ts';
import { DocumentRefusal } from '../../graphql/limits/document-limits.ts';
import { readQuery } from '../../rest/query.ts';
import type { GraphiqlOptions } from './graphiql-routes.ts';
import { sendGraphiqlPage, wantsGraphiql } from './graphiql-routes.ts';
import { addVary, respondToOptions } from '../cors.ts';
import { sendFailure, toServiceError } from '../failure.ts';
import { assertDepth, refusalOf } from '../graphql-errors.ts';
import { assertSafeIntegers } from '../request/json-body.ts';
import { searchOf } from '../request/request-url.ts';
import { eventsOfOne, EVENT_STREAM, takesEvents } from '../live/event-stream.ts';
import type { Live } from '../live/live.ts';
import { upgradeOf } from '../live/upgrades.ts';
import type { RequestLifecycle } from '../request/lifecycle.ts';
import { whenArrived } from '../request/lifecycle.ts';

export const GRAPHQL_PATH = '/graphql';
export const GRAPHQL_METHODS = 'GET, HEAD, POST, OPTIONS';

export interface GraphqlRoutesOptions {
  readonly endpoint: GraphqlEndpoint;
  readonly live: Live;
  readonly requests: RequestLifecycle;
  readonly budget: BudgetLimits;
  /** Null where it is not served. */
  readonly graphiql: GraphiqlOptions | null;
}

export function graphqlRoutes(app: FastifyInstance, options: GraphqlRoutesOptions): void {
  app.setErrorHandler(sendGraphqlFailure);

  app.route({
    method: ['GET', 'POST'],
    url: GRAPHQL_PATH,
    onRequest: async (request, reply) => {
      // Who opens a WebSocket is asked on it.
      if (upgradeOf(request) === null) await options.requests.begin(request, reply);
    },
    preHandler: whenArrived(options.requests),
    handler: (request, reply) => {
      const { graphiql, live } = options;
      const upgrade = upgradeOf(request);
      if (upgrade !== null) return live.acceptWebSocket(request, reply, upgrade);
      if (graphiql !== null && wantsGraphiql(request)) return sendGraphiqlPage(request, reply, graphiql);
      assertDepth(request.body);
      return executeOperation(request, reply, options);
    },
  });

  app.options(GRAPHQL_PATH, (request, reply) => respondToOptions(request, reply, GRAPHQL_METHODS));
}

async function executeOperation(
  request: FastifyRequest,
  reply: FastifyReply,
  { endpoint, live, requests, budget: limits }: GraphqlRoutesOptions,
): Promise<FastifyReply> {
  const events = request.method === 'HEAD' ? 'not' : takesEvents(request.headers.accept);
  const streaming = events === 'not' ? null : live.streamingFor(request, reply);
  const context = requests.contextOf(request, limits, streaming);
  const { budget } = context;
  try {
    const asked = readRequest(request);
    const { status, headers, body } = await endpoint.response(
      events === 'only' ? asPost(asked) : asked,
      context,
    );
    if (budget.refusal?.code === 'OVERLOADED') throw budget.refusal;
    const responses = streaming?.responses ?? null;
    if (responses !== null) live.sendEvents(request, reply, responses);
    else if (events === 'only') sendOneEvent(reply, body.toString());
    else {
      // The answer depends on `Accept`: one of two types of JSON, or the page for browsers.
      addVary(reply, 'Accept');
      for (const [name, value] of headers) {
        // Set already, to what both doors tell caches.
        if (name === 'cache-control' && reply.hasHeader(name)) continue;
        reply.header(name, value);
      }
      reply.code(status).send(body);
    }
  } catch (error) {
    if (events !== 'only' || !(error instanceof DocumentRefusal)) throw error;
    request.errorCode = String(error.error.extensions?.['code']);
    sendOneEvent(reply, JSON.stringify({ errors: [error.error] }));
  } finally {
    budget.release();
  }
  return reply;
}

/** One result, whatever it is, as a stream of events: a client that takes nothing else could not read it otherwise. */
function sendOneEvent(reply: FastifyReply, result: string): void {
  addVary(reply, 'Accept');
  reply.type(`${EVENT_STREAM}; charset=utf-8`).send(eventsOfOne(result));
}

/**
 * The same in the form that is answered with JSON. A GET becomes a POST, since subscriptions may come by either: what it
 * must not change is seen to by the executor.
 */
function asPost(asked: GraphqlRequest): GraphqlRequest {
  const headers = { ...asked.headers, accept: 'application/json', 'content-type': 'application/json' };
  if (asked.method !== 'GET') return { ...asked, headers };
  const parameters = new URLSearchParams(asked.search);
  const members = [...parameters].map(([name, value]) => [
    name,
    JSON_MEMBERS.has(name) ? parseJson(name, value) : value,
  ]);
  return { method: 'POST', headers, search: '', body: Object.fromEntries(members) as unknown };
}

const JSON_MEMBERS: ReadonlySet<string> = new Set(['variables', 'extensions']);

function parseJson(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw badUserInput(`The parameter ${name} is not valid JSON.`);
  }
}

function readRequest(request: FastifyRequest): GraphqlRequest {
  const search = searchOf(request);
  // Checks the percent-encoding as /v0 does, since Apollo would read broken encoding as something else.
  readQuery(search, []);
  if (request.method !== 'POST') {
    for (const [name, value] of new URLSearchParams(search)) {
      if (JSON_MEMBERS.has(name)) assertSafeIntegers(value, name);
    }
  }
  return {
    // HEAD is a GET whose body is not sent.
    method: request.method === 'HEAD' ? 'GET' : request.method,
    headers: request.headers,
    search: search === '' ? '' : `?${search}`,
    body: request.body,
  };
}

/** Answers failures before an operation runs: authentication, the rate, the body's type, size and JSON. */
export function sendGraphqlFailure(
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  if (thrown instanceof DocumentRefusal) {
    request.errorCode = String(thrown.error.extensions?.['code']);
    return sendFailure(reply, ERRORS.BAD_USER_INPUT.status, null, { errors: [thrown.error] });
  }
  const error = toServiceError(thrown, request);
  return sendFailure(reply, ERRORS[error.code].status, error, { errors: [refusalOf(error)] });
}
