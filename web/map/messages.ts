/** What a reader is told of a failure. */

import type { GraphqlError } from '../shared/graphql.ts';

export function messageOf({ code, retryAfter, message }: GraphqlError): string {
  switch (code) {
    case 'NETWORK_ERROR':
      return 'The server cannot be reached. Are you online?';
    case 'MAP_NOT_FOUND':
      return 'This map is no longer public.';
    case 'LOCATION_NOT_FOUND':
      return 'This location is no longer on the map.';
    case 'RATE_LIMITED':
      return `There were too many requests. Please wait ${retryAfter ?? 60} seconds.`;
    case 'STORAGE_UNAVAILABLE':
    case 'OVERLOADED':
      return 'The server is busy. Please try again in a moment.';
    case 'BAD_USER_INPUT':
      return message;
    default:
      return 'Something went wrong.';
  }
}
