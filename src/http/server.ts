/** The HTTP server of both APIs and the pages for browsers. Does not listen yet. */

import type { FastifyBaseLogger, FastifyInstance } from 'fastify';

import type { Config } from '../app/config.ts';
import type { FinishedRequest, Transport } from '../app/observability/metrics.ts';
import type { GraphqlEndpoint } from '../graphql/endpoint.ts';
import type { Executor } from '../graphql/execution/execution.ts';
import { ResponseMemory } from '../graphql/limits/response-memory.ts';
import type { V0Row } from '../rest/table.ts';
import type { Audit } from '../services/audit/audit.ts';
import type { Services } from '../services/services.ts';
import type { Tracing } from '../tracing/tracing.ts';
import type { BasemapFile } from '../web/basemap-file/basemap-file.ts';
import type { ErrorHandler } from './errors.ts';
import { sendGraphqlError, sendV0Error } from './errors.ts';
import { createFastify } from './fastify.ts';
import { watchOverload } from './limits/overload.ts';
import type { Rate, SharedCounts } from './limits/rate-limit.ts';
import { createRateLimit } from './limits/rate-limit.ts';
import { watchUnreadResponses } from './limits/unread-responses.ts';
import { isOgcPath } from '../ogc/links.ts';
import type { StreamObserver } from './live/connections.ts';
import { Live } from './live/live.ts';
import { takeUpgrades } from './live/upgrades.ts';
import { ogcErrorHandler } from './ogc-responses.ts';
import { createAuthentication } from './request/authentication.ts';
import { checkRequests, observeResponses } from './hooks.ts';
import { createRequestLifecycle } from './request/lifecycle.ts';
import { createCookies } from './request/session-cookie.ts';
import { pathOf } from './request/request-url.ts';
import { traceRequests } from './request/tracing.ts';
import type { BackendPages } from './routes/backend-routes.ts';
import type { Documents } from './routes/document-routes.ts';
import { GRAPHQL_PATH } from './routes/graphql-routes.ts';
import { PROBES, Readiness } from './routes/health-routes.ts';
import { createPublicRate } from './routes/public-requests.ts';
import { registerRoutes, routePaths } from './routes/routes.ts';

export interface ServerOptions {
  readonly config: Config;
  readonly services: Services;
  readonly graphql: GraphqlEndpoint;
  readonly executor: Executor;
  readonly rows: readonly V0Row[];
  readonly documents: Documents;
  /** The routes and texts of the backend. */
  readonly backend: BackendPages;
  readonly logger: FastifyBaseLogger;
  /** Null when writes are not audited. */
  readonly audit: Audit | null;
  /** False until the store is open. Until then everything but the probes fails with STORAGE_UNAVAILABLE. */
  readonly isReady: () => boolean;
  /** Resolves when the store responds. */
  readonly ping: () => Promise<void>;
  /** Time limit for a ping in milliseconds. */
  readonly pingTimeoutMs: number;
  /** Counts of the other worker processes; null when there are none. */
  readonly sharedCounts: Readonly<Record<Rate, SharedCounts>> | null;
  /** Called after every response; null when metrics are off. */
  readonly onResponse: ((request: FinishedRequest) => void) | null;
  readonly observerOf: (transport: Transport) => StreamObserver;
  /** The operator's basemap file; null if there is none. */
  readonly basemap: BasemapFile | null;
  /** Null when tracing is off. */
  readonly tracing: Tracing | null;
}

export async function createServer(options: ServerOptions): Promise<FastifyInstance> {
  const { config, services, rows, logger, tracing, sharedCounts } = options;
  const { corsOrigins, publicUrl } = config;
  const paths = routePaths(config, {
    rows,
    backend: options.backend.routes,
    hasBasemap: options.basemap !== null,
  });
  const { hasMapPages } = paths.served;
  const sendError = errorHandler(config, hasMapPages);
  const app = createFastify(config, logger, sendError);
  const overload = watchOverload(config.overloadMs);
  app.addHook('onClose', () => overload.stop());
  if (tracing !== null) traceRequests(app, tracing, PROBES);
  observeResponses(app, logger.level === 'debug' || logger.level === 'trace', options.onResponse);
  checkRequests(app, {
    ...{ corsOrigins, hasMapPages, overload },
    ...{ isReady: options.isReady, findAllowed: paths.findAllowed },
  });
  app.setErrorHandler(sendError);

  const countRequest = createRateLimit(config.rateLimit, sharedCounts?.requests ?? null);
  const countPublic = createPublicRate(config.publicRateLimit, sharedCounts?.public ?? null);
  const cookies = createCookies(config, () => {
    const address = app.server.address();
    return typeof address === 'object' && address !== null ? address.port : config.port;
  });
  // A gateway has no sessions.
  const source =
    config.upstream.url === null ? { sessions: services.sessions, cookie: cookies.session, publicUrl } : null;
  const authentication = createAuthentication(services.tokens, source, countRequest);
  const times = {
    totalMs: config.geocoding.requestTimeoutMs,
    storageMs: config.databaseTimeoutMs,
    searchMs: config.searchTimeoutMs,
  };
  const requests = createRequestLifecycle(app, authentication, services, times, overload, publicUrl);
  const memory = new ResponseMemory(config.unreadLimit);
  watchUnreadResponses(app, memory, config.unreadTimeoutMs);
  const budget = { maxRows: config.graphql.maxRows, maxBytes: config.responseLimit, memory };
  const live = new Live({
    ...{ endpoint: options.graphql, services, authentication, requests, overload, budget, times, logger },
    ...{ corsOrigins, publicUrl, observerOf: options.observerOf, limits: config.live },
    maxOperations: config.live.operationsOfConnection,
    maxMessageBytes: config.bodyLimit,
    initTimeoutMs: config.live.initTimeoutMs,
    unreadTimeoutMs: config.unreadTimeoutMs,
  });
  app.decorate('live', live);
  app.addHook('preClose', (done) => {
    live.drain();
    done();
  });
  takeUpgrades(app);
  const readiness = new Readiness(options.ping, options.pingTimeoutMs, (error) => {
    logger.error({ err: error }, 'The database failed a readiness check');
  });
  app.decorate('readiness', readiness);
  await registerRoutes(app, { ...options, paths, live, requests, countPublic, cookies, budget, readiness });
  return app;
}

/** For requests that reach no route, and for the routes without a handler of their own. */
function errorHandler({ publicUrl, v0 }: Config, hasOgc: boolean): ErrorHandler {
  const sendOgcError = ogcErrorHandler(publicUrl);
  return (error, request, reply) => {
    const path = pathOf(request);
    if (path === GRAPHQL_PATH) return sendGraphqlError(error, request, reply);
    if (hasOgc && isOgcPath(path)) return sendOgcError(error, request, reply);
    return sendV0Error(error, request, reply, isV0(path) ? v0.errorStatus : null);
  };
}

function isV0(path: string): boolean {
  return path === '/v0' || path.startsWith('/v0/');
}
