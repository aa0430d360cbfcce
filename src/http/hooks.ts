/** Hooks of every request: common headers, checks that come before any route, debug logging and metrics. */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import type { FinishedRequest } from '../app/observability/metrics.ts';
import { badUserInput, overloaded, storageNotReached } from '../errors.ts';
import { isOgcPath } from '../ogc/links.ts';
import { logFieldsOf } from '../services/scope.ts';
import { allowPrivateCaching, defaultToNoStore } from './caching.ts';
import { allowAnyOrigin, allowOpaqueOrigin, allowOrigin } from './cors.ts';
import type { Overload } from './limits/overload.ts';
import type { FindAllowed } from './routes/allowed-methods.ts';
import { noSuchRoute } from './routes/allowed-methods.ts';
import { GRAPHQL_PATH } from './routes/graphql-routes.ts';
import { PROBES } from './routes/health-routes.ts';
import { REQUEST_ID_HEADER } from './request/request-id.ts';
import { pathOf } from './request/request-url.ts';

/** Sets the headers of every response, including errors. */
export function startResponse(
  request: FastifyRequest,
  reply: FastifyReply,
  corsOrigins: readonly string[],
): void {
  reply.header(REQUEST_ID_HEADER, request.id);
  allowOrigin(request, reply, corsOrigins);
  if (request.headers.authorization !== undefined) allowPrivateCaching(reply);
  defaultToNoStore(request, reply);
}

export interface RequestChecks {
  readonly corsOrigins: readonly string[];
  /** Whether the server has pages of maps, which other sites may frame. */
  readonly hasMapPages: boolean;
  readonly overload: Overload;
  /** False until the store is open. */
  readonly isReady: () => boolean;
  readonly findAllowed: FindAllowed;
}

/** Rejects requests that no route should see. Probes are served even when the server is overloaded or not ready. */
export function checkRequests(app: FastifyInstance, checks: RequestChecks): void {
  const { corsOrigins, hasMapPages, overload, isReady, findAllowed } = checks;
  const unavailable = () => {
    if (overload.isOverloaded()) return overloaded();
    return isReady() ? null : storageNotReached();
  };
  app.addHook('onRequest', (request, reply, done) => {
    startResponse(request, reply, corsOrigins);
    if (hasMapPages && pathOf(request) === GRAPHQL_PATH) allowOpaqueOrigin(request, reply);
    if (hasMapPages && isOgcPath(pathOf(request))) allowAnyOrigin(reply);
    if (lacksHost(request)) return done(badUserInput('The Host header is required.'));
    const error = unavailable();
    if (error !== null && !PROBES.has(pathOf(request))) return done(error);
    // Path and method are checked before everything else, including the body's type.
    if (request.is404) return done(noSuchRoute(request, reply, findAllowed));
    if (request.method !== 'POST') ignoreBody(request);
    done();
  });
}

/** RFC 9112, 3.2: every HTTP/1.1 request must have a Host header. */
function lacksHost({ headers, raw }: FastifyRequest): boolean {
  return headers.host === undefined && raw.httpVersion === '1.1';
}

/** Removes the headers that make Fastify read a body. Node skips the body itself. */
function ignoreBody({ headers }: FastifyRequest): void {
  delete headers['content-type'];
  delete headers['content-length'];
  delete headers['transfer-encoding'];
}

/** @param onResponse called after every response but subscriptions; null when metrics are off */
export function observeResponses(
  app: FastifyInstance,
  isDebugged: boolean,
  onResponse: ((request: FinishedRequest) => void) | null,
): void {
  if (!isDebugged && onResponse === null) return;
  app.addHook('onResponse', (request, reply, done) => {
    const { method } = request;
    const { statusCode: status, elapsedTime: milliseconds } = reply;
    if (isDebugged) logResponse(request, status, milliseconds);
    // Exclude subscriptions from latency metrics.
    if (!request.isStreamed)
      onResponse?.({ method, route: request.routeOptions.url ?? 'none', status, milliseconds });
    done();
  });
}

function logResponse(request: FastifyRequest, status: number, milliseconds: number): void {
  const { scope, method, ip } = request;
  const code = request.errorCode ?? scope?.errorCode;
  const ms = Math.round(milliseconds);
  // The path only: the query string may hold a whole GraphQL operation.
  const fields = { method, path: pathOf(request), status, code, ip, ms };
  request.log.debug({ ...logFieldsOf(scope), ...fields }, 'Request completed');
}
