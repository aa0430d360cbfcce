/** What both connections share: reading pages within the operation's allowance, cursors and page info. */

import type { PageRequest } from '../../domain/paging/paging.ts';
import type { PageEnds } from '../../domain/paging/pages.ts';
import type { OperationBudget } from '../limits/operation-budget.ts';
import type { PageInfoSource } from '../sources.ts';

/** @param sizeOf bytes of JSON that a page takes at least */
export async function readWithin<T extends { readonly count: number }, P>(
  budget: OperationBudget,
  request: PageRequest<P>,
  read: (request: PageRequest<P>) => Promise<T>,
  sizeOf: (page: T) => number,
): Promise<T> {
  budget.reserveRows(request.limit);
  const page = await budget.read(() => read(request), sizeOf);
  budget.releaseRows(request.limit - page.count);
  return page;
}

/** The cursor at one end of a page. For an empty page, the cursor that limits the range on that side. */
export function endOf<E extends P, P>(
  { first, last, request }: PageEnds<E> & { readonly request: PageRequest<P> },
  side: 'before' | 'after',
): P | null {
  return side === 'before' ? (first ?? request.after) : (last ?? request.before);
}

/**
 * Relay's page info. A page knows whether its range goes on. The other side is only looked up when the field is
 * selected and a cursor limits the range there.
 */
export function pageInfoOf<E extends P, P>(
  page: PageEnds<E> & { readonly request: PageRequest<P> },
  cursorOf: (end: E) => string,
  isMore: (side: 'before' | 'after') => Promise<boolean>,
): PageInfoSource {
  const { first, last, next, request } = page;
  const cutOff = next !== null;
  return {
    hasNextPage: request.fromEnd ? () => request.before !== null && isMore('after') : cutOff,
    hasPreviousPage: request.fromEnd ? cutOff : () => request.after !== null && isMore('before'),
    startCursor: first === null ? null : () => cursorOf(first),
    endCursor: last === null ? null : () => cursorOf(last),
  };
}
