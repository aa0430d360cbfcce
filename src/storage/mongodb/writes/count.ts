/**
 * The number of a map's locations, kept in the map's document. No transaction changes both a location and its map, so the
 * map's document also names the locations that are being inserted or deleted: an entry of `open` has the sequence numbers
 * of one write. A sequence number belongs to one location for ever. The invariant:
 *
 *   `settled` is the number of locations that exist and that no entry names. Such a location is not inserted or deleted.
 *
 * So the count is `settled` plus the number of locations that exist among those named, whatever a crash has left undone.
 * Closing a finished write removes its entry and adds what exists of it to `settled`. That keeps the entries few; the count
 * is right without it.
 */

import type { ReadConcernLike } from 'mongodb';

import type { Collections, ListCount, MapDocument, OpenWrite } from '../schema.ts';
import type { SequenceRange } from './sequence-ranges.ts';
import { isWithin, mergeRanges, subtractRanges } from './sequence-ranges.ts';

export const EMPTY_COUNT: ListCount = { settled: 0, open: [] };

/**
 * Opens a write.
 *
 * @param present its sequence numbers that exist now
 */
export function countIntent(count: ListCount, write: OpenWrite, present: readonly number[]): ListCount {
  const moved = present.filter((sequence) => !isWithin(count.open, sequence)).length;
  return { settled: count.settled - moved, open: [...count.open, write] };
}

/** The sequence numbers that these writes name and no other write does: closing them adds what exists of these. */
export function namedOnlyBy({ open }: ListCount, ids: ReadonlySet<string>): readonly SequenceRange[] {
  return subtractRanges(
    mergeRanges(open.filter(({ id }) => ids.has(id))),
    mergeRanges(open.filter(({ id }) => !ids.has(id))),
  );
}

/** @param present how many sequence numbers of {@link namedOnlyBy} exist now */
export function closeWrites(
  { settled, open }: ListCount,
  ids: ReadonlySet<string>,
  present: number,
): ListCount {
  return { settled: settled + present, open: open.filter(({ id }) => !ids.has(id)) };
}

interface CountOptions {
  readonly readConcern?: ReadConcernLike;
  readonly maxTimeMS?: number;
}

/** Counts the locations in these ranges, in one command. */
export async function countWithin(
  { locations }: Pick<Collections, 'locations'>,
  mapId: string,
  ranges: readonly SequenceRange[],
  options: CountOptions = {},
): Promise<number> {
  const [first, ...others] = mergeRanges(ranges).map(({ from, to }) => ({
    sequence: { $gte: from, $lte: to },
  }));
  if (first === undefined) return 0;
  const within = others.length === 0 ? first : { $or: [first, ...others] };
  return locations.countDocuments(
    { mapId: { $eq: mapId }, ...within },
    { ...options, hint: 'locations_by_sequence' },
  );
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
  const maps = await collections.maps
    .find({ _id: { $in: [...mapIds] } }, { ...options, projection: { count: 1 }, hint: '_id_' })
    .toArray();
  let count = 0;
  for (const map of maps) count += await countOf(collections, map, options);
  return count;
}

async function countOf(
  collections: Collections,
  { _id, count: { settled, open } }: Pick<MapDocument, '_id' | 'count'>,
  options: CountOptions = {},
): Promise<number> {
  return settled + (await countWithin(collections, _id, open, options));
}
