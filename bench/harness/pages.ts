/** Requests for distinct pages of a map. */

import { encodeCursor } from '../subjects/cursor.ts';
import { encodeOrder } from '../subjects/order-key.ts';
import { shuffle } from './random.ts';
import type { HttpRequest } from './request.ts';
import { queryGraphql } from './request.ts';
import type { Subject } from './subject.ts';

export const PAGE_SIZE = 100;

/** Where a page starts in a map's list, for each endpoint. */
export interface PageStart {
  /** The offset for /v0: the order of the page's first location. */
  readonly order: string;
  /** The cursor for GraphQL: of the location before; null for the first page. */
  readonly after: string | null;
}

interface WalkData {
  readonly map: {
    readonly locations: {
      readonly edges: readonly { readonly cursor: string; readonly node: { readonly order: string } }[];
      readonly pageInfo: { readonly hasNextPage: boolean };
    };
  };
}

const WALK = `query ($id: ID!, $after: String) {
  map(id: $id) {
    locations(first: 100, after: $after) { edges { cursor node { order } } pageInfo { hasNextPage } }
  }
}`;

/** Reads all positions where a page can start, through our GraphQL endpoint. */
export async function walkMap({ origin }: Subject, token: string, mapId: string): Promise<PageStart[]> {
  const starts: PageStart[] = [];
  let after: string | null = null;
  for (;;) {
    const { map }: WalkData = await queryGraphql<WalkData>(origin, token, WALK, { id: mapId, after });
    for (const { cursor, node } of map.locations.edges) {
      starts.push({ order: node.order, after });
      after = cursor;
    }
    if (!map.locations.pageInfo.hasNextPage) return starts;
  }
}

/** Full pages in random order, the same for all subjects and runs. */
export function distinctPages(starts: readonly PageStart[], count: number): PageStart[] {
  return shuffle(starts.slice(0, Math.max(1, starts.length - PAGE_SIZE + 1))).slice(0, count);
}

/** The result of {@link walkMap} for a map filled by one import, whose orders count from 1. */
export function startsOfImported(mapId: string, size: number): PageStart[] {
  return Array.from({ length: size }, (_, index) => ({
    order: String(1 + index),
    after:
      index === 0 ? null : encodeCursor(mapId, { orderKey: encodeOrder(String(index)), sequence: index }),
  }));
}

export function v0Page(mapId: string, { order }: Pick<PageStart, 'order'>, limit = PAGE_SIZE): HttpRequest {
  return { path: `/v0/map/${mapId}/locations?limit=${limit}&offset=${encodeURIComponent(order)}` };
}
