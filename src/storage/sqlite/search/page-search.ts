/** Finding locations, in steps. */

import { EVERYTHING, isEverything } from '../../../domain/filter/location-filter.ts';
import type { SearchSortKey } from '../../../domain/filter/location-order.ts';
import type { SearchHit, LocationSearch } from '../../../domain/filter/location-search.ts';
import { searchPage, hitMatcher } from '../../../domain/filter/location-search.ts';
import { locationMatcher } from '../../../domain/filter/matcher.ts';
import type { PageWindow } from '../../../domain/paging/page-window.ts';
import type { LocationTemplate } from '../../../domain/location-template.ts';
import { withNext } from '../../../domain/paging/pages.ts';
import type { PageRequest } from '../../../domain/paging/paging.ts';
import type { VersionHit } from '../../search.ts';
import type { SearchPageBytes, HitRow } from './hit-rows.ts';
import { jsonAt, hitOf, recordsAt, versionsAt } from './hit-rows.ts';
import { countOfAll } from './covered-numbers.ts';
import { ascendingPage, rangeIn } from './list-range.ts';
import type { Reader } from '../reader.ts';
import type { ResumableScan } from './resumable-scan.ts';
import { readMap } from './searched-map.ts';
import type { Shown, StoredMap } from './searched-map.ts';
import type { ScanCallback } from './candidate-scan.ts';
import { scanCandidates, scanInOrder } from './candidate-scan.ts';

export interface PageSearch {
  readonly search: LocationSearch;
  readonly page: PageRequest<SearchSortKey>;
  readonly shown?: Shown;
}

type Found = PageWindow<HitRow, SearchSortKey>;

export type CountSearch = Omit<LocationSearch, 'order'>;

export function* findPage(reader: Reader, input: PageSearch): ResumableScan<readonly SearchHit[]> {
  return yield* recordsAt(reader, yield* findHits(reader, input));
}

export function* findVersions(reader: Reader, input: PageSearch): ResumableScan<readonly VersionHit[]> {
  return yield* versionsAt(reader, yield* findHits(reader, input));
}

export interface JsonSearch extends PageSearch {
  readonly template: LocationTemplate;
}

export function* findJson(
  reader: Reader,
  { search, page, template }: JsonSearch,
): ResumableScan<SearchPageBytes> {
  const hits = yield* findHits(reader, jsonSearch(search, page, template));
  return jsonAt(reader, hits, page, template);
}

/** A search for a page as JSON, which shows whether there is more. */
export function jsonSearch(
  search: LocationSearch,
  page: PageRequest<SearchSortKey>,
  template: LocationTemplate,
): PageSearch {
  const withMore = withNext(page);
  return { search, page: withMore, shown: { template, most: withMore.limit } };
}

function* findHits(reader: Reader, input: PageSearch): ResumableScan<readonly HitRow[]> {
  const found: Found = searchPage(input.search.order, input.page);
  if (input.search.order.by === 'list') yield* showByList(reader, input, found);
  else yield* showAll(reader, input, found);
  return found.take();
}

function* showAll(reader: Reader, { search, shown }: PageSearch, found: Found): ResumableScan<void> {
  for (const each of search.maps) {
    const map = readMap(reader, each, search.filter, { ...search, shown });
    if (map !== null) yield* scanCandidates(reader, map, showing(search, map, found));
    yield;
  }
}

/** Map by map, as far as the page needs. */
function* showByList(reader: Reader, { search, page, shown }: PageSearch, found: Found): ResumableScan<void> {
  const ascending = ascendingPage(page, search.order.direction);
  const maps = ascending.fromEnd ? search.maps.toReversed() : search.maps;
  for (const each of maps) {
    const range = rangeIn(each, ascending);
    const map = range === null ? null : readMap(reader, each, search.filter, { ...search, shown });
    if (range !== null && map !== null) {
      const show = showing(search, map, found);
      yield* scanInOrder(reader, map, range, page.limit, (...seen) => show(...seen) || found.isFull);
    }
    if (found.isFull) return;
    yield;
  }
}

/** Adds what the search finds among a map's candidates to a page. */
export function showing(search: LocationSearch, { map }: StoredMap, found: Found): ScanCallback {
  const judge = hitMatcher(search, map);
  const hit = hitMatcher({ ...search, filter: EVERYTHING }, map);
  return (candidates, havePassed) => {
    for (const candidate of candidates) {
      const judged = havePassed ? hit(candidate) : judge(candidate);
      if (judged !== null) found.add(hitOf(candidate, judged.key));
    }
    return false;
  };
}

export function* countMatches(reader: Reader, { maps, filter }: CountSearch): ResumableScan<number> {
  let count = 0;
  for (const each of maps) {
    const map = readMap(reader, each, filter, {});
    if (map !== null) count += yield* countIn(reader, map, filter);
    yield;
  }
  return count;
}

function* countIn(reader: Reader, map: StoredMap, filter: CountSearch['filter']): ResumableScan<number> {
  if (isEverything(filter)) return map.count;
  if (map.isExact) return countOfAll(reader, map);
  const matches = locationMatcher(filter, map.map.fields);
  let count = 0;
  yield* scanCandidates(reader, map, (candidates, havePassed) => {
    count += havePassed ? candidates.length : candidates.filter(matches).length;
    return false;
  });
  return count;
}
