/** The span of each request, from its arrival to the end of its answer. */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import type { OpenSpan, SpanEnd, Tracing } from '../../tracing/tracing.ts';
import { REQUEST_ID_HEADER } from './request-id.ts';
import { pathOf } from './request-url.ts';

/** Those of the semantic conventions (RFC 9110, RFC 5789). Others would make too many names. */
const METHODS: ReadonlySet<string> = new Set([
  ...['CONNECT', 'DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT', 'TRACE'],
]);

/**
 * To be called before any other hook is added.
 *
 * @param untraced paths that are asked for so often that nobody wants to see it
 */
export function traceRequests(app: FastifyInstance, tracing: Tracing, untraced: ReadonlySet<string>): void {
  const spans = new WeakMap<FastifyRequest, OpenSpan>();

  app.addHook('onRequest', (request, reply, done) => {
    if (untraced.has(pathOf(request))) return done();
    const span = tracing.begin(spanOf(request), request.headers);
    spans.set(request, span);
    reply.raw.once('close', () => span.end(endOf(request, reply)));
    span.run(done);
  });

  // An answer that has waited for others of its connection ends by theirs.
  app.addHook('onResponse', (request, _reply, done) => {
    const span = spans.get(request);
    if (span === undefined) done();
    else span.run(done);
  });
}

function spanOf(request: FastifyRequest): Parameters<Tracing['begin']>[0] {
  const isKnown = METHODS.has(request.method);
  const method = isKnown ? request.method : '_OTHER';
  const route = request.routeOptions.url;
  return {
    name: `${isKnown ? method : 'HTTP'}${route === undefined ? '' : ` ${route}`}`,
    kind: 'server',
    attributes: {
      'http.request.method': method,
      ...(!isKnown && { 'http.request.method_original': request.method }),
      ...(route !== undefined && { 'http.route': route }),
      // Without the query, which may hold a whole GraphQL operation.
      'url.path': pathOf(request),
      'url.scheme': request.protocol,
      'network.protocol.version': request.raw.httpVersion,
      // By which the request is found in the log, and in what a user reports.
      [`http.response.header.${REQUEST_ID_HEADER.toLowerCase()}`]: [request.id],
    },
  };
}

function endOf({ errorCode, scope }: FastifyRequest, { raw }: FastifyReply): SpanEnd {
  const attributes = raw.headersSent ? { 'http.response.status_code': raw.statusCode } : {};
  // What went wrong on the client's side is no failure of a server.
  if (raw.headersSent && raw.statusCode >= 500) {
    return { attributes, errorType: errorCode ?? scope?.errorCode ?? String(raw.statusCode) };
  }
  return raw.writableEnded ? { attributes } : { attributes, errorType: 'aborted', isFault: false };
}
