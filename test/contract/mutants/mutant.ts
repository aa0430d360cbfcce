/** A deliberately broken adapter: a good one with some methods replaced. */

import type { LocationRecord } from '../../../src/domain/location.ts';
import type { PageRequest } from '../../../src/domain/paging/paging.ts';
import type { SortKey } from '../../../src/domain/list/sort-key.ts';
import type { InsertOutcome, LocationInsert, Storage } from '../../../src/storage/storage.ts';

export interface Mutant {
  /** The fault. */
  readonly name: string;
  /** The topic of the suite that runs first. */
  readonly topic: string;
  /** True if the fault shows only when data is opened again. */
  readonly persistent?: boolean;
  breaks(good: Storage): Partial<Storage>;
}

export function mutate(mutant: Mutant, good: Storage): Storage {
  return { ...good, ...mutant.breaks(good) };
}

type Insert = Storage['insertLocations'];

/** Replaces each item of a call before the good store gets it. */
export function changingInserts(good: Storage, change: (insert: LocationInsert) => LocationInsert): Insert {
  return (mapId, inserts, now) => good.insertLocations(mapId, inserts.map(change), now);
}

/** Stores the items one by one through `one`. */
export function insertingOneByOne(
  good: Storage,
  one: (mapId: string, insert: LocationInsert, now: number) => Promise<InsertOutcome>,
): Insert {
  return async (mapId, inserts, now) => {
    const checked = await good.insertLocations(mapId, [], now);
    if (checked.kind !== 'done') return checked;
    const outcomes: InsertOutcome[] = [];
    for (const insert of inserts) outcomes.push(await one(mapId, insert, now));
    return { kind: 'done', outcomes };
  };
}

/** Stores one item in the good store; it must succeed. */
export async function insertThrough(
  good: Storage,
  mapId: string,
  insert: LocationInsert,
  now: number,
): Promise<InsertOutcome> {
  const result = await good.insertLocations(mapId, [insert], now);
  if (result.kind !== 'done') throw new Error(`insertLocations returned ${result.kind}`);
  return result.outcomes[0]!;
}

/** Changes every outcome of a call. */
export function changingOutcomes(
  good: Storage,
  change: (outcome: InsertOutcome, insert: LocationInsert) => InsertOutcome | Promise<InsertOutcome>,
): Insert {
  return async (mapId, inserts, now) => {
    const result = await good.insertLocations(mapId, inserts, now);
    if (result.kind !== 'done') return result;
    const changed = result.outcomes.map(async (outcome, index) => change(outcome, inserts[index]!));
    return { kind: 'done', outcomes: await Promise.all(changed) };
  };
}

/** Changes every location on every read path. */
export function changingReads(
  good: Storage,
  change: (location: LocationRecord) => LocationRecord,
): Pick<Storage, 'getLocations' | 'listLocations'> {
  return {
    getLocations: async (mapId, ids) =>
      (await good.getLocations(mapId, ids)).map((location) => location && change(location)),
    listLocations: async (mapId, page) => (await good.listLocations(mapId, page)).map(change),
  };
}

export async function wholeList(good: Storage, mapId: string): Promise<readonly LocationRecord[]> {
  return good.listLocations(mapId, { limit: 100_000, fromEnd: false, after: null, before: null });
}

type Position = Pick<LocationRecord, 'sequence' | 'orderKey'> & Partial<LocationRecord>;

/** A page of the whole list, sorted and bounded by another rule than the port's. */
export function sortedBy(
  good: Storage,
  compare: (a: Position, b: Position) => number,
): Pick<Storage, 'listLocations'> {
  return {
    listLocations: async (mapId, { after, before, limit, fromEnd }: PageRequest<SortKey>) => {
      const list = (await wholeList(good, mapId))
        .toSorted(compare)
        .filter((item) => after === null || compare(item, after) > 0)
        .filter((item) => before === null || compare(item, before) < 0);
      return fromEnd ? list.slice(-limit) : list.slice(0, limit);
    },
  };
}

/** Yields to other work, like a network call. */
export function pause(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
