/** The change log in MongoDB: closed changes are in `changes`; the map's document (writes/map-log.ts) says how far readers may go. */

import { MOST_TOGETHER, fromEntry } from '../change-entries.ts';
import type { ChangeLog, ChangeOffset, ChangesRead, ChangesScope, LoggedChange } from '../changes.ts';
import type { MapUnavailable } from '../storage.ts';
import type { ChangeStreamNotifier } from './change-stream-notifier.ts';
import { watchChanges } from './change-watch.ts';
import type { Database } from './database.ts';
import type { ChangesDocument, Collections, MapLog } from './schema.ts';
import { EMPTY_LOG, readableEnd, stampOf, stampOfStart } from './writes/map-log.ts';
import type { MapWrites } from './writes/map-writes.ts';

const BY_OFFSET = { hint: 'changes_by_place', sort: { last: 1 } } as const;

export function changeStore(
  database: Database,
  writes: MapWrites,
  notifier: ChangeStreamNotifier,
): ChangeLog {
  return {
    readChanges: (mapId, after, limit, scope) =>
      database.run(
        (collections) =>
          readChanges(database, writes, collections, { mapId, after, limit, ...removed(scope) }),
        scope,
      ),
    lastChange: (mapId, scope) =>
      database.run(async (collections) => {
        const log = await readLog(collections, writes, mapId);
        return 'kind' in log ? log : { kind: 'place', place: await endOf(collections, mapId, log) };
      }, scope),
    watchChanges: (onChange) => watchChanges({ database, writes, notifier }, onChange),
    removeOldChanges: (until) =>
      database.run(async ({ changes }) => {
        await changes.deleteMany({ changedAt: { $lte: new Date(until) } }, { hint: 'changes_by_age' });
      }),
  };
}

async function readLog(
  { maps }: Pick<Collections, 'maps'>,
  writes: MapWrites,
  mapId: string,
): Promise<MapLog | MapUnavailable> {
  const map = await maps.findOne({ _id: { $eq: mapId } }, { projection: { isDeleted: 1, log: 1 } });
  if (map === null) return { kind: 'map-missing' };
  if (map.isDeleted) return { kind: 'map-deleted' };
  const { log = EMPTY_LOG } = map;
  writes.noticeOpen(mapId, log.open);
  return log;
}

async function endOf({ changes }: Collections, mapId: string, log: MapLog): Promise<ChangeOffset> {
  const { number, stamp } = readableEnd(log);
  if (stamp !== null) return { number, stamp };
  const holding = await changes.findOne({ mapId: { $eq: mapId }, last: { $gte: number } }, BY_OFFSET);
  // If the change is no longer kept, this offset is `too-old` for a reader.
  return { number, stamp: stampOf(log.id, holding?.write ?? 'gone') };
}

interface ChangesQuery {
  readonly mapId: string;
  readonly after: ChangeOffset;
  readonly limit: number;
  /** Null: none. */
  readonly removedUntil: Date | null;
}

function removed({ removedUntil }: ChangesScope = {}): Pick<ChangesQuery, 'removedUntil'> {
  return { removedUntil: removedUntil === undefined ? null : new Date(removedUntil) };
}

async function readChanges(
  { mostChanges }: Database,
  writes: MapWrites,
  collections: Collections,
  { mapId, after, limit, removedUntil }: ChangesQuery,
): Promise<ChangesRead> {
  // Before `changes`: whatever is closed between the two reads is beyond this end.
  const log = await readLog(collections, writes, mapId);
  if ('kind' in log) return log;
  const end = readableEnd(log);
  if (after.number > end.number || after.number < log.last - mostChanges) return { kind: 'too-old' };
  const changes: LoggedChange[] = [];
  let next = after.number + 1;
  let isKnown = isOffsetOf(log, after);
  while (isKnown === null || (next <= end.number && changes.length < limit)) {
    // Starts at the offset's own document if only that shows whether the offset is valid.
    const from = isKnown === null ? after.number : next;
    const documents = await collections.changes
      .find({
        mapId: { $eq: mapId },
        last: { $gte: from, $lt: next + limit + MOST_TOGETHER },
        ...(removedUntil !== null && { changedAt: { $gt: removedUntil } }),
      })
      .sort(BY_OFFSET.sort)
      .hint(BY_OFFSET.hint)
      .limit(limit + 1)
      .toArray();
    isKnown ??= isOffsetBefore(log, after, documents);
    const following = documents.filter(({ last }) => last >= next);
    if (!isKnown || (following.length === 0 && next <= end.number)) return { kind: 'too-old' };
    for (const document of following) {
      if (next > end.number) break;
      // A gap: removed for its age, by another clock than that of the changes that stayed.
      if (firstOf(document) > next) return { kind: 'too-old' };
      changes.push(
        ...toChanges(mapId, log, document).filter(({ number }) => number >= next && number <= end.number),
      );
      next = document.last + 1;
    }
  }
  return isKnown ? { kind: 'changes', changes: changes.slice(0, limit) } : { kind: 'too-old' };
}

/** Whether this log has the offset; null if only `changes` can show it. */
function isOffsetOf(log: MapLog, { number, stamp }: ChangeOffset): boolean | null {
  if (number === 0) return stamp === stampOfStart(log.id);
  const known = [readableEnd(log), log.before].find((offset) => offset?.number === number)?.stamp ?? null;
  return known === null ? null : known === stamp;
}

/** @param first the first document from the offset on */
function isOffsetBefore(
  log: MapLog,
  { number, stamp }: ChangeOffset,
  [first]: readonly ChangesDocument[],
): boolean {
  if (first === undefined) return false;
  if (firstOf(first) <= number) return stamp === stampOf(log.id, first.write);
  // The offset's own change was removed for its age a moment ago, and nothing after it.
  return firstOf(first) === number + 1 && stamp.startsWith(log.id);
}

function firstOf({ last, entries }: ChangesDocument): number {
  return last - entries.length + 1;
}

function toChanges(mapId: string, log: MapLog, document: ChangesDocument): readonly LoggedChange[] {
  const first = firstOf(document);
  return document.entries.flatMap((entry, index) => {
    // A number that was assigned and not used.
    if (entry === '') return [];
    const { kind, id } = fromEntry(mapId, entry);
    const changedAt = document.changedAt.getTime();
    return [
      { number: first + index, stamp: stampOf(log.id, document.write), kind, locationId: id, changedAt },
    ];
  });
}
