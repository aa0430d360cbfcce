/** Pages of unsorted items, with a total count. */

import { PageWindow } from './page-window.ts';
import type { PageRequest } from './paging.ts';
import type { Page } from './pages.ts';
import { pageOf } from './pages.ts';

/** A page of a list that was read completely. */
export interface PickedPage<T> extends Page<T> {
  readonly totalCount: number;
  /** Whether there are items before the page, or after it; for an empty page, before or after its range. */
  readonly isMoreBefore: boolean;
  readonly isMoreAfter: boolean;
}

export interface Sorting<T, P> {
  readonly sortValuesOf: (item: T) => P;
  /** Never zero for different items. */
  readonly compare: (a: P, b: P) => number;
}

/** Collects one page while items are added in any order. */
export class PagePicker<T, P> {
  readonly #page: PageRequest<P>;
  readonly #sorting: Sorting<T, P>;
  readonly #window: PageWindow<{ readonly item: T; readonly key: P }, P>;
  #totalCount = 0;
  #lowest: P | null = null;
  #highest: P | null = null;

  constructor(page: PageRequest<P>, sorting: Sorting<T, P>) {
    this.#page = page;
    this.#sorting = sorting;
    // One more item shows whether there is a next page.
    this.#window = new PageWindow({ ...page, limit: page.limit + 1 }, sorting.compare);
  }

  add(item: T): void {
    const values = this.#sorting.sortValuesOf(item);
    this.#totalCount += 1;
    if (this.#isBefore(values, this.#lowest)) this.#lowest = values;
    if (this.#isBefore(this.#highest, values)) this.#highest = values;
    this.#window.add({ item, key: values });
  }

  /** The page of all items added so far. */
  pick(): PickedPage<T> {
    const { after, before } = this.#page;
    const page = pageOf(
      this.#page,
      this.#window.take().map(({ item }) => item),
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

  /** Null is before and after everything. */
  #isBefore(a: P | null, b: P | null): boolean {
    return a === null || b === null || this.#sorting.compare(a, b) < 0;
  }
}
