/** `traceparent` of a request (https://www.w3.org/TR/trace-context/#traceparent-header). */

import type { TraceContext } from '../../geocoding/geocoder.ts';

/** The version, the trace's id, the caller's span and the flags. A later version may say more after a dash. */
const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

const ZEROS = /^0+$/;

/** Undefined where the header is missing or not valid, which are the same. */
export function readTraceparent(header: unknown): TraceContext | undefined {
  if (typeof header !== 'string') return undefined;
  const [, version, traceId = '', spanId = '', flags = '', more] = TRACEPARENT.exec(header.trim()) ?? [];
  if (version === undefined || version === 'ff' || (version === '00' && more !== undefined)) return undefined;
  return ZEROS.test(traceId) || ZEROS.test(spanId) ? undefined : { traceId, flags };
}
