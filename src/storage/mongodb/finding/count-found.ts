/** How many locations a search finds. */

import { LIST_ORDER } from '../../../domain/filter/location-order.ts';
import type { LocationSearch } from '../../../domain/filter/location-search.ts';
import { candidatesOf } from './candidates.ts';
import { judgeOf } from './find-page.ts';
import type { LocationReader } from './reader.ts';

export async function countFound(
  reader: LocationReader,
  { maps, filter }: Omit<LocationSearch, 'order'>,
): Promise<number> {
  const judge = judgeOf({ maps, filter, order: LIST_ORDER });
  let count = 0;
  for await (const location of candidatesOf(reader, filter, maps)) {
    if (judge(location) !== null) count += 1;
  }
  return count;
}
