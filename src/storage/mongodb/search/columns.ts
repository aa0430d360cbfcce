/** The locations in a range of cells, as columns. */

import { NOTHING } from '../../../domain/filter/index-lookup.ts';
import { ColumnsCollector } from '../../../domain/tiles/location-columns.ts';
import type { ColumnsQuery } from '../../search.ts';
import { queriesOf } from './queries.ts';
import type { LocationReader } from './reader.ts';

export async function readColumns(
  reader: LocationReader,
  { mapId, range, limit, fields, maxFieldBytes }: ColumnsQuery,
): Promise<Uint8Array | null> {
  const columns = new ColumnsCollector(fields, maxFieldBytes);
  for (const query of queriesOf([mapId], { ...NOTHING, cells: [range] })) {
    // Counting reads the index only.
    if ((await reader.count(query, limit + 1)) > limit) return null;
    for await (const location of reader.read(query)) {
      columns.add(location);
      if (columns.count > limit) return null;
    }
  }
  return new TextEncoder().encode(JSON.stringify(columns.finish()));
}
