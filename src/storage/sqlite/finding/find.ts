/** Finding locations, in steps. */

import { isEverything } from '../../../domain/filter/location-filter.ts';
import type { FoundKey } from '../../../domain/filter/location-order.ts';
import type { FoundLocation, FoundPage, LocationSearch } from '../../../domain/filter/location-search.ts';
import { foundPage, locationJudge } from '../../../domain/filter/location-search.ts';
import { locationMatcher } from '../../../domain/filter/matcher.ts';
import type { PageRequest } from '../../../domain/paging.ts';
import { chooseCovers } from './candidates.ts';
import { numbersOfAll } from './covered-numbers.ts';
import { ascendingPage, rangeIn } from './list-range.ts';
import type { Reader } from '../reader.ts';
import type { Steps } from './steps.ts';
import { readMap } from './searched-map.ts';
import type { StoredMap } from './searched-map.ts';
import type { Visit } from './visits.ts';
import { visitCandidates, visitInOrder } from './visits.ts';

export interface PageSearch {
  readonly search: LocationSearch;
  readonly page: PageRequest<FoundKey>;
}

export type CountSearch = Omit<LocationSearch, 'order'>;

export function* findPage(reader: Reader, input: PageSearch): Steps<readonly FoundLocation[]> {
  const found = foundPage(input.search.order, input.page);
  if (input.search.order.by === 'list') yield* showByList(reader, input, found);
  else yield* showAll(reader, input, found);
  return found.take();
}

function* showAll(reader: Reader, { search }: PageSearch, found: FoundPage): Steps<void> {
  for (const each of search.maps) {
    const map = readMap(reader, each, search.filter);
    if (map !== null) yield* visitCandidates(reader, map, showing(search, map, found));
    yield;
  }
}

/** Map by map, as far as the page needs. */
function* showByList(reader: Reader, { search, page }: PageSearch, found: FoundPage): Steps<void> {
  const ascending = ascendingPage(page, search.order.direction);
  const maps = ascending.fromEnd ? search.maps.toReversed() : search.maps;
  for (const each of maps) {
    const range = rangeIn(each, ascending);
    const map = range === null ? null : readMap(reader, each, search.filter);
    if (range !== null && map !== null) {
      const show = showing(search, map, found);
      yield* visitInOrder(reader, map, range, page.limit, (locations) => show(locations) || found.isFull);
    }
    if (found.isFull) return;
    yield;
  }
}

function showing(search: LocationSearch, { map }: StoredMap, found: FoundPage): Visit {
  const judge = locationJudge(search, map);
  return (locations) => {
    for (const location of locations) {
      const judged = judge(location);
      if (judged !== null) found.add(judged);
    }
    return false;
  };
}

export function* countFound(reader: Reader, { maps, filter }: CountSearch): Steps<number> {
  let count = 0;
  for (const each of maps) {
    const map = readMap(reader, each, filter);
    if (map !== null) count += yield* countIn(reader, map, filter);
    yield;
  }
  return count;
}

function* countIn(reader: Reader, map: StoredMap, filter: CountSearch['filter']): Steps<number> {
  if (isEverything(filter)) return map.count;
  const choice = map.spatial.isWhole ? yield* chooseCovers(reader, map) : null;
  // What a point alone decides was decided over the index of cells.
  if (choice !== null) return (yield* numbersOfAll(reader, map, choice.covers)).length;
  const matches = locationMatcher(filter, map.map.fields);
  let count = 0;
  yield* visitCandidates(reader, map, (locations) => {
    for (const location of locations) if (matches(location)) count += 1;
    return false;
  });
  return count;
}
