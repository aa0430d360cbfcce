/**
 * Makes the error body of every endpoint: /v0, GraphQL, the public pages and exports, subscriptions, and requests that
 * Node's parser rejects. What a code means is in src/errors.ts.
 */

import type { Socket } from 'node:net';

import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify';
import type { GraphQLFormattedError } from 'graphql';

import type { ErrorCode } from '../errors.ts';
import { badUserInput, BodyInputError, ERRORS, internalMessage, ServiceError } from '../errors.ts';
import { DocumentRefusal } from '../graphql/limits/document-limits.ts';
import { statusOf } from '../rest/status.ts';
import { CallerGoneError, logFieldsOf } from '../services/scope.ts';
import { defaultToNoStore } from './caching.ts';
import { JSON_TYPE } from './request/media-types.ts';
import { newRequestId, REQUEST_ID_HEADER } from './request/request-id.ts';

/** Fastify errors that a client can cause (https://fastify.dev/docs/latest/Reference/Errors/). */
const FROM_FASTIFY: Readonly<Record<string, () => ServiceError>> = {
  FST_ERR_BAD_URL: () => badUserInput('The path contains invalid percent-encoding.'),
  FST_ERR_CTP_BODY_TOO_LARGE: () => new ServiceError('PAYLOAD_TOO_LARGE', 'The body exceeds the size limit.'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () => badUserInput('The body length does not match Content-Length.'),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () => unsupportedMediaType(),
};

export interface ClassifiedError {
  readonly error: ServiceError;
  /** The client did not cause it: log it with all details. */
  readonly isUnexpected: boolean;
}

export type ErrorHandler = (thrown: unknown, request: FastifyRequest, reply: FastifyReply) => FastifyReply;

/** Turns anything thrown into the ServiceError that a client may see. Never throws. */
export function classifyError(thrown: unknown, requestId: string): ClassifiedError {
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

/** Classifies an error, records its code with the request, and logs it if it is unexpected. */
export function toServiceError(thrown: unknown, request: FastifyRequest): ServiceError {
  const { id, log, scope } = request;
  const { error, isUnexpected } = classifyError(thrown, id);
  const { code } = error;
  request.errorCode = code;
  if (isUnexpected) log.error({ ...logFieldsOf(scope), code, err: thrown }, 'A request failed');
  return error;
}

function codeOf(thrown: unknown): string {
  const isCoded = typeof thrown === 'object' && thrown !== null && 'code' in thrown;
  return isCoded && typeof thrown.code === 'string' ? thrown.code : '';
}

/** The client disconnected while sending its body, which Fastify reports as a client error. */
function isAbortedBody(thrown: unknown, code: string): boolean {
  return (
    code === 'ECONNRESET' && thrown instanceof Error && 'statusCode' in thrown && thrown.statusCode === 400
  );
}

export function noSuchPath(): ServiceError {
  return new ServiceError('NOT_FOUND', 'There is no such path.');
}

export function unsupportedMediaType(): ServiceError {
  return new ServiceError('UNSUPPORTED_MEDIA_TYPE', 'Content-Type must be application/json.');
}

const MAY_RETRY: ReadonlySet<ErrorCode> = new Set([
  'RATE_LIMITED',
  'GEOCODER_UNAVAILABLE',
  'STORAGE_UNAVAILABLE',
  'OVERLOADED',
  'ISSUER_UNAVAILABLE',
]);

/** Headers that follow from the error code, whatever the body. */
function errorHeaders({ code, retryAfterSeconds }: ServiceError): Record<string, string> {
  const headers: Record<string, string> = {};
  if (code === 'UNAUTHENTICATED') headers['www-authenticate'] = 'Bearer';
  if (MAY_RETRY.has(code)) headers['retry-after'] = String(Math.max(1, Math.ceil(retryAfterSeconds ?? 1)));
  return headers;
}

function sendError(
  reply: FastifyReply,
  status: number,
  error: ServiceError | null,
  body: Readonly<Record<string, unknown>>,
): FastifyReply {
  return sendErrorText(reply, status, error, JSON_TYPE, JSON.stringify(body));
}

/**
 * @param error source of the headers; null for none
 * @param type media type of the body
 */
export function sendErrorText(
  reply: FastifyReply,
  status: number,
  error: ServiceError | null,
  type: string,
  body: string,
): FastifyReply {
  return (
    reply
      // Fastify closes the connection after a body that it rejects, so a client that is still sending would not see why.
      // Without this header Node reads the rest, until the request timeout.
      .removeHeader('connection')
      .code(status)
      .headers(error === null ? {} : errorHeaders(error))
      .type(type)
      .send(body)
  );
}

/** The `Error` body of /v0. @param errorStatus the one status of every error; null when each error has its own */
export function sendV0Error(
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
  // These headers describe the response that failed.
  reply.removeHeader('link').removeHeader('etag');
  return sendError(reply, status, error, { error: number, message: error.message });
}

/** GraphQL errors before an operation runs: authentication, rate limit, and the body's type, size and JSON. */
export function sendGraphqlError(
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  if (thrown instanceof DocumentRefusal) {
    request.errorCode = String(thrown.error.extensions?.['code']);
    return sendError(reply, ERRORS.BAD_USER_INPUT.status, null, { errors: [thrown.error] });
  }
  const error = toServiceError(thrown, request);
  return sendError(reply, ERRORS[error.code].status, error, { errors: [toGraphqlError(error)] });
}

/** An error before execution, in the form of GraphQL. */
export function toGraphqlError(error: ServiceError): GraphQLFormattedError {
  const { code, message } = error;
  // Apollo's code for an unreadable body: no argument of the operation is wrong.
  const isUnreadable = code === 'BAD_USER_INPUT' && !(error instanceof BodyInputError);
  return { message, extensions: { code: isUnreadable ? 'BAD_REQUEST' : code } };
}

/** An error on a WebSocket connection or event stream. @param log gets unexpected errors */
export function toLiveError(
  thrown: unknown,
  requestId: string,
  log: Pick<FastifyBaseLogger, 'error'>,
): GraphQLFormattedError {
  if (thrown instanceof DocumentRefusal) return thrown.error;
  const { error, isUnexpected } = classifyError(thrown, requestId);
  if (isUnexpected) log.error({ requestId, code: error.code, err: thrown }, 'An operation failed');
  return toGraphqlError(error);
}

/** Public routes use the status that generic HTTP clients expect. */
const PUBLIC_STATUS: Partial<Record<ErrorCode, number>> = {
  MAP_NOT_FOUND: 404,
  MAP_DELETED: 410,
  LOCATION_NOT_FOUND: 404,
};

export interface PublicError {
  readonly error: ServiceError;
  readonly status: number;
}

/** Resets the headers of the response that failed. The caller sends the body. */
export function preparePublicError(
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): PublicError {
  const error = toServiceError(thrown, request);
  reply.removeHeader('etag');
  defaultToNoStore(request, reply);
  return { error, status: PUBLIC_STATUS[error.code] ?? ERRORS[error.code].status };
}

/** The `Error` body of a public route. */
export function sendPublicError(thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { error, status } = preparePublicError(thrown, request, reply);
  return sendError(reply, status, error, { error: ERRORS[error.code].error, message: error.message });
}

/** JSON-RPC 2.0, 5.1; other codes are left to the server. */
const JSON_RPC_CODES: Partial<Record<ErrorCode, number>> = {
  BAD_USER_INPUT: -32600,
  INTERNAL_SERVER_ERROR: -32603,
};
const UNREADABLE = -32700;
const SERVER_ERROR = -32000;

/** A JSON-RPC error, for requests to /mcp that fail before their message is read. */
export function sendMcpError(thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const error = toServiceError(thrown, request);
  const { code, message } = error;
  const isUnreadable = code === 'BAD_USER_INPUT' && !(error instanceof BodyInputError);
  const number = isUnreadable ? UNREADABLE : (JSON_RPC_CODES[code] ?? SERVER_ERROR);
  const body = { jsonrpc: '2.0', id: null, error: { code: number, message, data: { code } } };
  return sendError(reply, ERRORS[code].status, error, body);
}

/** An error of signing in. */
export function sendAuthError(thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const error = toServiceError(thrown, request);
  const { code, message, extensions } = error;
  return sendError(reply, ERRORS[code].status, error, { ...extensions, code, message });
}

/** oEmbed (2.3.6) prescribes 501 for a format that the server does not offer. */
export function sendUnsupportedFormat(reply: FastifyReply, message: string): FastifyReply {
  return sendError(reply, 501, null, { error: 501, message });
}

/** Responds on the bare socket to a request that Node's parser rejects. */
export function respondToClientError(error: Error & { code?: string }, socket: Socket): void {
  // The client disconnected, or already has its response.
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const body = JSON.stringify({
    error: ERRORS.BAD_USER_INPUT.error,
    message: clientErrorMessage(error.code),
  });
  socket.end(
    `HTTP/1.1 400 Bad Request\r\nContent-Type: ${JSON_TYPE}\r\n` +
      `${REQUEST_ID_HEADER}: ${newRequestId()}\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}

function clientErrorMessage(code: string | undefined): string {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return 'The request line and headers exceed the size limit.';
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return 'The request did not arrive in time.';
    default:
      return 'The request is not valid HTTP.';
  }
}
