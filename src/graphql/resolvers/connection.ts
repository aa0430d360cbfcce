import type { Resolvers } from '../generated/schema.ts';
import type { ConnectionSource, Lazy, PageInfoSource } from '../source-types.ts';

/** Of every connection. */
export const connectionResolvers = {
  edges: <Edge>({ edges }: Pick<ConnectionSource<unknown, Edge>, 'edges'>): Edge[] => edges(),
  nodes: <Item>({ items }: Pick<ConnectionSource<Item, unknown>, 'items'>): Item[] => [...items],
  pageInfo: ({ pageInfo }: Pick<ConnectionSource<unknown, unknown>, 'pageInfo'>): PageInfoSource =>
    pageInfo(),
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
