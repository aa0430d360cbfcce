/** The locations that may match a filter: those of its narrowest index lookup, or of the lists. The caller applies the filter. */

import type { LocationRecord } from '../../../domain/location.ts';
import type { Group } from './groups.ts';
import { mapIdsOf } from './groups.ts';
import type { ListParts } from './geocoding-groups.ts';
import { narrowestOf } from './narrowest-lookup.ts';
import type { LocationQuery } from './queries.ts';
import { queryOfList, queryOfMaps } from './queries.ts';
import type { LocationReader } from './reader.ts';

export async function* candidatesOf(
  reader: LocationReader,
  groups: readonly Group[],
  parts: ListParts,
): AsyncGenerator<LocationRecord> {
  for (const group of groups) {
    const mapIds = mapIdsOf(group);
    if (group.lookups.length === 0) yield* readLists(reader, mapIds, parts);
    else yield* readOnce(reader, await narrowestOf(reader, mapIds, group.lookups));
  }
}

async function* readLists(
  reader: LocationReader,
  mapIds: readonly string[],
  parts: ListParts,
): AsyncGenerator<LocationRecord> {
  if (parts.size === 0) yield* reader.read(queryOfMaps(mapIds));
  for (const mapId of mapIds) {
    const part = parts.get(mapId);
    if (part === undefined || part.count === 0) continue;
    yield* reader.read(queryOfList(mapId, { after: null, before: null }, part.filter));
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
