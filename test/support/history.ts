/** What holds for the history of a map whose writes all had a call, also after crashes. */

import type { LocationRecord } from '../../src/domain/location.ts';
import type { HistoryRecord, Storage, VersionRecord } from '../../src/storage/storage.ts';
import { listPage } from '../contract/storage/fixtures.ts';
import { historyOf, trashOf, versionsOf } from '../contract/storage/history.ts';

/**
 * Expects each location, deleted or not, to have all of its former states, and each call to have all of its changes. Needs a
 * store that keeps everything.
 */
export async function expectHistory(storage: Storage, mapId: string): Promise<void> {
  const records = await historyOf(storage, mapId);
  for (const record of records) await expectCounted(storage, record);
  const ids = new Set(records.map(({ id }) => id));
  const existing = await listPage(storage, mapId);
  for (const location of existing) expectStates(location, await versionsOf(storage, location), ids);
  const trash = await trashOf(storage, mapId);
  const present = new Set(existing.map(({ id }) => id));
  for (const { location, deletedBy } of trash) {
    expect(present.has(location.id)).toBe(false);
    const [last, ...former] = await versionsOf(storage, location);
    expect(last).toEqual({
      ...{ locationId: location.id, version: location.version, location },
      ...{ replacedBy: deletedBy, isInTrash: true },
    });
    expectStates(location, former, ids);
  }
}

async function expectCounted(
  storage: Storage,
  { mapId, id, counts, ...range }: HistoryRecord,
): Promise<void> {
  const changes = await storage.changesOfCall(mapId, id, { limit: 1_000_000, after: 0 });
  const tally = { created: 0, updated: 0, moved: 0, deleted: 0 };
  for (const { kind } of changes) tally[kind] += 1;
  expect([id, tally]).toEqual([id, counts]);
  expect([range.firstChange, range.lastChange]).toEqual([changes[0]?.number, changes.at(-1)?.number]);
}

/** @param versions newest first */
function expectStates(
  { id, version, createdAt }: LocationRecord,
  versions: readonly VersionRecord[],
  calls: ReadonlySet<string>,
): void {
  expect([id, versions.map((each) => each.version)]).toEqual([
    id,
    Array.from({ length: version - 1 }, (_, index) => version - 1 - index),
  ]);
  for (const { location, replacedBy, isInTrash } of versions) {
    expect([isInTrash, calls.has(replacedBy)]).toEqual([false, true]);
    if (location !== null) expect([location.id, location.createdAt]).toEqual([id, createdAt]);
  }
}
