import type { PageInfoResolvers } from '../generated/schema.ts';
import type { Lazy } from '../sources.ts';

// Called here, since graphql-jit, unlike graphql-js, does not call a function that stands for a value.
export const PageInfo: PageInfoResolvers = {
  hasNextPage: ({ hasNextPage }) => now(hasNextPage),
  hasPreviousPage: ({ hasPreviousPage }) => now(hasPreviousPage),
  startCursor: ({ startCursor }) => now(startCursor),
  endCursor: ({ endCursor }) => now(endCursor),
};

function now<T extends boolean | string | null>(value: Lazy<T>): T | Promise<T> {
  return typeof value === 'function' ? value() : value;
}
