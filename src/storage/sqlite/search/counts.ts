/** Counts of search results. */

import { isEverything } from '../../../domain/filter/location-filter.ts';
import { locationMatcher } from '../../../domain/filter/matcher.ts';
import type { Reader } from '../engine/statements.ts';
import type { ResumableScan } from '../threads/long-reads.ts';
import { scanCandidates } from './candidate-scan.ts';
import type { CountSearch } from './candidates.ts';
import { readFewCandidates } from './candidates.ts';
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
  if (isEverything(filter)) return map.count;
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
  let count = 0;
  const isComplete = readFewCandidates(reader, { maps, filter }, (map, { candidates, areMatches }) => {
    const matches = locationMatcher(filter, map.map.fields);
    count += areMatches ? candidates.length : candidates.filter(matches).length;
  });
  return isComplete ? count : null;
}
