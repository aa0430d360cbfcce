/** Pages of search results. */

import { compareMaps } from '../../../domain/paging/cursor.ts';
import type { SearchSortKey } from '../../../domain/filter/location-order.ts';
import { isOfStore } from '../../../domain/filter/location-order.ts';
import type { LocationSearch, SearchHit } from '../../../domain/filter/location-search.ts';
import { hitMatcher, searchPage } from '../../../domain/filter/location-search.ts';
import type { LocationRecord } from '../../../domain/location.ts';
import type { PageWindow } from '../../../domain/paging/page-window.ts';
import type { PageRequest } from '../../../domain/paging/paging.ts';
import { candidatesOf } from './candidates.ts';
import { groupsOf } from './groups.ts';
import type { ListParts } from './geocoding-groups.ts';
import { partsOf } from './geocoding-groups.ts';
import type { LocationReader } from './reader.ts';

/** Locations read by the first strategy before the other starts. */
const FIRST_SHARE = 1_000;

type HitMatcher = (location: LocationRecord) => SearchHit | null;

export function hitMatchers({ maps, filter, order }: LocationSearch): HitMatcher {
  const matchers = new Map(maps.map((map) => [map.id, hitMatcher({ filter, order }, map)]));
  return (location) => matchers.get(location.mapId)?.(location) ?? null;
}

/**
 * In a stored order there are two strategies: read all candidates of an index, or scan the list until the page is full. Which is
 * faster depends on how many locations match and on their positions. So both alternate, each turn twice as long, until one
 * finishes.
 */
export async function findPage(
  reader: LocationReader,
  search: LocationSearch,
  page: PageRequest<SearchSortKey>,
): Promise<readonly SearchHit[]> {
  const match = hitMatchers(search);
  const { maps, filter, order } = search;
  const groups = await groupsOf(reader, filter, maps);
  const isCovered = groups.every(({ lookups }) => lookups.length > 0);
  const parts = await partsOf(reader, filter, maps);
  const byList = () => new PageFill(scanLists(reader, search, parts, page), match, search, page);
  const byIndex = () => new PageFill(candidatesOf(reader, groups, parts), match, search, page, true);
  const strategies = !isOfStore(order.by) ? [byIndex()] : isCovered ? [byIndex(), byList()] : [byList()];
  try {
    for (let share = strategies.length === 1 ? Infinity : FIRST_SHARE; ; share *= 2) {
      for (const strategy of strategies) if (await strategy.fill(share)) return strategy.take();
    }
  } finally {
    for (const strategy of strategies) await strategy.close();
  }
}

/** Fills a page from a stream of locations. */
class PageFill {
  readonly #locations: AsyncGenerator<LocationRecord>;
  readonly #match: HitMatcher;
  readonly #page: PageWindow<SearchHit, SearchSortKey>;
  /** Matches until the page is full. */
  #missing: number;

  /** @param isUnsorted the page is complete only when all locations are read */
  constructor(
    locations: AsyncGenerator<LocationRecord>,
    match: HitMatcher,
    { order }: LocationSearch,
    page: PageRequest<SearchSortKey>,
    isUnsorted = false,
  ) {
    this.#locations = locations;
    this.#match = match;
    this.#page = searchPage(order, page);
    this.#missing = isUnsorted ? Infinity : page.limit;
  }

  /** Reads up to `count` locations. @returns whether the page is complete */
  async fill(count: number): Promise<boolean> {
    for (let read = 0; read < count && this.#missing > 0; read += 1) {
      const next = await this.#locations.next();
      if (next.done === true) return true;
      const hit = this.#match(next.value);
      if (hit === null) continue;
      this.#page.add(hit);
      this.#missing -= 1;
    }
    return this.#missing === 0;
  }

  take(): readonly SearchHit[] {
    return this.#page.take();
  }

  async close(): Promise<void> {
    await this.#locations.return(undefined);
  }
}

/** The locations of several maps in a stored order, one map after the other, from the end at which the page starts. */
async function* scanLists(
  reader: LocationReader,
  { maps, order: { by, direction } }: LocationSearch,
  parts: ListParts,
  { after, before, fromEnd, limit }: PageRequest<SearchSortKey>,
): AsyncGenerator<LocationRecord> {
  const isDescending = direction === 'desc';
  const [first, last] = isDescending ? [before, after] : [after, before];
  const within = maps.filter(
    (map) =>
      (first === null || compareMaps(map, first.map) >= 0) &&
      (last === null || compareMaps(map, last.map) <= 0),
  );
  const backwards = isDescending !== fromEnd;
  for (const map of backwards ? within.toReversed() : within) {
    const part = parts.get(map.id);
    if (part?.count === 0) continue;
    yield* reader.readList(
      map.id,
      {
        after: first?.map.id === map.id ? first.sortKey : null,
        before: last?.map.id === map.id ? last.sortKey : null,
      },
      { order: by === 'sequence' ? by : 'list', backwards, firstBatch: limit, part: part?.filter ?? null },
    );
  }
}
