/**
 * Updates a map's document for a batch of requests: the list's end (domain/list/list-end.ts), the count (count.ts) and the log
 * (map-log.ts). Each update is a compare-and-set on the version, so concurrent processes lose no update.
 */

import { setTimeout as delay } from 'node:timers/promises';

import type { ServerSessionId } from 'mongodb';

import { insertVersions } from '../history/former-states.ts';
import { LOCAL } from '../database.ts';
import { newListVersion } from '../maps.ts';
import type { Collections, ListCount, MapDocument, MapLog, OpenWrite } from '../schema.ts';
import { closeWrites, groupsOfMap, groupsWithin, namedOnlyBy } from './count.ts';
import type { Unchanged } from './map-log.ts';
import { closeChanges, EMPTY_LOG, removeExcess, storeChanges, writersOf } from './map-log.ts';
import { planBatch } from './plan.ts';
import { recoverWrites } from './recovery.ts';
import type { ListRequest } from './requests.ts';
import { idsOf, isLocking } from './requests.ts';
import type { WriteIntent } from './write-intent.ts';
import { isAbandoned } from './write-intent.ts';

const LIST_STATE = { ...LOCAL, projection: { isDeleted: 1, end: 1, count: 1, log: 1 } } as const;

/** The maximum pause before a retry. It is random, so that processes do not stay in step. */
const MAX_PAUSE_MS = 10;

/** So many done writes are closed by the next write to the map, with one read. */
const MAX_UNCLOSED = 32;
/** Older done writes are closed by the next write to the map: readers of the log wait for them. */
const MAX_UNCLOSED_MS = 400;

/** This process's writes to a map that are done and not closed yet. */
export interface DoneWrites {
  /** By write id. */
  readonly writes: ReadonlyMap<string, Unchanged>;
  /** Milliseconds since the first of them was done. */
  readonly ageMs: number;
}

export interface BatchContext {
  readonly collections: Collections;
  /** Changes that each map's log keeps. */
  readonly mostChanges: number;
  /** The intent of an entry that `parts` requests share. */
  readonly intentOf: (mapId: string, write: Pick<OpenWrite, 'id' | 'since'>, parts: number) => WriteIntent;
  /** Aborts the transaction of a process that may have crashed. */
  readonly endTransaction: (session: ServerSessionId) => Promise<void>;
}

/**
 * Makes one update of a map's document for the whole batch and resolves its requests. An empty batch closes all done writes.
 *
 * @returns the ids of `done` that are closed
 */
export async function applyBatch(
  context: BatchContext,
  mapId: string,
  batch: readonly ListRequest[],
  done: DoneWrites,
): Promise<readonly string[]> {
  const { collections, mostChanges, intentOf } = context;
  const { maps } = collections;
  // They count only once their locations have the next version, so they need not wait for the map.
  const kept = insertVersions(
    collections,
    batch.flatMap((request) => (request.kind === 'change' ? (request.formerStates ?? []) : [])),
  );
  for (;;) {
    const [map] = await Promise.all([maps.findOne({ _id: { $eq: mapId } }, LIST_STATE), kept]);
    if (map === null) {
      for (const request of batch) {
        if (request.kind === 'recover') request.resolve();
        else if (request.kind === 'settle') request.resolve([]);
        else request.resolve({ kind: 'map-missing' });
      }
      return [...done.writes.keys()];
    }
    const { log: oldLog = EMPTY_LOG } = map;
    // A copy: writes that are done from here on are not closed by this update.
    const closed = new Map(isClosingDue(mapId, oldLog, batch, done) ? done.writes : []);
    const recovered = await recoverLate(context, mapId, oldLog, batch);
    const ended = new Map([...closed, ...recovered]);
    const count = await closeInCount(collections, mapId, map, ended);
    const log = await closeInLog(collections, mapId, oldLog, ended);
    const plan = await planBatch(collections, mapId, { ...map, count, log }, batch, (write, parts) =>
      intentOf(mapId, write, parts),
    );
    if (plan.end !== map.end || plan.count !== map.count || plan.log !== oldLog) {
      const { matchedCount } = await maps.updateOne(
        { _id: { $eq: mapId }, isDeleted: map.isDeleted, 'end.version': map.end.version },
        { $set: { end: { ...plan.end, version: newListVersion() }, count: plan.count, log: plan.log } },
      );
      if (matchedCount === 0) {
        await delay(Math.random() * MAX_PAUSE_MS);
        continue;
      }
    }
    for (const reply of plan.replies) reply();
    if (ended.size > 0 && !batch.some(keepsHistory)) {
      await removeExcess(collections, mapId, oldLog, plan.log, mostChanges);
    }
    return [...closed.keys()];
  }
}

function isClosingDue(
  mapId: string,
  log: MapLog,
  batch: readonly ListRequest[],
  { writes, ageMs }: DoneWrites,
): boolean {
  if (writes.size === 0) return false;
  if (batch.length === 0 || writes.size >= MAX_UNCLOSED || ageMs >= MAX_UNCLOSED_MS) return true;
  if (batch.some(({ kind }) => kind === 'settle')) return true;
  // A request needs a location of a done write.
  const wanted = new Set(batch.filter(isLocking).flatMap((request) => [...idsOf(request)]));
  return wanted.size > 0 && writersOf(log, mapId, wanted).some(({ id }) => writes.has(id));
}

/** The history shows changes that readers of the log see no more. */
function keepsHistory(request: ListRequest): boolean {
  return 'call' in request && request.call !== undefined && request.call.mostVersions > 0;
}

/** @returns what the recovered writes left unchanged, by write id */
async function recoverLate(
  { collections, endTransaction }: BatchContext,
  mapId: string,
  { open }: MapLog,
  batch: readonly ListRequest[],
): Promise<ReadonlyMap<string, Unchanged>> {
  const requested = new Set(
    batch.flatMap((request) => (request.kind === 'recover' ? [request.writeId] : [])),
  );
  const late = open.filter(({ id }) => requested.has(id));
  if (late.length === 0) return new Map();
  // Otherwise a transaction would keep its locations locked for a minute.
  await Promise.all(late.flatMap(({ session }) => (session === undefined ? [] : [endTransaction(session)])));
  const unchanged = await recoverWrites(collections, mapId, late);
  return new Map(late.map(({ id }) => [id, unchanged]));
}

/** Closes these writes and abandoned ones. */
async function closeInCount(
  collections: Collections,
  mapId: string,
  { count, end }: Pick<MapDocument, 'count' | 'end'>,
  ended: ReadonlyMap<string, Unchanged>,
): Promise<ListCount> {
  const ids = new Set([...ended.keys(), ...count.open.filter(isAbandoned).map(({ id }) => id)]);
  // No entry is left if an earlier update succeeded and its response was lost.
  if (!count.open.some(({ id }) => ids.has(id))) return count;
  const named = namedOnlyBy(count, ids);
  const [only] = named;
  // After a load the list is named as a whole.
  const isWhole = named.length === 1 && only !== undefined && only.from <= 1 && only.to >= end.sequence;
  const present = isWhole
    ? await groupsOfMap(collections, mapId, LOCAL)
    : await groupsWithin(collections, mapId, named, LOCAL);
  return closeWrites(count, ids, present);
}

async function closeInLog(
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
