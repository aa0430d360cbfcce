/** The HTTP server: both doors, the pages for browsers, and the hooks of every request. */

import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { fastify, LogController } from 'fastify';

import type { Config } from '../app/config.ts';
import { badUserInput, overloaded, ServiceError, storageNotReached } from '../errors.ts';
import { ResponseMemory } from '../graphql/limits/response-memory.ts';
import type { GraphqlEndpoint } from '../graphql/endpoint.ts';
import type { Executor } from '../graphql/execution/execution.ts';
import type { FinishedRequest, Transport } from '../app/observability/metrics.ts';
import type { V0Row } from '../rest/table.ts';
import type { Audit } from '../services/audit/audit.ts';
import { logFieldsOf } from '../services/scope.ts';
import type { Services } from '../services/services.ts';
import type { Tracing } from '../tracing/tracing.ts';
import { graphiqlRoutes } from './routes/graphiql-routes.ts';
import type { FindAllowed } from './allowed-methods.ts';
import { createAllowedMethods } from './allowed-methods.ts';
import { assetRoutes } from './routes/asset-routes.ts';
import type { BackendPages } from './routes/backend-routes.ts';
import { createAuthentication } from './request/authentication.ts';
import { respondToClientError } from './client-error.ts';
import { allowOrigin, respondToOptions } from './cors.ts';
import type { Documents } from './routes/document-routes.ts';
import { DOCUMENT_PATHS, documentRoutes } from './routes/document-routes.ts';
import { noSuchPath } from './failure.ts';
import { GRAPHQL_METHODS, GRAPHQL_PATH, graphqlRoutes, sendGraphqlFailure } from './routes/graphql-routes.ts';
import { acceptJsonOnly } from './request/json-body.ts';
import { Live } from './live/live.ts';
import type { StreamObserver } from './live/stream-observer.ts';
import { takeUpgrades } from './live/upgrades.ts';
import { createPublicRate, keepNowhere, keepPrivate } from './routes/public-responses.ts';
import type { Rate, SharedCounts } from './limits/rate-limit.ts';
import { createRateLimit } from './limits/rate-limit.ts';
import { Readiness } from './routes/readiness.ts';
import { REQUEST_ID_HEADER, requestIdOf } from './request/request-id.ts';
import { RequestLog } from './request/logging.ts';
import { watchOverload } from './limits/overload.ts';
import { pathOf } from './request/request-url.ts';
import { createRequestLifecycle } from './request/lifecycle.ts';
import { startRoutes } from './routes/start-routes.ts';
import { traceRequests } from './request/tracing.ts';
import type { ServedPages } from '../web/pages.ts';
import { GRAPHIQL_PATH, servedPages } from '../web/pages.ts';
import { watchUnreadResponses } from './limits/unread-responses.ts';
import { methodsByPath, sendV0Failure, v0Routes } from './routes/v0-routes.ts';

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
  /** Null where writes leave no lines. */
  readonly audit: Audit | null;
  /** False until the store is open. Until then everything but {@link PROBES} answers STORAGE_UNAVAILABLE. */
  readonly isReady: () => boolean;
  /** Resolves when the store answers. */
  readonly ping: () => Promise<void>;
  /** How long a ping may take, in milliseconds. */
  readonly pingTimeoutMs: number;
  /** What other serving processes have counted; null when there are none. */
  readonly sharedCounts: Readonly<Record<Rate, SharedCounts>> | null;
  /** Called after every answer; null when metrics are off. */
  readonly onResponse: ((request: FinishedRequest) => void) | null;
  /** Told of subscriptions. */
  readonly observerOf: (transport: Transport) => StreamObserver;
  /** Null where nothing is traced. */
  readonly tracing: Tracing | null;
}

declare module 'fastify' {
  interface FastifyInstance {
    readonly servedPages: ServedPages;
    readonly readiness: Readiness;
    readonly live: Live;
  }
}

const HEALTH_PATH = '/healthz';
const READY_PATH = '/readyz';
/** What those who watch over the process ask. It is answered as long as anything is. */
const PROBES: ReadonlySet<string> = new Set([HEALTH_PATH, READY_PATH]);
const PAGE_METHODS = 'GET, HEAD, OPTIONS';

/** Node's own defaults, milliseconds: for a request's head, and between two checks for requests that take too long. */
const HEADERS_TIMEOUT_MS = 60_000;
const CHECKING_INTERVAL_MS = 30_000;

export async function createServer(options: ServerOptions): Promise<FastifyInstance> {
  const { config, executor, rows, logger } = options;
  const { errorStatus } = config.v0;
  const isDebugged = logger.level === 'debug' || logger.level === 'trace';
  const beginResponse = (request: FastifyRequest, reply: FastifyReply): void => {
    reply.header(REQUEST_ID_HEADER, request.id);
    allowOrigin(request, reply, config.corsOrigins);
    if (request.headers.authorization !== undefined) keepPrivate(reply);
    keepNowhere(request, reply);
  };
  const app = fastify({
    http: {
      // Node's own answer to a missing Host has no body. The hook below answers it with one.
      requireHostHeader: false,
      // Node uses the longer of the two timeouts for the whole request, so neither may exceed the setting.
      headersTimeout: Math.min(HEADERS_TIMEOUT_MS, config.requestTimeoutMs),
      connectionsCheckingInterval: Math.min(CHECKING_INTERVAL_MS, config.requestTimeoutMs),
    },
    loggerInstance: logger,
    // No route has a schema, so the 200 files that would compile schemas need not be loaded.
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    childLoggerFactory: (parent, { reqId }) => new RequestLog(parent, String(reqId)) as FastifyBaseLogger,
    requestIdHeader: false,
    genReqId: requestIdOf,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: config.bodyLimit,
    requestTimeout: config.requestTimeoutMs,
    trustProxy: config.trustProxy.length === 0 ? false : [...config.trustProxy],
    // While the server closes, requests that were received are still answered; see shutdown.ts.
    return503OnClosing: false,
    forceCloseConnections: false,
    routerOptions: {
      ignoreTrailingSlash: true,
      // Node's parser already limits the URL. An id of that length is simply unknown.
      maxParamLength: Number.MAX_SAFE_INTEGER,
      // Each route that needs its query string reads it itself.
      querystringParser: () => ({}),
    },
    frameworkErrors: (error, request, reply) => {
      beginResponse(request, reply);
      sendV0Failure(error, request, reply, errorStatus);
    },
    clientErrorHandler: respondToClientError,
  });
  const overload = watchOverload(config.overloadMs);
  app.addHook('onClose', () => overload.stop());
  // Node would answer an unknown `Expect` with a bare 417. It is ignored instead.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  acceptJsonOnly(app);
  if (options.tracing !== null) traceRequests(app, options.tracing, PROBES);
  if (isDebugged || options.onResponse !== null) {
    app.addHook('onResponse', (request, reply, done) => {
      const { method } = request;
      const { statusCode: status, elapsedTime: milliseconds } = reply;
      if (isDebugged) logResponse(request, status, milliseconds);
      // How long a client stays subscribed is no time of ours.
      if (!request.isStreamed)
        options.onResponse?.({ method, route: request.routeOptions.url ?? 'none', status, milliseconds });
      done();
    });
  }
  app.addHook('onRequest', (request, reply, done) => {
    beginResponse(request, reply);
    if (lacksHost(request)) return done(badUserInput('The Host header is required.'));
    const refusal = refusalNow();
    if (refusal !== null && !PROBES.has(pathOf(request))) return done(refusal);
    // Path and method come before everything else, the body's type included.
    if (request.is404) return done(noSuchRoute(request, reply, findAllowed));
    if (request.method !== 'POST') ignoreBody(request);
    done();
  });
  const refusalNow = (): ServiceError | null => {
    if (overload.isOverloaded()) return overloaded();
    return options.isReady() ? null : storageNotReached();
  };
  app.setErrorHandler((error, request, reply) => {
    const path = pathOf(request);
    if (path === GRAPHQL_PATH) return sendGraphqlFailure(error, request, reply);
    return sendV0Failure(error, request, reply, isV0(path) ? errorStatus : null);
  });

  const { routes: backendRoutes, startPage: startTexts } = options.backend;
  const pages = [
    ...PROBES,
    ...(config.graphiql ? [GRAPHIQL_PATH] : []),
    ...DOCUMENT_PATHS,
    ...backendRoutes.pages,
  ];
  const findAllowed = createAllowedMethods(
    new Map([
      ...methodsByPath(rows),
      [GRAPHQL_PATH, GRAPHQL_METHODS],
      ...backendRoutes.methods,
      ...pages.map((path) => [path, PAGE_METHODS] as const),
    ]),
  );
  const served = servedPages((path) => findAllowed(path) !== null);
  app.decorate('servedPages', served);
  const authentication = createAuthentication(
    options.services.tokens,
    createRateLimit(config.rateLimit, options.sharedCounts?.requests ?? null),
  );
  // Every route for the public calls it first; files that pages load are not counted.
  const countPublic = createPublicRate(config.publicRateLimit, options.sharedCounts?.public ?? null);
  const times = {
    totalMs: config.geocoding.requestTimeoutMs,
    storageMs: config.databaseTimeoutMs,
    searchMs: config.searchTimeoutMs,
  };
  const requests = createRequestLifecycle(app, authentication, options.services, times, overload);
  const memory = new ResponseMemory(config.unreadLimit);
  watchUnreadResponses(app, memory, config.unreadTimeoutMs);
  const budget = { maxRows: config.graphql.maxRows, maxBytes: config.responseLimit, memory };
  const graphiql = config.graphiql
    ? { graphqlPath: GRAPHQL_PATH, ...options.backend.graphiql, pages: served.pages }
    : null;

  await app.register((scope, _options, done) => {
    v0Routes(scope, {
      rows,
      executor,
      requests,
      memory,
      publicUrl: config.publicUrl,
      errorStatus,
      audit: options.audit,
    });
    done();
  });
  const live = new Live({
    ...{ endpoint: options.graphql, services: options.services, authentication, requests, overload, budget },
    ...{ times, logger, corsOrigins: config.corsOrigins, publicUrl: config.publicUrl },
    limits: config.live,
    maxOperations: config.live.operationsOfConnection,
    maxMessageBytes: config.bodyLimit,
    initTimeoutMs: config.live.initTimeoutMs,
    unreadTimeoutMs: config.unreadTimeoutMs,
    observerOf: options.observerOf,
  });
  app.decorate('live', live);
  app.addHook('preClose', (done) => {
    live.drain();
    done();
  });
  takeUpgrades(app);
  await app.register((scope, _options, done) => {
    graphqlRoutes(scope, { endpoint: options.graphql, live, requests, budget, graphiql });
    done();
  });
  await backendRoutes.register(app, {
    ...{ config, services: options.services, executor, requests, countPublic, memory },
    ...{ graphqlPath: GRAPHQL_PATH, pages: served.pages },
  });
  if (graphiql !== null) graphiqlRoutes(app, graphiql);
  assetRoutes(app);
  documentRoutes(app, {
    documents: options.documents,
    publicUrl: config.publicUrl,
    graphqlPath: GRAPHQL_PATH,
    graphiqlPath: config.graphiql ? GRAPHIQL_PATH : null,
    pages: served.pages,
  });
  await app.register((scope, _options, done) => {
    const { demoMap } = options.services;
    const { publicUrl } = config;
    startRoutes(scope, {
      ...{ demoMap, requests, served, graphqlPath: GRAPHQL_PATH, publicUrl },
      texts: startTexts,
    });
    done();
  });
  for (const path of pages) {
    app.options(path, (request, reply) => respondToOptions(request, reply, PAGE_METHODS));
  }
  app.get(HEALTH_PATH, () => ({ status: 'ok' }));
  const readiness = new Readiness(options.ping, options.pingTimeoutMs, (error) => {
    logger.error({ err: error }, 'The database failed when it was looked at');
  });
  app.decorate('readiness', readiness);
  app.get(READY_PATH, async (_request, reply) => {
    const reason = await readiness.reason();
    if (reason === null) return { status: 'ready' };
    return reply.code(503).send({ status: 'not ready', reason });
  });
  return app;
}

function noSchemas(): never {
  throw new Error('A route has a schema, and nothing to compile it with.');
}

function logResponse(request: FastifyRequest, status: number, milliseconds: number): void {
  const { scope, method, ip } = request;
  const code = request.errorCode ?? scope?.errorCode;
  const ms = Math.round(milliseconds);
  // Without the query string, which may hold a whole GraphQL operation.
  const answered = { method, path: pathOf(request), status, code, ip, ms };
  request.log.debug({ ...logFieldsOf(scope), ...answered }, 'Answered');
}

/** RFC 9112, 3.2: every request of HTTP/1.1 must name its host. */
function lacksHost({ headers, raw }: FastifyRequest): boolean {
  return headers.host === undefined && raw.httpVersion === '1.1';
}

function isV0(path: string): boolean {
  return path === '/v0' || path.startsWith('/v0/');
}

/** Removes the headers by which Fastify would read a body. Node skips the body itself. */
function ignoreBody({ headers }: FastifyRequest): void {
  delete headers['content-type'];
  delete headers['content-length'];
  delete headers['transfer-encoding'];
}

/** 405 where the path is known under another method, else 404. */
function noSuchRoute(request: FastifyRequest, reply: FastifyReply, findAllowed: FindAllowed): ServiceError {
  const methods = findAllowed(pathOf(request));
  if (methods === null) return noSuchPath();
  reply.header('allow', methods);
  return new ServiceError('METHOD_NOT_ALLOWED', `This path allows ${methods}.`);
}
