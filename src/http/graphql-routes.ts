/** /graphql on Fastify: passes plain requests to the GraphQL door, and sends its answers. */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { isDeeperThan } from '../domain/json.ts';
import { ERRORS, ServiceError } from '../errors.ts';
import type { AllowanceLimits } from '../graphql/allowance.ts';
import type { GraphqlDoor, GraphqlRequest } from '../graphql/door.ts';
import { DocumentRefusal } from '../graphql/operations/limits.ts';
import { readQuery } from '../rest/query.ts';
import type { GraphiqlOptions } from './graphiql-routes.ts';
import { sendGraphiqlPage, wantsGraphiql } from './graphiql-routes.ts';
import { addVary, answerOptions } from './cors.ts';
import { sendFailure, toServiceError } from './failure.ts';
import { searchOf } from './request-url.ts';
import type { Requests } from './requests.ts';
import { whenArrived } from './requests.ts';

export const GRAPHQL_PATH = '/graphql';
export const GRAPHQL_METHODS = 'GET, HEAD, POST, OPTIONS';

/** Levels of nesting in a request's JSON. Even the deepest input with the deepest `fields` stays far below. */
const MAX_BODY_DEPTH = 100;

export interface GraphqlRoutesOptions {
  readonly door: GraphqlDoor;
  readonly requests: Requests;
  readonly allowance: AllowanceLimits;
  /** Null where it is not served. */
  readonly graphiql: GraphiqlOptions | null;
}

export function graphqlRoutes(app: FastifyInstance, options: GraphqlRoutesOptions): void {
  app.setErrorHandler(sendGraphqlFailure);

  app.route({
    method: ['GET', 'POST'],
    url: GRAPHQL_PATH,
    onRequest: (request, reply) => options.requests.begin(request, reply),
    preHandler: whenArrived(options.requests),
    handler: (request, reply) => {
      const { graphiql } = options;
      if (graphiql !== null && wantsGraphiql(request)) return sendGraphiqlPage(request, reply, graphiql);
      assertDepth(request.body);
      return answerOperation(request, reply, options);
    },
  });

  app.options(GRAPHQL_PATH, (request, reply) => answerOptions(request, reply, GRAPHQL_METHODS));
}

async function answerOperation(
  request: FastifyRequest,
  reply: FastifyReply,
  { door, requests, allowance: limits }: GraphqlRoutesOptions,
): Promise<FastifyReply> {
  const context = requests.contextOf(request, limits);
  const { allowance } = context;
  try {
    const { status, headers, body } = await door.answer(readRequest(request), context);
    if (allowance.refusal?.code === 'OVERLOADED') throw allowance.refusal;
    // The answer depends on `Accept`: one of two types of JSON, or the page for browsers.
    addVary(reply, 'Accept');
    for (const [name, value] of headers) {
      // Set already, to what both doors tell caches.
      if (name === 'cache-control' && reply.hasHeader(name)) continue;
      reply.header(name, value);
    }
    reply.code(status).send(body);
  } finally {
    allowance.release();
  }
  return reply;
}

function assertDepth(body: unknown): void {
  if (!isDeeperThan(body, MAX_BODY_DEPTH)) return;
  throw new ServiceError('BAD_USER_INPUT', `The body nests deeper than ${MAX_BODY_DEPTH} levels.`);
}

function readRequest(request: FastifyRequest): GraphqlRequest {
  const search = searchOf(request);
  // Checks the percent-encoding as /v0 does, since Apollo would read broken encoding as something else.
  readQuery(search, []);
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
  // An unreadable body is Apollo's BAD_REQUEST: no argument of the operation is wrong.
  const code = error.code === 'BAD_USER_INPUT' ? 'BAD_REQUEST' : error.code;
  const { status } = ERRORS[error.code];
  return sendFailure(reply, status, error, {
    errors: [{ message: error.message, extensions: { code } }],
  });
}
