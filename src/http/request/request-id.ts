/** Request ids, for finding a request in the logs: the client's own or a new one, returned with every response. */

import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

export const REQUEST_ID_HEADER = 'X-Request-Id';

const OWN_ID = /^[A-Za-z0-9._-]{1,128}$/;

/** Ignores anything but one valid id. Node joins repeated headers with commas, which no valid id contains. */
export function requestIdOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const own = headers['x-request-id'];
  return typeof own === 'string' && OWN_ID.test(own) ? own : newRequestId();
}

/** Ids that are made at a time. `randomUUID` takes four times as long for each, mostly to join its parts. */
const BATCH = 256;
const PATTERN = Buffer.from('xxxxxxxx-xxxx-4xxx-vxxx-xxxxxxxxxxxx');
const DIGITS = Buffer.from('0123456789abcdef');
const [ANY, VARIANT] = Buffer.from('xv');

let batch = '';
let used = 0;

/** A UUID of version 4 (RFC 9562, 5.4). */
export function newRequestId(): string {
  if (used === batch.length) {
    batch = randomUuids(BATCH);
    used = 0;
  }
  used += PATTERN.length;
  return batch.slice(used - PATTERN.length, used);
}

function randomUuids(count: number): string {
  const bytes = Buffer.alloc(count * PATTERN.length, PATTERN);
  const random = randomBytes(bytes.length);
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index];
    // Sixteen divides 256, so the low bits of a random byte are unbiased.
    const digit = (random[index] ?? 0) & 15;
    if (byte === ANY) bytes[index] = DIGITS[digit] ?? 0;
    else if (byte === VARIANT) bytes[index] = DIGITS[8 + (digit & 3)] ?? 0;
  }
  return bytes.toString('latin1');
}
