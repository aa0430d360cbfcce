/** Turns whatever was thrown into the ServiceError that a client may see. Never throws. */

import type { FastifyReply, FastifyRequest } from 'fastify';

import type { ErrorCode } from '../errors.ts';
import { badUserInput, internalMessage, ServiceError } from '../errors.ts';
import { logFieldsOf } from '../services/scope.ts';
import { CallerGoneError } from '../services/scope.ts';
import { JSON_TYPE } from './request/json-type.ts';

/** Fastify's own errors that a client can cause (https://fastify.dev/docs/latest/Reference/Errors/). */
const FROM_FASTIFY: Readonly<Record<string, () => ServiceError>> = {
  FST_ERR_BAD_URL: () => new ServiceError('BAD_USER_INPUT', 'The path holds broken percent-encoding.'),
  FST_ERR_CTP_BODY_TOO_LARGE: () => new ServiceError('PAYLOAD_TOO_LARGE', 'The body is over the size limit.'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () =>
    new ServiceError('BAD_USER_INPUT', 'The body is not as long as Content-Length says.'),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () => unsupportedMediaType(),
};

export interface Failure {
  readonly error: ServiceError;
  /** True when it is to be logged with all details: the client did not cause it. */
  readonly isUnexpected: boolean;
}

/** Also logs what the client did not cause. */
export function toServiceError(thrown: unknown, request: FastifyRequest): ServiceError {
  const { id, log, scope } = request;
  const { error, isUnexpected } = toFailure(thrown, id);
  const { code } = error;
  request.errorCode = code;
  if (isUnexpected) log.error({ ...logFieldsOf(scope), code, err: thrown }, 'A request failed');
  return error;
}

export function toFailure(thrown: unknown, requestId: string): Failure {
  if (thrown instanceof ServiceError) return { error: thrown, isUnexpected: thrown.cause !== undefined };
  const code = codeOf(thrown);
  const known = Object.hasOwn(FROM_FASTIFY, code) ? FROM_FASTIFY[code] : undefined;
  if (known !== undefined) return { error: known(), isUnexpected: false };
  if (isAbortedBody(thrown, code)) {
    return { error: badUserInput('The body ended before it was complete.'), isUnexpected: false };
  }
  return {
    error: new ServiceError('INTERNAL_SERVER_ERROR', internalMessage(requestId)),
    isUnexpected: !(thrown instanceof CallerGoneError),
  };
}

function codeOf(thrown: unknown): string {
  const isCoded = typeof thrown === 'object' && thrown !== null && 'code' in thrown;
  return isCoded && typeof thrown.code === 'string' ? thrown.code : '';
}

/** True when the client went away while it sent its body. Fastify reports this as an error of the client. */
function isAbortedBody(thrown: unknown, code: string): boolean {
  return (
    code === 'ECONNRESET' && thrown instanceof Error && 'statusCode' in thrown && thrown.statusCode === 400
  );
}

export function noSuchPath(): ServiceError {
  return new ServiceError('NOT_FOUND', 'There is no such path.');
}

export function unsupportedMediaType(): ServiceError {
  return new ServiceError('UNSUPPORTED_MEDIA_TYPE', 'The body must be of Content-Type application/json.');
}

/**
 * Answers a failure, at either door.
 *
 * @param error whose code may need headers; null for none
 */
export function sendFailure(
  reply: FastifyReply,
  status: number,
  error: ServiceError | null,
  body: Readonly<Record<string, unknown>>,
): FastifyReply {
  return (
    reply
      // Fastify closes the connection after a body that it refuses. A client that is still sending would never see why.
      // Node reads the rest instead, for as long as a request may take to arrive.
      .removeHeader('connection')
      .code(status)
      .headers(error === null ? {} : failureHeaders(error))
      .type(JSON_TYPE)
      .send(JSON.stringify(body))
  );
}

const MAY_RETRY: ReadonlySet<ErrorCode> = new Set([
  'RATE_LIMITED',
  'GEOCODER_UNAVAILABLE',
  'STORAGE_UNAVAILABLE',
  'OVERLOADED',
  'ISSUER_UNAVAILABLE',
]);

/** What goes with the code, whatever the body. */
export function failureHeaders({ code, retryAfterSeconds }: ServiceError): Record<string, string> {
  const headers: Record<string, string> = {};
  if (code === 'UNAUTHENTICATED') headers['www-authenticate'] = 'Bearer';
  if (MAY_RETRY.has(code)) headers['retry-after'] = String(Math.max(1, Math.ceil(retryAfterSeconds ?? 1)));
  return headers;
}
