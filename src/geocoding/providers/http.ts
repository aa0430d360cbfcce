/** One GET request to a provider. */

import type { Exchanged, HttpFailure, ResponseHeaders } from '../../lib/http-client.ts';
import { exchange, readRetryAfter as readStandardRetryAfter } from '../../lib/http-client.ts';
import type { Bounds } from '../resilience/time.ts';
import { abortReason } from '../resilience/time.ts';

export type { HttpFailure } from '../../lib/http-client.ts';

/** Bytes of an answer, after decompression, beyond which it is cut off. A geocode is some kilobytes. */
export const MAX_RESPONSE_BYTES = 1024 * 1024;

export interface HttpRequest {
  /** Holds the key: never show it. */
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
}

export interface HttpResponse extends Omit<Exchanged, 'headers'> {
  /** Seconds from now; undefined when the answer does not say. */
  readonly retryAfterSeconds: number | undefined;
}

/**
 * Sends the request once. Redirects are not followed, so that the key is only sent to the configured address.
 *
 * @param timeoutMs for the whole request, from looking up the name to the last byte
 * @throws the reason of `signal`, when that is aborted
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
 * `Retry-After`, or Mapbox' `X-Rate-Limit-Reset` (seconds since the epoch,
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
