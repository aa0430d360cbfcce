/** The parts of maps' lists that a filter by geocoding leaves. */

import type { MatchingGroups } from '../../../domain/filter/geocoding-groups.ts';
import { matchingGroups, usesGeocoding } from '../../../domain/filter/geocoding-groups.ts';
import type { LocationFilter } from '../../../domain/filter/location-filter.ts';
import type { SearchedMap } from '../../../domain/filter/location-search.ts';
import { readGroups } from '../writes/count.ts';
import { MAX_MAPS } from './groups.ts';
import type { LocationQuery } from './queries.ts';
import { chunksOf } from './queries.ts';
import type { LocationReader } from './reader.ts';

/**
 * Combinations of values that a sorted query may ask for. mongod merges one scan of the index for each, up to 200, and
 * sorts in memory beyond that. A flag that is absent takes two.
 */
const MAX_COMBINATIONS = 50;

export interface ListPart extends Pick<MatchingGroups, 'count' | 'areMatches'> {
  /** On the fields of the index. It may find locations of other groups too. Null for the whole list. */
  readonly filter: LocationQuery['filter'] | null;
}

/** By map id. */
export type ListParts = ReadonlyMap<string, ListPart>;

/** Empty unless the filter has a condition on geocoding. */
export async function partsOf(
  reader: LocationReader,
  filter: LocationFilter,
  maps: readonly SearchedMap[],
): Promise<ListParts> {
  const parts = new Map<string, ListPart>();
  if (!usesGeocoding(filter)) return parts;
  for (const some of chunksOf(maps, MAX_MAPS)) {
    reader.time.assertTimeLeft();
    const ids = some.map(({ id }) => id);
    const found = await readGroups(reader.collections, ids, { maxTimeMS: reader.time.maxTimeMS });
    for (const id of ids) parts.set(id, partOf(matchingGroups(filter, found.get(id) ?? [])));
  }
  return parts;
}

function partOf({ groups, count, areMatches }: MatchingGroups): ListPart {
  const valuesOf = <K extends keyof (typeof groups)[number]>(name: K) => [
    ...new Set(groups.map((group) => group[name])),
  ];
  const [isChecked, isAmbiguous] = [flagsOf(valuesOf('isChecked')), flagsOf(valuesOf('isAmbiguous'))];
  const [precision, provider] = [valuesOf('precision'), valuesOf('provider')];
  const combinations = isChecked.length * isAmbiguous.length * precision.length * provider.length;
  return {
    count,
    areMatches,
    filter:
      combinations > MAX_COMBINATIONS
        ? null
        : {
            isChecked: { $in: isChecked },
            precision: { $in: precision },
            isAmbiguous: { $in: isAmbiguous },
            provider: { $in: provider },
          },
  };
}

/** Documents have no flag that is false. */
function flagsOf(values: readonly boolean[]): (true | null)[] {
  return values.map((value) => value || null);
}
