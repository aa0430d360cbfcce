/** The log of changes in MongoDB: what is settled (`changes`), up to where the map's document (map-log.ts) lets readers go. */

import { fromEntry, MOST_TOGETHER } from '../change-entries.ts';
import type { ChangeLog, ChangeOffset, ChangesRead, LoggedChange } from '../changes.ts';
import type { MapUnavailable } from '../storage.ts';
import type { ChangeStreamNotifier } from './change-stream-notifier.ts';
import { watchChanges } from './change-watch.ts';
import type { Collections, Database } from './database.ts';
import type { ChangesDocument } from './documents.ts';
import type { ListStates } from './list-state.ts';
import type { MapLog } from './map-log.ts';
import { EMPTY_LOG, settledEnd, stampOf, stampOfStart } from './map-log.ts';

const BY_OFFSET = { hint: 'changes_by_place', sort: { last: 1 } } as const;

export function changeStore(
  database: Database,
  lists: ListStates,
  notifier: ChangeStreamNotifier,
): ChangeLog {
  return {
    readChanges: (mapId, after, limit, scope) =>
      database.run(
        (collections) => readChanges(database, lists, collections, { mapId, after, limit }),
        scope,
      ),
    lastChange: (mapId, scope) =>
      database.run(async (collections) => {
        const log = await readLog(collections, lists, mapId);
        return 'kind' in log ? log : { kind: 'place', place: await endOf(collections, mapId, log) };
      }, scope),
    watchChanges: (onChange) => watchChanges({ database, lists, notifier }, onChange),
    removeOldChanges: (until) =>
      database.run(async ({ changes }) => {
        await changes.deleteMany({ changedAt: { $lte: new Date(until) } }, { hint: 'changes_by_age' });
      }),
  };
}

async function readLog(
  { maps }: Pick<Collections, 'maps'>,
  lists: ListStates,
  mapId: string,
): Promise<MapLog | MapUnavailable> {
  const map = await maps.findOne({ _id: { $eq: mapId } }, { projection: { isDeleted: 1, log: 1 } });
  if (map === null) return { kind: 'map-missing' };
  if (map.isDeleted) return { kind: 'map-deleted' };
  const { log = EMPTY_LOG } = map;
  lists.noticeOpen(mapId, log.open);
  return log;
}

async function endOf({ changes }: Collections, mapId: string, log: MapLog): Promise<ChangeOffset> {
  const { number, stamp } = settledEnd(log);
  if (stamp !== null) return { number, stamp };
  const holding = await changes.findOne({ mapId: { $eq: mapId }, last: { $gte: number } }, BY_OFFSET);
  // Where it is too old to be kept by now, whoever begins there is told so.
  return { number, stamp: stampOf(log.id, holding?.write ?? 'gone') };
}

interface Asked {
  readonly mapId: string;
  readonly after: ChangeOffset;
  readonly limit: number;
}

async function readChanges(
  { mostChanges }: Database,
  lists: ListStates,
  collections: Collections,
  { mapId, after, limit }: Asked,
): Promise<ChangesRead> {
  // Before what is settled: whatever is settled in between is beyond the end that it tells.
  const log = await readLog(collections, lists, mapId);
  if ('kind' in log) return log;
  const end = settledEnd(log);
  if (after.number > end.number || after.number < log.last - mostChanges) return { kind: 'too-old' };
  const changes: LoggedChange[] = [];
  let next = after.number + 1;
  let isKnown = isOffsetOf(log, after);
  while (isKnown === null || (next <= end.number && changes.length < limit)) {
    // With what holds the place itself, where only that tells whether it is known.
    const from = isKnown === null ? after.number : next;
    const documents = await collections.changes
      .find({ mapId: { $eq: mapId }, last: { $gte: from, $lt: next + limit + MOST_TOGETHER } })
      .sort(BY_OFFSET.sort)
      .hint(BY_OFFSET.hint)
      .limit(limit + 1)
      .toArray();
    isKnown ??= isOffsetBefore(log, after, documents);
    const following = documents.filter(({ last }) => last >= next);
    if (!isKnown || (following.length === 0 && next <= end.number)) return { kind: 'too-old' };
    for (const document of following) {
      if (next > end.number) break;
      // Removed for its age by another clock than the one of those that stayed.
      if (firstOf(document) > next) return { kind: 'too-old' };
      changes.push(
        ...toChanges(mapId, log, document).filter(({ number }) => number >= next && number <= end.number),
      );
      next = document.last + 1;
    }
  }
  return isKnown ? { kind: 'changes', changes: changes.slice(0, limit) } : { kind: 'too-old' };
}

/** Whether it is a place of this log; null where the documents have to be asked. */
function isOffsetOf(log: MapLog, { number, stamp }: ChangeOffset): boolean | null {
  if (number === 0) return stamp === stampOfStart(log.id);
  const told = [settledEnd(log), log.before].find((place) => place?.number === number)?.stamp ?? null;
  return told === null ? null : told === stamp;
}

/** @param first what is kept from the place on */
function isOffsetBefore(
  log: MapLog,
  { number, stamp }: ChangeOffset,
  [first]: readonly ChangesDocument[],
): boolean {
  if (first === undefined) return false;
  if (firstOf(first) <= number) return stamp === stampOf(log.id, first.write);
  // It has just been removed for its age, and nothing after it.
  return firstOf(first) === number + 1 && stamp.startsWith(log.id);
}

function firstOf({ last, entries }: ChangesDocument): number {
  return last - entries.length + 1;
}

function toChanges(mapId: string, log: MapLog, document: ChangesDocument): readonly LoggedChange[] {
  const first = firstOf(document);
  return document.entries.flatMap((entry, index) => {
    // Announced, and then not made.
    if (entry === '') return [];
    const { kind, id } = fromEntry(mapId, entry);
    const changedAt = document.changedAt.getTime();
    return [
      { number: first + index, stamp: stampOf(log.id, document.write), kind, locationId: id, changedAt },
    ];
  });
}
