/** What is refused before an operation runs, and how that looks to GraphQL's clients. */

import type { GraphQLFormattedError } from 'graphql';

import { isDeeperThan } from '../domain/json/json.ts';
import type { ServiceError } from '../errors.ts';
import { badUserInput, BodyInputError } from '../errors.ts';

/** Levels of nesting in a request's JSON. Even the deepest input with the deepest `fields` stays far below. */
const MAX_BODY_DEPTH = 100;

/** @throws ServiceError BAD_USER_INPUT */
export function assertDepth(body: unknown): void {
  if (isDeeperThan(body, MAX_BODY_DEPTH)) {
    throw badUserInput(`The body nests deeper than ${MAX_BODY_DEPTH} levels.`);
  }
}

export function refusalOf(error: ServiceError): GraphQLFormattedError {
  const { code, message } = error;
  // An unreadable body is Apollo's BAD_REQUEST: no argument of the operation is wrong.
  const isUnreadable = code === 'BAD_USER_INPUT' && !(error instanceof BodyInputError);
  return { message, extensions: { code: isUnreadable ? 'BAD_REQUEST' : code } };
}
