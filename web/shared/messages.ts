/** What anybody is told of a failure, whatever the page. */

import type { GraphqlError } from './graphql.ts';

export const UNEXPECTED = 'Something went wrong.';

/** Of failures that have nothing to do with what was asked; null for any other. */
export function commonMessageOf({ code }: GraphqlError): string | null {
  switch (code) {
    case 'NETWORK_ERROR':
      return 'The server cannot be reached. Are you online?';
    case 'STORAGE_UNAVAILABLE':
    case 'OVERLOADED':
      return 'The server is busy. Please try again in a moment.';
    default:
      return null;
  }
}
