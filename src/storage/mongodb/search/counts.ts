/** The number of matches of a search. */

import { isEverything } from '../../../domain/filter/location-filter.ts';
import { LIST_ORDER } from '../../../domain/filter/location-order.ts';
import type { LocationSearch } from '../../../domain/filter/location-search.ts';
import { readCounts } from '../writes/count.ts';
import { candidatesOf } from './candidates.ts';
import { MAX_MAPS, groupsOf } from './groups.ts';
import { partsOf } from './geocoding-groups.ts';
import { hitMatchers } from './pages.ts';
import { chunksOf } from './queries.ts';
import type { LocationReader } from './reader.ts';

export async function countMatches(
  reader: LocationReader,
  { maps, filter }: Omit<LocationSearch, 'order'>,
): Promise<number> {
  if (isEverything(filter)) return countAll(reader, maps);
  const parts = await partsOf(reader, filter, maps);
  const counted = [...parts.values()];
  if (counted.length > 0 && counted.every(({ areMatches }) => areMatches)) {
    return counted.reduce((sum, { count }) => sum + count, 0);
  }
  const match = hitMatchers({ maps, filter, order: LIST_ORDER });
  let count = 0;
  for await (const location of candidatesOf(reader, await groupsOf(reader, filter, maps), parts)) {
    if (match(location) !== null) count += 1;
  }
  return count;
}

async function countAll(
  { collections, time }: LocationReader,
  maps: LocationSearch['maps'],
): Promise<number> {
  let count = 0;
  for (const some of chunksOf(maps, MAX_MAPS)) {
    time.assertTimeLeft();
    const ids = some.map(({ id }) => id);
    count += await readCounts(collections, ids, { maxTimeMS: time.maxTimeMS });
  }
  return count;
}
