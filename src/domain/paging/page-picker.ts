/** Pages of what comes in another order than it is sorted by. */

import { PageWindow } from './page-window.ts';
import type { PageRequest } from './paging.ts';
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
  readonly sortValuesOf: (item: T) => P;
  /** Of no two items is it zero. */
  readonly compare: (a: P, b: P) => number;
}

/** Picks one page while the list is passed by, and counts. */
export class PagePicker<T, P> {
  readonly #page: PageRequest<P>;
  readonly #sorting: Sorting<T, P>;
  readonly #kept: PageWindow<{ readonly item: T; readonly key: P }, P>;
  #totalCount = 0;
  #lowest: P | null = null;
  #highest: P | null = null;

  constructor(page: PageRequest<P>, sorting: Sorting<T, P>) {
    this.#page = page;
    this.#sorting = sorting;
    // One item more shows that the page was cut off.
    this.#kept = new PageWindow({ ...page, limit: page.limit + 1 }, sorting.compare);
  }

  add(item: T): void {
    const values = this.#sorting.sortValuesOf(item);
    this.#totalCount += 1;
    if (this.#isBefore(values, this.#lowest)) this.#lowest = values;
    if (this.#isBefore(this.#highest, values)) this.#highest = values;
    this.#kept.add({ item, key: values });
  }

  /** The page of all that was added. */
  pick(): PickedPage<T> {
    const { after, before } = this.#page;
    const page = pageOf(
      this.#page,
      this.#kept.take().map(({ item }) => item),
    );
    const start = page.first === null ? after : this.#sorting.sortValuesOf(page.first);
    const end = page.last === null ? before : this.#sorting.sortValuesOf(page.last);
    return {
      ...page,
      totalCount: this.#totalCount,
      isMoreBefore: start !== null && this.#lowest !== null && this.#isBefore(this.#lowest, start),
      isMoreAfter: end !== null && this.#highest !== null && this.#isBefore(end, this.#highest),
    };
  }

  /** Null stands for no place yet: everything is before and after it. */
  #isBefore(a: P | null, b: P | null): boolean {
    return a === null || b === null || this.#sorting.compare(a, b) < 0;
  }
}
