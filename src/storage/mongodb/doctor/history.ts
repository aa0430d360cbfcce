/** Former states, the trash, and the records of calls. Former states that do not count are no fault: a crash leaves some. */

import { isJson } from '../../../domain/json/json.ts';
import type { Finding } from '../../examination.ts';
import { RESTORE_LAST, Wrongs } from '../../examination.ts';
import type { HistoryRecord } from '../../storage.ts';
import type { Database } from '../database.ts';
import { documentsOf } from '../database.ts';
import { eachRecord } from '../history/copies.ts';
import { keyOf } from '../history/former-states.ts';
import { isTrash } from '../locations/location-records.ts';
import type { MapDocument, VersionDocument } from '../schema.ts';

export async function* examineHistory(database: Database): AsyncGenerator<Finding> {
  yield* examineStates(database);
  // indexes.ts reports it.
  if (!(await hasIndex(database))) return;
  const maps = database.collections.maps.find().project<Pick<MapDocument, '_id'>>({ _id: 1 });
  for await (const { _id: mapId } of documentsOf(database, maps)) yield* examineCalls(database, mapId);
}

/** Whether the changes of calls can be read. */
async function hasIndex(database: Database): Promise<boolean> {
  const { changes } = database.collections;
  return database.run(() => changes.indexExists('changes_by_place').catch(() => false));
}

async function* examineStates(database: Database): AsyncGenerator<Finding> {
  const [unreadable, misplaced] = [new Wrongs(), new Wrongs()];
  const { versions, locations } = database.collections;
  const states = versions.find().project<Pick<VersionDocument, '_id' | 'state'>>({ 'state.properties': 1 });
  for await (const document of documentsOf(database, states)) {
    const { state } = document;
    if (state !== undefined && !isJson(state.properties)) unreadable.add(keyOf(document).id);
  }
  for await (const document of documentsOf(database, locations.find({ trash: { $exists: true } }))) {
    if (!isTrash(document)) continue;
    const { _id, mapId, trash } = document;
    if (!isJson(trash.location.properties)) unreadable.add(_id);
    const isOwn = trash.location._id === _id && trash.location.mapId === mapId;
    if (!isOwn || !trash.key.endsWith(` ${_id}`)) misplaced.add(_id);
  }
  yield* unreadable.report('location', {
    check: 'integrity',
    remedy: RESTORE_LAST,
    message: (some) => `Former properties are not valid JSON: ${some}.`,
  });
  yield* misplaced.report('location', {
    check: 'history',
    remedy: RESTORE_LAST,
    message: (some) => `Locations are in the trash under another id: ${some}.`,
  });
}

/** Every record has its changes, in the numbers that it counts. */
async function* examineCalls(database: Database, mapId: string): AsyncGenerator<Finding> {
  const wrong = new Wrongs();
  const records = await findIncomplete(database, mapId);
  // Again: a write may have been closed in between.
  const again = records.length === 0 ? [] : await findIncomplete(database, mapId);
  for (const id of again.filter((each) => records.includes(each))) wrong.add(id);
  yield* wrong.report('call', {
    check: 'history',
    remedy: RESTORE_LAST,
    message: (some) => `The map ${mapId} has calls whose changes are not all in its log: ${some}.`,
  });
}

async function findIncomplete(database: Database, mapId: string): Promise<readonly string[]> {
  const oldest = await database.run(({ changes }) =>
    changes.findOne({ mapId }, { sort: { last: 1 }, projection: { last: 1 } }),
  );
  // Then the log was removed for its age.
  if (oldest === null) return [];
  const found: string[] = [];
  let record: HistoryRecord | null = null;
  let count = 0;
  const close = () => {
    // The log of an earlier call was removed before its record.
    if (record === null || record.firstChange < oldest.last) return;
    const { created, updated, moved, deleted } = record.counts;
    if (count !== created + updated + moved + deleted) found.push(record.id);
  };
  for await (const item of eachRecord(database, mapId)) {
    if (item.kind === 'history') {
      close();
      record = item.history;
      count = 0;
    } else if (item.kind === 'changes') {
      count += item.changes.length;
    }
  }
  close();
  return found;
}
