/** Pages of what comes in another sequence than it is sorted by. */

import type { PageRequest } from './paging.ts';

interface Keyed<P> {
  /** Where it stands. */
  readonly key: P;
}

/** Keeps the page of all that it is shown, in whatever sequence that comes. It holds little more than twice the page. */
export class PageWindow<T extends Keyed<P>, P> {
  readonly #compare: (a: P, b: P) => number;
  readonly #page: PageRequest<P>;
  #kept: T[] = [];
  /** What is not before this one, seen from the page's beginning, is not on the page. */
  #bound: P | null = null;

  /** @param compare of no two keys is it zero */
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
    // Sorting now and then costs less than keeping the list sorted.
    if (this.#kept.length >= 2 * limit + 100) this.#cut();
  }

  /** Whether it holds as many as a page has. Shown in the order in which the page is filled, it needs no more. */
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
