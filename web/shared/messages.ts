/** Error messages of all pages. */

import type { GraphqlError } from './graphql.ts';

export const UNEXPECTED = 'Something went wrong.';

/** The message for errors unrelated to the request; null for others. */
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
