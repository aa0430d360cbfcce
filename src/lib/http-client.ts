/**
 * One HTTP request to another server, over got (https://github.com/sindresorhus/got/tree/v14.6.6/documentation). The
 * errors of got hold the URL and the headers, and with them keys and tokens. So only a short code of them leaves this
 * file.
 */

import type { Agent as HttpAgent } from 'node:http';
import type { Agent as HttpsAgent } from 'node:https';

import type { OptionsOfTextResponseBody, Request } from 'got';

/** Milliseconds for each of three steps: looking up the name, connecting, setting up encryption. */
const CONNECT_TIMEOUT_MS = 3_000;

export interface Exchange {
  readonly method?: 'GET' | 'POST' | 'DELETE';
  /** May hold a key: never show it. */
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Bytes of the answer, after decompression, beyond which it is cut off. */
  readonly maxBytes: number;
  /** Whether the status is all that is asked for: the body is read for the connection's sake, and may end as it likes. */
  readonly statusAlone?: boolean;
  /** Reads the body's JSON; by default JSON.parse. @throws Error for what is not JSON */
  readonly parse?: (text: string) => unknown;
  /** By default Node's own. */
  readonly agents?: { readonly http: HttpAgent; readonly https: HttpsAgent };
}

export type ResponseHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

export interface Exchanged {
  readonly status: number;
  readonly headers: ResponseHeaders;
  /** The body as JSON; undefined when it is not JSON in UTF-8, or exceeds the limit. */
  readonly body: unknown;
  readonly isTooLarge: boolean;
}

/** No whole answer was received. `code` is Node's, e.g. `ECONNREFUSED`. */
export interface HttpFailure {
  readonly failure: 'timeout' | 'disconnected';
  readonly code: string;
}

/** As {@link exchange}. */
export type SendOnce = typeof exchange;

/**
 * Sends the request once. Redirects are not followed, so that keys and tokens are only sent to the configured address.
 *
 * @param timeoutMs for the whole request, from looking up the name to the last byte
 * @throws the reason of `signal`, when that is aborted
 */
export async function exchange(
  { method = 'GET', url, headers, body, maxBytes, statusAlone = false, parse = JSON.parse, agents }: Exchange,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<Exchanged | HttpFailure> {
  // Loaded at the first request, so that an offline server never loads it.
  const { got } = await import('got');
  signal.throwIfAborted();
  // got never stops listening to its signal. An abort after the end would cause an error that nobody handles. So it
  // gets a signal of its own, which is not aborted after the end.
  const over = new AbortController();
  const abort = () => over.abort();
  signal.addEventListener('abort', abort);
  const connectMs = Math.min(CONNECT_TIMEOUT_MS, timeoutMs);
  const options = {
    method,
    headers: { accept: 'application/json', ...headers },
    // got would wait for a body of any other method.
    ...(method !== 'GET' && { body: body ?? '' }),
    ...(agents !== undefined && { agent: agents }),
    retry: { limit: 0 },
    throwHttpErrors: false,
    followRedirect: false,
    decompress: !statusAlone,
    timeout: { lookup: connectMs, connect: connectMs, secureConnect: connectMs, request: timeoutMs },
    signal: over.signal,
  } satisfies OptionsOfTextResponseBody;
  const stream = got.stream(url, options);
  try {
    // Errors that come after the loop below has ended do not matter.
    stream.on('error', () => undefined);
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      size += chunk.length;
      // Leaving the loop destroys the stream, and with it the connection.
      if (size > maxBytes) break;
      chunks.push(chunk);
    }
    const isTooLarge = size > maxBytes;
    return {
      ...answered(stream),
      body: isTooLarge || statusAlone ? undefined : parseJson(Buffer.concat(chunks), parse),
      isTooLarge,
    };
  } catch (error) {
    signal.throwIfAborted();
    if (statusAlone && stream.response !== undefined) {
      return { ...answered(stream), body: undefined, isTooLarge: false };
    }
    return toFailure(error);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

/** got sets `response` before the body's first byte. */
function answered({ response }: Request): Pick<Exchanged, 'status' | 'headers'> {
  return { status: response?.statusCode ?? 0, headers: response?.headers ?? {} };
}

/** got's errors carry `options`, with the URL and the headers; of them only the name and the code are kept. */
function toFailure(error: unknown): HttpFailure {
  if (!(error instanceof Error)) return { failure: 'disconnected', code: 'UNKNOWN' };
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name;
  const isTimeout = error.name === 'TimeoutError' || code === 'ETIMEDOUT';
  const event = 'event' in error && typeof error.event === 'string' ? ` (${error.event})` : '';
  return { failure: isTimeout ? 'timeout' : 'disconnected', code: code + event };
}

const UTF8 = new TextDecoder('utf-8', { fatal: true });

function parseJson(bytes: Buffer, parse: (text: string) => unknown): unknown {
  try {
    return parse(UTF8.decode(bytes));
  } catch {
    return undefined;
  }
}

/** Some thirty years, in seconds. Whoever asks for more does not want to be asked again. */
const LONGEST_RETRY_AFTER = 1e9;

/**
 * `Retry-After` (RFC 9110 §10.2.3: seconds, or a date).
 *
 * @param now milliseconds since the epoch
 * @returns seconds from now; undefined when the answer does not say
 */
export function readRetryAfter(headers: ResponseHeaders, now: number): number | undefined {
  const retryAfter = headers['retry-after'];
  if (typeof retryAfter !== 'string') return undefined;
  const seconds = /^[0-9]+$/.test(retryAfter) ? Number(retryAfter) : (Date.parse(retryAfter) - now) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(0, seconds), LONGEST_RETRY_AFTER);
}
