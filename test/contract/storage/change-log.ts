/** The change log (capabilities §15): its content, order, offsets and notifications. */

import { EventEmitter, once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';

import type { LocationChanged } from '../../../src/domain/change.ts';
import type { LocationRecord } from '../../../src/domain/location.ts';
import type { ChangeOffset, LoggedChange } from '../../../src/storage/changes.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { until } from '../../support/until.ts';
import {
  anInsert,
  anUpdate,
  append,
  collect,
  idsOf,
  insertAll,
  insertOne,
  insertOrders,
  listPage,
  locationOf,
  move,
  movedOf,
  seedMap,
  SETTLED_WITHIN_MS,
  shuffled,
  updateAll,
  updatedOf,
  updateOne,
} from './fixtures.ts';
import type { StorageTopic } from './harness.ts';

async function lastOffset(storage: Storage, mapId: string): Promise<ChangeOffset> {
  const last = await storage.lastChange(mapId);
  if (last.kind !== 'place') throw new Error(`lastChange returned ${last.kind}`);
  return last.place;
}

async function read(
  storage: Storage,
  mapId: string,
  after: ChangeOffset,
  limit = 10_000,
): Promise<readonly LoggedChange[]> {
  const read = await storage.readChanges(mapId, after, limit);
  if (read.kind !== 'changes') throw new Error(`readChanges returned ${read.kind}`);
  return read.changes;
}

const offsetOf = ({ number, stamp }: ChangeOffset): ChangeOffset => ({ number, stamp });
export const whatOf = (changes: readonly LoggedChange[]): readonly LocationChanged[] =>
  changes.map(({ kind, locationId }) => ({ kind, id: locationId }));
export const all = (kind: LocationChanged['kind'], locations: readonly { readonly id: string }[]) =>
  locations.map(({ id }) => ({ kind, id }));

/**
 * All changes after an offset. A store may log a change a moment after its response, so this appends one more location:
 * earlier acknowledged changes precede it.
 */
export async function readAll(
  storage: Storage,
  mapId: string,
  after: ChangeOffset,
): Promise<readonly LoggedChange[]> {
  const { id } = await append(storage, mapId);
  let before: readonly LoggedChange[] = [];
  const isLogged = async () => {
    const changes = await read(storage, mapId, after);
    const index = changes.findIndex(({ locationId }) => locationId === id);
    before = changes.slice(0, Math.max(index, 0));
    return index >= 0;
  };
  await until(isLogged, 'an acknowledged change in the log', SETTLED_WITHIN_MS);
  return before;
}

/** A map, and the offset before all its changes. */
export async function seedLog(
  storage: Storage,
): Promise<{ readonly mapId: string; readonly start: ChangeOffset }> {
  const { id } = await seedMap(storage);
  return { mapId: id, start: await lastOffset(storage, id) };
}

/** Far longer than a notification may take on a busy machine. */
const NEXT_MS = 6_000;

/** Records the notifications of a watch, and waits for the next. */
function watch(storage: Storage) {
  const notified = new EventEmitter();
  const calls: string[] = [];
  const changes = storage.watchChanges((mapId) => {
    calls.push(mapId);
    notified.emit(mapId);
  });
  // A watch does not keep the process alive.
  const alive = setInterval(() => {}, 1_000);
  const close = () => {
    clearInterval(alive);
    changes.close();
  };
  const next = (mapId: string) => once(notified, mapId, { signal: AbortSignal.timeout(NEXT_MS) });
  const add = (mapId: string) => changes.add(mapId);
  const remove = (mapId: string) => changes.remove(mapId);
  return { add, remove, close, calls, next };
}

const START = { kind: 'start' } as const;

export const changeLog: StorageTopic = {
  name: 'change log',
  cases: [
    {
      name: 'creates, updates, moves and deletions are logged in the order of their responses',
      async run({ storage }) {
        const { mapId, start } = await seedLog(storage);
        expect(await read(storage, mapId, start)).toEqual([]);
        const begun = Date.now();
        const list = await insertOrders(storage, mapId, ['1', '2', '3', 'x', null]);
        const named = await updateOne(storage, mapId, anUpdate(list[1]!, { name: 'Another' }));
        movedOf(await move(storage, mapId, [list[4]!, list[2]!], START));
        await storage.deleteLocation(mapId, list[0]!.id);
        const rest = [list[3]!.id, list[1]!.id, 'unknown'];
        await storage.deleteLocations(mapId, rest);
        const changes = await readAll(storage, mapId, start);
        expect(named.kind).toBe('updated');
        expect(whatOf(changes)).toEqual([
          ...all('created', list),
          ...all('updated', [list[1]!]),
          ...all('moved', [list[4]!, list[2]!]),
          ...all('deleted', [list[0]!, list[3]!, list[1]!]),
        ]);
        const numbers = changes.map(({ number }) => number);
        expect(numbers).toEqual([...new Set(numbers)].toSorted((a, b) => a - b));
        for (const { changedAt, stamp } of changes) {
          expect(changedAt).toBeGreaterThanOrEqual(begun - 1_000);
          expect(changedAt).toBeLessThanOrEqual(Date.now() + 1_000);
          expect(stamp).toMatch(/^[0-9A-Za-z]+$/);
        }
      },
    },
    {
      name: 'an update of only the order is a move, and any other update is an update',
      async run({ storage }) {
        const { mapId, start } = await seedLog(storage);
        const list = await insertOrders(storage, mapId, ['1', '2', '3', '4', '5', '6', '7', '8', '9', '10']);
        const changes = [
          {},
          { name: 'Another' },
          { placeId: 'another' },
          { latitude: 1 },
          { longitude: 1 },
          { properties: { Name: 'Another' } },
          { externalId: 'another' },
          { geocoding: { ...list[7]!.geocoding, provider: 'given' } },
          { geocoding: { ...list[8]!.geocoding, isChecked: true } },
        ];
        const updates = changes.map((values, index) => anUpdate(list[index]!, values, `${index}.5`));
        const outcomes = await updateAll(storage, mapId, [...updates, anUpdate(list[9]!, {}, '10')]);
        expect(outcomes.map(({ kind }) => kind)).toEqual(list.map(() => 'updated'));
        expect(whatOf(await readAll(storage, mapId, start)).slice(list.length)).toEqual([
          ...all('moved', [list[0]!]),
          // The last one already has this order.
          ...all('updated', list.slice(1)),
        ]);
      },
    },
    {
      name: 'renumbered neighbours are logged as moved',
      async run({ storage }) {
        const { mapId, start } = await seedLog(storage);
        const list = await insertOrders(storage, mapId, ['5', '5', '5', '5', '5', '9']);
        movedOf(await move(storage, mapId, [list[5]!], { kind: 'before', id: list[2]!.id }));
        const now = new Map((await listPage(storage, mapId)).map((location) => [location.id, location]));
        const written = list.filter(({ id }) => now.get(id)!.version > 1);
        expect(written.length).toBeGreaterThan(1);
        const moved = whatOf(await readAll(storage, mapId, start)).slice(list.length);
        expect(moved[0]).toEqual({ kind: 'moved', id: list[5]!.id });
        expect(idsOf(moved).toSorted()).toEqual(idsOf(written).toSorted());
        expect(new Set(moved.map(({ kind }) => kind))).toEqual(new Set(['moved']));
      },
    },
    {
      name: 'refused, replayed, missing and unchanged items are not logged',
      async run({ storage }) {
        const { mapId, start } = await seedLog(storage);
        const first = locationOf(
          await insertOne(storage, mapId, { key: 'k', location: { externalId: 'e' } }),
        );
        const second = locationOf(await insertOne(storage, mapId, {}));
        await insertAll(storage, mapId, [
          anInsert(mapId, { key: 'k' }),
          anInsert(mapId, { key: 'k', digest: 'another' }),
          anInsert(mapId, { location: { externalId: 'e' } }),
        ]);
        const old = anUpdate(second, { name: 'New' });
        const updated = updatedOf(await updateOne(storage, mapId, old));
        await updateAll(storage, mapId, [
          old,
          { ...old, id: `${mapId}_nobody` },
          anUpdate(updated, { externalId: 'e' }),
        ]);
        expect((await move(storage, mapId, [first, second], START)).kind).toBe('moved');
        expect((await move(storage, mapId, [second], { kind: 'after', id: 'nobody' })).kind).toBe('missing');
        await storage.deleteVersions(mapId, [{ id: second.id, version: 1 }]);
        expect((await storage.deleteLocation(mapId, `${mapId}_nobody`)).kind).toBe('missing');
        expect(whatOf(await readAll(storage, mapId, start))).toEqual([
          ...all('created', [first, second]),
          ...all('updated', [second]),
        ]);
      },
    },
    {
      name: 'can be read from any offset, in pages of any length',
      async run({ storage }) {
        const { mapId, start } = await seedLog(storage);
        const list = await insertOrders(storage, mapId, ['1', '2', '3', '4', '5']);
        for (const location of list) await updateOne(storage, mapId, anUpdate(location, { name: 'New' }));
        await storage.deleteLocations(mapId, idsOf(list.slice(1, 4)));
        const changes = await readAll(storage, mapId, start);
        expect(changes).toHaveLength(13);
        for (const [index, offset] of [start, ...changes.map(offsetOf)].entries()) {
          for (const limit of [1, 2, 5, 13]) {
            const page = await read(storage, mapId, offset, limit);
            expect(page.slice(0, 13 - index)).toEqual(changes.slice(index, index + limit));
          }
        }
      },
    },
    {
      name: 'one call can log thousands of changes',
      async run({ storage }) {
        const { mapId, start } = await seedLog(storage);
        const list = await insertOrders(storage, mapId, Array<null>(2_345).fill(null));
        await storage.deleteLocations(mapId, idsOf(list));
        const changes = await readAll(storage, mapId, start);
        expect(whatOf(changes)).toEqual([...all('created', list), ...all('deleted', list)]);
        const [middle] = changes.slice(1_500);
        expect(await read(storage, mapId, offsetOf(middle!), 3)).toEqual(changes.slice(1_501, 1_504));
      },
    },
    {
      name: 'an unknown offset is too old',
      async run({ storage }) {
        const { mapId, start } = await seedLog(storage);
        await insertOrders(storage, mapId, ['1', '2', '3']);
        const [one, two] = (await readAll(storage, mapId, start)) as [LoggedChange, LoggedChange];
        const offsets = [
          { number: one.number, stamp: `${one.stamp}0` },
          { number: 0, stamp: `${start.stamp}1` },
          { number: two.number + 1_000, stamp: two.stamp },
        ];
        for (const offset of offsets) {
          expect(await storage.readChanges(mapId, offset, 10)).toEqual({ kind: 'too-old' });
        }
        const last = await lastOffset(storage, mapId);
        const { stamp } = last;
        const other = { ...last, stamp: `${stamp}x` };
        expect(await storage.readChanges(mapId, other, 10)).toEqual({ kind: 'too-old' });
      },
    },
    {
      name: 'a deleted or unknown map has no log',
      async run({ storage }) {
        const { mapId, start } = await seedLog(storage);
        await append(storage, mapId);
        await storage.updateMap(mapId, { isDeleted: true }, { evenIfDeleted: false });
        expect(await storage.readChanges(mapId, start, 10)).toEqual({ kind: 'map-deleted' });
        expect(await storage.lastChange(mapId)).toEqual({ kind: 'map-deleted' });
        expect(await storage.readChanges('nobody', start, 10)).toEqual({ kind: 'map-missing' });
        expect(await storage.lastChange('nobody')).toEqual({ kind: 'map-missing' });
        await storage.updateMap(mapId, { isDeleted: false }, { evenIfDeleted: true });
        expect(await readAll(storage, mapId, start)).toHaveLength(1);
      },
    },
    {
      name: 'each map has its own log',
      async run({ storage }) {
        const one = await seedLog(storage);
        const other = await seedLog(storage);
        const mine = await insertOrders(storage, one.mapId, ['1', '2']);
        const its = await insertOrders(storage, other.mapId, ['1']);
        await storage.deleteLocation(one.mapId, its[0]!.id);
        expect(whatOf(await readAll(storage, one.mapId, one.start))).toEqual(all('created', mine));
        expect(whatOf(await readAll(storage, other.mapId, other.start))).toEqual(all('created', its));
      },
    },
    {
      name: 'keeps the configured number of newest changes',
      mostChanges: 20,
      async run({ storage }) {
        const { mapId, start } = await seedLog(storage);
        const offsets = [start];
        for (let count = 0; count < 12; count += 1) {
          await insertOrders(storage, mapId, ['1', '2', '3']);
          const after = offsets.at(-1)!;
          const changes = (await readAll(storage, mapId, after)).map(offsetOf);
          offsets.push(...changes, ...(await read(storage, mapId, changes.at(-1)!, 1)).map(offsetOf));
        }
        const last = offsets.length - 1;
        expect(last).toBe(12 * 4);
        for (const [index, offset] of offsets.entries()) {
          const response = await storage.readChanges(mapId, offset, 1_000);
          const remaining = last - index;
          if (remaining > 20) expect([index, response.kind]).toEqual([index, 'too-old']);
          else
            expect([index, response.kind === 'changes' && response.changes.length]).toEqual([
              index,
              remaining,
            ]);
        }
      },
    },
    {
      name: 'old changes are removed, and a reader at the end continues',
      async run({ storage }) {
        const { mapId, start } = await seedLog(storage);
        await insertOrders(storage, mapId, ['1', '2', '3']);
        const changes = await readAll(storage, mapId, start);
        await storage.removeOldChanges(changes[0]!.changedAt - 60_000);
        expect(await read(storage, mapId, start)).toHaveLength(4);
        const [, , , last] = await read(storage, mapId, start);
        await storage.removeOldChanges(Date.now() + 60_000);
        expect(await storage.readChanges(mapId, start, 10)).toEqual({ kind: 'too-old' });
        for (const change of changes) {
          expect(await storage.readChanges(mapId, offsetOf(change), 10)).toEqual({ kind: 'too-old' });
        }
        expect(await lastOffset(storage, mapId)).toEqual(offsetOf(last!));
        expect(await read(storage, mapId, offsetOf(last!))).toEqual([]);
        const more = await insertOrders(storage, mapId, ['4', '5']);
        expect(whatOf(await readAll(storage, mapId, offsetOf(last!)))).toEqual(all('created', more));
      },
    },
    {
      name: 'a reader during concurrent writes reads each change once, in one order, without gaps',
      async run({ storage }) {
        await expectOneOrder([storage], storage);
      },
    },
    {
      name: 'the same holds for writers in several processes',
      needs: 'openAgain',
      async run({ storage, openAgain }) {
        await expectOneOrder([storage, await openAgain()], await openAgain());
      },
    },
    {
      name: 'persists when the store is reopened',
      needs: 'reopen',
      async run({ storage, reopen }) {
        const { mapId, start } = await seedLog(storage);
        const list = await insertOrders(storage, mapId, ['1', '2']);
        const changes = await readAll(storage, mapId, start);
        const again = await reopen();
        expect((await read(again, mapId, start)).slice(0, 2)).toEqual(changes);
        expect(whatOf(changes)).toEqual(all('created', list));
      },
    },
    {
      name: 'is not copied, and a copy knows none of its offsets, also within the same store',
      async run({ storage }) {
        const { mapId, start } = await seedLog(storage);
        await insertOrders(storage, mapId, ['1', '2', '3']);
        const offsets = [start, ...(await readAll(storage, mapId, start)).map(offsetOf)];
        const items = await collect(storage.dump(0));
        await storage.removeAll([]);
        await storage.load(items);
        const begin = await lastOffset(storage, mapId);
        expect(await read(storage, mapId, begin)).toEqual([]);
        const [first] = await listPage(storage, mapId);
        for (let count = 0; count < 5; count += 1) {
          const [now] = await storage.getLocations(mapId, [first!.id]);
          await updateOne(storage, mapId, anUpdate(now!, { name: `${count}` }));
        }
        for (const offset of offsets) {
          expect(await storage.readChanges(mapId, offset, 10)).toEqual({ kind: 'too-old' });
        }
        expect(whatOf(await readAll(storage, mapId, begin))).toEqual(
          all('updated', [first!, first!, first!, first!, first!]),
        );
      },
    },
    {
      name: 'a watch is notified when its map is added, written and deleted',
      async run({ storage }) {
        const { mapId } = await seedLog(storage);
        const other = await seedLog(storage);
        const changes = watch(storage);
        const added = changes.next(mapId);
        changes.add(mapId);
        await added;
        const written = changes.next(mapId);
        await append(storage, mapId);
        await written;
        const deleted = changes.next(mapId);
        await append(storage, other.mapId);
        await storage.updateMap(mapId, { isDeleted: true }, { evenIfDeleted: false });
        await deleted;
        expect(changes.calls).not.toContain(other.mapId);
        changes.close();
      },
    },
    {
      name: 'the change can be read at the notification',
      async run({ storage }) {
        const { mapId, start } = await seedLog(storage);
        const changes = watch(storage);
        changes.add(mapId);
        const { id } = await append(storage, mapId);
        const end = performance.now() + 10_000;
        while (!(await read(storage, mapId, start)).some(({ locationId }) => locationId === id)) {
          if (performance.now() > end) throw new Error('A readable change caused no notification.');
          await changes.next(mapId);
        }
        changes.close();
      },
    },
    {
      name: 'a map added twice is watched until it is removed twice',
      async run({ storage }) {
        const { mapId } = await seedLog(storage);
        const changes = watch(storage);
        changes.add(mapId);
        changes.add(mapId);
        changes.remove(mapId);
        const notified = changes.next(mapId);
        await append(storage, mapId);
        await notified;
        changes.remove(mapId);
        const other = await seedLog(storage);
        const control = changes.next(other.mapId);
        changes.calls.length = 0;
        changes.add(other.mapId);
        await append(storage, mapId);
        await control;
        const again = changes.next(other.mapId);
        await append(storage, other.mapId);
        await again;
        expect(changes.calls).not.toContain(mapId);
        changes.close();
      },
    },
    {
      name: 'a watch is notified of writes by another process',
      needs: 'openAgain',
      async run({ storage, openAgain }) {
        const { mapId } = await seedLog(storage);
        const other = await openAgain();
        const changes = watch(other);
        const added = changes.next(mapId);
        changes.add(mapId);
        await added;
        for (let count = 0; count < 3; count += 1) {
          const notified = changes.next(mapId);
          await append(storage, mapId);
          await notified;
        }
        changes.close();
      },
    },
  ],
};

const WRITES_OF_EACH = 12;

/** Each writer creates, updates, moves and deletes; the changes that the reader follows reproduce the list. */
async function expectOneOrder(writers: readonly Storage[], reader: Storage): Promise<void> {
  const { mapId, start } = await seedLog(reader);
  const shared = await insertOrders(reader, mapId, ['1', '2', '3', '4']);
  const state = { isDone: false };
  const seen: LoggedChange[] = [];
  const following = (async () => {
    let offset = start;
    for (;;) {
      const wasDone = state.isDone;
      const changes = await read(reader, mapId, offset, 7);
      seen.push(...changes);
      offset = offsetOf(changes.at(-1) ?? offset);
      if (wasDone && changes.length === 0) return;
      await delay(changes.length === 7 ? 0 : 2);
    }
  })();
  const acknowledged: LocationChanged[] = [];
  const writing = [...writers, ...writers].map(async (storage, writer) => {
    const mine: LocationRecord[] = [];
    for (let count = 0; count < WRITES_OF_EACH; count += 1) {
      const created = await insertOrders(storage, mapId, [null, null]);
      mine.push(...created);
      acknowledged.push(...all('created', created));
      const one = shared[(writer + count) % shared.length]!;
      const [now] = await storage.getLocations(mapId, [one.id]);
      const update = anUpdate(now!, { name: `${writer} ${count}` });
      if ((await updateOne(storage, mapId, update)).kind === 'updated')
        acknowledged.push(...all('updated', [one]));
      movedOf(await move(storage, mapId, [created[1]!], START));
      acknowledged.push(...all('moved', [created[1]!]));
      const [removed] = shuffled(mine, count + 1);
      mine.splice(mine.indexOf(removed!), 1);
      await storage.deleteLocation(mapId, removed!.id);
      acknowledged.push(...all('deleted', [removed!]));
    }
  });
  // The reader's failure is reported at the end.
  following.catch(() => {});
  await Promise.all(writing);
  const whole = await readAll(reader, mapId, start);
  state.isDone = true;
  await following;
  const last = await append(reader, mapId);
  await readAll(reader, mapId, start);
  expect(whole).toEqual(seen.slice(0, whole.length));
  expect(seen.length).toBeLessThanOrEqual(whole.length + 1);
  const text = ({ kind, id }: LocationChanged) => `${kind} ${id}`;
  // Renumbered neighbours are also moved.
  const moves = whatOf(whole)
    .filter(({ kind }) => kind === 'moved')
    .map(text);
  const others = whatOf(whole)
    .filter(({ kind }) => kind !== 'moved')
    .map(text);
  const expected = [...all('created', shared), ...acknowledged];
  expect(others.toSorted()).toEqual(
    expected
      .filter(({ kind }) => kind !== 'moved')
      .map(text)
      .toSorted(),
  );
  for (const { kind, id } of expected) if (kind === 'moved') expect(moves).toContain(text({ kind, id }));
  const present = new Set<string>();
  for (const { kind, locationId } of whole) {
    if (kind === 'created') present.add(locationId);
    else expect(present).toContain(locationId);
    if (kind === 'deleted') present.delete(locationId);
  }
  const listed = idsOf(await listPage(reader, mapId)).filter((id) => id !== last.id);
  expect(listed.filter((id) => present.has(id)).toSorted()).toEqual([...present].toSorted());
}
