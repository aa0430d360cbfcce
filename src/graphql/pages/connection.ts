/** Builds every connection: reads a page within the operation's budget, and its page info if selected. */

import type { PageEnds } from '../../domain/paging/pages.ts';
import type { PageRequest, PagingArguments } from '../../domain/paging/paging.ts';
import { readPageRequest } from '../../domain/paging/paging.ts';
import type { OperationBudget } from '../limits/operation-budget.ts';
import type { PageInfoSource } from '../source-types.ts';

export type Side = 'before' | 'after';

/** The part of a list on one side of a page. */
export type Range<Key> = Pick<PageRequest<Key>, Side>;

/** A list with pages. A cursor encodes a `Key`. */
export interface Paged<Key, Read extends PageEnds<Key>> {
  readonly decodeCursor: (cursor: string, label: string) => Key;
  readonly encodeCursor: (key: Key) => string;
  readonly read: (request: PageRequest<Key>) => Promise<Read>;
  /** Lower bound for the page's size as JSON, in bytes. */
  readonly sizeOf: (page: Read) => number;
  /** Rows of the budget that reading a page costs in addition to its items. */
  readonly extraRows?: number;
  /** Whether the list has items in the range next to the page. */
  readonly hasMore: (range: Range<Key>, side: Side, page: Read) => boolean | Promise<boolean>;
}

export interface ReadPage<Key, Read> {
  readonly page: Read;
  readonly request: PageRequest<Key>;
  readonly pageInfo: () => PageInfoSource;
}

/** @throws ServiceError BAD_USER_INPUT for wrong arguments or an exceeded budget, and what `read` throws */
export async function readPage<Key, Read extends PageEnds<Key>>(
  args: PagingArguments,
  budget: OperationBudget,
  paged: Paged<Key, Read>,
  afterKey: Key | null = null,
): Promise<ReadPage<Key, Read>> {
  const decoded = readPageRequest(args, paged.decodeCursor);
  const request = afterKey === null ? decoded : { ...decoded, after: afterKey };
  budget.reserveRows(paged.extraRows ?? 0);
  const page = await readWithinBudget(budget, request, paged.read, paged.sizeOf);
  return { page, request, pageInfo: () => pageInfoOf(page, request, paged) };
}

/** Reserves rows for a full page, and releases those that the page does not have. @param sizeOf as of {@link Paged} */
export async function readWithinBudget<T extends { readonly count: number }, Key>(
  budget: OperationBudget,
  request: PageRequest<Key>,
  read: (request: PageRequest<Key>) => Promise<T>,
  sizeOf: (page: T) => number,
): Promise<T> {
  budget.reserveRows(request.limit);
  const page = await budget.read(() => read(request), sizeOf);
  budget.releaseRows(request.limit - page.count);
  return page;
}

/** The key at one end of a page; for an empty page, the cursor that bounds its range on that side. */
export function endOf<Key>(page: PageEnds<Key>, request: PageRequest<Key>, side: Side): Key | null {
  return side === 'before' ? (page.first ?? request.after) : (page.last ?? request.before);
}

/** Relay's page info. A page knows whether its range continues; the other side is looked up only if selected. */
function pageInfoOf<Key, Read extends PageEnds<Key>>(
  page: Read,
  request: PageRequest<Key>,
  { encodeCursor, hasMore }: Paged<Key, Read>,
): PageInfoSource {
  const { first, last } = page;
  const isCutOff = page.next !== null;
  const isMore = (side: Side) => {
    const end = endOf(page, request, side);
    const range = side === 'after' ? { after: end, before: null } : { after: null, before: end };
    return hasMore(range, side, page);
  };
  return {
    hasNextPage: request.fromEnd ? () => request.before !== null && isMore('after') : isCutOff,
    hasPreviousPage: request.fromEnd ? isCutOff : () => request.after !== null && isMore('before'),
    startCursor: first === null ? null : () => encodeCursor(first),
    endCursor: last === null ? null : () => encodeCursor(last),
  };
}
