/** Pages of search results. */

import { usesGeocoding } from '../../../domain/filter/geocoding-groups.ts';
import { EVERYTHING, isEverything } from '../../../domain/filter/location-filter.ts';
import type { SearchSortKey } from '../../../domain/filter/location-order.ts';
import { isOfStore } from '../../../domain/filter/location-order.ts';
import type { LocationSearch, SearchHit } from '../../../domain/filter/location-search.ts';
import { hitMatcher, searchPage } from '../../../domain/filter/location-search.ts';
import type { LocationTemplate } from '../../../domain/location-template.ts';
import type { PageWindow } from '../../../domain/paging/page-window.ts';
import { withNext } from '../../../domain/paging/pages.ts';
import type { PageRequest } from '../../../domain/paging/paging.ts';
import type { VersionHit } from '../../search.ts';
import type { Reader } from '../engine/statements.ts';
import type { ResumableScan } from '../threads/long-reads.ts';
import type { ScanCallback } from './candidate-scan.ts';
import { ascendingPage, rangeIn, scanCandidates, scanInOrder } from './candidate-scan.ts';
import { MAX_INLINE_LOCATIONS, listedCandidates, readFewCandidates } from './candidates.ts';
import type { HitRow, SearchPageBytes } from './hit-rows.ts';
import { hitOf, jsonAt, recordsAt, versionsAt } from './hit-rows.ts';
import type { SearchedMapRow, Rendering } from './searched-map.ts';
import { readSearchedMap } from './searched-map.ts';

export interface PageSearch {
  readonly search: LocationSearch;
  readonly page: PageRequest<SearchSortKey>;
  readonly rendering?: Rendering;
}

type HitWindow = PageWindow<HitRow, SearchSortKey>;

export function* findPage(reader: Reader, input: PageSearch): ResumableScan<readonly SearchHit[]> {
  return yield* recordsAt(reader, yield* findHits(reader, input));
}

export function* findVersions(reader: Reader, input: PageSearch): ResumableScan<readonly VersionHit[]> {
  return yield* versionsAt(reader, yield* findHits(reader, input));
}

interface JsonSearch extends PageSearch {
  readonly template: LocationTemplate;
}

export function* findJson(
  reader: Reader,
  { search, page, template }: JsonSearch,
): ResumableScan<SearchPageBytes> {
  const hits = yield* findHits(reader, jsonSearch(search, page, template));
  return jsonAt(reader, hits, page, template);
}

/** A search for a page as JSON, plus one hit that shows whether there are more. */
export function jsonSearch(
  search: LocationSearch,
  page: PageRequest<SearchSortKey>,
  template: LocationTemplate,
): PageSearch {
  const withMore = withNext(page);
  return { search, page: withMore, rendering: { template, max: withMore.limit } };
}

function* findHits(reader: Reader, input: PageSearch): ResumableScan<readonly HitRow[]> {
  const found: HitWindow = searchPage(input.search.order, input.page);
  if (isOfStore(input.search.order.by)) yield* addInOrder(reader, input, found);
  else yield* addAll(reader, input, found);
  return found.take();
}

function* addAll(reader: Reader, { search, rendering }: PageSearch, found: HitWindow): ResumableScan<void> {
  for (const each of search.maps) {
    const map = readSearchedMap(reader, each, search.filter, { ...search, rendering });
    if (map !== null) yield* scanCandidates(reader, map, addHits(search, map, found));
    yield;
  }
}

/** Map by map, until the page is full. */
function* addInOrder(
  reader: Reader,
  { search, page, rendering }: PageSearch,
  found: HitWindow,
): ResumableScan<void> {
  const ascending = ascendingPage(page, search.order.direction);
  const maps = ascending.fromEnd ? search.maps.toReversed() : search.maps;
  for (const each of maps) {
    const range = rangeIn(each, ascending);
    const map =
      range === null ? null : readSearchedMap(reader, each, search.filter, { ...search, rendering });
    if (range !== null && map !== null) {
      const add = addHits(search, map, found);
      yield* scanInOrder(reader, map, range, page.limit, (...seen) => add(...seen) || found.isFull);
    }
    if (found.isFull) return;
    yield;
  }
}

/** Adds the matches among a map's candidates to a page. */
function addHits(search: LocationSearch, { map }: SearchedMapRow, found: HitWindow): ScanCallback {
  const matchHit = hitMatcher(search, map);
  const anyHit = hitMatcher({ ...search, filter: EVERYTHING }, map);
  return (candidates, areMatches) => {
    for (const candidate of candidates) {
      const hit = areMatches ? anyHit(candidate) : matchHit(candidate);
      if (hit !== null) found.add(hitOf(candidate, hit.key));
    }
    return false;
  };
}

/** As {@link findPage}, within one turn of the event loop; null where the search may read much. */
export function findHitsInline(reader: Reader, input: PageSearch): readonly HitRow[] | null {
  const { search, page, rendering } = input;
  const found: HitWindow = searchPage(search.order, page);
  if (addListed(reader, input, found)) return found.take();
  const isComplete = readFewCandidates(
    reader,
    { ...search, rendering },
    (map, { candidates, areMatches }) => {
      addHits(search, map, found)(candidates, areMatches);
    },
  );
  return isComplete ? found.take() : null;
}

/**
 * Adds a page of one map's list, or of the groups of it that match.
 *
 * @returns whether these alone decide what matches
 */
function addListed(reader: Reader, { search, page, rendering }: PageSearch, found: HitWindow): boolean {
  const { filter, order } = search;
  const [first, ...others] = search.maps;
  if (first === undefined || others.length > 0 || !isOfStore(order.by)) return false;
  if (page.limit > MAX_INLINE_LOCATIONS || !(usesGeocoding(filter) || isEverything(filter))) return false;
  const map = readSearchedMap(reader, first, filter, { ...search, rendering });
  if (map === null || !map.list.areMatches) return false;
  const ascending = ascendingPage(page, order.direction);
  const range = rangeIn(first, ascending);
  if (range === null) return true;
  const listed = { ...range, limit: page.limit };
  addHits(search, map, found)(listedCandidates(reader, map, listed, rendering?.template), true);
  return true;
}
