/** Reads of a map's list: pages, single positions, locations by id, and the revision. */

import type { Filter, FindOptions } from 'mongodb';

import type { PageRequest } from '../../../domain/paging/paging.ts';
import type { LocationRecord } from '../../../domain/location.ts';
import type { SortKey } from '../../../domain/list/sort-key.ts';
import type { LocationDocument, StoredLocation } from './location-records.ts';
import { isLive, toLocation, toStoredSortKey, WITHOUT_INDEXED } from './location-records.ts';
import type { Collections } from '../schema.ts';
import { mergeRanges } from '../writes/sequence-ranges.ts';

/** The options of a read of the list. */
export type ListReads = Pick<FindOptions, 'readConcern'>;

/** The filter of a range of a map's list. */
export function rangeOf(
  mapId: string,
  { after, before }: Pick<PageRequest<SortKey>, 'after' | 'before'>,
): Filter<StoredLocation> {
  // The empty string precedes every stored sort key, and excludes tombstones, which have none.
  return {
    mapId: { $eq: mapId },
    place: {
      $gt: after === null ? '' : toStoredSortKey(after),
      ...(before === null ? {} : { $lt: toStoredSortKey(before) }),
    },
  };
}

export async function listLocations(
  { locations }: Collections,
  mapId: string,
  { after, before, limit, fromEnd }: PageRequest<SortKey>,
  reads: ListReads,
): Promise<readonly LocationRecord[]> {
  const found = await locations
    .find(rangeOf(mapId, { after, before }), reads)
    .project<StoredLocation>(WITHOUT_INDEXED)
    .sort({ place: fromEnd ? -1 : 1 })
    .hint('locations_in_order')
    .limit(limit)
    .toArray();
  const page = found.filter(isLive).map(toLocation);
  return fromEnd ? page.reverse() : page;
}

/** @param skipped the number of locations before it, from either end of the list */
export async function locationAt(
  { locations }: Collections,
  mapId: string,
  { skipped, fromEnd }: { readonly skipped: number; readonly fromEnd: boolean },
  reads: ListReads,
): Promise<LocationRecord | null> {
  const [found] = await locations
    .find(rangeOf(mapId, { after: null, before: null }), reads)
    .project<StoredLocation>(WITHOUT_INDEXED)
    .sort({ place: fromEnd ? -1 : 1 })
    .hint('locations_in_order')
    .skip(skipped)
    .limit(1)
    .toArray();
  return found !== undefined && isLive(found) ? toLocation(found) : null;
}

export async function hasLocations(
  { locations }: Collections,
  mapId: string,
  range: Pick<PageRequest<SortKey>, 'after' | 'before'>,
): Promise<boolean> {
  const found = await locations.findOne(rangeOf(mapId, range), {
    hint: 'locations_in_order',
    projection: { _id: 0, place: 1 },
  });
  return found !== null;
}

/** The existing locations among these, by id. */
export async function findLocations(
  { locations }: Pick<Collections, 'locations'>,
  mapId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, LocationDocument>> {
  if (ids.length === 0) return new Map();
  const found = await locations
    .find({ mapId: { $eq: mapId }, _id: { $in: [...new Set(ids)] } })
    .project<StoredLocation>(WITHOUT_INDEXED)
    .hint('_id_')
    .toArray();
  return new Map(found.filter(isLive).map((document) => [document._id, document]));
}

/**
 * A short text that differs after every change of the map's list; empty for an unknown map. The version in the map's
 * document covers writes that are done; sums over locations cover open writes and updates.
 */
export async function readRevision(collections: Collections, mapId: string): Promise<string> {
  const map = await collections.maps.findOne({ _id: { $eq: mapId } }, { projection: { end: 1, count: 1 } });
  if (map === null) return '';
  const open = mergeRanges(map.count.open).map(({ from, to }) => ({
    sequence: { $gte: from, $lte: to },
  }));
  // The map's document does not change when an open write inserts or deletes its locations.
  const present = open.length === 0 ? '' : await sumOf(collections, mapId, { $or: open }, 'sequence');
  const changed = await sumOf(collections, mapId, { version: { $gt: 1 } }, 'version');
  return [map.end.version, present, changed].join(' ');
}

const HINTS = { sequence: 'locations_by_sequence', version: 'locations_changed' } as const;

/** The number of matching locations, with the sum of a field and the sum of its squares. */
async function sumOf(
  { locations }: Collections,
  mapId: string,
  match: Readonly<Record<string, unknown>>,
  field: keyof typeof HINTS,
): Promise<string> {
  const value = `$${field}`;
  const [sums] = await locations
    .aggregate<{ count: number; sum: number; squares: number }>(
      [
        { $match: { mapId: { $eq: mapId }, ...match } },
        {
          $group: {
            _id: null,
            count: { $sum: 1 },
            sum: { $sum: value },
            squares: { $sum: { $multiply: [value, value] } },
          },
        },
      ],
      { hint: HINTS[field] },
    )
    .toArray();
  return sums === undefined ? '' : `${sums.count},${sums.sum},${sums.squares}`;
}
