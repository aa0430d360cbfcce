import type { Resolvers } from '../generated/schema.ts';
import type { ConnectionSource, Lazy, PageInfoSource } from '../source-types.ts';

/** Of every connection. */
export const connectionResolvers = {
  edges: <Edge>({ edges }: ConnectionSource<unknown, Edge>): Edge[] => edges(),
  nodes: <Item>({ items }: ConnectionSource<Item, unknown>): Item[] => [...items],
  pageInfo: ({ pageInfo }: ConnectionSource<unknown, unknown>): PageInfoSource => pageInfo(),
  totalCount: ({ totalCount }: ConnectionSource<unknown, unknown>): Promise<number> => totalCount(),
};

export const pageInfoResolvers = {
  // graphql-jit, unlike graphql-js, does not call functions in place of values.
  PageInfo: {
    hasNextPage: ({ hasNextPage }) => valueOf(hasNextPage),
    hasPreviousPage: ({ hasPreviousPage }) => valueOf(hasPreviousPage),
    startCursor: ({ startCursor }) => valueOf(startCursor),
    endCursor: ({ endCursor }) => valueOf(endCursor),
  },
} satisfies Resolvers;

function valueOf<T extends boolean | string | null>(value: Lazy<T>): T | Promise<T> {
  return typeof value === 'function' ? value() : value;
}
