/** Spans of requests to others: geocoding providers, and the issuer of JWTs. */

import type { HttpAnswer, HttpFailure, HttpGet } from '../geocoding/http.ts';
import type { SpanEnd, Tracing } from './tracing.ts';

/** The same, and the provider is told which span asks. */
export function traceGet(get: HttpGet, tracing: Tracing): HttpGet {
  return async ({ url, headers }, timeoutMs, signal) =>
    tracing.run(
      {
        name: 'GET',
        kind: 'client',
        attributes: {
          'http.request.method': 'GET',
          'server.address': url.hostname,
          'server.port': portOf(url),
          // The query has the key, and the address that is looked for.
          'url.full': url.origin + url.pathname,
        },
      },
      // A propagator that writes another format leaves the traceparent that was handed on.
      () => get({ url, headers: { ...headers, ...tracing.headers } }, timeoutMs, signal),
      endOf,
    );
}

function portOf({ port, protocol }: URL): number {
  if (port !== '') return Number(port);
  return protocol === 'https:' ? 443 : 80;
}

function endOf(answer: HttpAnswer | HttpFailure): SpanEnd {
  if ('failure' in answer) return { errorType: answer.failure === 'timeout' ? 'timeout' : answer.code };
  const { status } = answer;
  const errorType = status >= 400 ? String(status) : undefined;
  return { attributes: { 'http.response.status_code': status }, errorType };
}
