/** Spans of requests to others: geocoding providers, the issuer of JWTs, an upstream. */

import type { HttpGet } from '../geocoding/providers/http.ts';
import type { Exchange, Exchanged, HttpFailure, SendOnce } from '../lib/http-client.ts';
import type { NewSpan, SpanEnd, Tracing } from './tracing.ts';

/** The same, and the provider is told which span asks. */
export function traceGet(get: HttpGet, tracing: Tracing): HttpGet {
  return async ({ url, headers }, timeoutMs, signal) =>
    tracing.run(
      spanOf('GET', url),
      // A propagator that writes another format leaves the traceparent that was handed on.
      () => get({ url, headers: { ...headers, ...tracing.headers } }, timeoutMs, signal),
      endOf,
    );
}

/** The same for requests of any method. */
export function traceSending(send: SendOnce, tracing: Tracing): SendOnce {
  return async (request, timeoutMs, signal) =>
    tracing.run(
      spanOf(request.method ?? 'GET', request.url),
      () => send({ ...request, headers: { ...request.headers, ...tracing.headers } }, timeoutMs, signal),
      endOf,
    );
}

function spanOf(method: NonNullable<Exchange['method']>, url: URL): NewSpan {
  return {
    name: method,
    kind: 'client',
    attributes: {
      'http.request.method': method,
      'server.address': url.hostname,
      'server.port': portOf(url),
      // The query may have a key, and the address that is looked for.
      'url.full': url.origin + url.pathname,
    },
  };
}

function portOf({ port, protocol }: URL): number {
  if (port !== '') return Number(port);
  return protocol === 'https:' ? 443 : 80;
}

function endOf(answer: Pick<Exchanged, 'status'> | HttpFailure): SpanEnd {
  if ('failure' in answer) return { errorType: answer.failure === 'timeout' ? 'timeout' : answer.code };
  const { status } = answer;
  const errorType = status >= 400 ? String(status) : undefined;
  return { attributes: { 'http.response.status_code': status }, errorType };
}
