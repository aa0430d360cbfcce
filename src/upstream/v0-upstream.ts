/** The upstream over HTTP. Reads are retried after temporary failures; writes never are. */

import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { setTimeout as delay } from 'node:timers/promises';

import { badUserInput, ServiceError } from '../errors.ts';
import { childOf } from '../geocoding/child-trace.ts';
import type { Exchange, Exchanged, HttpFailure, SendOnce } from '../lib/http-client.ts';
import { exchange, readRetryAfter } from '../lib/http-client.ts';
import { readBody, writeBody } from './body.ts';
import { failureByBody, failureByStatus, unreachable, unusable } from './failures.ts';
import type { Requested } from './failures.ts';
import { readNextLink, withoutParameter } from './link.ts';
import { readCreated, readFailure, readList, readMap, readSingle, ShapeError } from './shape.ts';
import type { Upstream, UpstreamCall, UpstreamPage } from './upstream.ts';
import { NotModifiedError } from '../services/scope.ts';

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

interface Request {
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
/** Longest encoded id in characters: servers refuse longer URLs. */
const MAX_ID_LENGTH = 2_000;
/** Not the path of a map. Any response shows that the upstream is reachable. */
const PING_PATH = 'map/-';
/** Readiness probes do not wait for long. */
const PING_TIMEOUT_MS = 2_000;

/** @returns the base URL without trailing slashes and `/v0` */
export function addressOfUpstream(url: string): string {
  return new URL(url).href.replace(/\/+$/, '').replace(/\/v0$/, '');
}

export function createV0Upstream(options: V0UpstreamOptions): Upstream {
  const { send: sendOnce = exchange } = options;
  const base = addressOfUpstream(options.url);
  const agents = { http: new HttpAgent({ keepAlive: true }), https: new HttpsAgent({ keepAlive: true }) };

  /** Sends a request once, and reports it. */
  const send = async (
    { verb, ...request }: Exchange & { readonly verb: string },
    timeoutMs: number,
    signal: AbortSignal,
    requestId: string | undefined,
  ): Promise<Exchanged | HttpFailure> => {
    const startedAt = performance.now();
    const report = (outcome: string) =>
      options.onCall?.({ verb, outcome, milliseconds: performance.now() - startedAt, requestId });
    try {
      const response = await sendOnce({ ...request, agents }, timeoutMs, signal);
      report('failure' in response ? response.failure : String(response.status));
      return response;
    } catch (error) {
      report('given-up');
      throw error;
    }
  };

  /** Sends a request, and retries reads after temporary failures. */
  const sendWithRetry = async (request: Request, call: UpstreamCall): Promise<Exchanged> => {
    const { verb, method, path, query = '', body } = request;
    const url = new URL(`${base}/v0/${path}${query === '' ? '' : `?${query}`}`);
    const isRead = method === 'GET';
    const signal = (isRead ? call.signal : undefined) ?? new AbortController().signal;
    const endsAt = performance.now() + Math.min(options.timeoutMs, call.leftMs ?? Number.POSITIVE_INFINITY);
    const exchanged = {
      ...{
        verb,
        method,
        url,
        maxBytes: options.maxBytes,
        parse: readBody,
        headers: headersOf(request, call, options.userAgent),
      },
      ...(body !== undefined && { body }),
    };
    for (let attempt = 0; ; attempt += 1) {
      const leftMs = Math.ceil(endsAt - performance.now());
      if (leftMs <= 0) throw unreachable(`${verb}: the deadline has passed.`);
      const response = await send(exchanged, leftMs, signal, call.requestId);
      const pause = isRead && attempt < MAX_RETRIES ? pauseBefore(attempt, response) : null;
      if (pause === null || performance.now() + pause >= endsAt) {
        if ('failure' in response) throw unreachable(`${verb}: ${response.failure}, ${response.code}.`);
        return response;
      }
      await delay(pause, undefined, { signal }).catch(() => signal.throwIfAborted());
    }
  };

  const read = async <T>(
    request: Request,
    call: UpstreamCall,
    shape: (response: Exchanged) => T,
  ): Promise<T> => {
    const response = await sendWithRetry(request, call);
    const { status, headers } = response;
    const { validators } = call;
    const etag = typeof headers['etag'] === 'string' ? headers['etag'] : null;
    if (validators !== undefined && status === 304) {
      validators.etag = etag;
      throw new NotModifiedError(shaped(request, () => nextOf(request, headers['link'])));
    }
    if (status !== 200) throw failureOf(request, call, response);
    if (response.isTooLarge)
      throw unusable(`${request.verb}: the response is over ${options.maxBytes} bytes.`);
    if (response.body === undefined) throw unusable(`${request.verb}: the response is not JSON.`);
    const value = shaped(request, () => shape(response));
    if (validators !== undefined) validators.etag = etag;
    return value;
  };

  const nextOf = ({ verb, path }: Request, link: string | readonly string[] | undefined) =>
    verb === 'listLocations' ? readNext(link, `${base}/v0/${path}`) : null;
  const single = ({ body }: Exchanged) => readSingle(body);
  const ofMap = (mapId: string) => `map/${idInPath(mapId, 'map')}`;
  const ofLocation = (mapId: string, id: string) => `${ofMap(mapId)}/location/${idInPath(id, 'location')}`;

  return {
    getMap: async (call, mapId) =>
      read({ verb: 'getMap', method: 'GET', path: ofMap(mapId), requested: 'map' }, call, ({ body }) =>
        readMap(body, mapId),
      ),

    listLocations: async (call, mapId, query, limit) => {
      const path = `${ofMap(mapId)}/locations`;
      const request = { verb: 'listLocations', method: 'GET', path, requested: 'map' } as const;
      const fullQuery = [`limit=${limit}`, ...(query === '' ? [] : [query])].join('&');
      return read({ ...request, query: fullQuery }, call, ({ body, headers }): UpstreamPage => ({
        locations: readList(body, limit),
        next: nextOf(request, headers['link']),
      }));
    },

    getLocation: async (call, mapId, id) =>
      read(
        { verb: 'getLocation', method: 'GET', path: ofLocation(mapId, id), requested: 'location' },
        call,
        single,
      ),

    createLocation: async (call, mapId, { fields, order, idempotencyKey }) => {
      const path = `${ofMap(mapId)}/location`;
      assertSendable(idempotencyKey);
      const body = writeBody({ fields, ...(order !== null && { order }) });
      return read(
        { verb: 'createLocation', method: 'POST', path, requested: 'map', body, idempotencyKey },
        call,
        (response) => readCreated(response.body),
      );
    },

    deleteLocation: async (call, mapId, id) =>
      read(
        { verb: 'deleteLocation', method: 'DELETE', path: ofLocation(mapId, id), requested: 'location' },
        call,
        single,
      ),

    async ping() {
      const request: Exchange & { readonly verb: string } = {
        ...{ verb: 'ping', url: new URL(`${base}/v0/${PING_PATH}`), maxBytes: options.maxBytes },
        headers: { 'user-agent': options.userAgent },
      };
      const timeoutMs = Math.min(PING_TIMEOUT_MS, options.timeoutMs);
      const response = await send(request, timeoutMs, new AbortController().signal, undefined);
      if ('failure' in response) throw unreachable(`ping: ${response.failure}, ${response.code}.`);
      const { status } = response;
      if (status >= 500 || (status >= 300 && status < 400)) throw unusable(`ping: status ${status}.`);
    },

    close() {
      agents.http.destroy();
      agents.https.destroy();
    },
  };
}

function headersOf(
  { body, idempotencyKey = null }: Request,
  { token, requestId, trace, validators }: UpstreamCall,
  userAgent: string,
): Record<string, string> {
  const ifNoneMatch = validators?.ifNoneMatch ?? null;
  return {
    'user-agent': userAgent,
    authorization: `Bearer ${token}`,
    ...(requestId !== undefined && { 'x-request-id': requestId }),
    ...(trace !== undefined && { traceparent: childOf(trace) }),
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

function failureOf({ verb, requested }: Request, { token }: UpstreamCall, response: Exchanged): ServiceError {
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
function shaped<T>({ verb }: Request, read: () => T): T {
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

/** Ids that a path cannot contain do not exist. `.` and `..` would change the path. */
function idInPath(id: string, what: Requested): string {
  const encoded = id.isWellFormed() ? encodeURIComponent(id) : '';
  if (encoded !== '' && encoded !== '.' && encoded !== '..' && encoded.length <= MAX_ID_LENGTH)
    return encoded;
  throw what === 'map'
    ? new ServiceError('MAP_NOT_FOUND', 'There is no such map, or it is not yours.')
    : new ServiceError('LOCATION_NOT_FOUND', 'There is no such location in this map.');
}

/** Refuses keys that cannot be sent in a header. */
function assertSendable(idempotencyKey: string | null): void {
  if (idempotencyKey === null || /^[\t\x20-\x7e\x80-\xff]*$/.test(idempotencyKey)) return;
  throw badUserInput('idempotencyKey must be 1 to 255 printable ASCII characters.');
}
