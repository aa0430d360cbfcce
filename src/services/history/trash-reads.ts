/** Which deleted locations of a map to list. */

import { locationMatcher } from '../../domain/filter/matcher.ts';
import { readSearchQuery } from '../../domain/filter/search-text.ts';
import { isLocationIdOf, timeOfHistoryId } from '../../domain/ids.ts';
import type { MapRecord } from '../../domain/map.ts';
import { badUserInput } from '../../errors.ts';
import type { Storage, TrashedLocation, TrashKey } from '../../storage/storage.ts';
import type { Scope } from '../scope.ts';

export interface TrashPage {
  readonly limit: number;
  readonly after: TrashKey | null;
}

/** Null members match everything. */
export interface TrashFilterInput {
  /** Words of names and texts. */
  readonly search?: string | null | undefined;
  readonly ids?: readonly string[] | null | undefined;
}

const MAX_IDS = 1_000;

/**
 * The last ones first.
 *
 * @param deletedSince milliseconds since the epoch; infinity for none
 * @throws ServiceError BAD_USER_INPUT
 */
export async function readTrash(
  storage: Storage,
  scope: Scope,
  map: MapRecord,
  page: TrashPage,
  { search = null, ids = null }: TrashFilterInput,
  deletedSince: number,
): Promise<readonly TrashedLocation[]> {
  const query = search === null ? null : readSearchQuery(search, 'search');
  const matches = query === null ? null : locationMatcher({ kind: 'search', query }, map.fields);
  if (ids !== null && (ids.length < 1 || ids.length > MAX_IDS)) {
    throw badUserInput(`ids has ${ids.length} items; 1 to ${MAX_IDS} are allowed.`);
  }
  if (deletedSince === Number.POSITIVE_INFINITY) return [];
  if (ids === null) return storage.listTrash(map.id, page, { deletedSince, matches }, scope);
  const wanted = [...new Set(ids)].filter((id) => isLocationIdOf(map.id, id));
  const found = (await storage.findTrashed(map.id, wanted, scope)).filter((one) => one !== null);
  const end = page.after === null ? null : `${page.after.deletedBy} ${page.after.locationId}`;
  return found
    .filter((one) => timeOfHistoryId(one.deletedBy) >= deletedSince && (end === null || keyOf(one) < end))
    .filter(({ location }) => matches === null || matches(location))
    .toSorted((a, b) => (keyOf(a) < keyOf(b) ? 1 : -1))
    .slice(0, page.limit);
}

/** Sorts as the store does. */
function keyOf({ deletedBy, location: { id } }: TrashedLocation): string {
  return `${deletedBy} ${id}`;
}
