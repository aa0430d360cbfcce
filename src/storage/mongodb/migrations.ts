/**
 * Bringing older documents along. Each step may be done by several gateways at once and may be cut short: it changes what
 * it finds undone and leaves alone what is done. When all steps are done, the version is raised; only then does a gateway
 * serve. A gateway of an older release must not write meanwhile, nor later.
 */

import { hasJoinedLetters } from '../../domain/filter/joined-letters.ts';
import type { StorageNotice } from '../storage.ts';
import type { Database } from './database.ts';
import type { LocationDocument, MapDocument } from './documents.ts';
import { yieldIfDue } from '../../lib/cooperative-scheduler.ts';
import type { Unindexed } from './search/indexed.ts';
import { indexedOf, toIndexed } from './search/indexed.ts';
import { sequenceOf } from './stored-sort-key.ts';
import { NEWEST_VERSION, writeNewestVersion } from './schema-version.ts';

/** Documents changed by one command. */
const BATCH = 1_000;
/** Of whole locations, of which each may have 64 KB of properties, and more of terms. */
const LOCATIONS_AT_ONCE = 100;
/** Sequence numbers of which the locations are counted by one command. */
const COUNTED_AT_ONCE = 100_000;
/** From when on a migration says that it takes long. */
const LONG_MS = 1_000;

/** Tells now and then that it goes on. */
type Step = (database: Database, onProgress: () => void) => Promise<void>;

/**
 * Each with the version that it brings; a database that has it is not looked through again. The counts come after the
 * sequence numbers: they are right only where these can be found. What versions 3, 5 and 6 added is absent where there is
 * none.
 */
const STEPS: readonly { readonly brings: number; readonly run: Step }[] = [
  { brings: 2, run: addSequences },
  { brings: 2, run: addCounts },
  { brings: 4, run: addIndexed },
  { brings: 7, run: joinLetters },
];

/** @param onNotice told when it is done, and while it is where it takes longer than `longMs` */
export async function migrate(
  database: Database,
  version: number,
  onNotice: (notice: StorageNotice) => void,
  longMs = LONG_MS,
): Promise<void> {
  if (version === NEWEST_VERSION) return;
  const begun = performance.now();
  const told = { isLong: false };
  for (const { brings, run } of STEPS) {
    if (version >= brings) continue;
    await run(database, () => {
      if (told.isLong || performance.now() - begun < longMs) return;
      told.isLong = true;
      onNotice({
        level: 'info',
        message: `The database is being brought from version ${version} to ${NEWEST_VERSION}, which takes a while.`,
      });
    });
  }
  await database.run(writeNewestVersion);
  // A database that is new has none.
  if (version === 0) return;
  const seconds = ((performance.now() - begun) / 1000).toFixed(1);
  onNotice({
    level: 'info',
    message: `The database was brought from version ${version} to ${NEWEST_VERSION} in ${seconds} s.`,
  });
}

/** A location's sequence number was a part of its rank alone. */
async function addSequences(database: Database, onProgress: () => void): Promise<void> {
  for (let last = ''; ; onProgress()) {
    const found = await database.run(({ locations }) =>
      locations
        .find({ _id: { $gt: last }, place: { $gt: '' }, sequence: { $exists: false } })
        .sort({ _id: 1 })
        .hint('_id_')
        .limit(BATCH)
        .project<Pick<LocationDocument, '_id' | 'mapId' | 'place'>>({ mapId: 1, place: 1 })
        .toArray(),
    );
    const end = found.at(-1);
    if (end === undefined) return;
    await database.run(({ locations }) =>
      locations.bulkWrite(
        found.map(({ _id, mapId, place }) => ({
          // The rank too: what was deleted meanwhile has left a tombstone under the id.
          updateOne: { filter: { _id, mapId, place }, update: { $set: { sequence: sequenceOf(place) } } },
        })),
        { ordered: false },
      ),
    );
    last = end._id;
  }
}

/** A location was found by its ids alone. */
async function addIndexed(database: Database, onProgress: () => void): Promise<void> {
  for (let last = ''; ; onProgress()) {
    const found = await readUnindexed(database, last, { cell: { $exists: false } });
    const end = found.at(-1);
    if (end === undefined) return;
    await database.run(async ({ locations }) => {
      const updates = [];
      for (const document of found) {
        const { _id, mapId } = document;
        // Another gateway may serve by now: whatever changes a location gives it a cell, and a tombstone has no place.
        const filter = { _id, mapId, place: { $gt: '' }, cell: { $exists: false } };
        updates.push({ updateOne: { filter, update: { $set: indexedOf(toIndexed(document)) } } });
        await yieldIfDue();
      }
      await locations.bulkWrite(updates, { ordered: false });
    });
    last = end._id;
  }
}

/** An apostrophe between letters ended a word. All locations are read, but only those that hold one are written. */
async function joinLetters(database: Database, onProgress: () => void): Promise<void> {
  for (let last = ''; ; onProgress()) {
    const found = await readUnindexed(database, last);
    const end = found.at(-1);
    if (end === undefined) return;
    await database.run(async ({ locations }) => {
      const updates = [];
      for (const document of found) {
        const { _id, mapId, name, properties } = document;
        if (!hasJoinedLetters(name, properties)) continue;
        // Another gateway may serve by now: whatever changes these two gives the location its new terms.
        const filter = {
          _id,
          mapId,
          place: { $gt: '' },
          name: { $eq: name },
          properties: { $eq: properties },
        };
        const { terms } = indexedOf(toIndexed(document));
        updates.push({ updateOne: { filter, update: { $set: { terms } } } });
        await yieldIfDue();
      }
      if (updates.length > 0) await locations.bulkWrite(updates, { ordered: false });
    });
    last = end._id;
  }
}

/** The next locations by their ids, with what their terms are made of. */
function readUnindexed(
  database: Database,
  last: string,
  undone: { readonly cell?: { readonly $exists: false } } = {},
) {
  return database.run(({ locations }) =>
    locations
      .find({ _id: { $gt: last }, place: { $gt: '' }, ...undone })
      .sort({ _id: 1 })
      .hint('_id_')
      .limit(LOCATIONS_AT_ONCE)
      .project<Pick<LocationDocument, '_id' | 'mapId'> & Unindexed>({
        mapId: 1,
        name: 1,
        properties: 1,
        latitude: 1,
        longitude: 1,
      })
      .toArray(),
  );
}

/** A map's locations were counted whenever somebody asked. */
async function addCounts(database: Database, onProgress: () => void): Promise<void> {
  for (let last = ''; ;) {
    const found = await database.run(({ maps }) =>
      maps
        .find({ _id: { $gt: last }, count: { $exists: false } })
        .sort({ _id: 1 })
        .hint('_id_')
        .limit(BATCH)
        .project<Pick<MapDocument, '_id' | 'end'>>({ end: 1 })
        .toArray(),
    );
    for (const { _id: mapId, end } of found) {
      let settled = 0;
      // In pieces, none of which takes longer than a call may.
      for (let from = 1; from <= end.sequence; from += COUNTED_AT_ONCE) {
        settled += await countRange(database, mapId, from, from + COUNTED_AT_ONCE - 1);
        onProgress();
      }
      await database.run(({ maps }) =>
        // Another gateway may have counted first, and serve by now.
        maps.updateOne({ _id: mapId, count: { $exists: false } }, { $set: { count: { settled, open: [] } } }),
      );
      last = mapId;
      onProgress();
    }
    if (found.length < BATCH) return;
  }
}

function countRange(database: Database, mapId: string, from: number, to: number): Promise<number> {
  return database.run(({ locations }) =>
    locations.countDocuments(
      { mapId, sequence: { $gte: from, $lte: to } },
      { hint: 'locations_by_sequence' },
    ),
  );
}
