/** What the reader has chosen to see. */

import type { Box } from '../../src/web/basemap/box.ts';
import { toBbox } from '../../src/web/basemap/box.ts';
import { filterOf, foldedOf, knownCategoryOf } from './filters.ts';
import type { LocationList } from './location-list.svelte.ts';
import type { PageHours } from './opening-hours.svelte.ts';

export class Choices {
  search = $state('');
  /** A category, or what the reader typed of one; empty for all. */
  category = $state('');
  isOpenNow = $state(false);
  /** Box of a cluster that no zoom can split: only its locations are listed. */
  samePointBox = $state.raw<Box | null>(null);
  readonly #list: LocationList;
  readonly #hours: PageHours;

  /** Null for all locations. */
  readonly filter = $derived.by(() => {
    const { field, now } = this.#hours;
    return filterOf({
      search: this.search,
      category: this.category,
      categoryField: this.#list.categoryField,
      known: this.#list.knownCategories,
      valuesOf: this.#list.valuesOf,
      openAt: this.isOpenNow && field !== null ? { field, time: now } : null,
      bbox: this.samePointBox === null ? null : toBbox(this.samePointBox),
    });
  });

  /** @param parameters of the page's address */
  constructor(list: LocationList, hours: PageHours, parameters: URLSearchParams) {
    this.#list = list;
    this.#hours = hours;
    this.search = parameters.get('q') ?? '';
    this.category = parameters.get('category') ?? '';
  }

  /** The chosen category, or what the reader typed that is none; empty for all. */
  get knownCategory(): string {
    return knownCategoryOf(this.category, this.#list.knownCategories);
  }

  /** What the list is limited to, as a page that frames this one knows it. */
  get forHost(): { readonly text: string; readonly filters: { readonly category: string | null } } {
    const category = this.knownCategory;
    return { text: this.search.trim(), filters: { category: category === '' ? null : category } };
  }

  /**
   * Names the chosen category as the reader chooses it: by its label in the filter of a large map, whose text is edited,
   * else as one of all categories.
   */
  nameCategory(): void {
    const { categories, knownCategories } = this.#list;
    this.category =
      categories === null
        ? this.#list.labelOf(this.category)
        : knownCategoryOf(this.category, knownCategories, foldedOf);
  }

  clear(): void {
    this.search = '';
    this.category = '';
    this.isOpenNow = false;
    this.samePointBox = null;
  }
}
