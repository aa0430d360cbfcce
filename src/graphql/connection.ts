/** What both connections share: pages within the operation's budget, and where a page stands. */

import type { PageRequest } from '../domain/paging.ts';
import type { RowBudget } from './budget.ts';
import type { PageInfoSource } from './sources.ts';

interface ReadPage<T> {
  readonly items: readonly T[];
  readonly next: T | null;
}

export async function readWithin<T, P>(
  budget: RowBudget,
  request: PageRequest<P>,
  read: (request: PageRequest<P>) => Promise<ReadPage<T>>,
): Promise<ReadPage<T>> {
  budget.take(request.limit);
  const page = await read(request);
  budget.giveBack(request.limit - page.items.length);
  return page;
}

/**
 * Relay's page info. The page itself tells whether there is more on the side it was cut off; the other side is asked
 * for only where the field is selected and a cursor bounds the range there.
 */
export function pageInfoOf<T, P>(
  page: ReadPage<T> & { readonly request: PageRequest<P> },
  cursorOf: (item: T) => string,
  isMore: (side: 'before' | 'after') => Promise<boolean>,
): PageInfoSource {
  const { items, next, request } = page;
  const cutOff = next !== null;
  const first = items[0];
  const last = items.at(-1);
  return {
    hasNextPage: request.fromEnd ? () => request.before !== null && isMore('after') : cutOff,
    hasPreviousPage: request.fromEnd ? cutOff : () => request.after !== null && isMore('before'),
    startCursor: first === undefined ? null : cursorOf(first),
    endCursor: last === undefined ? null : cursorOf(last),
  };
}
