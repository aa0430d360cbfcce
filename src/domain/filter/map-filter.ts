/** Filters of a member's maps (capabilities §8). */

import type { MapRecord } from '../map.ts';
import type { MapRole } from '../role.ts';
import { matchesSearch, readSearchQuery, searchedText } from './search-text.ts';

/** Filter input. Sibling conditions are ANDed; null means omitted. */
export interface MapFilterInput {
  readonly isDeleted?: boolean | null;
  readonly isPublished?: boolean | null;
  /** The role of whoever lists the maps. */
  readonly role?: MapRole | null;
  /** Words in the name. */
  readonly search?: string | null;
}

export type MapMatcher = (
  map: Pick<MapRecord, 'id' | 'name' | 'isDeleted' | 'isPublished' | 'members'>,
) => boolean;

/**
 * @param roleOn the role of whoever lists the maps
 * @param label name in error messages, e.g. `filter`
 * @returns null for a filter that matches everything
 * @throws ServiceError BAD_USER_INPUT naming the member, e.g. `filter.search`
 */
export function readMapFilter(
  { isDeleted = null, isPublished = null, role = null, search = null }: MapFilterInput,
  roleOn: (map: Pick<MapRecord, 'id' | 'members'>) => MapRole | null,
  label: string,
): MapMatcher | null {
  if (isDeleted === null && isPublished === null && role === null && search === null) return null;
  const query = search === null ? null : readSearchQuery(search, `${label}.search`);
  return (map) =>
    (isDeleted === null || map.isDeleted === isDeleted) &&
    (isPublished === null || map.isPublished === isPublished) &&
    (role === null || roleOn(map) === role) &&
    (query === null || matchesSearch(query, [searchedText(map.name)]));
}
