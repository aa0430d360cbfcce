/** Whether a map's number of locations is right: the rule of list-count.ts. */

import type { Finding, Unlooked } from '../../examination.ts';
import { REBUILD } from '../../examination.ts';
import type { Database } from '../database.ts';
import type { MapDocument } from '../documents.ts';
import { mergeRanges } from '../sequence-ranges.ts';

const ATTEMPTS = 5;

/** What nobody writes just now is counted; where the map was changed meanwhile, that is done again. */
export async function* findWrongTotal(database: Database, mapId: string): AsyncGenerator<Finding | Unlooked> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const before = await readMap(database, mapId);
    if (before === null) return;
    const settled = await countSettled(database, before);
    if (settled === before.count.settled) return;
    const after = await readMap(database, mapId);
    if (after?.end.version !== before.end.version) continue;
    yield {
      check: 'totals',
      message: `The map ${mapId} says that it has ${before.count.settled} locations that nobody writes, and has ${settled}.`,
      remedy: REBUILD,
    };
    return;
  }
  yield {
    check: 'totals',
    unlooked: `The map ${mapId} is being written all the time: its total was not looked at.`,
  };
}

function readMap(
  database: Database,
  mapId: string,
): Promise<Pick<MapDocument, '_id' | 'end' | 'count'> | null> {
  return database.run(({ maps }) => maps.findOne({ _id: mapId }, { projection: { end: 1, count: 1 } }));
}

function countSettled(
  database: Database,
  { _id: mapId, count }: Pick<MapDocument, '_id' | 'count'>,
): Promise<number> {
  const open = mergeRanges(count.open).map(({ from, to }) => ({ sequence: { $gte: from, $lte: to } }));
  return database.run(({ locations }) =>
    locations.countDocuments({
      mapId,
      place: { $gt: '' },
      ...(open.length === 0 ? {} : { $nor: open }),
    }),
  );
}
