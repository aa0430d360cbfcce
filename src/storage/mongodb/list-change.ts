/**
 * Changing a map's document: the list's end (domain/list-end.ts) and the count (list-count.ts). Every change is a
 * compare-and-set on the version, so any number of processes change it without losing one another's changes.
 */

import { setTimeout as delay } from 'node:timers/promises';

import type { AnnouncedWrite } from './announced-write.ts';
import { isAbandoned } from './announced-write.ts';
import type { Collections } from './database.ts';
import type { ListCount, OpenWrite } from './list-count.ts';
import { namedByThese, settleWrites } from './list-count.ts';
import { planChange } from './list-plan.ts';
import type { ListRequest } from './list-requests.ts';
import { newVersion } from './list-version.ts';
import { LOCAL } from './local-reads.ts';
import { countWithin } from './read-count.ts';

const READ_FOR_CHANGE = { ...LOCAL, projection: { isDeleted: 1, end: 1, count: 1 } } as const;

/** The longest pause before another try. Its length is left to chance, so that processes do not stay in step. */
const LONGEST_PAUSE_MS = 10;

/** So many writes that are done are settled by the next write to the map. It takes one read, however many they are. */
const MOST_UNSETTLED = 32;

/**
 * Makes one change of a map's document for all requests of a batch, and answers them. A batch without a request settles
 * all that is done.
 *
 * @param done the ids of this process's writes that are done and not settled yet
 * @param announced gives the write of an entry, which so many requests share
 * @returns the ids of `done` that need not be settled any more
 */
export async function changeList(
  collections: Collections,
  mapId: string,
  batch: readonly ListRequest[],
  done: ReadonlySet<string>,
  announced: (entry: OpenWrite, parts: number) => AnnouncedWrite,
): Promise<readonly string[]> {
  const { maps } = collections;
  for (;;) {
    const map = await maps.findOne({ _id: { $eq: mapId } }, READ_FOR_CHANGE);
    if (map === null) {
      for (const { resolve } of batch) resolve({ kind: 'map-missing' });
      return [...done];
    }
    const isDue = batch.length === 0 || done.size >= MOST_UNSETTLED;
    const settled = isDue ? [...done] : [];
    const count = await settle(collections, mapId, map.count, settled);
    const plan = await planChange(collections, mapId, { ...map, count }, batch, announced);
    if (plan.end !== map.end || plan.count !== map.count) {
      const { matchedCount } = await maps.updateOne(
        { _id: { $eq: mapId }, isDeleted: map.isDeleted, 'end.version': map.end.version },
        { $set: { end: { ...plan.end, version: newVersion() }, count: plan.count } },
      );
      if (matchedCount === 0) {
        await delay(Math.random() * LONGEST_PAUSE_MS);
        continue;
      }
    }
    for (const answer of plan.answers) answer();
    return settled;
  }
}

/** Settles these writes, and those that anybody has abandoned. */
async function settle(
  collections: Collections,
  mapId: string,
  count: ListCount,
  done: readonly string[],
): Promise<ListCount> {
  const ids = new Set([...done, ...count.open.filter(isAbandoned).map(({ id }) => id)]);
  // An entry is missing where it was settled and the answer was lost.
  if (!count.open.some(({ id }) => ids.has(id))) return count;
  const present = await countWithin(collections, mapId, namedByThese(count, ids), LOCAL);
  return settleWrites(count, ids, present);
}
