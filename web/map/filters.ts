/** The filter that the reader's choices make. */

import { searchOf } from '../shared/search-text.ts';
import type { BboxInput, LocationFilter } from './generated/operations.ts';

export interface Choices {
  readonly search: string;
  /** The name of the map's category field; null where it has none. */
  readonly categoryField: string | null;
  readonly category: string;
  /** Categories that were seen: one of them is meant as it is, anything else as a beginning. */
  readonly seenCategories: readonly string[];
  /** Where several locations stand in one place, and only they are listed. */
  readonly place: BboxInput | null;
}

/** Null lets everything through. */
export function filterOf(choices: Choices): LocationFilter | null {
  const { search, categoryField, category, seenCategories, place } = choices;
  const parts: LocationFilter[] = [];
  const words = searchOf(search);
  if (words !== null) parts.push({ search: words });
  if (categoryField !== null && category.trim() !== '') {
    parts.push({ property: categoryFilter(categoryField, category.trim(), seenCategories) });
  }
  if (place !== null) parts.push({ bbox: place });
  if (parts.length > 1) return { and: parts };
  return parts[0] ?? null;
}

function categoryFilter(name: string, category: string, seen: readonly string[]) {
  return seen.includes(category) ? { name, eq: category } : { name, prefix: category };
}
