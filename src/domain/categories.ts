/** The categories of locations: the values of a map's category field as text, and the colours that pages give them. */

import type { Color } from './accent.ts';

/** Characters. Longer texts are not listed. */
const MAX_LENGTH = 200;

/** For the most frequent categories without a colour of their own. Light pages have them as `--category-1` and so on. */
export const CATEGORY_COLORS: readonly Color[] = [
  '#0077b8',
  '#ef0513',
  '#006b5c',
  '#b93185',
  '#5c7a00',
  '#332187',
  '#47424d',
];

/** Pages assign colours only on maps with at most this many locations, since they count the categories of all. */
export const MAX_COUNTED = 100;

/** A value that is a category. Filters can require no others. */
export type CategoryValue = string | number | boolean;

/** Null if the location has none. */
export function categoryValueOf(
  properties: Readonly<Record<string, unknown>>,
  field: string | null,
): CategoryValue | null {
  const value = field !== null && Object.hasOwn(properties, field) ? properties[field] : null;
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null;
}

/** The category as text; empty if the location has none. */
export function categoryOf(properties: Readonly<Record<string, unknown>>, field: string | null): string {
  return String(categoryValueOf(properties, field) ?? '').trim();
}

/** A text, and the number or boolean that looks the same. */
export function spellingsOf(text: string): readonly CategoryValue[] {
  if (text === 'true' || text === 'false') return [text, text === 'true'];
  const number = Number(text);
  return text !== '' && String(number) === text && Number.isFinite(number) ? [text, number] : [text];
}

/** The values that are the category: its spellings, and those of the locations, which may have spaces around them. */
export function valuesOf(
  category: string,
  ofLocations: Iterable<CategoryValue | null>,
): readonly CategoryValue[] {
  const values = new Set(spellingsOf(category));
  for (const value of ofLocations)
    if (typeof value === 'string' && value.trim() === category) values.add(value);
  return [...values];
}

/** Distinct names in alphabetical order. */
export function namesOf(categories: Iterable<string>): readonly string[] {
  const names = new Set(categories);
  return [...names]
    .filter((name) => name !== '' && name.length <= MAX_LENGTH)
    .toSorted((a, b) => a.localeCompare(b));
}

/** Number of locations by category, in alphabetical order. */
export function countCategories(categories: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map(namesOf(categories).map((name) => [name, 0]));
  for (const name of categories) {
    const count = counts.get(name);
    if (count !== undefined) counts.set(name, count + 1);
  }
  return counts;
}

/** The categories with the most locations, in the order of `counts`. */
export function mostFrequent(counts: ReadonlyMap<string, number>, max: number): readonly string[] {
  const frequent = [...counts].toSorted(([, a], [, b]) => b - a).slice(0, max);
  const chosen = new Set(frequent.map(([category]) => category));
  return [...counts.keys()].filter((category) => chosen.has(category));
}
