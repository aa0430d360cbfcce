/** Pages of unsorted items. */

import type { PageRequest } from './paging.ts';

interface Keyed<P> {
  /** Sort key. */
  readonly key: P;
}

/** Keeps the items of one page while items are added in any order. Holds little more than twice the page. */
export class PageWindow<T extends Keyed<P>, P> {
  readonly #compare: (a: P, b: P) => number;
  readonly #page: PageRequest<P>;
  #kept: T[] = [];
  /** Items at or beyond this key are not on the page. */
  #bound: P | null = null;

  /** @param compare never zero for different keys */
  constructor(page: PageRequest<P>, compare: (a: P, b: P) => number) {
    this.#compare = page.fromEnd ? (a, b) => compare(b, a) : compare;
    this.#page = page;
  }

  add(item: T): void {
    const { key } = item;
    const { limit, fromEnd, after, before } = this.#page;
    const [start, end] = fromEnd ? [before, after] : [after, before];
    if (start !== null && this.#compare(key, start) <= 0) return;
    if (end !== null && this.#compare(key, end) >= 0) return;
    if (this.#bound !== null && this.#compare(key, this.#bound) >= 0) return;
    this.#kept.push(item);
    // Sorting from time to time is cheaper than keeping the items sorted.
    if (this.#kept.length >= 2 * limit + 100) this.#cut();
  }

  /** Whether it has a full page. If items are added in page order, no more are needed. */
  get isFull(): boolean {
    return this.#kept.length >= this.#page.limit;
  }

  /** Ascending, even from the end. */
  take(): readonly T[] {
    this.#cut();
    return this.#page.fromEnd ? this.#kept.toReversed() : this.#kept;
  }

  #cut(): void {
    const { limit } = this.#page;
    this.#kept = this.#kept.sort((a, b) => this.#compare(a.key, b.key)).slice(0, limit);
    if (this.#kept.length === limit) this.#bound = this.#kept.at(-1)?.key ?? null;
  }
}
