/** What a request of ours says of the trace that it is part of. */

import { randomBytes } from 'node:crypto';

import type { TraceContext } from '../geocoding/geocoder.ts';

/** A `traceparent` of the same trace, with a span id of its own. */
export function childTraceparent({ traceId, flags }: TraceContext): string {
  let spanId: string;
  do spanId = randomBytes(8).toString('hex');
  while (/^0+$/.test(spanId));
  return `00-${traceId}-${spanId}-${flags}`;
}
