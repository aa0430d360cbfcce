/** The locations that may match a filter: those of its narrowest index lookup, or all. The caller applies the filter. */

import type { LocationRecord } from '../../../domain/location.ts';
import type { Group } from './groups.ts';
import { mapIdsOf } from './groups.ts';
import { narrowestOf } from './narrowest-lookup.ts';
import type { LocationQuery } from './queries.ts';
import { queryOfMaps } from './queries.ts';
import type { LocationReader } from './reader.ts';

export async function* candidatesOf(
  reader: LocationReader,
  groups: readonly Group[],
): AsyncGenerator<LocationRecord> {
  for (const group of groups) {
    const mapIds = mapIdsOf(group);
    if (group.lookups.length === 0) yield* reader.read(queryOfMaps(mapIds));
    else yield* readOnce(reader, await narrowestOf(reader, mapIds, group.lookups));
  }
}

async function* readOnce(
  reader: LocationReader,
  queries: readonly LocationQuery[],
): AsyncGenerator<LocationRecord> {
  const [only] = queries;
  if (queries.length === 1 && only !== undefined) {
    yield* reader.read(only);
    return;
  }
  const seen = new Set<string>();
  for (const query of queries) {
    for await (const location of reader.read(query)) {
      if (seen.has(location.id)) continue;
      seen.add(location.id);
      yield location;
    }
  }
}
