/** Makes a filter of the reader's choices. */

import type { CategoryValue } from '../../src/domain/categories.ts';
import { spellingsOf } from '../../src/domain/categories.ts';
import { searchOf, withoutMarks } from '../shared/text.ts';
import type { BboxInput, LocationFilter, NearInput } from './generated/operations.ts';

export interface FilterChoices {
  readonly search: string;
  /** Name of the category field, or null if the map has none. */
  readonly categoryField: string | null;
  /** A known category or its label, which match exactly, or the beginning of one. */
  readonly category: string;
  readonly known: KnownCategories;
  /** The values that are a category. */
  readonly valuesOf: (category: string) => readonly CategoryValue[];
  readonly bbox: BboxInput | null;
  /** The field of opening hours, and a time in milliseconds since the epoch; null for any hours. */
  readonly openAt: { readonly field: string; readonly time: number } | null;
}

/** The label of each known category, which may be the category itself. */
export type KnownCategories = ReadonlyMap<string, string>;

/** Null matches all locations. */
export function filterOf(choices: FilterChoices): LocationFilter | null {
  const { search, categoryField, category, bbox, openAt } = choices;
  const parts: LocationFilter[] = [];
  const text = searchOf(search);
  if (text !== null) parts.push({ search: text });
  if (categoryField !== null && category.trim() !== '') {
    parts.push(categoryFilter(categoryField, category, choices));
  }
  if (openAt !== null) {
    parts.push({ property: { name: openAt.field, openAt: new Date(openAt.time).toISOString() } });
  }
  if (bbox !== null) parts.push({ bbox });
  if (parts.length > 1) return { and: parts };
  return parts[0] ?? null;
}

/** Half the circumference of the Earth in metres: no location is farther. */
const EVERYWHERE = 20_037_508;

/** Adds a circle with all locations, whose center they can be ordered by. */
export function withCenter(filter: LocationFilter | null, center: Omit<NearInput, 'radius'>): LocationFilter {
  const near: LocationFilter = { near: { ...center, radius: EVERYWHERE } };
  return filter === null ? near : { and: [filter, near] };
}

/**
 * The category that a text is or labels, or else the text. Of several with the same label, the first.
 *
 * @param fold makes names equal that count as the same
 */
export function knownCategoryOf(
  text: string,
  known: KnownCategories,
  fold: (name: string) => string = String,
): string {
  const trimmed = text.trim();
  const isSame = (name: string) => fold(name) === fold(trimmed);
  const label = known.get(trimmed) ?? [...known].find((names) => names.some(isSame))?.[1];
  return [...known].find((names) => names[1] === label)?.[0] ?? trimmed;
}

function categoryFilter(
  name: string,
  text: string,
  { known, valuesOf }: Pick<FilterChoices, 'known' | 'valuesOf'>,
): LocationFilter {
  const category = knownCategoryOf(text, known);
  const oneOf = (values: readonly CategoryValue[]): LocationFilter => ({
    property: { name, in: values.slice(0, MAX_VALUES) },
  });
  const valuesOfLabels = (test: (label: string) => boolean) =>
    [...known].flatMap(([one, label]) => (test(label) ? valuesOf(one) : []));
  if (known.has(category)) return oneOf(valuesOfLabels((label) => label === known.get(category)));
  const labelled = valuesOfLabels((label) => foldedOf(label).startsWith(foldedOf(category)));
  // Only texts have a prefix.
  const [, ...others] = spellingsOf(category);
  const byPrefix: LocationFilter = { property: { name, prefix: category } };
  const values = [...labelled, ...others];
  return values.length === 0 ? byPrefix : { or: [byPrefix, oneOf(values)] };
}

/** Of the API's `in`. */
const MAX_VALUES = 100;

/** Without case and accents, as the API compares prefixes. */
export function foldedOf(text: string): string {
  return withoutMarks(text).toLowerCase();
}
