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
  /** Categories that have a colour. */
  readonly colored: ReadonlySet<string>;
  /** @param assigned the mark of the category without its style; undefined for none */
  markOf(category: string, assigned: CategoryMark | undefined): CategoryMark | undefined;
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
    this.counts = counts;
    this.marks = counts.size > 1 ? styledMarksOf(counts, styles) : new Map();
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

function styledMarksOf(
  counts: ReadonlyMap<string, number>,
  styles: CategoryStyles | null,
): ReadonlyMap<string, CategoryMark> {
  if (styles === null) return marksOf(counts);
  const assigned = marksOf(new Map([...counts].filter(([name]) => !styles.colored.has(name))));
  const names = new Set([...[...styles.labels.keys()].filter((name) => counts.has(name)), ...counts.keys()]);
  const marks = new Map<string, CategoryMark>();
  for (const name of names) {
    const mark = styles.markOf(name, assigned.get(name));
    if (mark !== undefined) marks.set(name, mark);
  }
  return marks;
}
