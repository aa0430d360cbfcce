/** Pages of what comes in another order than it is sorted by. */

import type { PageRequest } from '../domain/paging.ts';
import type { Page } from './pages.ts';
import { pageOf } from './pages.ts';

/** A page of a list that was read whole. */
export interface PickedPage<T> extends Page<T> {
  readonly totalCount: number;
  /** Whether something comes before the page, or after it; of an empty page, before or after its range. */
  readonly isMoreBefore: boolean;
  readonly isMoreAfter: boolean;
}

export interface Sorting<T, P> {
  readonly placeOf: (item: T) => P;
  /** Of no two items is it zero. */
  readonly compare: (a: P, b: P) => number;
}

interface Placed<T, P> {
  readonly item: T;
  readonly place: P;
}

/** Picks one page while the list is passed by. It holds no more than twice the page. */
export class PagePicker<T, P> {
  readonly #page: PageRequest<P>;
  readonly #sorting: Sorting<T, P>;
  #held: Placed<T, P>[] = [];
  #totalCount = 0;
  #lowest: P | null = null;
  #highest: P | null = null;

  constructor(page: PageRequest<P>, sorting: Sorting<T, P>) {
    this.#page = page;
    this.#sorting = sorting;
  }

  add(item: T): void {
    const { after, before, limit } = this.#page;
    const place = this.#sorting.placeOf(item);
    this.#totalCount += 1;
    if (this.#isBefore(place, this.#lowest)) this.#lowest = place;
    if (this.#isBefore(this.#highest, place)) this.#highest = place;
    if (after !== null && !this.#isBefore(after, place)) return;
    if (before !== null && !this.#isBefore(place, before)) return;
    this.#held.push({ item, place });
    if (this.#held.length > 2 * (limit + 1)) this.#drop();
  }

  /** The page of all that was added. */
  pick(): PickedPage<T> {
    const { after, before } = this.#page;
    this.#drop();
    const page = pageOf(
      this.#page,
      this.#held.map(({ item }) => item),
    );
    const start = page.first === null ? after : this.#sorting.placeOf(page.first);
    const end = page.last === null ? before : this.#sorting.placeOf(page.last);
    return {
      ...page,
      totalCount: this.#totalCount,
      isMoreBefore: start !== null && this.#lowest !== null && this.#isBefore(this.#lowest, start),
      isMoreAfter: end !== null && this.#highest !== null && this.#isBefore(end, this.#highest),
    };
  }

  /** Leaves the page, and one item more to show that it was cut off. */
  #drop(): void {
    const { limit, fromEnd } = this.#page;
    this.#held.sort((a, b) => this.#sorting.compare(a.place, b.place));
    this.#held = fromEnd ? this.#held.slice(-limit - 1) : this.#held.slice(0, limit + 1);
  }

  /** Null stands for no place yet: everything is before and after it. */
  #isBefore(a: P | null, b: P | null): boolean {
    return a === null || b === null || this.#sorting.compare(a, b) < 0;
  }
}
