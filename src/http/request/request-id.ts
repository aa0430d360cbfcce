/** Request ids, for finding a request in the logs: the client's own or a new one, returned with every response. */

import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

export const REQUEST_ID_HEADER = 'X-Request-Id';

const OWN_ID = /^[A-Za-z0-9._-]{1,128}$/;

/** Ignores anything but one valid id. Node joins repeated headers with commas, which no valid id contains. */
export function requestIdOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const own = headers['x-request-id'];
  return typeof own === 'string' && OWN_ID.test(own) ? own : newRequestId();
}

export function newRequestId(): string {
  return randomUUID();
}
