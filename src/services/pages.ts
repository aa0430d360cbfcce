/** Pages as services give them: with the item beyond, which tells that there is one and where the next page begins. */

import type { PageRequest } from '../domain/paging.ts';

export interface PageAndNext<T> {
  /** Ascending, also where the page is the last of its range. */
  readonly items: readonly T[];
  /** The item just beyond the page, on the side it was not taken from; null where the range ends. */
  readonly next: T | null;
}

/** Reads one item more than was asked for. */
export async function readPage<T, P>(
  page: PageRequest<P>,
  read: (page: PageRequest<P>) => Promise<readonly T[]>,
): Promise<PageAndNext<T>> {
  const items = await read({ ...page, limit: page.limit + 1 });
  const isMore = items.length > page.limit;
  if (page.fromEnd) return { items: items.slice(-page.limit), next: isMore ? (items[0] ?? null) : null };
  return { items: items.slice(0, page.limit), next: isMore ? (items.at(-1) ?? null) : null };
}
