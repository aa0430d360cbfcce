/** W3C Trace Context (https://www.w3.org/TR/trace-context/). */

import { randomBytes } from 'node:crypto';

/** Identifies the trace of a request across services. */
export interface TraceContext {
  /** 32 lower-case hex digits. */
  readonly traceId: string;
  /** 2 lower-case hex digits. */
  readonly flags: string;
}

/** A `traceparent` header for an outgoing request: the same trace, a new span id. */
export function childTraceparent({ traceId, flags }: TraceContext): string {
  let spanId: string;
  // The standard forbids a span id of zeros.
  do spanId = randomBytes(8).toString('hex');
  while (/^0+$/.test(spanId));
  return `00-${traceId}-${spanId}-${flags}`;
}
