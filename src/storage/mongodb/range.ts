/** The filter that a page of a map's list is read with. */

import type { Filter } from 'mongodb';

import type { PageRequest } from '../../domain/paging/paging.ts';
import type { SortKey } from '../../domain/list/sort-key.ts';
import type { LocationDocument, TombstoneDocument } from './documents.ts';
import { toStoredSortKey } from './stored-sort-key.ts';

export function rangeOf(
  mapId: string,
  { after, before }: Pick<PageRequest<SortKey>, 'after' | 'before'>,
): Filter<LocationDocument | TombstoneDocument> {
  // The empty string is before every rank, and keeps tombstones out, which have none.
  return {
    mapId: { $eq: mapId },
    place: {
      $gt: after === null ? '' : toStoredSortKey(after),
      ...(before === null ? {} : { $lt: toStoredSortKey(before) }),
    },
  };
}
