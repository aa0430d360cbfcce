/** A search for locations: which maps, which filter, which order; and the pages of what it finds. */

import type { MapSortKey } from '../cursor.ts';
import type { LocationRecord } from '../location.ts';
import type { MapRecord } from '../map.ts';
import type { PageRequest } from '../paging.ts';
import type { LocationFilter } from './location-filter.ts';
import type { FoundKey, LocationOrder } from './location-order.ts';
import { compareFound, sortValues } from './location-order.ts';
import { locationMatcher } from './matcher.ts';

/** A map that is searched. */
export type SearchedMap = MapSortKey & Pick<MapRecord, 'fields'>;

export interface LocationSearch {
  /** In order of their creation. */
  readonly maps: readonly SearchedMap[];
  readonly filter: LocationFilter;
  readonly order: LocationOrder;
}

export interface FoundLocation {
  readonly location: LocationRecord;
  readonly key: FoundKey;
}

/** Says of a map's locations which the filter lets through, and where they stand. Null: it does not. */
export type LocationJudge = (location: LocationRecord) => FoundLocation | null;

export function locationJudge(
  { filter, order }: Omit<LocationSearch, 'maps'>,
  map: SearchedMap,
): LocationJudge {
  const matches = locationMatcher(filter, map.fields);
  const valueOf = sortValues(order, map.fields);
  const { id, createdAt } = map;
  return (location) => {
    if (!matches(location)) return null;
    const { orderKey, sequence } = location;
    const key = { value: valueOf(location), map: { id, createdAt }, sortKey: { orderKey, sequence } };
    return { location, key };
  };
}

/** Keeps the page of all that it is shown, in whatever sequence that comes. */
export class FoundPage {
  readonly #compare: (a: FoundKey, b: FoundKey) => number;
  readonly #page: PageRequest<FoundKey>;
  #kept: FoundLocation[] = [];
  /** What is not before this one, seen from the page's beginning, is not on the page. */
  #bound: FoundKey | null = null;

  constructor(order: LocationOrder, page: PageRequest<FoundKey>) {
    const ascending = compareFound(order);
    this.#compare = page.fromEnd ? (a, b) => ascending(b, a) : ascending;
    this.#page = page;
  }

  add(found: FoundLocation): void {
    const { key } = found;
    const { limit, fromEnd, after, before } = this.#page;
    const [start, end] = fromEnd ? [before, after] : [after, before];
    if (start !== null && this.#compare(key, start) <= 0) return;
    if (end !== null && this.#compare(key, end) >= 0) return;
    if (this.#bound !== null && this.#compare(key, this.#bound) >= 0) return;
    this.#kept.push(found);
    // Sorting now and then costs less than keeping the list sorted.
    if (this.#kept.length >= 2 * limit + 100) this.#cut();
  }

  /** Whether it holds as many as a page has. Shown in the order in which the page is filled, it needs no more. */
  get isFull(): boolean {
    return this.#kept.length >= this.#page.limit;
  }

  /** Ascending, even from the end. */
  take(): readonly FoundLocation[] {
    this.#cut();
    return this.#page.fromEnd ? this.#kept.toReversed() : this.#kept;
  }

  #cut(): void {
    const { limit } = this.#page;
    this.#kept = this.#kept.sort((a, b) => this.#compare(a.key, b.key)).slice(0, limit);
    if (this.#kept.length === limit) this.#bound = this.#kept.at(-1)?.key ?? null;
  }
}
