/** The locations that may pass a filter: those of its narrowest cover, or all. Whoever asks has the last word. */

import type { Cover } from '../../../domain/filter/covers.ts';
import { coversOf, widthOf } from '../../../domain/filter/covers.ts';
import type { LocationFilter } from '../../../domain/filter/location-filter.ts';
import type { SearchedMap } from '../../../domain/filter/location-search.ts';
import type { LocationRecord } from '../../../domain/location.ts';
import type { LocationQuery } from './queries.ts';
import { chunksOf, queriesOf, queryOfMaps } from './queries.ts';
import type { LocationReader } from './reader.ts';

/** Maps of one query at most. */
export const MAX_MAPS = 500;
/** Covers that are asked about to find the narrowest: those that look narrow. */
const MAX_ASKED = 4;
/** Documents of a cover that are counted for that; covers of more are alike. */
const MAX_COUNTED = 1_000;
/** So few documents are read sooner than another cover is asked about. */
const FEW = 100;

/** Maps in which the same covers find what may pass. */
interface Group {
  readonly mapIds: readonly string[];
  readonly covers: readonly Cover[];
}

/** @param also covers besides those of the filter */
export async function* candidatesOf(
  reader: LocationReader,
  filter: LocationFilter,
  maps: readonly SearchedMap[],
  also: readonly Cover[] = [],
): AsyncGenerator<LocationRecord> {
  for (const { mapIds, covers } of groupsOf(filter, maps)) {
    const all = [...covers, ...also];
    if (all.length === 0) yield* reader.read(queryOfMaps(mapIds));
    else yield* readOnce(reader, await narrowestOf(reader, mapIds, all));
  }
}

/** Whether an index says which locations may pass. */
export function isCovered(filter: LocationFilter, maps: readonly SearchedMap[]): boolean {
  return maps.every(({ fields }) => coversOf(filter, fields).length > 0);
}

function groupsOf(filter: LocationFilter, maps: readonly SearchedMap[]): readonly Group[] {
  const groups = new Map<string, { readonly mapIds: string[]; readonly covers: readonly Cover[] }>();
  const keys = new Map<string, string>();
  for (const { id, fields } of maps) {
    // Most maps define the same fields, and most covers do not depend on them.
    const definitions = JSON.stringify(fields);
    const known = groups.get(keys.get(definitions) ?? '');
    if (known !== undefined) {
      known.mapIds.push(id);
      continue;
    }
    const covers = coversOf(filter, fields);
    const key = JSON.stringify(covers);
    keys.set(definitions, key);
    const group = groups.get(key) ?? { mapIds: [], covers };
    group.mapIds.push(id);
    groups.set(key, group);
  }
  return [...groups.values()].flatMap(({ mapIds, covers }) =>
    chunksOf(mapIds, MAX_MAPS).map((some) => ({ mapIds: some, covers })),
  );
}

/** The queries of the cover that finds the fewest documents, as far as asking for that is worth it. */
async function narrowestOf(
  reader: LocationReader,
  mapIds: readonly string[],
  covers: readonly Cover[],
): Promise<readonly LocationQuery[]> {
  const [first, ...others] = covers.toSorted((a, b) => widthOf(a) - widthOf(b)).slice(0, MAX_ASKED);
  if (first === undefined) return [];
  let narrowest = await queriesOfCover(reader, mapIds, first);
  if (others.length === 0) return narrowest;
  let fewest = await countOf(reader, narrowest, MAX_COUNTED);
  for (const cover of others) {
    if (fewest <= FEW) break;
    const queries = await queriesOfCover(reader, mapIds, cover);
    const count = await countOf(reader, queries, fewest);
    if (count < fewest) [narrowest, fewest] = [queries, count];
  }
  return narrowest;
}

async function countOf(
  reader: LocationReader,
  queries: readonly LocationQuery[],
  limit: number,
): Promise<number> {
  let count = 0;
  for (const query of queries) if (count < limit) count += await reader.count(query, limit - count);
  return count;
}

async function queriesOfCover(
  reader: LocationReader,
  mapIds: readonly string[],
  { ids, externalIds, cells, terms }: Cover,
): Promise<readonly LocationQuery[]> {
  const found = await reader.findIds(mapIds, externalIds);
  return queriesOf(mapIds, { ids: [...new Set([...ids, ...found])], cells, terms });
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
