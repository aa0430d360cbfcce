/** Pages of lists. Each read fetches one extra item: it shows whether there is a next page, and where it begins. */

import type { PageRequest } from './paging.ts';

/** The sort keys at the ends of a page, and beyond it. */
export interface PageEnds<P> {
  readonly count: number;
  /** Null if the page is empty. */
  readonly first: P | null;
  readonly last: P | null;
  /** The item beyond the page, on the side where it was cut off; null if the range ends there. */
  readonly next: P | null;
}

export interface Page<T> extends PageEnds<T> {
  /** Ascending, even if the page is read from the end. */
  readonly items: readonly T[];
}

/** Reads a page and one extra item. */
export async function readPage<T, P>(
  page: PageRequest<P>,
  read: (page: PageRequest<P>) => Promise<readonly T[]>,
): Promise<Page<T>> {
  return pageOf(page, await read(withNext(page)));
}

/** The request with one extra item. */
export function withNext<P>(page: PageRequest<P>): PageRequest<P> {
  return { ...page, limit: page.limit + 1 };
}

/** @param found the page and perhaps one extra item, on the side where it is cut off */
export function pageOf<T, P>(page: PageRequest<P>, found: readonly T[]): Page<T> {
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

/** The page ends as sort keys. */
export function keysOfEnds<P>({ count, first, last, next }: PageEnds<{ readonly key: P }>): PageEnds<P> {
  return { count, first: first?.key ?? null, last: last?.key ?? null, next: next?.key ?? null };
}
