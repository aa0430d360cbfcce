/** Expected failures as values, so that a failed item does not fail the others. */

import { ServiceError } from '../errors.ts';

/** @returns the result, or the ServiceError that `work` throws. @throws any other error */
export function toResult<T>(work: () => T): T | ServiceError {
  try {
    return work();
  } catch (error) {
    return asServiceError(error);
  }
}

/** @throws the error if it is not a ServiceError */
export function asServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  throw error;
}
