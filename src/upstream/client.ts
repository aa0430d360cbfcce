/** Sends requests to the upstream over HTTP. Reads are retried after temporary failures; writes never are. */

import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { setTimeout as delay } from 'node:timers/promises';

import type { ServiceError } from '../errors.ts';
import { childTraceparent } from '../lib/trace-context.ts';
import type { Exchange, Exchanged, HttpFailure, SendOnce } from '../lib/http-client.ts';
import { exchange, readRetryAfter } from '../lib/http-client.ts';
import { NotModifiedError } from '../services/scope.ts';
import { readBody } from './body.ts';
import type { Requested } from './failures.ts';
import { failureByBody, failureByStatus, unreachable, unusable } from './failures.ts';
import { readNextLink, withoutParameter } from './link.ts';
import { readFailure, ShapeError } from './shape.ts';
import type { UpstreamCall } from './upstream.ts';

/** One request to the upstream, for metrics and the log. */
export interface UpstreamEvent {
  readonly verb: string;
  /** The HTTP status, or the reason for its absence. */
  readonly outcome: string;
  readonly milliseconds: number;
  readonly requestId?: string | undefined;
}

export interface V0UpstreamOptions {
  /** Base URL, with or without `/v0` at its end. */
  readonly url: string;
  /** Milliseconds for a call including retries. */
  readonly timeoutMs: number;
  /** Maximum bytes of a response. */
  readonly maxBytes: number;
  readonly userAgent: string;
  readonly onCall?: (event: UpstreamEvent) => void;
  /** By default {@link exchange}. */
  readonly send?: SendOnce;
}

export interface UpstreamRequest {
  readonly verb: string;
  readonly method: NonNullable<Exchange['method']>;
  /** After `/v0/`, percent-encoded. */
  readonly path: string;
  readonly query?: string;
  readonly requested: Requested;
  readonly body?: string;
  readonly idempotencyKey?: string | null;
}

/** In addition to the first attempt. */
const MAX_RETRIES = 2;
const FIRST_PAUSE_MS = 100;
/** Longest `Retry-After` in seconds that a read waits for. Longer ones are passed to the client. */
const MAX_WAIT_SECONDS = 1;
const TEMPORARY: ReadonlySet<number> = new Set([502, 503, 504]);
/** Not the path of a map. Any response shows that the upstream is reachable. */
const PING_PATH = 'map/-';
/** Readiness probes do not wait for long. */
const PING_TIMEOUT_MS = 2_000;

export class UpstreamClient {
  readonly #options: V0UpstreamOptions;
  readonly #base: string;
  readonly #agents = {
    http: new HttpAgent({ keepAlive: true }),
    https: new HttpsAgent({ keepAlive: true }),
  };

  constructor(options: V0UpstreamOptions) {
    this.#options = options;
    this.#base = addressOfUpstream(options.url);
  }

  /**
   * Sends a request and reads its response.
   *
   * @throws NotModifiedError for a 304 to a call with validators, ServiceError for every other failure
   */
  async read<T>(request: UpstreamRequest, call: UpstreamCall, shape: (response: Exchanged) => T): Promise<T> {
    const response = await this.#sendWithRetry(request, call);
    const { status, headers } = response;
    const { validators } = call;
    const etag = typeof headers['etag'] === 'string' ? headers['etag'] : null;
    if (validators !== undefined && status === 304) {
      validators.etag = etag;
      throw new NotModifiedError(shaped(request, () => this.nextOf(request, response)));
    }
    if (status !== 200) throw failureOf(request, call, response);
    if (response.isTooLarge)
      throw unusable(`${request.verb}: the response is over ${this.#options.maxBytes} bytes.`);
    if (response.body === undefined) throw unusable(`${request.verb}: the response is not JSON.`);
    const value = shaped(request, () => shape(response));
    if (validators !== undefined) validators.etag = etag;
    return value;
  }

  /** The query of a list's next page without `limit`; null without one. */
  nextOf({ verb, path }: UpstreamRequest, { headers }: Pick<Exchanged, 'headers'>): string | null {
    return verb === 'listLocations' ? readNext(headers['link'], `${this.#base}/v0/${path}`) : null;
  }

  /** @throws ServiceError STORAGE_UNAVAILABLE */
  async ping(): Promise<void> {
    const { maxBytes, userAgent } = this.#options;
    const url = new URL(`${this.#base}/v0/${PING_PATH}`);
    const request = { verb: 'ping', url, maxBytes, headers: { 'user-agent': userAgent } };
    const timeoutMs = Math.min(PING_TIMEOUT_MS, this.#options.timeoutMs);
    const response = await this.#send(request, timeoutMs, new AbortController().signal, undefined);
    if ('failure' in response) throw unreachable(`ping: ${response.failure}, ${response.code}.`);
    const { status } = response;
    if (status >= 500 || (status >= 300 && status < 400)) throw unusable(`ping: status ${status}.`);
  }

  close(): void {
    this.#agents.http.destroy();
    this.#agents.https.destroy();
  }

  /** Sends a request, and retries reads after temporary failures. */
  async #sendWithRetry(request: UpstreamRequest, call: UpstreamCall): Promise<Exchanged> {
    const { verb, method, path, query = '', body } = request;
    const { timeoutMs, maxBytes, userAgent } = this.#options;
    const url = new URL(`${this.#base}/v0/${path}${query === '' ? '' : `?${query}`}`);
    const isRead = method === 'GET';
    const signal = (isRead ? call.signal : undefined) ?? new AbortController().signal;
    const endsAt = performance.now() + Math.min(timeoutMs, call.leftMs ?? Number.POSITIVE_INFINITY);
    const sent = {
      ...{ verb, method, url, maxBytes, parse: readBody, headers: headersOf(request, call, userAgent) },
      ...(body !== undefined && { body }),
    };
    for (let attempt = 0; ; attempt += 1) {
      const leftMs = Math.ceil(endsAt - performance.now());
      if (leftMs <= 0) throw unreachable(`${verb}: the deadline has passed.`);
      const response = await this.#send(sent, leftMs, signal, call.requestId);
      const pause = isRead && attempt < MAX_RETRIES ? pauseBefore(attempt, response) : null;
      if (pause === null || performance.now() + pause >= endsAt) {
        if ('failure' in response) throw unreachable(`${verb}: ${response.failure}, ${response.code}.`);
        return response;
      }
      await delay(pause, undefined, { signal }).catch(() => signal.throwIfAborted());
    }
  }

  /** Sends a request once, and reports it. */
  async #send(
    { verb, ...request }: Exchange & { readonly verb: string },
    timeoutMs: number,
    signal: AbortSignal,
    requestId: string | undefined,
  ): Promise<Exchanged | HttpFailure> {
    const { onCall, send = exchange } = this.#options;
    const startedAt = performance.now();
    const report = (outcome: string) =>
      onCall?.({ verb, outcome, milliseconds: performance.now() - startedAt, requestId });
    try {
      const response = await send({ ...request, agents: this.#agents }, timeoutMs, signal);
      report('failure' in response ? response.failure : String(response.status));
      return response;
    } catch (error) {
      report('given-up');
      throw error;
    }
  }
}

/** @returns the base URL without trailing slashes and `/v0` */
export function addressOfUpstream(url: string): string {
  return new URL(url).href.replace(/\/+$/, '').replace(/\/v0$/, '');
}

function headersOf(
  { body, idempotencyKey = null }: UpstreamRequest,
  { token, requestId, trace, validators }: UpstreamCall,
  userAgent: string,
): Record<string, string> {
  const ifNoneMatch = validators?.ifNoneMatch ?? null;
  return {
    'user-agent': userAgent,
    authorization: `Bearer ${token}`,
    ...(requestId !== undefined && { 'x-request-id': requestId }),
    ...(trace !== undefined && { traceparent: childTraceparent(trace) }),
    ...(ifNoneMatch !== null && { 'if-none-match': ifNoneMatch }),
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...(idempotencyKey !== null && { 'idempotency-key': idempotencyKey }),
  };
}

/** Milliseconds until a read is retried; null if it is not. */
function pauseBefore(attempt: number, response: Exchanged | HttpFailure): number | null {
  const pause = FIRST_PAUSE_MS * 2 ** attempt * (0.5 + Math.random() / 2);
  if ('failure' in response) return pause;
  if (!TEMPORARY.has(response.status)) return null;
  const seconds = readRetryAfter(response.headers, Date.now()) ?? 0;
  return seconds > MAX_WAIT_SECONDS ? null : seconds * 1000 + pause;
}

function failureOf(
  { verb, requested }: UpstreamRequest,
  { token }: UpstreamCall,
  response: Exchanged,
): ServiceError {
  const { status, headers, body } = response;
  const retryAfterSeconds = readRetryAfter(headers, Date.now());
  if (status >= 300 && status < 400) return unusable(`${verb}: a redirect (${status}) is not followed.`);
  if (status < 400) return unusable(`${verb}: status ${status}.`);
  const failure = readFailure(body);
  if (failure !== null) return failureByBody(status, failure, requested, token, retryAfterSeconds);
  return (
    failureByStatus(status, retryAfterSeconds) ??
    unusable(`${verb}: status ${status} without an Error body.`, retryAfterSeconds)
  );
}

/** @throws ServiceError STORAGE_UNAVAILABLE if the response does not conform to /v0 */
function shaped<T>({ verb }: UpstreamRequest, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ShapeError)) throw error;
    throw unusable(`${verb}: the response does not conform to /v0: ${error.message}.`);
  }
}

/** @returns the query of the next page without `limit`; null without a link */
function readNext(header: string | readonly string[] | undefined, listUrl: string): string | null {
  const target = readNextLink(header);
  if (target === null) return null;
  if (!URL.canParse(target, listUrl)) throw new ShapeError('the Link is not a URL');
  const { pathname, search } = new URL(target, listUrl);
  // Scheme, host and prefix are the upstream's public ones. We keep requesting our configured URL.
  if (!/\/locations\/?$/.test(pathname)) throw new ShapeError('the Link is not to a list of locations');
  return withoutParameter(search.slice(1), 'limit');
}
