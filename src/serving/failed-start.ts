/** What is said of a start that failed. */

import type { Logger } from 'pino';

import { OperatorError, ServiceError } from '../errors.ts';

/** The one line that an operator can do something about; null for a failure that is not expected. */
export function expectedFailure(error: unknown): string | null {
  if (error instanceof ServiceError && error.cause instanceof Error) {
    return `${error.message} ${error.cause.message}`;
  }
  return isExpected(error) ? error.message : null;
}

/** In a line where an operator can do something about it, else with all there is to know. */
export function reportFailedStart(error: unknown, logger: Logger): void {
  const line = expectedFailure(error);
  if (line === null) logger.fatal({ err: error }, 'Cannot start');
  else logger.fatal(`Cannot start: ${line}`);
}

function isExpected(error: unknown): error is Error {
  return error instanceof ServiceError || error instanceof OperatorError || isAddressError(error);
}

/** HOST and PORT cannot be listened on. */
function isAddressError(error: unknown): error is Error {
  return (
    error instanceof Error &&
    'syscall' in error &&
    ['listen', 'bind', 'getaddrinfo'].includes(String(error.syscall))
  );
}
