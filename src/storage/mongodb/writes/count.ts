/**
 * The number of a map's locations, by how they were geocoded, kept in the map's document. No transaction changes both a
 * location and its map, so the map's document also names the locations that are being inserted, deleted or regrouped: an
 * entry of `open` has the sequence numbers of one write. A sequence number belongs to one location for ever. The invariant:
 *
 *   `settled` counts the locations that exist and that no entry names. No write inserts, deletes or regroups such a
 *   location.
 *
 * So the count is `settled` plus the locations that exist among those named, whatever a crash has left undone. Closing a
 * finished write removes its entry and adds what exists of it to `settled`. That keeps the entries few; the count is right
 * without it.
 */

import type { Document, ReadConcernLike } from 'mongodb';

import type { GeocodingCount } from '../../../domain/filter/geocoding-groups.ts';
import { sumOfGroups } from '../../../domain/filter/geocoding-groups.ts';
import type { GeocodingGroup } from '../../../domain/filter/geocoding-test.ts';
import { toGeocodingGroup } from '../locations/location-records.ts';
import type { Collections, ListCount, MapDocument, OpenWrite } from '../schema.ts';
import type { SequenceRange } from './sequence-ranges.ts';
import { isWithin, mergeRanges, subtractRanges } from './sequence-ranges.ts';

export const EMPTY_COUNT: ListCount = { settled: [], open: [] };

/** A location that exists. */
export interface Present {
  readonly sequence: number;
  readonly group: GeocodingGroup;
}

/**
 * Opens a write.
 *
 * @param present the locations that it names and that exist now
 */
export function countIntent(count: ListCount, write: OpenWrite, present: readonly Present[]): ListCount {
  const moved = present
    .filter(({ sequence }) => !isWithin(count.open, sequence))
    .map(({ group }) => ({ ...group, count: -1 }));
  return {
    settled: moved.length === 0 ? count.settled : sumOfGroups([...count.settled, ...moved]),
    open: [...count.open, write],
  };
}

/** The sequence numbers that these writes name and no other write does: closing them adds what exists of these. */
export function namedOnlyBy({ open }: ListCount, ids: ReadonlySet<string>): readonly SequenceRange[] {
  return subtractRanges(
    mergeRanges(open.filter(({ id }) => ids.has(id))),
    mergeRanges(open.filter(({ id }) => !ids.has(id))),
  );
}

/** @param present what exists now of {@link namedOnlyBy} */
export function closeWrites(
  { settled, open }: ListCount,
  ids: ReadonlySet<string>,
  present: readonly GeocodingCount[],
): ListCount {
  return {
    settled: sumOfGroups([...settled, ...present]),
    open: open.filter(({ id }) => !ids.has(id)),
  };
}

export function totalOf(counts: readonly GeocodingCount[]): number {
  return counts.reduce((sum, { count }) => sum + count, 0);
}

interface CountOptions {
  readonly readConcern?: ReadConcernLike;
  readonly maxTimeMS?: number;
}

/** The filter of the locations in these ranges; null for no range. */
function within(mapId: string, ranges: readonly SequenceRange[]): Document | null {
  const merged = mergeRanges(ranges);
  const single = merged.filter(({ from, to }) => from === to).map(({ from }) => from);
  // One scan of the index finds any number of single sequence numbers.
  const [first, ...others] = [
    ...(single.length === 0 ? [] : [{ sequence: { $in: single } }]),
    ...merged
      .filter(({ from, to }) => from !== to)
      .map(({ from, to }) => ({ sequence: { $gte: from, $lte: to } })),
  ];
  if (first === undefined) return null;
  return { mapId: { $eq: mapId }, ...(others.length === 0 ? first : { $or: [first, ...others] }) };
}

/** Counts the locations in these ranges, in one command. */
export async function countWithin(
  { locations }: Pick<Collections, 'locations'>,
  mapId: string,
  ranges: readonly SequenceRange[],
  options: CountOptions = {},
): Promise<number> {
  const filter = within(mapId, ranges);
  return filter === null
    ? 0
    : locations.countDocuments(filter, { ...options, hint: 'locations_by_sequence' });
}

/** As {@link countWithin}, by how the locations were geocoded. */
export async function groupsWithin(
  collections: Pick<Collections, 'locations'>,
  mapId: string,
  ranges: readonly SequenceRange[],
  options: CountOptions = {},
): Promise<readonly GeocodingCount[]> {
  const filter = within(mapId, ranges);
  if (filter === null) return [];
  return countGroups(collections, filter, { ...options, hint: 'locations_by_sequence' });
}

/** Counts all locations of a map, from an index alone. */
export async function groupsOfMap(
  collections: Pick<Collections, 'locations'>,
  mapId: string,
  options: CountOptions = {},
): Promise<readonly GeocodingCount[]> {
  const filter = { mapId: { $eq: mapId }, place: { $gt: '' } };
  return countGroups(collections, filter, { ...options, hint: 'locations_by_geocoding' });
}

const GROUP = {
  isChecked: '$isChecked',
  precision: '$precision',
  isAmbiguous: '$isAmbiguous',
  provider: '$provider',
};

export async function countGroups(
  { locations }: Pick<Collections, 'locations'>,
  filter: Document,
  options: CountOptions & { readonly hint?: string } = {},
): Promise<readonly GeocodingCount[]> {
  const found = await locations
    .aggregate<{ readonly _id: Parameters<typeof toGeocodingGroup>[0]; readonly count: number }>(
      [{ $match: filter }, { $group: { _id: GROUP, count: { $sum: 1 } } }],
      options,
    )
    .toArray();
  // An index says null where a document has no field, so a group may come twice.
  return sumOfGroups(found.map(({ _id, count }) => ({ ...toGeocodingGroup(_id), count })));
}

/** The number of a map's locations; 0 for an unknown map. */
export async function readCount(collections: Collections, mapId: string): Promise<number> {
  const map = await collections.maps.findOne({ _id: { $eq: mapId } }, { projection: { count: 1 } });
  return map === null ? 0 : countOf(collections, map);
}

/** The total number of locations of several maps. */
export async function readCounts(
  collections: Collections,
  mapIds: readonly string[],
  options: Pick<CountOptions, 'maxTimeMS'>,
): Promise<number> {
  const maps = await readMaps(collections, mapIds, options);
  let count = 0;
  for (const map of maps) count += await countOf(collections, map, options);
  return count;
}

/** The groups of each map's locations by how they were geocoded, by map id; unknown maps are absent. */
export async function readGroups(
  collections: Collections,
  mapIds: readonly string[],
  options: Pick<CountOptions, 'maxTimeMS'> = {},
): Promise<ReadonlyMap<string, readonly GeocodingCount[]>> {
  const groups = new Map<string, readonly GeocodingCount[]>();
  for (const { _id, count } of await readMaps(collections, mapIds, options)) {
    const named = await groupsWithin(collections, _id, count.open, options);
    groups.set(_id, named.length === 0 ? count.settled : sumOfGroups([...count.settled, ...named]));
  }
  return groups;
}

function readMaps(
  { maps }: Collections,
  mapIds: readonly string[],
  options: Pick<CountOptions, 'maxTimeMS'>,
): Promise<readonly Pick<MapDocument, '_id' | 'count'>[]> {
  return maps
    .find({ _id: { $in: [...mapIds] } }, { ...options, projection: { count: 1 }, hint: '_id_' })
    .toArray();
}

async function countOf(
  collections: Collections,
  { _id, count: { settled, open } }: Pick<MapDocument, '_id' | 'count'>,
  options: CountOptions = {},
): Promise<number> {
  return totalOf(settled) + (await countWithin(collections, _id, open, options));
}
