/** What a client on a connection that stays open is told of a failure. */

import type { FastifyBaseLogger } from 'fastify';
import type { GraphQLFormattedError } from 'graphql';

import { DocumentRefusal } from '../../graphql/limits/document-limits.ts';
import { toFailure } from '../failure.ts';
import { refusalOf } from '../graphql-errors.ts';

/** @param log gets what the client did not cause */
export function clientErrorOf(
  thrown: unknown,
  requestId: string,
  log: Pick<FastifyBaseLogger, 'error'>,
): GraphQLFormattedError {
  if (thrown instanceof DocumentRefusal) return thrown.error;
  const { error, isUnexpected } = toFailure(thrown, requestId);
  if (isUnexpected) log.error({ requestId, code: error.code, err: thrown }, 'An operation failed');
  return refusalOf(error);
}
