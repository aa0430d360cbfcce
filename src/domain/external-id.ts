/** External ids: a caller's own ids for locations, unique in a map (capabilities §8). */

import { badUserInput, ServiceError } from '../errors.ts';
import { isPlainText } from './text.ts';

const MAX_LENGTH = 255;

/**
 * @param label name in the error message, e.g. `externalId`
 * @throws ServiceError BAD_USER_INPUT
 */
export function assertExternalId(externalId: string, label: string): void {
  if (isExternalId(externalId)) return;
  throw badUserInput(
    `${label} must be 1 to ${MAX_LENGTH} characters without control characters or lone surrogates.`,
  );
}

export function isExternalId(externalId: string): boolean {
  return isPlainText(externalId, MAX_LENGTH);
}

export function externalIdTaken(): ServiceError {
  return new ServiceError('CONFLICT', 'Another location of the map has this externalId.');
}
