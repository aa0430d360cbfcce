/**
 * Sends one HTTP request to another server with got (https://github.com/sindresorhus/got/tree/v14.6.6/documentation). Errors of
 * got hold the URL and the headers, and so keys and tokens. Only a short code of an error leaves this file.
 */

import type { Agent as HttpAgent } from 'node:http';
import type { Agent as HttpsAgent } from 'node:https';

import type { OptionsOfTextResponseBody, Request } from 'got';

/** Milliseconds for each step of connecting: DNS lookup, TCP, TLS. */
const CONNECT_TIMEOUT_MS = 3_000;

export interface Exchange {
  readonly method?: 'GET' | 'POST' | 'DELETE';
  /** May contain a key: never log it. */
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Maximum bytes of the response body, after decompression. */
  readonly maxBytes: number;
  /** Whether only the status matters. The body is read to reuse the connection, and may fail. */
  readonly statusAlone?: boolean;
  /** Parses the body; JSON.parse by default. @throws Error for invalid JSON */
  readonly parse?: (text: string) => unknown;
  /** Node's global agents by default. */
  readonly agents?: { readonly http: HttpAgent; readonly https: HttpsAgent };
}

export type ResponseHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

export interface Exchanged {
  readonly status: number;
  readonly headers: ResponseHeaders;
  /** The parsed body; undefined when it is not JSON in UTF-8, or too large. */
  readonly body: unknown;
  readonly isTooLarge: boolean;
}

/** No complete response was received. `code` is Node's, such as `ECONNREFUSED`. */
export interface HttpFailure {
  readonly failure: 'timeout' | 'disconnected';
  readonly code: string;
}

export type SendOnce = typeof exchange;

/**
 * Sends the request once. Does not follow redirects, so keys and tokens go only to the given address.
 *
 * @param timeoutMs for the whole request, from the DNS lookup to the last byte
 * @throws the reason of `signal`, when it is aborted
 */
export async function exchange(
  { method = 'GET', url, headers, body, maxBytes, statusAlone = false, parse = JSON.parse, agents }: Exchange,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<Exchanged | HttpFailure> {
  // Loaded at the first request: an offline server never needs it.
  const { got } = await import('got');
  signal.throwIfAborted();
  // got never stops listening to its signal, and an abort after the end would cause an unhandled error. So it gets another
  // signal, which is not aborted after the end.
  const over = new AbortController();
  const abort = () => over.abort();
  signal.addEventListener('abort', abort);
  const connectMs = Math.min(CONNECT_TIMEOUT_MS, timeoutMs);
  const options = {
    method,
    headers: { accept: 'application/json', ...headers },
    // Without a body, got would wait for one.
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
    // Ignores errors after the loop below has ended.
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
      ...headOf(stream),
      body: isTooLarge || statusAlone ? undefined : parseJson(Buffer.concat(chunks), parse),
      isTooLarge,
    };
  } catch (error) {
    signal.throwIfAborted();
    if (statusAlone && stream.response !== undefined) {
      return { ...headOf(stream), body: undefined, isTooLarge: false };
    }
    return toFailure(error);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

/** got sets `response` before the first byte of the body. */
function headOf({ response }: Request): Pick<Exchanged, 'status' | 'headers'> {
  return { status: response?.statusCode ?? 0, headers: response?.headers ?? {} };
}

/** Keeps only the name and the code: errors of got carry the URL and the headers. */
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

/** Seconds, about thirty years. A longer time means never. */
const LONGEST_RETRY_AFTER = 1e9;

/**
 * `Retry-After` (RFC 9110 §10.2.3: seconds, or a date).
 *
 * @param now milliseconds since the epoch
 * @returns seconds from now; undefined when the header is missing or invalid
 */
export function readRetryAfter(headers: ResponseHeaders, now: number): number | undefined {
  const retryAfter = headers['retry-after'];
  if (typeof retryAfter !== 'string') return undefined;
  const seconds = /^[0-9]+$/.test(retryAfter) ? Number(retryAfter) : (Date.parse(retryAfter) - now) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(0, seconds), LONGEST_RETRY_AFTER);
}
