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

/** The category as text; empty if the location has none. */
export function categoryOf(properties: Readonly<Record<string, unknown>>, field: string | null): string {
  const value = field !== null && Object.hasOwn(properties, field) ? properties[field] : null;
  if (typeof value === 'string') return value.trim();
  return value === null || value === undefined ? '' : JSON.stringify(value);
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
