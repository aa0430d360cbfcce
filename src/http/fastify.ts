/** The Fastify instance: how it parses, limits and identifies requests, before any route or hook. */

import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { fastify, LogController } from 'fastify';

import type { Config } from '../app/config.ts';
import type { ErrorHandler } from './errors.ts';
import { respondToClientError } from './errors.ts';
import { startResponse } from './hooks.ts';
import { acceptJsonOnly } from './request/json-body.ts';
import { RequestLog } from './request/logging.ts';
import { requestIdOf } from './request/request-id.ts';

/** Node's defaults in milliseconds: for a request's head, and between two checks for late requests. */
const HEADERS_TIMEOUT_MS = 60_000;
const CHECKING_INTERVAL_MS = 30_000;

/** @param sendError for requests whose path cannot be read */
export function createFastify(
  config: Config,
  logger: FastifyBaseLogger,
  sendError: ErrorHandler,
): FastifyInstance {
  const app = fastify({
    http: {
      // Node would reject a missing Host without a body. The onRequest hook rejects it with one.
      requireHostHeader: false,
      // Node uses the longer of the two timeouts for the whole request, so neither may exceed the setting.
      headersTimeout: Math.min(HEADERS_TIMEOUT_MS, config.requestTimeoutMs),
      connectionsCheckingInterval: Math.min(CHECKING_INTERVAL_MS, config.requestTimeoutMs),
    },
    loggerInstance: logger,
    // No route has a schema. Stubs keep Fastify from loading the 200 files of its schema compilers.
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    childLoggerFactory: (parent, { reqId }) => new RequestLog(parent, String(reqId)) as FastifyBaseLogger,
    requestIdHeader: false,
    genReqId: requestIdOf,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: config.bodyLimit,
    requestTimeout: config.requestTimeoutMs,
    trustProxy: config.trustProxy.length === 0 ? false : [...config.trustProxy],
    // Requests received before the server closes are still served; see shutdown.ts.
    return503OnClosing: false,
    forceCloseConnections: false,
    routerOptions: {
      ignoreTrailingSlash: true,
      // Node's parser limits the URL. An id of that length is simply unknown.
      maxParamLength: Number.MAX_SAFE_INTEGER,
      // Routes read their own query strings.
      querystringParser: () => ({}),
    },
    frameworkErrors: (error, request, reply) => {
      startResponse(request, reply, config.corsOrigins);
      sendError(error, request, reply);
    },
    clientErrorHandler: respondToClientError,
  });
  // Node would respond to an unknown `Expect` with a bare 417. It is ignored instead.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  acceptJsonOnly(app);
  return app;
}

function noSchemas(): never {
  throw new Error('A route has a schema, and nothing to compile it with.');
}
