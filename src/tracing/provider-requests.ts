/** Spans of outgoing requests: to geocoding providers, the JWT issuer, an upstream. */

import type { HttpGet } from '../geocoding/providers/http.ts';
import type { Exchange, Exchanged, HttpFailure, SendOnce } from '../lib/http-client.ts';
import type { NewSpan, SpanEnd, Tracing } from './tracing.ts';

/** Wraps `get`: adds a span, and headers that propagate it to the provider. */
export function traceGet(get: HttpGet, tracing: Tracing): HttpGet {
  return async ({ url, headers }, timeoutMs, signal) =>
    tracing.run(
      spanOf('GET', url),
      // A propagator of another format keeps the traceparent of the caller.
      () => get({ url, headers: { ...headers, ...tracing.headers } }, timeoutMs, signal),
      endOf,
    );
}

/** Like {@link traceGet}, for requests of any method. */
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
      // Without the query, which may contain a key and the address to geocode.
      'url.full': url.origin + url.pathname,
    },
  };
}

function portOf({ port, protocol }: URL): number {
  if (port !== '') return Number(port);
  return protocol === 'https:' ? 443 : 80;
}

function endOf(response: Pick<Exchanged, 'status'> | HttpFailure): SpanEnd {
  if ('failure' in response) {
    return { errorType: response.failure === 'timeout' ? 'timeout' : response.code };
  }
  const { status } = response;
  const errorType = status >= 400 ? String(status) : undefined;
  return { attributes: { 'http.response.status_code': status }, errorType };
}
