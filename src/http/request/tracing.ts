/** The span of each request, from its arrival to the end of its response. */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import type { OpenSpan, SpanEnd, Tracing } from '../../tracing/tracing.ts';
import { REQUEST_ID_HEADER } from './request-id.ts';
import { pathOf } from './request-url.ts';

/** Methods of the semantic conventions (RFC 9110, RFC 5789). Others would create too many span names. */
const METHODS: ReadonlySet<string> = new Set([
  ...['CONNECT', 'DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT', 'TRACE'],
]);

/**
 * Call it before any other hook is added.
 *
 * @param untraced paths requested so often that their spans are noise
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

  // A pipelined response may end in the context of another request of its connection.
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
      // The query string may hold a whole GraphQL operation.
      'url.path': pathOf(request),
      'url.scheme': request.protocol,
      'network.protocol.version': request.raw.httpVersion,
      // Links the trace to the log and to user reports.
      [`http.response.header.${REQUEST_ID_HEADER.toLowerCase()}`]: [request.id],
    },
  };
}

function endOf({ errorCode, scope }: FastifyRequest, { raw }: FastifyReply): SpanEnd {
  const attributes = raw.headersSent ? { 'http.response.status_code': raw.statusCode } : {};
  // Client errors do not make a server span fail.
  if (raw.headersSent && raw.statusCode >= 500) {
    return { attributes, errorType: errorCode ?? scope?.errorCode ?? String(raw.statusCode) };
  }
  return raw.writableEnded ? { attributes } : { attributes, errorType: 'aborted', isFault: false };
}
