/** Error messages for users of the console. */

import { GraphqlError } from '../../shared/graphql.ts';
import { commonMessageOf, unexpected } from '../../shared/messages.ts';

export function messageOf(error: unknown): string {
  if (!(error instanceof GraphqlError)) return unexpected();
  switch (error.code) {
    case 'UNAUTHENTICATED':
      return 'You are no longer signed in.';
    case 'RATE_LIMITED':
      return `${error.message} Please wait ${error.retryAfter ?? 60} seconds.`;
    case 'UNKNOWN':
    case 'INTERNAL_SERVER_ERROR':
      return unexpected();
    default:
      return commonMessageOf(error) ?? error.message;
  }
}
