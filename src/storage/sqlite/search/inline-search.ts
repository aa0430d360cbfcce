/**
 * Searches that read little: a few statements, within one turn of the event loop. Null for any other search, which shows
 * before much is read.
 */

import type { LocationSearch } from '../../../domain/filter/location-search.ts';
import { searchPage } from '../../../domain/filter/location-search.ts';
import { locationMatcher } from '../../../domain/filter/matcher.ts';
import type { Reader } from '../reader.ts';
import type { Candidate } from './projection.ts';
import { readCandidates } from './projection.ts';
import type { Few } from './candidates.ts';
import { fewCandidates } from './candidates.ts';
import type { CountSearch, PageSearch } from './pages.ts';
import { showing } from './pages.ts';
import type { HitRow } from './hit-rows.ts';
import type { StoredMap } from './searched-map.ts';
import { readMap } from './searched-map.ts';

/** Each takes about ten microseconds. */
const MAX_LOCATIONS = 250;
const MAX_MAPS = 10;

export function findHitsInline(
  reader: Reader,
  { search, page, shown }: PageSearch,
): readonly HitRow[] | null {
  const found = searchPage<HitRow>(search.order, page);
  const isLittle = eachCandidate(reader, { ...search, shown }, (map, { candidates, havePassed }) => {
    showing(search, map, found)(candidates, havePassed);
  });
  return isLittle ? found.take() : null;
}

export function countMatchesInline(reader: Reader, { maps, filter }: CountSearch): number | null {
  let count = 0;
  const isLittle = eachCandidate(reader, { maps, filter }, (map, { candidates, havePassed }) => {
    const matches = locationMatcher(filter, map.map.fields);
    count += havePassed ? candidates.length : candidates.filter(matches).length;
  });
  return isLittle ? count : null;
}

/** @returns false where they are too many */
function eachCandidate(
  reader: Reader,
  {
    maps,
    filter,
    order,
    shown,
  }: CountSearch & Partial<Pick<LocationSearch, 'order'>> & Pick<PageSearch, 'shown'>,
  show: (map: StoredMap, few: Few) => void,
): boolean {
  if (maps.length > MAX_MAPS) return false;
  let left = MAX_LOCATIONS;
  for (const each of maps) {
    const map = readMap(reader, each, filter, { order: order ?? null, shown });
    if (map === null) continue;
    const few = readFew(reader, map, left);
    if (few === null) return false;
    left -= few.candidates.length;
    show(map, few);
  }
  return true;
}

/** So few that to look into an index costs more than it spares. */
const FEW = 20;

function readFew(reader: Reader, map: StoredMap, limit: number): Few | null {
  const few = map.count <= FEW ? null : fewCandidates(reader, map, limit);
  if (few !== null) return few;
  return map.count <= limit ? { candidates: allOf(reader, map), havePassed: false } : null;
}

function allOf(reader: Reader, { number, projection }: StoredMap): readonly Candidate[] {
  return readCandidates(reader, projection, 'locations WHERE map_number = ?', number);
}
