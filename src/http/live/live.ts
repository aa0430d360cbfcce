/** Subscriptions: WebSocket connections and event streams. */

import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify';

import { ServiceError } from '../../errors.ts';
import type { Responses, Streaming } from '../../graphql/context.ts';
import type { Transport } from '../../app/observability/metrics.ts';
import type { Authentication } from '../request/authentication.ts';
import { keyOf } from '../request/authentication.ts';
import { crossSite, hasOwnOrigin } from '../request/csrf.ts';
import { isOwnOrListed } from '../cors.ts';
import type { RequestLifecycle } from '../request/lifecycle.ts';
import { baseUrlOf } from '../request/request-url.ts';
import type { LiveLimits, StreamObserver } from './connections.ts';
import { LiveConnections } from './connections.ts';
import { EVENT_STREAM, EventStream } from './event-stream.ts';
import type { LiveOperationsOptions } from './operations.ts';
import { createLiveOperations } from './operations.ts';
import type { Upgrade } from './upgrades.ts';
import type { WebSockets } from './websockets.ts';

declare module 'fastify' {
  interface FastifyInstance {
    readonly live: Live;
  }
}

export interface LiveOptions extends LiveOperationsOptions {
  readonly authentication: Authentication;
  readonly requests: RequestLifecycle;
  readonly logger: FastifyBaseLogger;
  readonly limits: LiveLimits;
  /** Concurrent operations per WebSocket connection. */
  readonly maxOperations: number;
  /** Bytes of one message. */
  readonly maxMessageBytes: number;
  /** Milliseconds for a WebSocket client to send `connection_init`. */
  readonly initTimeoutMs: number;
  /** Milliseconds that a client may read nothing. */
  readonly unreadTimeoutMs: number;
  readonly corsOrigins: readonly string[];
  readonly publicUrl: string | null;
  readonly observerOf: (transport: Transport) => StreamObserver;
}

/** Grace period in milliseconds for a silent WebSocket client: one ping interval. */
const PING_MS = 12_000;

export class Live {
  readonly #options: LiveOptions;
  readonly #operations: ReturnType<typeof createLiveOperations>;
  readonly #connections: LiveConnections;
  #webSockets: Promise<WebSockets> | null = null;

  constructor(options: LiveOptions) {
    this.#options = options;
    this.#operations = createLiveOperations(options);
    this.#connections = new LiveConnections({
      limits: options.limits,
      check: (credentials) => options.authentication.check(credentials),
    });
  }

  /** Closes all connections, after their pending single-response operations. */
  drain(): void {
    this.#connections.drain();
  }

  /** @throws ServiceError FORBIDDEN for an origin that is not listed; CSRF for a session without an origin */
  async acceptWebSocket(request: FastifyRequest, reply: FastifyReply, upgrade: Upgrade): Promise<void> {
    const { authentication, corsOrigins, publicUrl, unreadTimeoutMs } = this.#options;
    const { authorization, origin } = request.headers;
    const session = authentication.sessionOf(request);
    if (session !== null && authorization === undefined && origin === undefined) throw crossSite();
    if (!isOwnOrListed(request, corsOrigins, publicUrl)) {
      throw new ServiceError(
        'FORBIDDEN',
        "The origin may not connect: it is neither the server's own nor listed in CORS_ORIGINS.",
      );
    }
    const webSockets = await this.#loadWebSockets();
    reply.hijack();
    reply.raw.detachSocket(upgrade.socket);
    webSockets.accept(request.raw, upgrade, linesOf(reply), {
      requestId: request.id,
      address: request.ip,
      baseUrl: baseUrlOf(request, publicUrl),
      credentials: { authorization, session, isOwnPage: hasOwnOrigin(request, publicUrl) },
      silenceMs: unreadTimeoutMs + PING_MS,
    });
  }

  /** For a request that may get an event stream. */
  streamingFor(request: FastifyRequest, { raw }: FastifyReply): Streaming {
    const { caller } = this.#options.requests.scopeOf(request);
    const client = {
      requestId: request.id,
      address: request.ip,
      baseUrl: baseUrlOf(request, this.#options.publicUrl),
      caller,
      isBlocked: () => raw.writableLength > 0,
    };
    return this.#operations.streamingFor(client, request.method !== 'POST');
  }

  /**
   * Sends responses as events until they or the connection end.
   *
   * @throws ServiceError OVERLOADED, RATE_LIMITED if too many connections are open
   */
  sendEvents(request: FastifyRequest, reply: FastifyReply, responses: Responses): void {
    const { authentication, requests, logger, unreadTimeoutMs, observerOf } = this.#options;
    const { caller } = requests.scopeOf(request);
    const { authorization } = request.headers;
    const session = caller?.kind === 'session' ? authentication.sessionOf(request) : null;
    const stream = new EventStream(reply.raw, {
      responses,
      requestId: request.id,
      observer: observerOf('sse'),
      logger,
      unreadTimeoutMs,
    });
    try {
      this.#connections.add(stream);
      this.#connections.identify(stream, {
        key: keyOf(request.ip, caller),
        credentials: caller === null ? null : { authorization, session, isOwnPage: true },
      });
    } catch (error) {
      this.#connections.remove(stream);
      void responses.return?.();
      throw error;
    }
    request.isStreamed = true;
    reply.hijack();
    reply.raw.writeHead(200, { ...headersOf(reply), ...STREAM_HEADERS });
    void stream.serve().finally(() => this.#connections.remove(stream));
  }

  #loadWebSockets(): Promise<WebSockets> {
    this.#webSockets ??= import('./websockets.ts').then(
      ({ openWebSockets }) =>
        openWebSockets({
          ...this.#options,
          operations: this.#operations,
          connections: this.#connections,
          observer: this.#options.observerOf('websocket'),
        }),
      (error: unknown) => {
        this.#webSockets = null;
        throw error;
      },
    );
    return this.#webSockets;
  }
}

const STREAM_HEADERS = {
  'content-type': `${EVENT_STREAM}; charset=utf-8`,
  'cache-control': 'private, no-cache, no-transform',
  // nginx would buffer the events.
  'x-accel-buffering': 'no',
};

function headersOf(reply: FastifyReply): Record<string, string | string[]> {
  return Object.fromEntries(
    Object.entries(reply.getHeaders()).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value : String(value)]],
    ),
  );
}

function linesOf(reply: FastifyReply): string[] {
  return Object.entries(headersOf(reply)).map(([name, value]) => `${name}: ${String(value)}`);
}
