/** Distinct search requests with exactly 100 hits each. */

import type { Circle } from '../harness/search-areas.ts';
import { boxesOf, HITS } from '../harness/search-areas.ts';
import { phoneAt, varietyOf, wordAt } from '../harness/locations.ts';
import { shuffle } from '../harness/random.ts';
import type { HttpRequest } from '../harness/request.ts';
import { queryData } from '../harness/request.ts';
import type { SqliteStore } from '../harness/filled-store.ts';
import type { Subject } from '../harness/subject.ts';
import { EVERY } from '../harness/unchecked.ts';
import type { UncheckedStart } from './graphql-operations.ts';
import { searchPage, uncheckedCursor, uncheckedPage } from './graphql-operations.ts';
import { sampleOf } from './page-load.ts';

export function boxRequests(store: SqliteStore, count: number): HttpRequest[] {
  return boxesOf(store, count).map((bbox) => searchPage(store.mapId, { bbox }));
}

export function nearRequests(mapId: string, circles: readonly Circle[], orderBy?: object): HttpRequest[] {
  return circles.map((near) => searchPage(mapId, { near }, orderBy));
}

/** @param size of the store's map */
export function searchRequests({ mapId }: SqliteStore, size: number): HttpRequest[] {
  return shuffle(indexes(size)).map((index) => searchPage(mapId, { search: wordAt(index) }));
}

export function propertyRequests({ mapId }: SqliteStore, size: number): HttpRequest[] {
  return shuffle(indexes(size)).map((index) =>
    searchPage(mapId, { property: { name: 'Phone', eq: phoneAt(index) } }),
  );
}

/** Every seventh location of the store is unchecked (harness/unchecked.ts). */
export async function uncheckedRequests(
  { origin }: Subject,
  { mapId, readToken }: SqliteStore,
): Promise<HttpRequest[]> {
  const requests: HttpRequest[] = [];
  for (let start: UncheckedStart = { after: null, afterNumber: 0 }; ;) {
    requests.push(uncheckedPage(mapId, start));
    const { map } = await queryData<CursorData>(origin, readToken, uncheckedCursor(mapId, start.after));
    const { hasNextPage, endCursor } = map.locations.pageInfo;
    // The last page may have fewer than 100.
    if (!hasNextPage) return shuffle(requests.slice(0, -1));
    start = { after: endCursor, afterNumber: start.afterNumber + HITS * EVERY };
  }
}

interface CursorData {
  readonly map: {
    readonly locations: { readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string } };
  };
}

function indexes(size: number): number[] {
  return Array.from({ length: varietyOf(size) }, (_, index) => index);
}

interface SearchData {
  readonly map: {
    readonly locations: {
      readonly nodes: readonly object[];
      readonly pageInfo: { readonly hasNextPage: boolean };
    };
  };
}

/** @param isLast whether the page must be the last @throws Error when a page does not have 100 locations */
export async function assertHits(
  { origin, name }: Subject,
  requests: readonly HttpRequest[],
  token: string,
  isLast = true,
): Promise<void> {
  for (const request of sampleOf(requests)) {
    const { nodes, pageInfo } = (await queryData<SearchData>(origin, token, request)).map.locations;
    if (nodes.length !== HITS || pageInfo.hasNextPage === isLast)
      throw new Error(
        `${name} returned ${nodes.length} locations${pageInfo.hasNextPage ? ' and more' : ''} to ${request.body}.`,
      );
  }
}
