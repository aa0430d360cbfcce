/** The history in dumps: reads all of a map, and loads that of another store. */

import { timeOfHistoryId } from '../../../domain/ids.ts';
import { MOST_TOGETHER, toEntry } from '../../change-entries.ts';
import type { CallChange, HistoryRecord, StoredItem, VersionRecord } from '../../storage.ts';
import type { Database } from '../database.ts';
import { documentsOf } from '../database.ts';
import type { StoredLocation } from '../locations/location-records.ts';
import { isLive, toDocument, TOMBSTONE_GRACE_MS, toState, trashKey } from '../locations/location-records.ts';
import { newListVersion } from '../maps.ts';
import type { Collections, HistoryDocument, VersionDocument } from '../schema.ts';
import { callOfPart, partId, storeParts, toRecord } from './calls.ts';
import { CountingVersions, headOf, insertVersions, keyOf, versionId } from './former-states.ts';
import { changesOfCall } from './records.ts';
import { toVersion, trashedVersion } from './versions.ts';

/** The history of a map for a dump: records by id, each followed by its changes. */
export async function* eachRecord(database: Database, mapId: string): AsyncGenerator<StoredItem> {
  const { history } = database.collections;
  const all = history.find({ mapId, _id: { $gt: `${mapId} `, $lt: `${mapId}!` } });
  let parts: HistoryDocument[] = [];
  for await (const part of documentsOf(database, all.sort({ _id: 1 }).hint('_id_'))) {
    if (parts[0] !== undefined && callOfPart(parts[0]) !== callOfPart(part)) {
      yield* itemsOf(database, toRecord(parts));
      parts = [];
    }
    parts.push(part);
  }
  if (parts.length > 0) yield* itemsOf(database, toRecord(parts));
}

async function* itemsOf(database: Database, record: HistoryRecord): AsyncGenerator<StoredItem> {
  const { id: historyId, mapId } = record;
  yield { kind: 'history', history: record };
  for (let after = 0; ;) {
    const changes = await database.run((collections) =>
      changesOfCall(collections, mapId, historyId, { limit: MOST_TOGETHER, after }),
    );
    if (changes.length > 0) yield { kind: 'changes', mapId, historyId, changes };
    if (changes.length < MOST_TOGETHER) return;
    after = changes.at(-1)?.number ?? after;
  }
}

/** The write of changes that were loaded. */
const LOADED = 'load';

/** Stores the records of a dump. Their changes come later, and have parts of their own. */
export async function loadRecords(
  collections: Pick<Collections, 'history'>,
  items: readonly Extract<StoredItem, { kind: 'history' }>[],
): Promise<void> {
  const summaries = items.map(({ history }): HistoryDocument => {
    const { id, mapId, actor, operation, counts, firstChange: first, lastChange: last } = history;
    return { _id: partId(mapId, id, 0), mapId, actor, operation, counts, first, last, isSummary: true };
  });
  await storeParts(collections, summaries);
}

/** Stores the changes of a dump. The log of their map goes on after them. */
export async function loadChanges(
  { history, changes, maps }: Pick<Collections, 'history' | 'changes' | 'maps'>,
  items: readonly Extract<StoredItem, { kind: 'changes' }>[],
): Promise<void> {
  for (const { mapId, historyId, changes: all } of items) {
    const summary = await history.findOne({ mapId, _id: partId(mapId, historyId, 0) }, { hint: '_id_' });
    const last = all.at(-1);
    if (summary === null || last === undefined) continue;
    const { actor, operation } = summary;
    const runs = toRuns(all);
    await changes.insertMany(
      runs.map((run) => ({
        mapId,
        last: run.last,
        write: LOADED,
        changedAt: new Date(timeOfHistoryId(historyId)),
        entries: run.changes.map(({ kind, locationId: id }) => toEntry(mapId, { kind, id })),
      })),
    );
    await storeParts(
      { history },
      runs.map(({ first, last: end }) => ({
        _id: partId(mapId, historyId, first),
        ...{ mapId, actor, operation, counts: {}, first, last: end },
      })),
    );
    await maps.updateOne(
      { _id: mapId },
      {
        $max: { 'log.last': last.number },
        $set: { 'log.lastWrite': LOADED, 'end.version': newListVersion() },
      },
    );
  }
}

interface NumberedRun {
  readonly first: number;
  readonly last: number;
  readonly changes: readonly CallChange[];
}

/** Changes of consecutive numbers. */
function toRuns(changes: readonly CallChange[]): readonly NumberedRun[] {
  const runs: CallChange[][] = [];
  for (const change of changes) {
    const run = runs.at(-1);
    if (run?.at(-1)?.number === change.number - 1) run.push(change);
    else runs.push([change]);
  }
  return runs.flatMap((run) => {
    const [first, last] = [run[0], run.at(-1)];
    return first === undefined || last === undefined
      ? []
      : [{ first: first.number, last: last.number, changes: run }];
  });
}

/** The former states of a map's locations for a dump, by location and version. */
export async function* eachVersion(database: Database, mapId: string): AsyncGenerator<StoredItem> {
  const { locations, versions } = database.collections;
  // Ids of locations begin with the id of their map.
  const heads = locations
    .find({ mapId, _id: { $gt: `${mapId}_`, $lt: `${mapId}_~` } })
    .project<StoredLocation>({ place: 1, version: 1, call: 1, trash: 1 })
    .sort({ _id: 1 })
    .hint('_id_');
  const documents = documentsOf(
    database,
    versions
      .find({ mapId, _id: { $gt: `${mapId}_`, $lt: `${mapId}_~` } })
      .sort({ _id: 1 })
      .hint('_id_'),
  );
  try {
    let next = await documents.next();
    for await (const stored of documentsOf(database, heads)) {
      const own: VersionDocument[] = [];
      while (next.done !== true && keyOf(next.value).id <= stored._id) {
        if (keyOf(next.value).id === stored._id) own.push(next.value);
        next = await documents.next();
      }
      for (const version of countedVersions(stored, own)) yield { kind: 'version', mapId, version };
    }
  } finally {
    await documents.return(undefined);
  }
}

/** All former states of a location, oldest first. @param documents ascending */
function countedVersions(
  stored: StoredLocation,
  documents: readonly VersionDocument[],
): readonly VersionRecord[] {
  const counting = new CountingVersions(headOf(stored));
  const counted = documents.toReversed().filter((document) => counting.counts(document));
  const trashed = trashedVersion(stored);
  return [...counted.toReversed().map(toVersion), ...(trashed === null ? [] : [trashed])];
}

type VersionItem = Extract<StoredItem, { kind: 'version' }>;

/** Stores the former states of a dump, after its locations and idempotency records. */
export async function loadVersions(
  { locations, versions }: Pick<Collections, 'locations' | 'versions'>,
  items: readonly VersionItem[],
): Promise<void> {
  const deleted = items.filter(({ version }) => version.isInTrash);
  const stored = await findStored({ locations }, deleted);
  // A dump that is not of one moment may have a location both in the list and in the trash.
  const trashed = deleted.filter(({ version }) => stored.get(version.locationId) !== 'live');
  const former = items.filter((item) => !trashed.includes(item));
  await insertVersions(
    { versions },
    former.map(({ mapId, version: { locationId: id, version, location, replacedBy } }) => ({
      _id: versionId({ id, version }, replacedBy),
      mapId,
      ...(location !== null && { state: toState(toDocument(location)) }),
    })),
  );
  if (trashed.length === 0) return;
  await locations.bulkWrite(
    trashed.flatMap(({ mapId, version: { locationId: _id, location, replacedBy } }) => {
      if (location === null) return [];
      const claimedUntil = stored.get(_id);
      const document = toDocument(location, typeof claimedUntil === 'number' ? { claimedUntil } : {});
      const replacement = { mapId, trash: { key: trashKey(replacedBy, _id), location: document } };
      return [{ replaceOne: { filter: { mapId, _id }, replacement, upsert: true } }];
    }),
    { ordered: false },
  );
}

/** For each location that is stored: `live`, or when its idempotency key expires: loaded locks have left tombstones. */
async function findStored(
  { locations }: Pick<Collections, 'locations'>,
  items: readonly VersionItem[],
): Promise<ReadonlyMap<string, 'live' | number>> {
  if (items.length === 0) return new Map();
  const found = await locations
    .find({
      mapId: { $in: [...new Set(items.map(({ mapId }) => mapId))] },
      _id: { $in: items.map(({ version }) => version.locationId) },
    })
    .project<StoredLocation>({ place: 1, removeAfter: 1 })
    .hint('_id_')
    .toArray();
  const stored = new Map<string, 'live' | number>();
  for (const document of found) {
    if (isLive(document)) stored.set(document._id, 'live');
    else if ('removeAfter' in document)
      stored.set(document._id, document.removeAfter.getTime() - TOMBSTONE_GRACE_MS);
  }
  return stored;
}
