/** The id by which a request is found again in logs: the client's own or a new one, told in every answer. */

import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

export const REQUEST_ID_HEADER = 'X-Request-Id';

const OWN_ID = /^[A-Za-z0-9._-]{1,128}$/;

/** Any other header than one valid id is ignored. Node joins several of them with commas, which no id has. */
export function requestIdOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const own = headers['x-request-id'];
  return typeof own === 'string' && OWN_ID.test(own) ? own : newRequestId();
}

export function newRequestId(): string {
  return randomUUID();
}
