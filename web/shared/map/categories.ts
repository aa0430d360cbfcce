/** The categories of a map's locations, for the public page and the console. */

import { countCategories } from '../../../src/domain/categories.ts';
import type { CategoryMark } from './category-marks.ts';
import { marksOf, OTHER_MARK } from './category-marks.ts';
import type { MarkedLocation } from './map-features.ts';

export function categoryFieldOf(
  fields: readonly { readonly name: string; readonly type: string }[],
): string | null {
  return fields.find(({ type }) => type === 'category')?.name ?? null;
}

/** The marks that a map shows. */
export interface CategoryMarks {
  /** By category, in the order of the legend; empty for none. */
  readonly marks: ReadonlyMap<string, CategoryMark>;
  /** Whether any location has no category, or one without a mark. */
  readonly hasOthers: boolean;
  /** Null if categories have no marks or the location is unknown. */
  markOf(location: Pick<MarkedLocation, 'id' | 'properties'>): CategoryMark | null;
  /** Null if categories have no marks. */
  markOfCategory(name: string): CategoryMark | null;
}

/** The map's own labels, colours and icons of categories. */
export interface CategoryStyles {
  /** By category, in the order of the legend. */
  readonly labels: ReadonlyMap<string, string>;
  /** Adds the numbers of categories with the same label, for the first of them. */
  merge(counts: ReadonlyMap<string, number>): ReadonlyMap<string, number>;
  /** @param counts number of locations by category */
  readonly marksOf: typeof marksOf;
  /** For a map whose locations are not all loaded; null if no category has a colour or an icon. */
  marksOfLargeMap(field: string): CategoryMarks | null;
}

/** The categories of a map whose locations are all loaded. */
export class Categories implements CategoryMarks {
  /** Number of locations by category, in alphabetical order. */
  readonly counts: ReadonlyMap<string, number>;
  /** Marks of the most frequent categories; empty if there are fewer than two categories. */
  readonly marks: ReadonlyMap<string, CategoryMark>;
  readonly #ofLocations: ReadonlyMap<string, string>;

  /** @param ofLocations categories by location id; empty text for none */
  constructor(ofLocations: ReadonlyMap<string, string>, styles: CategoryStyles | null = null) {
    this.#ofLocations = ofLocations;
    const counts = countCategories([...ofLocations.values()]);
    this.counts = styles === null ? counts : styles.merge(counts);
    const assign = styles?.marksOf ?? marksOf;
    this.marks = counts.size > 1 ? assign(counts) : new Map();
  }

  get hasOthers(): boolean {
    return [...this.#ofLocations.values()].some((name) => !this.marks.has(name));
  }

  markOf({ id }: Pick<MarkedLocation, 'id'>): CategoryMark | null {
    const name = this.#ofLocations.get(id);
    return name === undefined ? null : this.markOfCategory(name);
  }

  markOfCategory(name: string): CategoryMark | null {
    return this.marks.size === 0 ? null : (this.marks.get(name) ?? OTHER_MARK);
  }
}
