/**
 * What a map's list was like, in a few characters. The map's document has another version after every location that was
 * announced; a location that is changed keeps its place, and counts its own versions.
 */

import type { Collections } from './database.ts';
import { mergeRanges } from './sequence-ranges.ts';

/** Another after every change of the map's list; empty for a map that is not there. */
export async function readRevision(collections: Collections, mapId: string): Promise<string> {
  const map = await collections.maps.findOne({ _id: { $eq: mapId } }, { projection: { end: 1, count: 1 } });
  if (map === null) return '';
  const recorded = mergeRanges(map.count.open).map(({ from, to }) => ({
    sequence: { $gte: from, $lte: to },
  }));
  // One that is announced comes or goes at a time that the map's document does not tell.
  const present = recorded.length === 0 ? '' : await sumOf(collections, mapId, { $or: recorded }, 'sequence');
  const changed = await sumOf(collections, mapId, { version: { $gt: 1 } }, 'version');
  return [map.end.version, present, changed].join(' ');
}

const HINTS = { sequence: 'locations_by_sequence', version: 'locations_changed' } as const;

/** The number of the locations that match, the sum of a member of theirs, and that of its squares. */
async function sumOf(
  { locations }: Collections,
  mapId: string,
  match: Readonly<Record<string, unknown>>,
  member: keyof typeof HINTS,
): Promise<string> {
  const value = `$${member}`;
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
      { hint: HINTS[member] },
    )
    .toArray();
  return sums === undefined ? '' : `${sums.count},${sums.sum},${sums.squares}`;
}
