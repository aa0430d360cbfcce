/** The part of each map's list that a page in the list's order may come from. */

import type { MapSortKey } from '../../../domain/paging/cursor.ts';
import { compareMaps } from '../../../domain/paging/cursor.ts';
import type { Direction } from '../../../domain/filter/direction.ts';
import type { SearchSortKey } from '../../../domain/filter/location-order.ts';
import type { PageRequest } from '../../../domain/paging/paging.ts';
import type { SortKey } from '../../../domain/list/sort-key.ts';
import { compareSortKeys } from '../../../domain/list/sort-key.ts';

/** Exclusive bounds; null is none. */
export interface ListRange {
  readonly after: SortKey | null;
  readonly before: SortKey | null;
  /** Whether the page begins at the range's end. */
  readonly fromEnd: boolean;
}

/** The page of a descending order as one of the ascending list. */
export function ascendingPage(
  page: PageRequest<SearchSortKey>,
  direction: Direction,
): PageRequest<SearchSortKey> {
  if (direction === 'asc') return page;
  return { ...page, after: page.before, before: page.after, fromEnd: !page.fromEnd };
}

/** Null where nothing of the map is within the page's bounds. */
export function rangeIn(
  map: MapSortKey,
  { after, before, fromEnd }: PageRequest<SearchSortKey>,
): ListRange | null {
  const fromAfter = after === null ? 1 : compareMaps(map, after.map);
  const toBefore = before === null ? -1 : compareMaps(map, before.map);
  if (fromAfter < 0 || toBefore > 0) return null;
  return {
    after: fromAfter === 0 && after !== null ? after.sortKey : null,
    before: toBefore === 0 && before !== null ? before.sortKey : null,
    fromEnd,
  };
}

export function isInRange({ after, before }: ListRange, hit: SortKey): boolean {
  return (
    (after === null || compareSortKeys(hit, after) > 0) &&
    (before === null || compareSortKeys(hit, before) < 0)
  );
}
