/** /graphql on Fastify: plain requests to Apollo Server, its answers back. */

import { HeaderMap } from '@apollo/server';
import type { HTTPGraphQLRequest, HTTPGraphQLResponse } from '@apollo/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { isDeeperThan } from '../domain/json.ts';
import { ERRORS, ServiceError } from '../errors.ts';
import type { Apollo } from '../graphql/apollo.ts';
import { createContext } from '../graphql/context.ts';
import { readQuery } from '../rest/query.ts';
import type { Services } from '../services/services.ts';
import type { GraphiqlOptions } from '../web/graphiql.ts';
import { sendGraphiqlPage, wantsGraphiql } from '../web/graphiql.ts';
import { addVary, answerOptions } from './cors.ts';
import { failureHeaders, toFailure } from './failure.ts';
import type { Requests } from './requests.ts';
import { JSON_TYPE } from './v0-routes.ts';

export const GRAPHQL_PATH = '/graphql';
export const GRAPHQL_METHODS = 'GET, HEAD, POST, OPTIONS';

/** Levels of nesting in a request's JSON: the deepest input and the deepest `fields` together stay far below. */
const MAX_BODY_DEPTH = 100;

export interface GraphqlRoutesOptions {
  readonly apollo: Apollo;
  readonly services: Services;
  readonly requests: Requests;
  readonly maxRows: number;
  readonly graphiql: GraphiqlOptions;
}

export function graphqlRoutes(app: FastifyInstance, options: GraphqlRoutesOptions): void {
  app.setErrorHandler(sendGraphqlFailure);

  app.route({
    method: ['GET', 'POST'],
    url: GRAPHQL_PATH,
    onRequest: async (request) => {
      await options.requests.begin(request);
    },
    handler: async (request, reply) => {
      if (wantsGraphiql(request)) return sendGraphiqlPage(request, reply, options.graphiql);
      const httpGraphQLRequest = readRequest(request);
      const response = await options.requests.serve(request, reply, (caller, bounds) =>
        options.apollo.executeHTTPGraphQLRequest({
          httpGraphQLRequest,
          context: () => Promise.resolve(createContext(options.services, caller, options.maxRows, bounds)),
        }),
      );
      return send(reply, response);
    },
  });

  app.options(GRAPHQL_PATH, (request, reply) => answerOptions(request, reply, GRAPHQL_METHODS));
}

function readRequest(request: FastifyRequest): HTTPGraphQLRequest {
  if (isDeeperThan(request.body, MAX_BODY_DEPTH)) {
    throw new ServiceError('BAD_USER_INPUT', `The body nests deeper than ${MAX_BODY_DEPTH} levels.`);
  }
  const headers = new HeaderMap();
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value);
  }
  const queryStart = request.url.indexOf('?');
  const search = queryStart === -1 ? '' : request.url.slice(queryStart);
  // Apollo would read broken percent-encoding as something else; /v0's reader refuses it.
  readQuery(search, []);
  return {
    // HEAD is GET whose body is not sent.
    method: request.method === 'HEAD' ? 'GET' : request.method,
    headers,
    search,
    body: request.body,
  };
}

async function send(
  reply: FastifyReply,
  { status, headers, body }: HTTPGraphQLResponse,
): Promise<FastifyReply> {
  reply.code(status ?? 200);
  // It chooses between two types of JSON, and the page for browsers.
  addVary(reply, 'Accept');
  for (const [name, value] of headers) {
    // Set already, with what both doors say to caches.
    if (name === 'cache-control' && reply.hasHeader(name)) continue;
    reply.header(name, value);
  }
  if (body.kind === 'complete') return reply.send(body.string);
  // Incremental delivery is not part of the schema's directives, so Apollo has no reason to answer in chunks.
  let text = '';
  for await (const chunk of body.asyncIterator) text += chunk;
  return reply.send(text);
}

/** Failures before an operation ran: authentication, the rate, the body's type, size and JSON. */
export function sendGraphqlFailure(
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const { error, isUnexpected } = toFailure(thrown);
  if (isUnexpected) request.log.error({ err: thrown }, 'A request failed');
  // A body that cannot be read is Apollo's BAD_REQUEST: no argument of ours is at fault.
  const code = error.code === 'BAD_USER_INPUT' ? 'BAD_REQUEST' : error.code;
  return reply
    .code(ERRORS[error.code].status)
    .headers(failureHeaders(error))
    .type(JSON_TYPE)
    .send(JSON.stringify({ errors: [{ message: error.message, extensions: { code } }] }));
}
