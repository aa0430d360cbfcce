/** Expected failures as values, so that the failure of one item does not end the others. */

import { ServiceError } from '../errors.ts';

/** @returns the result, or the ServiceError that was thrown. @throws any other error */
export function toResult<T>(work: () => T): T | ServiceError {
  try {
    return work();
  } catch (error) {
    return asServiceError(error);
  }
}

/** @throws the error itself when it is not a ServiceError */
export function asServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  throw error;
}
