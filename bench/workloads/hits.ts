/** Filters that let exactly 100 locations through, each of them another. */

import type { Circle } from '../harness/hundred.ts';
import { boxesOf, HITS } from '../harness/hundred.ts';
import { phoneAt, varietyOf, wordAt } from '../harness/locations.ts';
import { shuffle } from '../harness/random.ts';
import type { HttpRequest } from '../harness/request.ts';
import { askData } from '../harness/request.ts';
import type { SqliteStore } from '../harness/filled-store.ts';
import type { Subject } from '../harness/subject.ts';
import { searchPage } from './graphql-operations.ts';
import { someOf } from './page-load.ts';

export function boxRequests(store: SqliteStore, count: number): HttpRequest[] {
  return boxesOf(store, count).map((bbox) => searchPage(store.mapId, { bbox }));
}

export function nearRequests(mapId: string, circles: readonly Circle[], orderBy?: object): HttpRequest[] {
  return circles.map((near) => searchPage(mapId, { near }, orderBy));
}

/** @param size the locations of the store's map */
export function searchRequests({ mapId }: SqliteStore, size: number): HttpRequest[] {
  return shuffle(indexes(size)).map((index) => searchPage(mapId, { search: wordAt(index) }));
}

export function propertyRequests({ mapId }: SqliteStore, size: number): HttpRequest[] {
  return shuffle(indexes(size)).map((index) =>
    searchPage(mapId, { property: { name: 'Phone', eq: phoneAt(index) } }),
  );
}

function indexes(size: number): number[] {
  return Array.from({ length: varietyOf(size) }, (_, index) => index);
}

interface FoundData {
  readonly map: {
    readonly locations: {
      readonly nodes: readonly object[];
      readonly pageInfo: { readonly hasNextPage: boolean };
    };
  };
}

/** @throws Error where a page is not of the 100 that there are. @param isAll whether nothing follows them */
export async function assertHundred(
  { origin, name }: Subject,
  requests: readonly HttpRequest[],
  token: string,
  isAll = true,
): Promise<void> {
  for (const request of someOf(requests)) {
    const { nodes, pageInfo } = (await askData<FoundData>(origin, token, request)).map.locations;
    if (nodes.length !== HITS || pageInfo.hasNextPage === isAll)
      throw new Error(
        `${name} returned ${nodes.length} locations${pageInfo.hasNextPage ? ' and more' : ''} to ${request.body}.`,
      );
  }
}
