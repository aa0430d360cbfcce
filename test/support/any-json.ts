/** JSON that a request may contain. */

import fc from 'fast-check';

import { findUnsafeInteger } from '../../src/domain/json/json-integers.ts';

/**
 * Like `fc.jsonValue`, without doubles that JSON.stringify writes as integers beyond ±(2^53 - 1), which are refused.
 */
export function anyJson(...given: Parameters<typeof fc.jsonValue>): ReturnType<typeof fc.jsonValue> {
  return fc.jsonValue(...given).filter((value) => findUnsafeInteger(JSON.stringify(value)) === null);
}
