import { pageInfoOf } from '../pages/connection.ts';
import type { MapConnectionResolvers } from '../generated/schema.ts';

export const MapConnection: MapConnectionResolvers = {
  edges: (page) => page.items.map((map) => ({ page, map })),
  nodes: ({ items }) => [...items],
  pageInfo: (page) => pageInfoOf(page, page.cursorOf, page.isMore),
  totalCount: ({ totalCount }) => totalCount(),
};
