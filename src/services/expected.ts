/** Expected failures as values, so that the failure of one item does not end the others. */

import { ServiceError } from '../errors.ts';

/** The result, or the expected failure that was thrown. Any other error is thrown again. */
export function settle<T>(work: () => T): T | ServiceError {
  try {
    return work();
  } catch (error) {
    return expected(error);
  }
}

/** @throws the error itself when it is not a ServiceError */
export function expected(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  throw error;
}
