/** Connections that are read forward only, newest first: versions, history and trash. */

import type { PageEnds } from '../../domain/paging/pages.ts';
import { pageOf } from '../../domain/paging/pages.ts';
import type { SortValue } from '../../domain/paging/cursor.ts';
import { decodeSortValuesCursor, digestOf, encodeSortValuesCursor } from '../../domain/paging/cursor.ts';
import type { RequestContext } from '../context.ts';
import type { ForwardPage } from '../source-types.ts';
import { readPage } from './connection.ts';

export interface ForwardArguments {
  readonly first?: number | null | undefined;
  readonly after?: string | null | undefined;
}

export interface ForwardList<Item, Key> {
  /** What a cursor belongs to. */
  readonly connection: readonly unknown[];
  /** Its name in error messages, such as `the map's history`. */
  readonly name: string;
  readonly keyOf: (item: Item) => Key;
  readonly toValues: (key: Key) => readonly SortValue[];
  /** Null if they are invalid. */
  readonly fromValues: (values: readonly unknown[]) => Key | null;
  readonly read: (page: { readonly limit: number; readonly after: Key | null }) => Promise<readonly Item[]>;
  /** Lower bound for the item's size as JSON, in bytes. */
  readonly sizeOf: (item: Item) => number;
}

/** @throws ServiceError BAD_USER_INPUT, and what `read` throws */
export async function readForward<Item, Key>(
  { first, after }: ForwardArguments,
  { budget }: RequestContext,
  list: ForwardList<Item, Key>,
): Promise<ForwardPage<Item>> {
  const digest = digestOf(...list.connection);
  const encodeCursor = (key: Key) => encodeSortValuesCursor(digest, list.toValues(key));
  const { page, pageInfo } = await readPage<Key, PageEnds<Key> & { readonly items: readonly Item[] }>(
    { first, after },
    budget,
    {
      decodeCursor: (cursor, label) =>
        decodeSortValuesCursor(digest, cursor, label, list.fromValues, list.name),
      encodeCursor,
      read: async ({ limit, after: key, ...range }) => {
        const found = await list.read({ limit: limit + 1, after: key });
        const { items, first: top, last, next, count } = pageOf({ ...range, limit, after: key }, found);
        const keyOf = (item: Item | null) => (item === null ? null : list.keyOf(item));
        return { items, count, first: keyOf(top), last: keyOf(last), next: keyOf(next) };
      },
      sizeOf: ({ items }) => items.reduce((sum, item) => sum + list.sizeOf(item), 0),
      // Asked only of a page after a cursor, which is that of an item before it.
      hasMore: () => true,
    },
  );
  const { items } = page;
  return {
    items,
    edges: () => items.map((node) => ({ node, cursor: () => encodeCursor(list.keyOf(node)) })),
    pageInfo,
  };
}
