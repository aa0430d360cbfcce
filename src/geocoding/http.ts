/**
 * One GET request to a provider, over got (https://github.com/sindresorhus/got/tree/v14.6.6/documentation). The errors
 * of got hold the URL, and with it the key. So only a short code of them leaves this file.
 */

import type { OptionsOfTextResponseBody } from 'got';

import type { Bounds } from './time.ts';
import { abortReason } from './time.ts';

/** Bytes of an answer, after decompression, beyond which it is cut off. A geocode is some kilobytes. */
export const MAX_ANSWER_BYTES = 1024 * 1024;
/** Milliseconds for each of three steps: looking up the name, connecting, setting up encryption. */
const CONNECT_TIMEOUT_MS = 3_000;

export interface HttpRequest {
  /** Holds the key: never show it. */
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
}

export interface HttpAnswer {
  readonly status: number;
  /** The body as JSON; undefined when it is not JSON in UTF-8, or exceeds the limit. */
  readonly body: unknown;
  readonly isTooLarge: boolean;
  /** Seconds from now; undefined when the answer does not say. */
  readonly retryAfterSeconds: number | undefined;
}

/** No whole answer was received. `code` is Node's, e.g. `ECONNREFUSED`. */
export interface HttpFailure {
  readonly failure: 'timeout' | 'disconnected';
  readonly code: string;
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
) => Promise<HttpAnswer | HttpFailure>;

export const httpGet: HttpGet = async ({ url, headers }, timeoutMs, signal) => {
  // Loaded at the first request, so that an offline server never loads it.
  const { got } = await import('got');
  throwIfAborted(signal);
  // got never stops listening to its signal. An abort after the end would cause an error that nobody handles. So it
  // gets a signal of its own, which is not aborted after the end.
  const over = new AbortController();
  const abort = () => over.abort();
  signal.addEventListener('abort', abort);
  const connectMs = Math.min(CONNECT_TIMEOUT_MS, timeoutMs);
  const options = {
    headers: { accept: 'application/json', ...headers },
    retry: { limit: 0 },
    throwHttpErrors: false,
    followRedirect: false,
    timeout: { lookup: connectMs, connect: connectMs, secureConnect: connectMs, request: timeoutMs },
    signal: over.signal,
  } satisfies OptionsOfTextResponseBody;
  try {
    const stream = got.stream(url, options);
    // Errors that come after the loop below has ended do not matter.
    stream.on('error', () => undefined);
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      size += chunk.length;
      // Leaving the loop destroys the stream, and with it the connection.
      if (size > MAX_ANSWER_BYTES) break;
      chunks.push(chunk);
    }
    // got sets `response` before its first byte.
    const status = stream.response?.statusCode ?? 0;
    const received = stream.response?.headers ?? {};
    const isTooLarge = size > MAX_ANSWER_BYTES;
    return {
      status,
      body: isTooLarge ? undefined : parseJson(Buffer.concat(chunks)),
      isTooLarge,
      retryAfterSeconds: readRetryAfter(received, Date.now()),
    };
  } catch (error) {
    throwIfAborted(signal);
    return toFailure(error);
  } finally {
    signal.removeEventListener('abort', abort);
  }
};

function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw abortReason(signal);
}

/** got's errors carry `options.url`; of them only the name and the code are kept. */
function toFailure(error: unknown): HttpFailure {
  if (!(error instanceof Error)) return { failure: 'disconnected', code: 'UNKNOWN' };
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name;
  const isTimeout = error.name === 'TimeoutError' || code === 'ETIMEDOUT';
  const event = 'event' in error && typeof error.event === 'string' ? ` (${error.event})` : '';
  return { failure: isTimeout ? 'timeout' : 'disconnected', code: code + event };
}

const UTF8 = new TextDecoder('utf-8', { fatal: true });

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(UTF8.decode(bytes));
  } catch {
    return undefined;
  }
}

/**
 * `Retry-After` (RFC 9110 §10.2.3: seconds, or a date), or Mapbox' `X-Rate-Limit-Reset` (seconds since the epoch,
 * https://docs.mapbox.com/api/guides/#rate-limit-headers).
 *
 * @param now milliseconds since the epoch
 */
export function readRetryAfter(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
  now: number,
): number | undefined {
  const retryAfter = headers['retry-after'];
  if (typeof retryAfter === 'string') {
    if (/^[0-9]{1,9}$/.test(retryAfter)) return Number(retryAfter);
    const date = Date.parse(retryAfter);
    if (!Number.isNaN(date)) return Math.max(0, (date - now) / 1000);
  }
  const reset = headers['x-rate-limit-reset'];
  if (typeof reset === 'string' && /^[0-9]{1,12}$/.test(reset)) {
    return Math.max(0, Number(reset) - now / 1000);
  }
  return undefined;
}
