/** Failures of the routes for the public. */

import type { FastifyReply, FastifyRequest } from 'fastify';

import type { ErrorCode, ServiceError } from '../../errors.ts';
import { ERRORS } from '../../errors.ts';
import { sendFailure, toServiceError } from '../failure.ts';
import { keepNowhere } from './public-responses.ts';

/** The statuses that say on any server what they say here. */
const OWN_STATUS: Partial<Record<ErrorCode, number>> = { MAP_NOT_FOUND: 404, MAP_DELETED: 410 };

export interface PublicFailure {
  readonly error: ServiceError;
  readonly status: number;
}

/** Takes back what was said of the answer that could not be sent. What is sent instead is the caller's to say. */
export function beginPublicFailure(
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): PublicFailure {
  const error = toServiceError(thrown, request);
  reply.removeHeader('etag');
  keepNowhere(request, reply);
  return { error, status: OWN_STATUS[error.code] ?? ERRORS[error.code].status };
}

/** As an Error body. */
export function sendPublicFailure(
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const { error, status } = beginPublicFailure(thrown, request, reply);
  const { message } = error;
  return sendFailure(reply, status, error, { error: ERRORS[error.code].error, message });
}
