/** Pages as services give them: with the item beyond, which tells that there is one and where the next page begins. */

import type { PageRequest } from '../domain/paging.ts';

/** Where a page stands in its list. */
export interface PageEnds<P> {
  readonly count: number;
  /** Null where the page is empty. */
  readonly first: P | null;
  readonly last: P | null;
  /** What is just beyond the page, on the side it was not taken from; null where the range ends. */
  readonly next: P | null;
}

export interface Page<T> extends PageEnds<T> {
  /** Ascending, also where the page is the last of its range. */
  readonly items: readonly T[];
}

/** Reads one item more than was asked for. */
export async function readPage<T, P>(
  page: PageRequest<P>,
  read: (page: PageRequest<P>) => Promise<readonly T[]>,
): Promise<Page<T>> {
  const found = await read({ ...page, limit: page.limit + 1 });
  const isMore = found.length > page.limit;
  const items = page.fromEnd ? found.slice(-page.limit) : found.slice(0, page.limit);
  const beyond = page.fromEnd ? found[0] : found.at(-1);
  return {
    items,
    count: items.length,
    first: items[0] ?? null,
    last: items.at(-1) ?? null,
    next: isMore ? (beyond ?? null) : null,
  };
}
