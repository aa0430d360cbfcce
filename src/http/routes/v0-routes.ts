/**
 * /v0 on Fastify: turns requests into the table's plain requests, and responses and errors into the contract's bytes.
 */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { isJsonObject } from '../../domain/json/json.ts';
import { JsonText, stringifyJson } from '../../domain/json/json-text.ts';
import { MAX_PAGE_SIZE } from '../../domain/paging/paging.ts';
import { badUserInput } from '../../errors.ts';
import type { ResponseMemory } from '../../graphql/limits/response-memory.ts';
import type { Executor } from '../../graphql/execution/execution.ts';
import { handleRow } from '../../rest/handler.ts';
import type { V0Request } from '../../rest/request.ts';
import type { V0Response, V0Row } from '../../rest/table.ts';
import type { Audit } from '../../services/audit/audit.ts';
import { requireCaller } from '../../services/caller.ts';
import type { Validators } from '../../services/scope.ts';
import { NotModifiedError } from '../../services/scope.ts';
import { respondToOptions } from '../cors.ts';
import { etagOf, isNotModified } from '../caching.ts';
import { classifyError, noSuchPath, sendV0Error, unsupportedMediaType } from '../errors.ts';
import { methodsByPath } from './allowed-methods.ts';
import { isJsonType, JSON_TYPE } from '../request/media-types.ts';
import { hasEmptySegment, searchOf, baseUrlOf } from '../request/request-url.ts';
import type { RequestLifecycle } from '../request/lifecycle.ts';
import { onBodyArrived } from '../request/lifecycle.ts';

export interface V0Options {
  readonly rows: readonly V0Row[];
  readonly executor: Executor;
  readonly requests: RequestLifecycle;
  readonly memory: ResponseMemory;
  readonly publicUrl: string | null;
  /** One status for every error; null if each error has its own. */
  readonly errorStatus: number | null;
  /** Null when writes are not audited. */
  readonly audit: Audit | null;
}

interface Params {
  mapId: string;
  locationId?: string;
}

export function v0Routes(app: FastifyInstance, options: V0Options): void {
  app.setErrorHandler((error, request, reply) => sendV0Error(error, request, reply, options.errorStatus));

  // Such a path does not exist, whatever the method.
  app.addHook('onRequest', (request, _reply, done) => {
    done(hasEmptySegment(request.params) ? noSuchPath() : undefined);
  });

  // Our documents read at most a page, whatever the limits for GraphQL clients.
  const limits = { maxRows: MAX_PAGE_SIZE, maxBytes: Number.POSITIVE_INFINITY, memory: options.memory };

  for (const row of options.rows) {
    app.route<{ Params: Params }>({
      // Fastify's own HEAD would send a 304 with content length 0.
      method: row.method === 'GET' ? ['GET', 'HEAD'] : row.method,
      url: row.path,
      onRequest: async (request, reply) => {
        requireCaller(await options.requests.begin(request, reply));
        if (row.method === 'POST' && !isJsonType(request.headers['content-type']))
          throw unsupportedMediaType();
      },
      preHandler: onBodyArrived(options.requests),
      errorHandler: (error, request, reply) => {
        auditFailure(row, request, error, options.audit);
        sendV0Error(error, request, reply, options.errorStatus);
      },
      handler: async (request, reply) => {
        const v0Request = readRequest(row, request, options);
        const context = options.requests.contextOf(request, limits);
        const validators = row.method === 'GET' ? validatorsOf(request) : null;
        if (validators !== null) options.requests.scopeOf(request).giveValidators(validators);
        try {
          const response = await handleRow(row, v0Request, context, options.executor);
          send(request, reply, response, validators?.etag ?? null);
        } catch (error) {
          if (!(error instanceof NotModifiedError)) throw error;
          if (validators !== null && validators.etag !== null) reply.header('etag', validators.etag);
          const link = error.next === null ? null : (row.linkOfUnchanged?.(error.next, v0Request) ?? null);
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

/** @param given ETag of the upstream; null to hash the body */
function send(
  request: FastifyRequest,
  reply: FastifyReply,
  { body, link = null }: V0Response,
  given: string | null,
): FastifyReply {
  const payload = body instanceof JsonText ? body.bytes : stringifyJson(body);
  if (link !== null) reply.header('link', link);
  if (request.method === 'GET' || request.method === 'HEAD') {
    // A page from the cache has a digest already.
    const etag = given ?? etagOf(body instanceof JsonText ? body.digest : payload, link ?? '');
    if (isNotModified(request, reply, etag)) return reply.send();
  }
  return reply.code(200).type(JSON_TYPE).send(payload);
}

/** Audits a write that failed before it reached its service, because of its body or form. */
function auditFailure(
  { mutation }: V0Row,
  { id, scope, params }: FastifyRequest,
  thrown: unknown,
  audit: Audit | null,
): void {
  if (mutation === undefined || scope === null || audit === null || audit.has(scope)) return;
  const { mapId, locationId } = params as Params;
  const ids = locationId === undefined ? [] : [locationId];
  audit.note(scope, mutation, { mapId, ids }, classifyError(thrown, id).error.code);
}
