/** What the owner is told of a failure. */

import { GraphqlError } from '../shared/graphql.ts';

export function messageOf(error: unknown): string {
  if (!(error instanceof GraphqlError)) return 'Something went wrong.';
  switch (error.code) {
    case 'NETWORK_ERROR':
      return 'The server cannot be reached. Are you online?';
    case 'UNAUTHENTICATED':
      return 'This token is not valid: it is unknown, expired or revoked.';
    case 'RATE_LIMITED':
      return `${error.message} Please wait ${error.retryAfter ?? 60} seconds.`;
    case 'STORAGE_UNAVAILABLE':
    case 'OVERLOADED':
      return 'The server is busy. Please try again in a moment.';
    case 'UNKNOWN':
    case 'INTERNAL_SERVER_ERROR':
      return 'Something went wrong.';
    default:
      return error.message;
  }
}
