/** Counts of search results. */

import { usesGeocoding } from '../../../domain/filter/geocoding-groups.ts';
import { locationMatcher } from '../../../domain/filter/matcher.ts';
import type { Reader } from '../engine/statements.ts';
import type { ResumableScan } from '../threads/long-reads.ts';
import { scanCandidates } from './candidate-scan.ts';
import type { CountSearch } from './candidates.ts';
import { MAX_INLINE_MAPS, readFewCandidates } from './candidates.ts';
import { countMatchingAll } from './index-lookups.ts';
import type { SearchedMapRow } from './searched-map.ts';
import { readSearchedMap } from './searched-map.ts';

export function* countMatches(reader: Reader, { maps, filter }: CountSearch): ResumableScan<number> {
  let count = 0;
  for (const each of maps) {
    const map = readSearchedMap(reader, each, filter, {});
    if (map !== null) count += yield* countInMap(reader, map, filter);
    yield;
  }
  return count;
}

function* countInMap(
  reader: Reader,
  map: SearchedMapRow,
  filter: CountSearch['filter'],
): ResumableScan<number> {
  if (map.list.areMatches) return map.list.count;
  if (map.isExact) return countMatchingAll(reader, map);
  const matches = locationMatcher(filter, map.map.fields);
  let count = 0;
  yield* scanCandidates(reader, map, (candidates, areMatches) => {
    count += areMatches ? candidates.length : candidates.filter(matches).length;
    return false;
  });
  return count;
}

/** As {@link countMatches}, within one turn of the event loop; null where the search may read much. */
export function countMatchesInline(reader: Reader, { maps, filter }: CountSearch): number | null {
  const counted = usesGeocoding(filter) ? countByGroups(reader, { maps, filter }) : null;
  if (counted !== null) return counted;
  let count = 0;
  const isComplete = readFewCandidates(reader, { maps, filter }, (map, { candidates, areMatches }) => {
    const matches = locationMatcher(filter, map.map.fields);
    count += areMatches ? candidates.length : candidates.filter(matches).length;
  });
  return isComplete ? count : null;
}

/** Null where the groups of some map do not decide what matches. */
function countByGroups(reader: Reader, { maps, filter }: CountSearch): number | null {
  if (maps.length > MAX_INLINE_MAPS) return null;
  let count = 0;
  for (const each of maps) {
    const map = readSearchedMap(reader, each, filter, {});
    if (map?.list.areMatches === false) return null;
    count += map?.list.count ?? 0;
  }
  return count;
}
