/**
 * Changing a map's document: the list's end (domain/list/list-end.ts), the count (list-count.ts) and the log (map-log.ts). Every
 * change is a compare-and-set on the version, so any number of processes change it without losing one another's changes.
 */

import { setTimeout as delay } from 'node:timers/promises';

import type { ServerSessionId } from 'mongodb';

import type { WriteIntent } from './write-intent.ts';
import { isAbandoned } from './write-intent.ts';
import type { Collections } from './database.ts';
import { recoverWrites } from './recovery.ts';
import type { ListCount, OpenWrite } from './list-count.ts';
import { namedByThese, settleWrites } from './list-count.ts';
import { planChange } from './list-plan.ts';
import type { ListRequest } from './list-requests.ts';
import { idsOf, isLocking } from './list-requests.ts';
import { newVersion } from './list-version.ts';
import { LOCAL } from './local-reads.ts';
import type { MapLog } from './map-log.ts';
import { closeChanges, EMPTY_LOG, writersOf } from './map-log.ts';
import { countWithin } from './read-count.ts';
import type { Unchanged } from './store-changes.ts';
import { removeExcess, storeChanges } from './store-changes.ts';

const READ_FOR_CHANGE = { ...LOCAL, projection: { isDeleted: 1, end: 1, count: 1, log: 1 } } as const;

/** The longest pause before another try. Its length is left to chance, so that processes do not stay in step. */
const LONGEST_PAUSE_MS = 10;

/** So many writes that are done are settled by the next write to the map. It takes one read, however many they are. */
const MOST_UNSETTLED = 32;
/** Milliseconds after which they are, however few: readers of the log wait for them. */
const LONGEST_UNSETTLED_MS = 400;

/** This process's writes that are done and not settled yet. */
export interface DoneWrites {
  /** What each of them left unchanged, by its id. */
  readonly writes: ReadonlyMap<string, Unchanged>;
  /** Milliseconds since the first of them. */
  readonly ageMs: number;
}

export interface ListChanging {
  readonly collections: Collections;
  /** Changes that the log of each map keeps. */
  readonly mostChanges: number;
  /** Gives the write of an entry, which so many requests share. */
  readonly recorded: (mapId: string, write: Pick<OpenWrite, 'id' | 'since'>, parts: number) => WriteIntent;
  /** Ends the transaction of a session whose process may have died. */
  readonly endTransaction: (session: ServerSessionId) => Promise<void>;
}

/**
 * Makes one change of a map's document for all requests of a batch, and answers them. A batch without a request settles
 * all that is done.
 *
 * @returns the ids of `done` that need not be settled any more
 */
export async function changeList(
  changing: ListChanging,
  mapId: string,
  batch: readonly ListRequest[],
  done: DoneWrites,
): Promise<readonly string[]> {
  const { collections, mostChanges, recorded } = changing;
  const { maps } = collections;
  for (;;) {
    const map = await maps.findOne({ _id: { $eq: mapId } }, READ_FOR_CHANGE);
    if (map === null) {
      for (const request of batch) {
        if (request.kind === 'recover') request.resolve();
        else request.resolve({ kind: 'map-missing' });
      }
      return [...done.writes.keys()];
    }
    const { log: oldLog = EMPTY_LOG } = map;
    // What is done meanwhile is not settled by this.
    const settled = new Map(isDue(mapId, oldLog, batch, done) ? done.writes : []);
    const recovered = await judge(changing, mapId, oldLog, batch);
    const ended = new Map([...settled, ...recovered]);
    const count = await settleCount(collections, mapId, map.count, ended);
    const log = await settleLog(collections, mapId, oldLog, ended);
    const plan = await planChange(collections, mapId, { ...map, count, log }, batch, (write, parts) =>
      recorded(mapId, write, parts),
    );
    if (plan.end !== map.end || plan.count !== map.count || plan.log !== oldLog) {
      const { matchedCount } = await maps.updateOne(
        { _id: { $eq: mapId }, isDeleted: map.isDeleted, 'end.version': map.end.version },
        { $set: { end: { ...plan.end, version: newVersion() }, count: plan.count, log: plan.log } },
      );
      if (matchedCount === 0) {
        await delay(Math.random() * LONGEST_PAUSE_MS);
        continue;
      }
    }
    for (const answer of plan.answers) answer();
    if (ended.size > 0) await removeExcess(collections, mapId, oldLog, plan.log, mostChanges);
    return [...settled.keys()];
  }
}

function isDue(
  mapId: string,
  log: MapLog,
  batch: readonly ListRequest[],
  { writes, ageMs }: DoneWrites,
): boolean {
  if (writes.size === 0) return false;
  if (batch.length === 0 || writes.size >= MOST_UNSETTLED || ageMs >= LONGEST_UNSETTLED_MS) return true;
  // Somebody waits for a location that nobody writes any more.
  const wanted = new Set(batch.filter(isLocking).flatMap((request) => [...idsOf(request)]));
  return wanted.size > 0 && writersOf(log, mapId, wanted).some(({ id }) => writes.has(id));
}

/** What became of writes that take too long. */
async function judge(
  { collections, endTransaction }: ListChanging,
  mapId: string,
  { open }: MapLog,
  batch: readonly ListRequest[],
): Promise<ReadonlyMap<string, Unchanged>> {
  const asked = new Set(batch.flatMap((request) => (request.kind === 'recover' ? [request.writeId] : [])));
  const late = open.filter(({ id }) => asked.has(id));
  if (late.length === 0) return new Map();
  // A transaction keeps its locations from everybody, for a minute.
  await Promise.all(late.flatMap(({ session }) => (session === undefined ? [] : [endTransaction(session)])));
  const unchanged = await recoverWrites(collections, mapId, late);
  return new Map(late.map(({ id }) => [id, unchanged]));
}

/** Settles these writes, and those that anybody has abandoned. */
async function settleCount(
  collections: Collections,
  mapId: string,
  count: ListCount,
  ended: ReadonlyMap<string, Unchanged>,
): Promise<ListCount> {
  const ids = new Set([...ended.keys(), ...count.open.filter(isAbandoned).map(({ id }) => id)]);
  // An entry is missing where it was settled and the answer was lost.
  if (!count.open.some(({ id }) => ids.has(id))) return count;
  const present = await countWithin(collections, mapId, namedByThese(count, ids), LOCAL);
  return settleWrites(count, ids, present);
}

async function settleLog(
  collections: Collections,
  mapId: string,
  log: MapLog,
  ended: ReadonlyMap<string, Unchanged>,
): Promise<MapLog> {
  const done = log.open.flatMap((written) => {
    const unchanged = ended.get(written.id);
    return unchanged === undefined ? [] : [{ written, unchanged }];
  });
  if (done.length === 0) return log;
  await storeChanges(collections, mapId, done);
  return closeChanges(log, new Set(done.map(({ written }) => written.id)));
}
