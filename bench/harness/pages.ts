/** Requests for pages of a map, in an order that never comes back to the same page. */

import { encodeCursor } from '../subjects/cursor.ts';
import { encodeOrder } from '../subjects/order-key.ts';
import { shuffle } from './random.ts';
import type { HttpRequest } from './request.ts';
import { askGraphql } from './request.ts';
import type { Subject } from './subject.ts';

export const PAGE_SIZE = 100;

/** A place in a map's list, as each door names it. */
export interface PageStart {
  /** What /v0 calls the offset of a page that begins with this location. */
  readonly order: string;
  /** The cursor just before it; null before the first. */
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

/** Walks over the map through our own door: every place where a page can begin. */
export async function walkMap({ origin }: Subject, token: string, mapId: string): Promise<PageStart[]> {
  const starts: PageStart[] = [];
  let after: string | null = null;
  for (;;) {
    const { map }: WalkData = await askGraphql<WalkData>(origin, token, WALK, { id: mapId, after });
    for (const { cursor, node } of map.locations.edges) {
      starts.push({ order: node.order, after });
      after = cursor;
    }
    if (!map.locations.pageInfo.hasNextPage) return starts;
  }
}

/** Distinct pages, full ones, shuffled: the same ones in the same order for every subject and every run. */
export function distinctPages(starts: readonly PageStart[], count: number): PageStart[] {
  return shuffle(starts.slice(0, Math.max(1, starts.length - PAGE_SIZE + 1))).slice(0, count);
}

/** As {@link walkMap} gives them, of a map that one import filled: its locations are numbered from 1. */
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
