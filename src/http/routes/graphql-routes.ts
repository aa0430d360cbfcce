/** /graphql on Fastify: passes requests to the GraphQL endpoint as plain data, and sends its responses. */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { badUserInput } from '../../errors.ts';
import type { BudgetLimits } from '../../graphql/limits/operation-budget.ts';
import type { GraphqlEndpoint, GraphqlRequest } from '../../graphql/endpoint.ts';
import { DocumentRefusal } from '../../graphql/limits/document-limits.ts';
import { readQuery } from '../../rest/query.ts';
import { GRAPHQL_METHODS } from './allowed-methods.ts';
import type { GraphiqlOptions } from './graphiql-routes.ts';
import { sendGraphiqlPage, wantsGraphiql } from './graphiql-routes.ts';
import { addVary } from '../caching.ts';
import { respondToOptions } from '../cors.ts';
import { sendGraphqlError } from '../errors.ts';
import { assertSafeIntegers, assertDepth } from '../request/json-body.ts';
import { searchOf } from '../request/request-url.ts';
import { eventsOfOne, EVENT_STREAM, takesEvents } from '../live/event-stream.ts';
import type { Live } from '../live/live.ts';
import { upgradeOf } from '../live/upgrades.ts';
import type { RequestLifecycle } from '../request/lifecycle.ts';
import { onBodyArrived } from '../request/lifecycle.ts';

export const GRAPHQL_PATH = '/graphql';

export interface GraphqlRoutesOptions {
  readonly endpoint: GraphqlEndpoint;
  readonly live: Live;
  readonly requests: RequestLifecycle;
  readonly budget: BudgetLimits;
  /** Null if it is not served. */
  readonly graphiql: GraphiqlOptions | null;
}

export function graphqlRoutes(app: FastifyInstance, options: GraphqlRoutesOptions): void {
  app.setErrorHandler(sendGraphqlError);

  app.route({
    method: ['GET', 'POST'],
    url: GRAPHQL_PATH,
    config: { acceptsSessions: true },
    onRequest: (request, reply, done) => {
      // A WebSocket client authenticates by message.
      if (upgradeOf(request) !== null) done();
      else options.requests.begin(request, reply).then(() => done(), done);
    },
    preHandler: onBodyArrived(options.requests),
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
    const received = readRequest(request);
    const { status, headers, body } = await endpoint.response(
      events === 'only' ? asPost(received) : received,
      context,
    );
    if (budget.refusal?.code === 'OVERLOADED') throw budget.refusal;
    const responses = streaming?.responses ?? null;
    if (responses !== null) live.sendEvents(request, reply, responses);
    else if (events === 'only') sendOneEvent(reply, body.toString());
    else {
      // The response depends on `Accept`: one of two JSON types, or a page for browsers.
      addVary(reply, 'Accept');
      for (const [name, value] of headers) {
        // Caching headers are set already, as for every endpoint.
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

/** Sends one result as an event stream, to a client that accepts nothing else. */
function sendOneEvent(reply: FastifyReply, result: string): void {
  addVary(reply, 'Accept');
  reply.type(`${EVENT_STREAM}; charset=utf-8`).send(eventsOfOne(result));
}

/**
 * The same operation as a POST that accepts JSON. Subscriptions may use GET; the executor keeps a GET from writing.
 */
function asPost(request: GraphqlRequest): GraphqlRequest {
  const headers = { ...request.headers, accept: 'application/json', 'content-type': 'application/json' };
  if (request.method !== 'GET') return { ...request, headers };
  const parameters = new URLSearchParams(request.search);
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
  // Validates the percent-encoding as /v0 does; Apollo would misread invalid encoding.
  if (search !== '') readQuery(search, []);
  if (request.method !== 'POST') {
    for (const [name, value] of new URLSearchParams(search)) {
      if (JSON_MEMBERS.has(name)) assertSafeIntegers(value, name);
    }
  }
  return {
    // HEAD is GET without a body.
    method: request.method === 'HEAD' ? 'GET' : request.method,
    headers: request.headers,
    search: search === '' ? '' : `?${search}`,
    body: request.body,
  };
}
