/** How a start that failed is reported. */

import type { Logger } from 'pino';

import { OperatorError, ServiceError } from '../errors.ts';

/** One line for a failure that an operator can fix; null for an unexpected failure. */
export function expectedFailure(error: unknown): string | null {
  if (error instanceof ServiceError && error.cause instanceof Error) {
    return `${error.message} ${error.cause.message}`;
  }
  return isExpected(error) ? error.message : null;
}

/** Logs one line for a failure that an operator can fix, and all details for any other. */
export function reportFailedStart(error: unknown, logger: Logger): void {
  const line = expectedFailure(error);
  if (line === null) logger.fatal({ err: error }, 'Cannot start');
  else logger.fatal(`Cannot start: ${line}`);
}

function isExpected(error: unknown): error is Error {
  return error instanceof ServiceError || error instanceof OperatorError || isAddressError(error);
}

/** HOST or PORT cannot be used to listen. */
function isAddressError(error: unknown): error is Error {
  return (
    error instanceof Error &&
    'syscall' in error &&
    ['listen', 'bind', 'getaddrinfo'].includes(String(error.syscall))
  );
}
