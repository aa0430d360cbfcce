/**
 * Migrates older documents. Several gateways may run a step at once, and a step may be interrupted: it changes only what is
 * not migrated yet. The version is raised after the last step; only then does a gateway serve. Gateways of an older release
 * must not write during a migration or after it.
 */

import type { GeocodingCount } from '../../domain/filter/geocoding-groups.ts';
import { sumOfGroups } from '../../domain/filter/geocoding-groups.ts';
import { hasJoinedLetters } from '../../domain/filter/joined-letters.ts';
import { yieldIfDue } from '../../lib/cooperative-scheduler.ts';
import { IncompatibleStorageError } from '../incompatible.ts';
import type { StorageNotice } from '../storage.ts';
import type { Database } from './database.ts';
import { isDuplicateKey, isMissingIndex } from './errors.ts';
import { creatorOf } from '../../domain/members.ts';
import type { LocationDocument, Unindexed } from './locations/location-records.ts';
import { putLogo } from './logos.ts';
import { toMemberDocument } from './maps.ts';
import { indexedOf, sequenceOf, toIndexed } from './locations/location-records.ts';
import type { Collections, ListCount, MapDocument } from './schema.ts';
import { EMPTY_COUNT, groupsWithin } from './writes/count.ts';
import { mergeRanges, subtractRanges } from './writes/sequence-ranges.ts';

/** Documents per command. */
const BATCH = 1_000;
/** Locations per command, each with up to 64 KB of properties and more of terms. */
const LOCATION_BATCH = 100;
/** Sequence numbers per count command. */
const COUNT_BATCH = 100_000;
/** After this a migration reports that it takes long. */
const LONG_MS = 1_000;

/** Calls `onProgress` now and then. */
type Step = (database: Database, onProgress: () => void) => Promise<void>;

/**
 * The steps, with the version that each brings. Counts need the sequence numbers. The fields of versions 3, 5, 6, 8 and 12
 * to 15 are optional, and the collections of versions 11 and 13 are created when they are used: they need no step.
 */
const STEPS: readonly { readonly brings: number; readonly run: Step }[] = [
  { brings: 2, run: addSequences },
  { brings: 4, run: addIndexed },
  { brings: 7, run: joinLetters },
  { brings: 9, run: addCounts },
  { brings: 10, run: addMembers },
  { brings: 16, run: nameLogosByHash },
];

/** @param onNotice called at the end, and once earlier if it takes longer than `longMs` */
export async function migrate(
  database: Database,
  version: number,
  onNotice: (notice: StorageNotice) => void,
  longMs = LONG_MS,
): Promise<void> {
  if (version === NEWEST_VERSION) return;
  const begun = performance.now();
  const reported = { isLong: false };
  for (const { brings, run } of STEPS) {
    if (version >= brings) continue;
    await run(database, () => {
      if (reported.isLong || performance.now() - begun < longMs) return;
      reported.isLong = true;
      onNotice({
        level: 'info',
        message: `The database is being migrated from version ${version} to ${NEWEST_VERSION}, which takes a while.`,
      });
    });
  }
  await database.run(writeNewestVersion);
  const seconds = ((performance.now() - begun) / 1000).toFixed(1);
  onNotice({
    level: 'info',
    message: `The database was migrated from version ${version} to ${NEWEST_VERSION} in ${seconds} s.`,
  });
}

/** Version 1 had the sequence number only in `place`. */
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
          // With `place`: a location deleted meanwhile has left a tombstone under the id.
          updateOne: { filter: { _id, mapId, place }, update: { $set: { sequence: sequenceOf(place) } } },
        })),
        { ordered: false },
      ),
    );
    last = end._id;
  }
}

/** Versions before 4 had no search index. */
async function addIndexed(database: Database, onProgress: () => void): Promise<void> {
  for (let last = ''; ; onProgress()) {
    const found = await readUnindexed(database, last, { cell: { $exists: false } });
    const end = found.at(-1);
    if (end === undefined) return;
    await database.run(async ({ locations }) => {
      const updates = [];
      for (const document of found) {
        const { _id, mapId } = document;
        // Another gateway may serve by now: its updates add a cell, and its tombstones have no place.
        const filter = { _id, mapId, place: { $gt: '' }, cell: { $exists: false } };
        updates.push({ updateOne: { filter, update: { $set: indexedOf(toIndexed(document)) } } });
        await yieldIfDue();
      }
      await locations.bulkWrite(updates, { ordered: false });
    });
    last = end._id;
  }
}

/** Before version 7, an apostrophe between letters ended a word. Reads all locations and writes those that have one. */
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
        // Another gateway may serve by now: its updates of these two fields write the new terms.
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

/** The next locations in order of id, with the fields that are indexed. */
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
      .limit(LOCATION_BATCH)
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

/** Version 1 counted locations on every read; before version 9, the count of a map was one number. */
async function addCounts(database: Database, onProgress: () => void): Promise<void> {
  const uncounted = {
    $or: [{ count: { $exists: false } }, { 'count.settled': { $type: 'number' as const } }],
  };
  for (;;) {
    const map = await database.run(({ maps }) =>
      maps.findOne(uncounted, { projection: { end: 1, count: 1 } }),
    );
    if (map === null) return;
    const { _id: mapId, end, count = EMPTY_COUNT } = map as UncountedMap;
    const settled: GeocodingCount[] = [];
    // In batches, each within the time limit of a call.
    for (let from = 1; from <= end.sequence; from += COUNT_BATCH) {
      const batch = [{ from, to: Math.min(end.sequence, from + COUNT_BATCH - 1) }];
      const ranges = subtractRanges(batch, mergeRanges(count.open));
      settled.push(...(await database.run((collections) => groupsWithin(collections, mapId, ranges))));
      onProgress();
    }
    await database.run(({ maps }) =>
      // Another gateway may have counted first, and may serve by now.
      maps.updateOne(
        { _id: mapId, 'end.version': end.version, ...uncounted },
        { $set: { count: { settled: sumOfGroups(settled), open: count.open } } },
      ),
    );
  }
}

/** Before version 10, a map had its owner only. */
async function addMembers(database: Database, onProgress: () => void): Promise<void> {
  for (let last = ''; ; onProgress()) {
    const found = await database.run(({ maps }) =>
      maps
        .find({ _id: { $gt: last }, members: { $exists: false } })
        .sort({ _id: 1 })
        .hint('_id_')
        .limit(BATCH)
        .project<Pick<MapDocument, '_id' | 'ownerId' | 'createdAt'>>({ ownerId: 1, createdAt: 1 })
        .toArray(),
    );
    const end = found.at(-1);
    if (end === undefined) break;
    await database.run(({ maps }) =>
      maps.bulkWrite(
        found.map(({ _id, ownerId, createdAt }) => ({
          updateOne: {
            filter: { _id, members: { $exists: false } },
            update: { $set: { members: [toMemberDocument(creatorOf(ownerId, createdAt.getTime()))] } },
          },
        })),
        { ordered: false },
      ),
    );
    last = end._id;
  }
  await database.run(async ({ maps }) => {
    try {
      // maps_by_member replaces it.
      await maps.dropIndex('maps_by_owner');
    } catch (error) {
      if (!isMissingIndex(error)) throw error;
    }
  });
}

/** Before version 16, a logo had its map's id. */
async function nameLogosByHash(database: Database): Promise<void> {
  await database.run(async ({ logos }) => {
    for (;;) {
      const former = await logos.findOne({ mapId: { $exists: false } });
      if (former === null) return;
      await putLogo(
        { logos },
        { mapId: former._id, type: former.type, hash: former.hash, content: former.content },
      );
      await logos.deleteOne({ _id: former._id });
    }
  });
}

type UncountedMap = Pick<MapDocument, '_id' | 'end'> & { readonly count?: Pick<ListCount, 'open'> };

/** The key in `meta` of the documents' version. Backups and copies leave it out. */
export const SCHEMA_VERSION_KEY = 'schema-version';

/** The version that this release writes. */
export const NEWEST_VERSION = 16;

/** The version of a database without the key. */
const FIRST_VERSION = 1;

export async function readVersion({ meta }: Collections): Promise<number> {
  const found = await meta.findOne({ _id: { $eq: SCHEMA_VERSION_KEY } });
  return found === null ? FIRST_VERSION : Number(found.value);
}

/** @throws IncompatibleStorageError if a newer release has written the database */
export function assertKnownVersion(version: number): void {
  if (version <= NEWEST_VERSION) return;
  throw new IncompatibleStorageError(
    `The database has version ${version}, written by a newer release; this release supports versions up to ${NEWEST_VERSION}. Nothing was changed.`,
  );
}

/**
 * Writes the newest version. Several gateways may do so at once; none lowers it.
 *
 * @throws IncompatibleStorageError if a newer release has written its version meanwhile
 */
export async function writeNewestVersion(collections: Collections): Promise<void> {
  const { meta } = collections;
  try {
    await meta.insertOne({ _id: SCHEMA_VERSION_KEY, value: String(NEWEST_VERSION) });
    return;
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
  }
  const version = await readVersion(collections);
  assertKnownVersion(version);
  // Replaces only the version that was read: a newer one stays.
  await meta.updateOne(
    { _id: SCHEMA_VERSION_KEY, value: String(version) },
    { $set: { value: String(NEWEST_VERSION) } },
  );
}
