/** Pages of an owner's maps by a filter, or in another order than that of creation. */

import type { MapMatcher } from '../../domain/filter/map-filter.ts';
import type { MapOrder, MapSortValues } from '../../domain/filter/map-order.ts';
import type { MapRecord } from '../../domain/map.ts';
import type { PageRequest } from '../../domain/paging/paging.ts';
import type { MapsQuery, Storage } from '../../storage/storage.ts';
import { yieldIfDue } from '../../lib/cooperative-scheduler.ts';
import { ownedMaps } from './owned-maps.ts';
import type { PickedPage } from '../../domain/paging/page-picker.ts';
import { PagePicker } from '../../domain/paging/page-picker.ts';
import type { Scope } from '../scope.ts';

export interface MapSearch {
  /** Null lets everything through. */
  readonly matches: MapMatcher | null;
  readonly order: MapOrder;
  readonly page: PageRequest<MapSortValues>;
}

/**
 * Reads all maps once, for all searches together: an owner has few, and so no store needs an index for each order.
 *
 * @returns a page for each search
 */
export async function searchMaps(
  storage: Pick<Storage, 'listMaps'>,
  scope: Scope,
  owned: Pick<MapsQuery, 'ownerId' | 'mapId'>,
  searches: readonly MapSearch[],
): Promise<PickedPage<MapRecord>[]> {
  const pickers = searches.map(({ order, page }) => new PagePicker<MapRecord, MapSortValues>(page, order));
  for await (const maps of ownedMaps(storage, scope, owned)) {
    for (const [index, { matches }] of searches.entries()) {
      const pause = yieldIfDue();
      if (pause !== undefined) await pause;
      for (const map of maps) if (matches === null || matches(map)) pickers[index]?.add(map);
    }
  }
  return pickers.map((picker) => picker.pick());
}
