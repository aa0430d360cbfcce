/**
 * Searches that read little: a few statements, within one turn of the event loop. Null for any other search, which shows
 * before much is read.
 */

import type { LocationFilter } from '../../../domain/filter/location-filter.ts';
import type { FoundLocation, SearchedMap } from '../../../domain/filter/location-search.ts';
import { foundPage, locationJudge } from '../../../domain/filter/location-search.ts';
import { locationMatcher } from '../../../domain/filter/matcher.ts';
import type { LocationRecord } from '../../../domain/location.ts';
import { LOCATION_COLUMNS, toLocation } from '../location-rows.ts';
import { fewCandidates } from './candidates.ts';
import type { CountSearch, PageSearch } from './find.ts';
import type { Reader } from '../reader.ts';
import type { StoredMap } from './searched-map.ts';
import { readMap } from './searched-map.ts';
import { locationsOf } from './visits.ts';

/** Each takes about ten microseconds. */
const MAX_LOCATIONS = 250;
const MAX_MAPS = 10;

export function findPageQuickly(
  reader: Reader,
  { search, page }: PageSearch,
): readonly FoundLocation[] | null {
  const candidates = readCandidates(reader, search.maps, search.filter);
  if (candidates === null) return null;
  const found = foundPage(search.order, page);
  for (const { map, locations } of candidates) {
    const judge = locationJudge(search, map.map);
    for (const location of locations) {
      const judged = judge(location);
      if (judged !== null) found.add(judged);
    }
  }
  return found.take();
}

export function countQuickly(reader: Reader, { maps, filter }: CountSearch): number | null {
  const candidates = readCandidates(reader, maps, filter);
  if (candidates === null) return null;
  let count = 0;
  for (const { map, locations } of candidates) {
    count += locations.filter(locationMatcher(filter, map.map.fields)).length;
  }
  return count;
}

interface MapCandidates {
  readonly map: StoredMap;
  readonly locations: readonly LocationRecord[];
}

/** Null where they are too many. */
function readCandidates(
  reader: Reader,
  maps: readonly SearchedMap[],
  filter: LocationFilter,
): readonly MapCandidates[] | null {
  if (maps.length > MAX_MAPS) return null;
  const numbered: { readonly map: StoredMap; readonly numbers: readonly number[] | null }[] = [];
  let left = MAX_LOCATIONS;
  for (const each of maps) {
    const map = readMap(reader, each, filter);
    if (map === null) continue;
    const numbers = map.count <= FEW ? null : fewCandidates(reader, map);
    left -= numbers?.length ?? map.count;
    if (left < 0) return null;
    numbered.push({ map, numbers });
  }
  return numbered.map(({ map, numbers }) => ({
    map,
    locations: numbers === null ? allOf(reader, map) : locationsOf(reader, map, numbers),
  }));
}

/** So few that to look into an index costs more than it spares. */
const FEW = 20;

function allOf(reader: Reader, { map, number }: StoredMap): readonly LocationRecord[] {
  return reader
    .all(`SELECT ${LOCATION_COLUMNS} FROM locations WHERE map_number = ?`, number)
    .map((row) => toLocation(row, map.id));
}
