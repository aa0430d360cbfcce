/** Expected failures as values. */

import { ServiceError } from '../errors.ts';

/** An expected failure as a value, so that one item's does not end the others; any other is thrown on. */
export function settle<T>(work: () => T): T | ServiceError {
  try {
    return work();
  } catch (error) {
    return expected(error);
  }
}

/** @throws what it is given, where that is no ServiceError */
export function expected(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  throw error;
}
