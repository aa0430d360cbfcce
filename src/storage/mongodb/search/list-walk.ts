/** The lists of several maps, one after the other, between the bounds of a page. */

import { compareMaps } from '../../../domain/paging/cursor.ts';
import type { SearchSortKey, LocationOrder } from '../../../domain/filter/location-order.ts';
import type { SearchedMap } from '../../../domain/filter/location-search.ts';
import type { LocationRecord } from '../../../domain/location.ts';
import type { PageRequest } from '../../../domain/paging/paging.ts';
import type { LocationReader } from './reader.ts';

/** Yields from the page's own end on, and so backwards where that or the order is from the end. */
export async function* walkLists(
  reader: LocationReader,
  maps: readonly SearchedMap[],
  { direction }: LocationOrder,
  { after, before, fromEnd, limit }: PageRequest<SearchSortKey>,
): AsyncGenerator<LocationRecord> {
  const isDescending = direction === 'desc';
  const [first, last] = isDescending ? [before, after] : [after, before];
  const within = maps.filter(
    (map) =>
      (first === null || compareMaps(map, first.map) >= 0) &&
      (last === null || compareMaps(map, last.map) <= 0),
  );
  const backwards = isDescending !== fromEnd;
  for (const map of backwards ? within.toReversed() : within) {
    yield* reader.readList(
      map.id,
      {
        after: first?.map.id === map.id ? first.sortKey : null,
        before: last?.map.id === map.id ? last.sortKey : null,
      },
      { backwards, few: limit },
    );
  }
}
