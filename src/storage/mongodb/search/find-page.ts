/** Pages of what a search finds. */

import type { SearchSortKey } from '../../../domain/filter/location-order.ts';
import type { SearchHit, LocationSearch } from '../../../domain/filter/location-search.ts';
import { searchPage, hitMatcher } from '../../../domain/filter/location-search.ts';
import type { PageWindow } from '../../../domain/paging/page-window.ts';
import type { LocationRecord } from '../../../domain/location.ts';
import type { PageRequest } from '../../../domain/paging/paging.ts';
import { candidatesOf } from './candidates.ts';
import { groupsOf } from './groups.ts';
import { walkLists } from './list-walk.ts';
import type { LocationReader } from './reader.ts';

/** Locations that are read first of what an index says. Of more, the list may be the shorter way. */
const FIRST_SHARE = 1_000;

type Judge = (location: LocationRecord) => SearchHit | null;

export function judgeOf({ maps, filter, order }: LocationSearch): Judge {
  const judges = new Map(maps.map((map) => [map.id, hitMatcher({ filter, order }, map)]));
  return (location) => judges.get(location.mapId)?.(location) ?? null;
}

/**
 * In the order of the list there are two ways: to read all that an index finds, and to walk the list until the page is
 * full. Which is shorter depends on how many locations pass, and where they stand. So both are gone in turns, each time
 * twice as far, until one of them ends.
 */
export async function findPage(
  reader: LocationReader,
  search: LocationSearch,
  page: PageRequest<SearchSortKey>,
): Promise<readonly SearchHit[]> {
  const judge = judgeOf(search);
  const { maps, filter, order } = search;
  const groups = await groupsOf(reader, filter, maps);
  const isCovered = groups.every(({ lookups }) => lookups.length > 0);
  const byList = () => new PageFill(walkLists(reader, maps, order, page), judge, search, page);
  const byIndex = () => new PageFill(candidatesOf(reader, groups), judge, search, page, true);
  const ways = order.by !== 'list' ? [byIndex()] : isCovered ? [byIndex(), byList()] : [byList()];
  try {
    for (let share = ways.length === 1 ? Infinity : FIRST_SHARE; ; share *= 2) {
      for (const way of ways) if (await way.fill(share)) return way.take();
    }
  } finally {
    for (const way of ways) await way.close();
  }
}

/** A page that is filled from locations. */
class PageFill {
  readonly #locations: AsyncGenerator<LocationRecord>;
  readonly #judge: Judge;
  readonly #page: PageWindow<SearchHit, SearchSortKey>;
  /** How many have to be found. */
  #missing: number;

  /** @param isUnsorted so that the page is full only when all locations are read */
  constructor(
    locations: AsyncGenerator<LocationRecord>,
    judge: Judge,
    { order }: LocationSearch,
    page: PageRequest<SearchSortKey>,
    isUnsorted = false,
  ) {
    this.#locations = locations;
    this.#judge = judge;
    this.#page = searchPage(order, page);
    this.#missing = isUnsorted ? Infinity : page.limit;
  }

  /** @returns whether the page is as it is going to be; otherwise, that many locations were read */
  async fill(count: number): Promise<boolean> {
    for (let read = 0; read < count && this.#missing > 0; read += 1) {
      const next = await this.#locations.next();
      if (next.done === true) return true;
      const found = this.#judge(next.value);
      if (found === null) continue;
      this.#page.add(found);
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
