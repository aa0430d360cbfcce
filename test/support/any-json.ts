/** JSON that a request may hold. */

import fc from 'fast-check';

import { findUnsafeInteger } from '../../src/domain/json/json-integers.ts';

/** As `fc.jsonValue`, without the doubles that JSON.stringify writes as integers beyond ±(2^53 - 1): these are refused. */
export function anyJson(...given: Parameters<typeof fc.jsonValue>): ReturnType<typeof fc.jsonValue> {
  return fc.jsonValue(...given).filter((value) => findUnsafeInteger(JSON.stringify(value)) === null);
}
