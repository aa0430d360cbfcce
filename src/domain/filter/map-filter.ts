/** Filters of an owner's maps (capabilities §8). */

import type { MapRecord } from '../map.ts';
import { matchesSearch, readSearchQuery, searchedText } from './search-text.ts';

/** Filter input. Sibling conditions are ANDed; null means omitted. */
export interface MapFilterInput {
  readonly isDeleted?: boolean | null;
  readonly isPublished?: boolean | null;
  /** Words in the name. */
  readonly search?: string | null;
}

export type MapMatcher = (map: Pick<MapRecord, 'name' | 'isDeleted' | 'isPublished'>) => boolean;

/**
 * @param label name in error messages, e.g. `filter`
 * @returns null for a filter that matches everything
 * @throws ServiceError BAD_USER_INPUT naming the member, e.g. `filter.search`
 */
export function readMapFilter(
  { isDeleted = null, isPublished = null, search = null }: MapFilterInput,
  label: string,
): MapMatcher | null {
  if (isDeleted === null && isPublished === null && search === null) return null;
  const query = search === null ? null : readSearchQuery(search, `${label}.search`);
  return (map) =>
    (isDeleted === null || map.isDeleted === isDeleted) &&
    (isPublished === null || map.isPublished === isPublished) &&
    (query === null || matchesSearch(query, [searchedText(map.name)]));
}
