import type { LocationConnectionResolvers } from '../generated/schema.ts';

export const LocationConnection: LocationConnectionResolvers = {
  edges: ({ edges }) => edges(),
  nodes: ({ items }) => [...items],
  pageInfo: ({ pageInfo }) => pageInfo(),
  totalCount: ({ totalCount }) => totalCount(),
  nextOrder: ({ nextOrder }) => nextOrder(),
};
