import type { PageInfoResolvers } from '../generated/schema.ts';
import type { PageInfoSource } from '../sources.ts';

// Called here, since graphql-jit, unlike graphql-js, does not call a function that stands for a value.
export const PageInfo: PageInfoResolvers = {
  hasNextPage: ({ hasNextPage }) => now(hasNextPage),
  hasPreviousPage: ({ hasPreviousPage }) => now(hasPreviousPage),
};

function now(value: PageInfoSource['hasNextPage']): boolean | Promise<boolean> {
  return typeof value === 'function' ? value() : value;
}
