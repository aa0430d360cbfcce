/** Reads the arguments of a Relay connection (contract §7) into a page request for a store. */

import { badUserInput } from '../../errors.ts';

/** Maximum and default number of items of a page. */
export const MAX_PAGE_SIZE = 100;

export interface PagingArguments {
  readonly first?: number | null | undefined;
  readonly last?: number | null | undefined;
  readonly after?: string | null | undefined;
  readonly before?: string | null | undefined;
}

export interface PageRequest<P> {
  readonly limit: number;
  /** Whether the page is the last of the range rather than the first. Items ascend either way. */
  readonly fromEnd: boolean;
  /** Exclusive bounds. */
  readonly after: P | null;
  readonly before: P | null;
}

/**
 * @throws ServiceError BAD_USER_INPUT for a page size out of range, for both sizes at once, or for a cursor that
 *   `decode` refuses
 */
export function readPageRequest<P>(
  { first, last, after, before }: PagingArguments,
  decode: (cursor: string, label: string) => P,
): PageRequest<P> {
  assertPageSize(first, 'first');
  assertPageSize(last, 'last');
  if (typeof first === 'number' && typeof last === 'number') {
    throw badUserInput('first and last exclude each other; give one of them.');
  }
  return {
    limit: first ?? last ?? MAX_PAGE_SIZE,
    fromEnd: typeof last === 'number',
    after: typeof after === 'string' ? decode(after, 'after') : null,
    before: typeof before === 'string' ? decode(before, 'before') : null,
  };
}

function assertPageSize(size: number | null | undefined, label: string): void {
  if (typeof size !== 'number') return;
  if (!Number.isInteger(size) || size < 1 || size > MAX_PAGE_SIZE) {
    throw badUserInput(`${label} must be a whole number from 1 to ${MAX_PAGE_SIZE}.`);
  }
}
