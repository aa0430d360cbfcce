/**
 * /v0 on Fastify: turns requests into the table's plain requests, and its answers and failures into the contract's
 * bytes.
 */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { isJsonObject } from '../../domain/json/json.ts';
import { JsonText, stringifyJson } from '../../domain/json/json-text.ts';
import { MAX_PAGE_SIZE } from '../../domain/paging/paging.ts';
import { badUserInput, ERRORS } from '../../errors.ts';
import type { ResponseMemory } from '../../graphql/limits/response-memory.ts';
import type { Executor } from '../../graphql/execution/execution.ts';
import { handleRow } from '../../rest/handler.ts';
import type { V0Request } from '../../rest/request.ts';
import { statusOf } from '../../rest/status.ts';
import type { V0Response, V0Row } from '../../rest/table.ts';
import type { Audit } from '../../services/audit/audit.ts';
import { requireCaller } from '../../services/caller.ts';
import type { Validators } from '../../services/scope.ts';
import { NotModifiedError } from '../../services/scope.ts';
import { baseUrlOf } from './base-url.ts';
import { respondToOptions } from '../cors.ts';
import { etagOf, isKnownByTag } from '../request/etag.ts';
import { noSuchPath, sendFailure, toFailure, toServiceError, unsupportedMediaType } from '../failure.ts';
import { isJsonType } from '../request/json-body.ts';
import { JSON_TYPE } from '../request/json-type.ts';
import { hasEmptySegment, searchOf } from '../request/request-url.ts';
import type { RequestLifecycle } from '../request/lifecycle.ts';
import { whenArrived } from '../request/lifecycle.ts';

export interface V0Options {
  readonly rows: readonly V0Row[];
  readonly executor: Executor;
  readonly requests: RequestLifecycle;
  readonly memory: ResponseMemory;
  readonly publicUrl: string | null;
  /** The one status of every error; null when each error has its own. */
  readonly errorStatus: number | null;
  /** Null where writes leave no lines. */
  readonly audit: Audit | null;
}

interface Params {
  mapId: string;
  locationId?: string;
}

export function v0Routes(app: FastifyInstance, options: V0Options): void {
  app.setErrorHandler((error, request, reply) => sendV0Failure(error, request, reply, options.errorStatus));

  // Such a path is unknown, whatever the method.
  app.addHook('onRequest', (request, _reply, done) => {
    done(hasEmptySegment(request.params) ? noSuchPath() : undefined);
  });

  // No document of ours reads more than a page, whatever the limits for GraphQL's clients are.
  const limits = { maxRows: MAX_PAGE_SIZE, maxBytes: Number.POSITIVE_INFINITY, memory: options.memory };

  for (const row of options.rows) {
    app.route<{ Params: Params }>({
      // Fastify's own HEAD would give a 304 the content length 0.
      method: row.method === 'GET' ? ['GET', 'HEAD'] : row.method,
      url: row.path,
      onRequest: async (request, reply) => {
        requireCaller(await options.requests.begin(request, reply));
        if (row.method === 'POST' && !isJsonType(request.headers['content-type']))
          throw unsupportedMediaType();
      },
      preHandler: whenArrived(options.requests),
      errorHandler: (error, request, reply) => {
        noteFailure(row, request, error, options.audit);
        sendV0Failure(error, request, reply, options.errorStatus);
      },
      handler: async (request, reply) => {
        const asked = readRequest(row, request, options);
        const context = options.requests.contextOf(request, limits);
        const validators = row.method === 'GET' ? validatorsOf(request) : null;
        if (validators !== null) options.requests.scopeOf(request).giveValidators(validators);
        try {
          const response = await handleRow(row, asked, context, options.executor);
          send(request, reply, response, validators?.etag ?? null);
        } catch (error) {
          if (!(error instanceof NotModifiedError)) throw error;
          if (validators !== null && validators.etag !== null) reply.header('etag', validators.etag);
          const link = error.next === null ? null : (row.linkOfUnchanged?.(error.next, asked) ?? null);
          if (link !== null) reply.header('link', link);
          reply.code(304).send();
        } finally {
          context.budget.release();
        }
        return reply;
      },
    });
  }

  for (const [path, methods] of methodsByPath(options.rows)) {
    app.options(path, (request, reply) => respondToOptions(request, reply, methods));
  }
}

/** The value of the `Allow` header for each path. */
export function methodsByPath(rows: readonly V0Row[]): Map<string, string> {
  const allowed = new Map<string, string[]>();
  for (const { method, path } of rows) {
    const methods = allowed.get(path) ?? [];
    methods.push(...(method === 'GET' ? ['GET', 'HEAD'] : [method]));
    allowed.set(path, methods);
  }
  return new Map([...allowed].map(([path, methods]) => [path, [...methods, 'OPTIONS'].join(', ')]));
}

function readRequest(row: V0Row, request: FastifyRequest, { publicUrl }: V0Options): V0Request {
  const { mapId, locationId = '' } = request.params as Params;
  const { body = {} } = request;
  if (row.method === 'POST' && !isJsonObject(request.body))
    throw badUserInput('The body must be a JSON object.');
  const key = request.headers['idempotency-key'];
  return {
    mapId,
    locationId,
    search: searchOf(request),
    body: body as Record<string, unknown>,
    idempotencyKey: key === undefined ? null : String(key),
    baseUrl: baseUrlOf(request, publicUrl),
  };
}

function validatorsOf({ headers }: FastifyRequest): Validators {
  return { ifNoneMatch: headers['if-none-match'] ?? null, etag: null };
}

/** @param given the tag of the answer; null to make one of its bytes */
function send(
  request: FastifyRequest,
  reply: FastifyReply,
  { body, link = null }: V0Response,
  given: string | null,
): FastifyReply {
  const payload = body instanceof JsonText ? body.bytes : stringifyJson(body);
  if (link !== null) reply.header('link', link);
  if (request.method === 'GET' || request.method === 'HEAD') {
    // A page from the cache need not be hashed again.
    const etag = given ?? etagOf(body instanceof JsonText ? body.digest : payload, link ?? '');
    if (isKnownByTag(request, reply, etag)) return reply.send();
  }
  return reply.code(200).type(JSON_TYPE).send(payload);
}

/** A write that failed before its verb was called, by its body or its form, leaves a line too. */
function noteFailure(
  { mutation }: V0Row,
  { id, scope, params }: FastifyRequest,
  thrown: unknown,
  audit: Audit | null,
): void {
  if (mutation === undefined || scope === null || audit === null || audit.has(scope)) return;
  const { mapId, locationId } = params as Params;
  const ids = locationId === undefined ? [] : [locationId];
  audit.note(scope, mutation, { mapId, ids }, toFailure(thrown, id).error.code);
}

export function sendV0Failure(
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  errorStatus: number | null,
): FastifyReply {
  const error = toServiceError(thrown, request);
  const { method, routeOptions } = request;
  const own = statusOf(error.code, { method, path: routeOptions.url }, errorStatus);
  const status = errorStatus ?? error.v0?.status ?? own;
  const number = error.v0?.error ?? ERRORS[error.code].error;
  // These headers belong to the answer that could not be sent.
  reply.removeHeader('link').removeHeader('etag');
  return sendFailure(reply, status, error, { error: number, message: error.message });
}
