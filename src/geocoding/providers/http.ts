/** HTTP GET requests to providers. */

import type { Exchanged, HttpFailure, ResponseHeaders } from '../../lib/http-client.ts';
import { exchange, readRetryAfter as readStandardRetryAfter } from '../../lib/http-client.ts';
import type { Bounds } from '../resilience/time.ts';
import { abortReason } from '../resilience/time.ts';

export type { HttpFailure } from '../../lib/http-client.ts';

/** Maximum size of a response after decompression. A geocode has some kilobytes. */
export const MAX_RESPONSE_BYTES = 1024 * 1024;

export interface HttpRequest {
  /** Contains the key: never log it. */
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
}

export interface HttpResponse extends Omit<Exchanged, 'headers'> {
  /** Seconds from now; undefined if the response does not say. */
  readonly retryAfterSeconds: number | undefined;
}

/**
 * Sends the request once. Does not follow redirects, so that the key is sent only to the configured server.
 *
 * @param timeoutMs for the whole request, from the DNS lookup to the last byte
 * @throws the signal's reason
 */
export type HttpGet = (
  request: HttpRequest,
  timeoutMs: number,
  signal: Bounds['signal'],
) => Promise<HttpResponse | HttpFailure>;

export const httpGet: HttpGet = async (request, timeoutMs, signal) => {
  const response = await exchange({ ...request, maxBytes: MAX_RESPONSE_BYTES }, timeoutMs, signal).catch(
    (error: unknown) => {
      throw signal.aborted ? abortReason(signal) : error;
    },
  );
  if ('failure' in response) return response;
  const { headers, ...rest } = response;
  return { ...rest, retryAfterSeconds: readRetryAfter(headers, Date.now()) };
};

/**
 * Reads `Retry-After`, or Mapbox's `X-Rate-Limit-Reset` (seconds since the epoch,
 * https://docs.mapbox.com/api/guides/#rate-limit-headers).
 *
 * @param now milliseconds since the epoch
 */
export function readRetryAfter(headers: ResponseHeaders, now: number): number | undefined {
  const seconds = readStandardRetryAfter(headers, now);
  if (seconds !== undefined) return seconds;
  const reset = headers['x-rate-limit-reset'];
  return typeof reset === 'string' && /^[0-9]{1,12}$/.test(reset)
    ? Math.max(0, Number(reset) - now / 1000)
    : undefined;
}
