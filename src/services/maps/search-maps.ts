/** Pages of an owner's maps with a filter, or in another order than creation. */

import type { MapMatcher } from '../../domain/filter/map-filter.ts';
import type { MapOrder, MapSortValues } from '../../domain/filter/map-order.ts';
import type { MapRecord } from '../../domain/map.ts';
import type { PageRequest } from '../../domain/paging/paging.ts';
import type { Storage } from '../../storage/storage.ts';
import { yieldIfDue } from '../../lib/cooperative-scheduler.ts';
import { ownedMaps } from './owned-maps.ts';
import type { PickedPage } from '../../domain/paging/page-picker.ts';
import { PagePicker } from '../../domain/paging/page-picker.ts';
import type { Scope } from '../scope.ts';

export interface MapSearch {
  /** Null matches every map. */
  readonly matches: MapMatcher | null;
  readonly order: MapOrder;
  readonly page: PageRequest<MapSortValues>;
}

/**
 * Reads all maps of the caller once for all searches. Owners have few maps, so stores need no index per order.
 *
 * @returns one page per search
 */
export async function searchMaps(
  storage: Pick<Storage, 'listMaps' | 'getMaps'>,
  scope: Scope,
  searches: readonly MapSearch[],
): Promise<PickedPage<MapRecord>[]> {
  const pickers = searches.map(({ order, page }) => new PagePicker<MapRecord, MapSortValues>(page, order));
  for await (const maps of ownedMaps(storage, scope)) {
    for (const [index, { matches }] of searches.entries()) {
      const pause = yieldIfDue();
      if (pause !== undefined) await pause;
      for (const map of maps) if (matches === null || matches(map)) pickers[index]?.add(map);
    }
  }
  return pickers.map((picker) => picker.pick());
}
