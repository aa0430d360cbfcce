/** What holds for the history of a map whose writes all had a call, also after crashes. */

import { CHANGE_KINDS } from '../../src/domain/change.ts';
import type { LocationRecord } from '../../src/domain/location.ts';
import type { CallChange, HistoryRecord, Storage } from '../../src/storage/storage.ts';
import { idsOf, listPage } from '../contract/storage/fixtures.ts';
import { historyOf, trashOf, versionsOf } from '../contract/storage/history.ts';

interface CalledChange extends CallChange {
  readonly callId: string;
}

/**
 * Expects each location, deleted or not, to have exactly the former states that the changes of all calls have replaced, and
 * each call to have the changes that it counts. Needs a store that keeps everything.
 *
 * @param purged the ids of locations that were purged
 */
export async function expectHistory(
  storage: Storage,
  mapId: string,
  purged: ReadonlySet<string> = new Set(),
): Promise<void> {
  const records = await historyOf(storage, mapId);
  const changes = (await Promise.all(records.map((record) => changesOf(storage, record)))).flat();
  changes.sort((a, b) => a.number - b.number);
  expect(new Set(changes.map(({ number }) => number)).size).toBe(changes.length);
  const byLocation = new Map<string, CalledChange[]>();
  for (const change of changes) {
    const own = byLocation.get(change.locationId);
    if (own === undefined) byLocation.set(change.locationId, [change]);
    else own.push(change);
  }
  const list = await listPage(storage, mapId);
  const trash = (await trashOf(storage, mapId)).map(({ location }) => location);
  for (const id of purged) {
    expect(await versionsOf(storage, { mapId, id })).toEqual([]);
    byLocation.delete(id);
  }
  expect([...idsOf(list), ...idsOf(trash)].toSorted()).toEqual([...byLocation.keys()].toSorted());
  for (const location of [...list, ...trash]) {
    await expectVersions(storage, location, byLocation.get(location.id)!, list.includes(location));
  }
  await expectReplaced(storage, mapId, byLocation);
}

/** The changes of a record, which must be those that it counts. */
async function changesOf(storage: Storage, record: HistoryRecord): Promise<readonly CalledChange[]> {
  const { id, mapId, counts, firstChange, lastChange } = record;
  const changes = await storage.changesOfCall(mapId, id, { limit: 1_000_000, after: 0 });
  const tally = CHANGE_KINDS.map((kind) => [kind, changes.filter((change) => change.kind === kind).length]);
  expect([id, Object.fromEntries(tally)]).toEqual([id, counts]);
  expect([firstChange, lastChange]).toEqual([changes[0]?.number, changes.at(-1)?.number]);
  return changes.map((change) => ({ ...change, callId: id }));
}

/** @param changes of the location, in the order of the log: the first created it */
async function expectVersions(
  storage: Storage,
  { id, mapId, version, createdAt }: LocationRecord,
  changes: readonly CalledChange[],
  isListed: boolean,
): Promise<void> {
  const expected = changes.map(({ kind, callId: replacedBy }, index) => {
    const isFirst = index === 0;
    const wasDeleted = changes[index - 1]?.kind === 'deleted';
    expect([id, kind, kind === 'created']).toEqual([id, kind, isFirst || wasDeleted]);
    return {
      ...{ locationId: id, version: index, replacedBy },
      location: wasDeleted ? null : expect.objectContaining({ id, mapId, version: index, createdAt }),
      isInTrash: kind === 'deleted' && index === changes.length - 1,
    };
  });
  const isDeleted = changes.at(-1)?.kind === 'deleted';
  expect([id, isListed, version]).toEqual([id, !isDeleted, changes.length - Number(isDeleted)]);
  const versions = await versionsOf(storage, { id, mapId });
  expect(versions).toEqual(expected.slice(1).toReversed());
  const [last] = versions;
  expect(await storage.findTrashed(mapId, [id])).toEqual([
    isDeleted ? { location: last!.location, deletedBy: last!.replacedBy } : null,
  ]);
}

async function expectReplaced(
  storage: Storage,
  mapId: string,
  byLocation: ReadonlyMap<string, readonly CalledChange[]>,
): Promise<void> {
  const ids = [...byLocation.keys()];
  for (const callId of new Set([...byLocation.values()].flat().map((change) => change.callId))) {
    const found = await storage.findReplacedVersions(mapId, callId, ids);
    expect(found.map((own) => own.map(({ version }) => version))).toEqual(
      [...byLocation.values()].map((changes) =>
        changes.flatMap((change, index) => (index > 0 && change.callId === callId ? [index] : [])),
      ),
    );
  }
}
