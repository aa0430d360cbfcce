/** /graphql on Fastify: plain requests to Apollo Server, its answers back. */

import type { HTTPGraphQLResponse } from '@apollo/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { isDeeperThan } from '../domain/json.ts';
import { ERRORS, ServiceError } from '../errors.ts';
import type { ApolloDoor, ApolloRequest } from '../graphql/apollo.ts';
import type { KnownQueries } from '../graphql/operations/known-queries.ts';
import { readPlainRequest } from '../graphql/operations/known-queries.ts';
import { readQuery } from '../rest/query.ts';
import type { GraphiqlOptions } from './graphiql-routes.ts';
import { sendGraphiqlPage, wantsGraphiql } from './graphiql-routes.ts';
import { addVary, answerOptions } from './cors.ts';
import { sendFailure, toFailure } from './failure.ts';
import type { Requests } from './requests.ts';
import { whenArrived } from './requests.ts';

export const GRAPHQL_PATH = '/graphql';
export const GRAPHQL_METHODS = 'GET, HEAD, POST, OPTIONS';

/** Levels of nesting in a request's JSON: the deepest input and the deepest `fields` together stay far below. */
const MAX_BODY_DEPTH = 100;

export interface GraphqlRoutesOptions {
  readonly apollo: () => Promise<ApolloDoor>;
  readonly knownQueries: KnownQueries;
  readonly requests: Requests;
  readonly maxRows: number;
  readonly graphiql: GraphiqlOptions;
}

export function graphqlRoutes(app: FastifyInstance, options: GraphqlRoutesOptions): void {
  app.setErrorHandler(sendGraphqlFailure);

  app.route({
    method: ['GET', 'POST'],
    url: GRAPHQL_PATH,
    onRequest: (request, reply) => options.requests.begin(request, reply),
    preHandler: whenArrived(options.requests),
    handler: (request, reply) => {
      if (wantsGraphiql(request)) return sendGraphiqlPage(request, reply, options.graphiql);
      assertDepth(request.body);
      return answerOperation(request, reply, options);
    },
  });

  app.options(GRAPHQL_PATH, (request, reply) => answerOptions(request, reply, GRAPHQL_METHODS));
}

async function answerOperation(
  request: FastifyRequest,
  reply: FastifyReply,
  { apollo, knownQueries, requests, maxRows }: GraphqlRoutesOptions,
): Promise<FastifyReply> {
  const plain = request.method === 'POST' ? readPlainRequest(request.body, request.headers.accept) : null;
  if (plain !== null) {
    const known = await knownQueries.answer(plain, requests.contextOf(request, { maxRows }));
    if (known !== null) return sendAnswer(reply, known.headers, known.body);
  }
  const context = requests.contextOf(request, { maxRows });
  const response = await (await apollo()).answer(readRequest(request), context);
  if (plain !== null) knownQueries.learn(plain, context, response);
  return send(reply, response);
}

function assertDepth(body: unknown): void {
  if (!isDeeperThan(body, MAX_BODY_DEPTH)) return;
  throw new ServiceError('BAD_USER_INPUT', `The body nests deeper than ${MAX_BODY_DEPTH} levels.`);
}

function readRequest(request: FastifyRequest): ApolloRequest {
  const queryStart = request.url.indexOf('?');
  const search = queryStart === -1 ? '' : request.url.slice(queryStart);
  // Apollo would read broken percent-encoding as something else; /v0's reader refuses it.
  readQuery(search, []);
  return {
    // HEAD is GET whose body is not sent.
    method: request.method === 'HEAD' ? 'GET' : request.method,
    headers: request.headers,
    search,
    body: request.body,
  };
}

async function send(
  reply: FastifyReply,
  { status, headers, body }: HTTPGraphQLResponse,
): Promise<FastifyReply> {
  reply.code(status ?? 200);
  if (body.kind === 'complete') return sendAnswer(reply, headers, body.string);
  // Incremental delivery is not part of the schema's directives, so Apollo has no reason to answer in chunks.
  let text = '';
  for await (const chunk of body.asyncIterator) text += chunk;
  return sendAnswer(reply, headers, text);
}

function sendAnswer(
  reply: FastifyReply,
  headers: Iterable<readonly [string, string]>,
  body: string | Buffer,
): FastifyReply {
  // It chooses between two types of JSON, and the page for browsers.
  addVary(reply, 'Accept');
  for (const [name, value] of headers) {
    // Set already, with what both doors say to caches.
    if (name === 'cache-control' && reply.hasHeader(name)) continue;
    reply.header(name, value);
  }
  return reply.send(body);
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
  const { status } = ERRORS[error.code];
  return sendFailure(reply, status, error, {
    errors: [{ message: error.message, extensions: { code } }],
  });
}
