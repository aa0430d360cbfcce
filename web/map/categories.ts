/** The categories of a map's locations, for the public page and the console. */

import { textOf } from '../shared/field-values.ts';
import type { Properties } from '../shared/properties.ts';
import { valueOf } from '../shared/properties.ts';
import type { CategoryMark } from './category-marks.ts';
import { marksOf, OTHER_MARK } from './category-marks.ts';

/** Characters. Of longer texts no list is made. */
const MAX_LENGTH = 200;

export function categoryFieldOf(
  fields: readonly { readonly name: string; readonly type: string }[],
): string | null {
  return fields.find(({ type }) => type === 'category')?.name ?? null;
}

/** Empty where it has none. */
export function categoryOf(properties: Properties, field: string | null): string {
  return field === null ? '' : textOf(valueOf(properties, field) ?? '');
}

/** The different ones, in order of their names. */
export function namesOf(categories: Iterable<string>): readonly string[] {
  const names = new Set(categories);
  return [...names]
    .filter((name) => name !== '' && name.length <= MAX_LENGTH)
    .toSorted((a, b) => a.localeCompare(b));
}

/** The categories of a map whose locations are all known. */
export class Categories {
  /** How many locations there are of each, in order of their names. */
  readonly counts: ReadonlyMap<string, number>;
  /** Of those with the most locations. None where there is nothing to tell apart. */
  readonly marks: ReadonlyMap<string, CategoryMark>;
  readonly #ofLocations: ReadonlyMap<string, string>;

  /** @param ofLocations by their ids; empty for those that have none */
  constructor(ofLocations: ReadonlyMap<string, string>) {
    this.#ofLocations = ofLocations;
    const counts = new Map(namesOf(ofLocations.values()).map((name) => [name, 0]));
    for (const name of ofLocations.values()) {
      const count = counts.get(name);
      if (count !== undefined) counts.set(name, count + 1);
    }
    this.counts = counts;
    this.marks = counts.size > 1 ? marksOf(counts) : new Map();
  }

  /** Whether there are locations whose category has no mark of its own. */
  get hasOthers(): boolean {
    return [...this.#ofLocations.values()].some((name) => !this.marks.has(name));
  }

  /** Null where categories have no marks, or the location is none of those that are known. */
  markOf(locationId: string): CategoryMark | null {
    const name = this.#ofLocations.get(locationId);
    return name === undefined ? null : this.markOfCategory(name);
  }

  /** Null where categories have no marks. */
  markOfCategory(name: string): CategoryMark | null {
    return this.marks.size === 0 ? null : (this.marks.get(name) ?? OTHER_MARK);
  }
}
