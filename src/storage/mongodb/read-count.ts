/** Counting the locations that a map's document names, and with them all of a map's. */

import type { ReadConcernLike } from 'mongodb';

import type { Collections } from './database.ts';
import type { MapDocument } from './documents.ts';
import type { SequenceRange } from './sequence-ranges.ts';
import { mergeRanges } from './sequence-ranges.ts';

interface CountOptions {
  readonly readConcern?: ReadConcernLike;
  readonly maxTimeMS?: number;
}

/** How many locations there are within these ranges. The server counts, and one command asks for all of them. */
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

/** The number of a map's locations; 0 for a map that is not there. */
export async function readCount(collections: Collections, mapId: string): Promise<number> {
  const map = await collections.maps.findOne({ _id: { $eq: mapId } }, { projection: { count: 1 } });
  return map === null ? 0 : countOf(collections, map);
}

/** The number of several maps' locations together. */
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
