/** Error messages for readers of a public map. */

import type { GraphqlError } from '../shared/graphql.ts';
import { commonMessageOf, UNEXPECTED } from '../shared/messages.ts';

export function messageOf(error: GraphqlError): string {
  switch (error.code) {
    case 'UNAUTHENTICATED':
      return 'The link that opened this map has ended.';
    case 'MAP_NOT_FOUND':
      return 'This map is no longer public.';
    case 'LOCATION_NOT_FOUND':
      return 'This location is no longer on the map.';
    case 'RATE_LIMITED':
      return `Too many requests. Please wait ${error.retryAfter ?? 60} seconds.`;
    case 'BAD_USER_INPUT':
      return error.message;
    default:
      return commonMessageOf(error) ?? UNEXPECTED;
  }
}
