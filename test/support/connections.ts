/**
 * A connection under test, and a reference for its pages: the algorithm of the Relay specification on the whole list.
 */

import type { TestResponse } from './server.ts';

export interface Item {
  readonly id: string;
  readonly cursor: string;
}

export interface PageArguments {
  readonly first?: number | null;
  readonly last?: number | null;
  readonly after?: string | null;
  readonly before?: string | null;
}

export interface Page {
  readonly edges: readonly { readonly cursor: string; readonly node: { readonly id: string } }[];
  readonly nodes: readonly { readonly id: string }[];
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly startCursor: string | null;
    readonly endCursor: string | null;
  };
  readonly totalCount: number;
  readonly nextOrder?: string | null;
}

export const ARGUMENTS = 'first: $first, after: $after, last: $last, before: $before';
export const DEFINITIONS = '$first: Int, $after: String, $last: Int, $before: String';
export const PAGE = `edges { cursor node { id } } nodes { id } totalCount
  pageInfo { hasNextPage hasPreviousPage startCursor endCursor }`;

/** The connection under test: how to query it, and its whole list. */
export interface Connection {
  readonly name: string;
  readonly execute: (args: PageArguments) => Promise<TestResponse>;
  readonly pageOf: (response: TestResponse) => Page;
  readonly all: readonly Item[];
}

export async function readAll(execute: Connection['execute'], pageOf: Connection['pageOf']): Promise<Item[]> {
  const items: Item[] = [];
  for (let cursor: string | null = null; ;) {
    const page: Page = pageOf(await execute({ first: 100, after: cursor }));
    items.push(...page.edges.map((edge) => ({ id: edge.node.id, cursor: edge.cursor })));
    if (!page.pageInfo.hasNextPage) return items;
    cursor = page.pageInfo.endCursor;
  }
}

/**
 * The specification's algorithm (https://relay.dev/graphql/connections.htm#sec-Pagination-algorithm). On a side bounded
 * only by a cursor, the flag says whether the list continues there: a page after the first item has a previous page.
 */
export function expectedPage(all: readonly Item[], { first, last, after, before }: PageArguments) {
  const start = all.findIndex(({ cursor }) => cursor === after) + 1;
  const beforeIndex = all.findIndex(({ cursor }) => cursor === before);
  const end = Math.max(start, beforeIndex === -1 ? all.length : beforeIndex);
  const range = all.slice(start, end);
  const fromEnd = typeof last === 'number';
  const size = last ?? first ?? 100;
  const items = fromEnd ? range.slice(-size) : range.slice(0, size);
  const cutOff = range.length > size;
  const isEmpty = items.length === 0;
  return {
    ids: items.map(({ id }) => id),
    hasNextPage: fromEnd ? beforeIndex !== -1 && (!isEmpty || beforeIndex < all.length - 1) : cutOff,
    hasPreviousPage: fromEnd ? cutOff : start > 0 && (!isEmpty || start > 1),
    startCursor: items[0]?.cursor ?? null,
    endCursor: items.at(-1)?.cursor ?? null,
    totalCount: all.length,
  };
}

export function seenPage({ edges, nodes, pageInfo, totalCount }: Page) {
  const ids = edges.map(({ node }) => node.id);
  expect(nodes.map(({ id }) => id)).toEqual(ids);
  return { ids, ...pageInfo, totalCount };
}
