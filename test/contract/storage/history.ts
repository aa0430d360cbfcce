/** History: calls and their changes, former states, the trash, and what is removed. */

import type { Actor } from '../../../src/domain/actor.ts';
import { newHistoryId } from '../../../src/domain/ids.ts';
import type { LocationRecord } from '../../../src/domain/location.ts';
import type {
  HistoryFilter,
  HistoryLimits,
  HistoryRecord,
  LocationUpdate,
  Storage,
  StoredItem,
  TrashedLocation,
  VersionRecord,
  WriteCall,
} from '../../../src/storage/storage.ts';
import { all, readAll, seedLog } from './change-log.ts';
import {
  anInsert,
  anUpdate,
  append,
  collect,
  DAY,
  expectGrouped,
  idsOf,
  insertOne,
  insertOrders,
  listPage,
  locationOf,
  movedOf,
  NOW,
  seedMap,
  updatedOf,
} from './fixtures.ts';
import type { StorageTopic } from './harness.ts';

export const OPERATOR: Actor = { kind: 'operator' };

export function aCall(overrides: Partial<WriteCall> & { readonly at?: number } = {}): WriteCall {
  const { at = NOW, ...call } = overrides;
  const id = newHistoryId(at);
  return { id, actor: OPERATOR, operation: 'write', mostVersions: 100, keepsTrash: true, ...call };
}

const ANY: HistoryFilter = { since: null, until: null, operation: null };
const KEEP_ALL: HistoryLimits = { recordsSince: 0, versionsSince: 0, trashSince: 0, mostVersions: 1_000 };

export function historyOf(
  storage: Storage,
  mapId: string,
  filter: Partial<HistoryFilter> = {},
  page: { readonly limit?: number; readonly after?: string | null } = {},
): Promise<readonly HistoryRecord[]> {
  return storage.listHistory(mapId, { limit: 1_000, after: null, ...page }, { ...ANY, ...filter });
}

export function versionsOf(
  storage: Storage,
  { mapId, id }: Pick<LocationRecord, 'mapId' | 'id'>,
): Promise<readonly VersionRecord[]> {
  return storage.listVersions(mapId, id, { limit: 1_000, before: null });
}

export function trashOf(storage: Storage, mapId: string): Promise<readonly TrashedLocation[]> {
  return storage.listTrash(mapId, { limit: 1_000, after: null }, { deletedSince: 0, matches: null });
}

/** Stores a location for each order in one call. */
export async function insert(
  storage: Storage,
  mapId: string,
  call: WriteCall | undefined,
  orders: readonly (string | null)[] = [null],
): Promise<readonly LocationRecord[]> {
  const inserts = orders.map((order) => anInsert(mapId, { order }));
  const result = await storage.insertLocations(mapId, inserts, NOW, { call });
  return result.kind === 'done' ? result.outcomes.map((outcome) => locationOf(outcome)) : [];
}

export async function change(
  storage: Storage,
  location: LocationRecord,
  call: WriteCall | undefined,
  values: Partial<LocationUpdate['values']> = { name: `Name ${location.version + 1}` },
  order: string | null = null,
): Promise<LocationRecord> {
  const result = await storage.updateLocations(location.mapId, [anUpdate(location, values, order)], { call });
  return updatedOf(result.kind === 'done' ? result.outcomes[0] : undefined);
}

export async function remove(
  storage: Storage,
  locations: readonly Pick<LocationRecord, 'mapId' | 'id'>[],
  call: WriteCall | undefined = aCall(),
): Promise<WriteCall | undefined> {
  const ids = idsOf(locations);
  const result = await storage.deleteLocations(locations[0]!.mapId, ids, { call });
  expect(result).toEqual({ kind: 'done', deletedIds: ids });
  return call;
}

export async function restore(
  storage: Storage,
  { mapId, id, version }: Pick<LocationRecord, 'mapId' | 'id' | 'version'>,
  call: WriteCall | undefined = aCall(),
  now = NOW + 9,
) {
  const result = await storage.restoreLocations(mapId, [{ id, version }], now, { call });
  if (result.kind !== 'done') throw new Error(`restoreLocations returned ${result.kind}`);
  return result.outcomes[0]!;
}

export function restored(location: LocationRecord, now = NOW + 9): LocationRecord {
  return { ...location, version: location.version + 2, updatedAt: Math.max(location.updatedAt, now) };
}

/** The whole walk, in the smallest steps. @returns the number of records removed */
async function removeOld(storage: Storage, limits: Partial<HistoryLimits>, limit = 1): Promise<number> {
  let sum = 0;
  let after: string | null = null;
  for (let steps = 0; steps < 1_000; steps += 1) {
    const { removed, next } = await storage.removeOldHistory({ ...KEEP_ALL, ...limits }, after, limit);
    sum += removed;
    if (next === null) return sum;
    after = next;
  }
  throw new Error('The walk does not end.');
}

const countsOf = (counts: Partial<HistoryRecord['counts']>) => ({
  ...{ created: 0, updated: 0, moved: 0, deleted: 0 },
  ...counts,
});

export const history: StorageTopic = {
  name: 'history',
  cases: [
    {
      name: 'a write without a call keeps no history',
      async run({ storage }) {
        const map = await seedMap(storage);
        const [a, b] = await insertOrders(storage, map.id, ['1', '2']);
        await change(storage, a!, undefined);
        await storage.moveLocations(map.id, { ids: [b!.id], position: { kind: 'start' } }, NOW);
        await storage.deleteLocations(map.id, [a!.id]);
        expect(await historyOf(storage, map.id)).toEqual([]);
        expect(await versionsOf(storage, a!)).toEqual([]);
        expect(await versionsOf(storage, b!)).toEqual([]);
        expect(await trashOf(storage, map.id)).toEqual([]);
        expect(await storage.findCreation(map.id, a!)).toBeNull();
      },
    },
    {
      name: 'all writes of a call to one map are one record',
      async run({ storage }) {
        const map = await seedMap(storage);
        const other = await seedMap(storage, { ownerId: map.ownerId });
        const call = aCall({ actor: { kind: 'token', id: 'token_1' }, operation: 'createLocations' });
        const [a, b, c] = await insert(storage, map.id, call, ['1', '2', '3']);
        await change(storage, a!, call);
        await storage.moveLocations(map.id, { ids: [c!.id], position: { kind: 'start' } }, NOW, { call });
        await remove(storage, [b!], call);
        await insert(storage, other.id, call);
        const [record, ...rest] = await historyOf(storage, map.id);
        expect(rest).toEqual([]);
        expect(record).toEqual({
          ...{ id: call.id, mapId: map.id, actor: call.actor, operation: 'createLocations' },
          ...{ counts: { created: 3, updated: 1, moved: 1, deleted: 1 } },
          ...{ firstChange: 1, lastChange: 6 },
        });
        expect(await storage.findHistory(map.id, ['other', call.id])).toEqual([null, record]);
        expect((await historyOf(storage, other.id)).map(({ counts }) => counts)).toEqual([
          countsOf({ created: 1 }),
        ]);
      },
    },
    {
      name: 'a write that changes nothing leaves no record',
      async run({ storage }) {
        const map = await seedMap(storage);
        const keyed = anInsert(map.id, { key: 'key' });
        const first = aCall();
        await storage.insertLocations(map.id, [keyed], NOW, { call: first });
        await storage.insertLocations(map.id, [keyed], NOW, { call: aCall() });
        await storage.deleteLocations(map.id, ['unknown'], { call: aCall() });
        await storage.updateLocations(map.id, [], { call: aCall() });
        await storage.moveLocations(map.id, { ids: [keyed.location.id], position: { kind: 'end' } }, NOW, {
          call: aCall(),
        });
        expect(idsOf(await historyOf(storage, map.id))).toEqual([first.id]);
      },
    },
    {
      name: 'records are listed newest first, in pages, by time and operation',
      async run({ storage }) {
        const map = await seedMap(storage);
        const actors: readonly Actor[] = [
          OPERATOR,
          { kind: 'account', id: 'x' },
          { kind: 'token', id: 'x' },
          { kind: 'link', id: 'x' },
        ];
        const calls = Array.from({ length: 12 }, (_, index) =>
          aCall({
            at: NOW + Math.floor(index / 2),
            actor: actors[index % actors.length]!,
            operation: index % 3 === 0 ? 'third' : 'other',
          }),
        );
        for (const call of calls) await insert(storage, map.id, call);
        const newest = calls.toReversed();
        const whole = await historyOf(storage, map.id);
        expect(whole.map(({ id, actor, operation }) => ({ id, actor, operation }))).toEqual(
          newest.map(({ id, actor, operation }) => ({ id, actor, operation })),
        );
        const paged: HistoryRecord[] = [];
        for (let after: string | null = null; paged.length <= whole.length; after = paged.at(-1)!.id) {
          const page = await historyOf(storage, map.id, {}, { limit: 5, after });
          paged.push(...page);
          if (page.length < 5) break;
        }
        expect(paged).toEqual(whole);

        const found = async (filter: Partial<HistoryFilter>) =>
          idsOf(await historyOf(storage, map.id, filter));
        const expected = (matches: (call: WriteCall, index: number) => boolean) =>
          idsOf(newest.filter((call) => matches(call, calls.indexOf(call))));
        expect(await found({ operation: 'third' })).toEqual(expected((_, index) => index % 3 === 0));
        expect(await found({ since: NOW + 2, until: NOW + 3 })).toEqual(
          expected((_, index) => index >= 4 && index < 8),
        );
        expect(await found({ since: NOW + 6 })).toEqual([]);
        expect(
          idsOf(
            await historyOf(
              storage,
              map.id,
              { operation: 'third', until: NOW + 4 },
              { limit: 2, after: calls[8]!.id },
            ),
          ),
        ).toEqual([calls[6]!.id, calls[3]!.id]);
      },
    },
    {
      name: 'the changes of a call are listed in order, without those of others',
      async run({ storage }) {
        const map = await seedMap(storage);
        const [one, other] = [aCall(), aCall()];
        const a = await insert(storage, map.id, one, [null, null]);
        const b = await insert(storage, map.id, other, [null]);
        await append(storage, map.id);
        const a2 = await change(storage, a[1]!, one);
        await remove(storage, [a2, a[0]!], one);
        const expected = [
          { number: 1, kind: 'created', locationId: a[0]!.id },
          { number: 2, kind: 'created', locationId: a[1]!.id },
          { number: 5, kind: 'updated', locationId: a2.id },
          { number: 6, kind: 'deleted', locationId: a2.id },
          { number: 7, kind: 'deleted', locationId: a[0]!.id },
        ];
        const read = (id: string, after = 0, limit = 100) =>
          storage.changesOfCall(map.id, id, { limit, after });
        expect(await read(one.id)).toEqual(expected);
        expect(await read(other.id)).toEqual([{ number: 3, kind: 'created', locationId: b[0]!.id }]);
        expect(await read(one.id, 1, 2)).toEqual(expected.slice(1, 3));
        expect(await read(one.id, 5)).toEqual(expected.slice(3));
        expect(await read(one.id, 7)).toEqual([]);
        expect(await read(newHistoryId(NOW))).toEqual([]);
        const foreign = await seedMap(storage, { ownerId: map.ownerId });
        expect(await storage.changesOfCall(foreign.id, one.id, { limit: 9, after: 0 })).toEqual([]);
        expect(await storage.findHistory(foreign.id, [one.id])).toEqual([null]);
      },
    },
    {
      name: 'concurrent calls have their own changes',
      async run({ storage }) {
        const map = await seedMap(storage);
        const calls = Array.from({ length: 20 }, () => aCall());
        const written = await Promise.all(
          calls.map((call, index) =>
            insert(
              storage,
              map.id,
              call,
              Array.from({ length: 1 + (index % 4) }, () => null),
            ),
          ),
        );
        const numbers: number[] = [];
        for (const [index, call] of calls.entries()) {
          const changes = await storage.changesOfCall(map.id, call.id, { limit: 100, after: 0 });
          expect(changes.map(({ kind, locationId }) => ({ kind, id: locationId }))).toEqual(
            all('created', written[index]!),
          );
          const [record] = await storage.findHistory(map.id, [call.id]);
          expect(record).toMatchObject({
            counts: countsOf({ created: written[index]!.length }),
            firstChange: changes[0]!.number,
            lastChange: changes.at(-1)!.number,
          });
          numbers.push(...changes.map(({ number }) => number));
        }
        expect(new Set(numbers).size).toBe(written.flat().length);
        expect(await historyOf(storage, map.id)).toHaveLength(20);
      },
    },
    {
      name: 'a call of thousands of changes is one record',
      async run({ storage }) {
        const map = await seedMap(storage);
        const call = aCall();
        const list = [
          ...(await insert(storage, map.id, call, Array<null>(1_500).fill(null))),
          ...(await insert(storage, map.id, call, Array<null>(700).fill(null))),
        ];
        const read: string[] = [];
        for (let after = 0; read.length <= list.length;) {
          const page = await storage.changesOfCall(map.id, call.id, { limit: 1_000, after });
          read.push(...page.map(({ locationId }) => locationId));
          if (page.length < 1_000) break;
          after = page.at(-1)!.number;
        }
        expect(read).toEqual(idsOf(list));
        expect((await historyOf(storage, map.id))[0]!.counts).toEqual(countsOf({ created: 2_200 }));
        expect(await storage.findCreation(map.id, list[1_800]!)).toBe(call.id);
      },
    },
    {
      name: 'the creation of a location has its call, also after changes, deletion and restoring',
      async run({ storage }) {
        const map = await seedMap(storage);
        const long = aCall({ at: NOW - 60_000 });
        const [first] = await insert(storage, map.id, long);
        const calls = [aCall({ at: NOW - 1 }), aCall(), aCall()];
        const created: LocationRecord[] = [];
        for (const call of calls) created.push(...(await insert(storage, map.id, call)));
        const [last] = await insert(storage, map.id, long);
        const unknown = await append(storage, map.id);
        const later = aCall({ at: NOW + 1 });
        await change(storage, created[1]!, later);
        await remove(storage, [created[2]!], later);
        const find = (location: LocationRecord) => storage.findCreation(map.id, location);
        expect(await find(created[2]!)).toBe(calls[2]!.id);
        await restore(storage, created[2]!, aCall({ at: NOW + 2 }));
        for (const [index, location] of created.entries())
          expect(await find(location)).toBe(calls[index]!.id);
        expect(await find(first!)).toBe(long.id);
        expect(await find(last!)).toBe(long.id);
        expect(await find(unknown)).toBeNull();
      },
    },
    {
      name: 'every change keeps the former state exactly',
      async run({ storage }) {
        const map = await seedMap(storage);
        const [a, b] = await insert(storage, map.id, aCall(), ['1', '2']);
        expect(await versionsOf(storage, a!)).toEqual([]);
        const calls = Array.from({ length: 4 }, () => aCall());
        const geocoding = { ...a!.geocoding, label: null, isChecked: true, isAmbiguous: false };
        const a2 = await change(storage, a!, calls[0], {
          latitude: -0.9999999999999999,
          longitude: 1e-17,
          properties: { Name: 'ü 😀', nested: [{ a: null }] },
          externalId: 'x',
          geocoding,
        });
        const a3 = await change(storage, a2, calls[1], { externalId: null }, '7');
        const moved = await storage.moveLocations(
          map.id,
          { ids: [a3.id], position: { kind: 'before', id: b!.id } },
          NOW + 7,
          { call: calls[2] },
        );
        const a4 = movedOf(moved)[0]!;
        const a5 = await change(storage, a4, calls[3]);
        const record = (location: LocationRecord, call: WriteCall): VersionRecord => ({
          ...{ locationId: location.id, version: location.version, location },
          ...{ replacedBy: call.id, isInTrash: false },
        });
        const expected = [
          record(a4, calls[3]!),
          record(a3, calls[2]!),
          record(a2, calls[1]!),
          record(a!, calls[0]!),
        ];
        expect(await versionsOf(storage, a!)).toEqual(expected);
        expect(await storage.getLocations(map.id, [a!.id])).toEqual([a5]);
        expect(await storage.listVersions(map.id, a!.id, { limit: 2, before: 4 })).toEqual(
          expected.slice(1, 3),
        );
        expect(await storage.listVersions(map.id, a!.id, { limit: 2, before: 1 })).toEqual([]);
        expect(await versionsOf(storage, b!)).toEqual([]);
        const foreign = await seedMap(storage, { ownerId: map.ownerId });
        expect(await versionsOf(storage, { mapId: foreign.id, id: a!.id })).toEqual([]);
      },
    },
    {
      name: 'a move keeps the states of the neighbours that make room',
      async run({ storage }) {
        const map = await seedMap(storage);
        const list = await insert(storage, map.id, aCall(), ['x', 'x', 'x', 'y']);
        const call = aCall();
        const position = { kind: 'before', id: list[1]!.id } as const;
        await storage.moveLocations(map.id, { ids: [list[3]!.id], position }, NOW, { call });
        const now = await storage.getLocations(map.id, idsOf(list));
        const changed = list.filter((_, index) => now[index]!.version === 2);
        expect(changed.length).toBeGreaterThan(1);
        for (const location of list) {
          expect((await versionsOf(storage, location)).map((version) => version.location)).toEqual(
            changed.includes(location) ? [location] : [],
          );
        }
        expect((await historyOf(storage, map.id))[0]!.counts).toEqual(countsOf({ moved: changed.length }));
      },
    },
    {
      name: 'an update that loses keeps no state',
      async run({ storage }) {
        const map = await seedMap(storage);
        const [location] = await insert(storage, map.id, aCall());
        await insertOne(storage, map.id, { location: { externalId: 'taken' } });
        await change(storage, location!, aCall());
        const call = aCall();
        const result = await storage.updateLocations(
          map.id,
          [
            anUpdate(location!),
            anUpdate({ ...location!, version: 2 }, { externalId: 'taken' }),
            anUpdate({ ...location!, id: 'unknown' }),
          ],
          { call },
        );
        expect(result.kind === 'done' && result.outcomes.map(({ kind }) => kind)).toEqual([
          'changed',
          'external-id-taken',
          'missing',
        ]);
        expect(await versionsOf(storage, location!)).toHaveLength(1);
        expect(await storage.findHistory(map.id, [call.id])).toEqual([null]);
      },
    },
    {
      name: 'a call that keeps no versions keeps its record',
      async run({ storage }) {
        const map = await seedMap(storage);
        const [a] = await insert(storage, map.id, aCall());
        const call = aCall({ mostVersions: 0 });
        await change(storage, a!, call);
        expect(await versionsOf(storage, a!)).toEqual([]);
        expect((await historyOf(storage, map.id))[0]).toMatchObject({
          id: call.id,
          counts: countsOf({ updated: 1 }),
        });
      },
    },
    {
      name: 'the newest versions are kept, at least as many as the call keeps',
      async run({ storage }) {
        const map = await seedMap(storage);
        let [location] = await insert(storage, map.id, aCall());
        const states = [location!];
        for (let count = 0; count < 8; count += 1) {
          location = await change(storage, location!, aCall({ mostVersions: 3 }));
          states.push(location);
        }
        const versions = await versionsOf(storage, location!);
        expect(versions.slice(0, 3).map((version) => version.location)).toEqual(
          states.slice(5, 8).toReversed(),
        );
      },
    },
    {
      name: 'the versions that a call replaced are found, oldest first',
      async run({ storage }) {
        const map = await seedMap(storage);
        const [a, b, c] = await insert(storage, map.id, aCall(), [null, null, null]);
        const call = aCall();
        const a2 = await change(storage, a!, aCall());
        const a3 = await change(storage, a2, call);
        const a4 = await change(storage, a3, call);
        await change(storage, a4, aCall());
        await remove(storage, [b!], call);
        const found = await storage.findReplacedVersions(map.id, call.id, [c!.id, b!.id, a!.id, 'unknown']);
        expect(found.map((versions) => versions.map((version) => version.location))).toEqual([
          [],
          [b],
          [a2, a3],
          [],
        ]);
        expect(found[1]![0]!.isInTrash).toBe(true);
      },
    },
    {
      name: 'a deleted location is in the trash, and nowhere else',
      async run({ storage }) {
        const map = await seedMap(storage);
        const inserted = await insertOne(storage, map.id, { location: { externalId: 'x' }, order: '5' });
        const location = locationOf(inserted);
        const [other] = await insert(storage, map.id, aCall());
        const call = aCall();
        const result = await storage.deleteLocation(map.id, location.id, { call });
        expect(result).toEqual({ kind: 'deleted', location });
        expect(await trashOf(storage, map.id)).toEqual([{ location, deletedBy: call.id }]);
        expect(await storage.findTrashed(map.id, [other!.id, location.id, 'unknown'])).toEqual([
          null,
          { location, deletedBy: call.id },
          null,
        ]);
        expect(await versionsOf(storage, location)).toEqual([
          { locationId: location.id, version: 1, location, replacedBy: call.id, isInTrash: true },
        ]);
        expect(await listPage(storage, map.id)).toEqual([other]);
        expect(await storage.countLocations(map.id)).toBe(1);
        await expectGrouped(storage, map.id, [other!]);
        expect(await storage.getLocations(map.id, [location.id])).toEqual([null]);
        expect(await storage.findLocationsByExternalIds(map.id, ['x'])).toEqual([null]);
        const again = await insertOne(storage, map.id, { location: { externalId: 'x' } });
        expect(again.kind).toBe('inserted');
      },
    },
    {
      name: 'only the version that is deleted goes to the trash',
      async run({ storage }) {
        const map = await seedMap(storage);
        const [a] = await insert(storage, map.id, aCall());
        const a2 = await change(storage, a!, aCall());
        const call = aCall();
        expect(await storage.deleteVersions(map.id, [a!], { call })).toEqual({
          kind: 'done',
          deletedIds: [],
        });
        expect(await trashOf(storage, map.id)).toEqual([]);
        expect(await versionsOf(storage, a!)).toHaveLength(1);
        expect(await storage.deleteVersions(map.id, [a2], { call })).toEqual({
          kind: 'done',
          deletedIds: [a2.id],
        });
        expect(await trashOf(storage, map.id)).toEqual([{ location: a2, deletedBy: call.id }]);
        expect(await storage.deleteLocations(map.id, [a!.id], { call: aCall() })).toEqual({
          kind: 'done',
          deletedIds: [],
        });
        expect(await trashOf(storage, map.id)).toEqual([{ location: a2, deletedBy: call.id }]);
      },
    },
    {
      name: 'a deletion that keeps no trash leaves no versions',
      async run({ storage }) {
        const map = await seedMap(storage);
        for (const call of [aCall({ keepsTrash: false }), undefined]) {
          const [location] = await insert(storage, map.id, aCall());
          const changed = await change(storage, location!, aCall());
          await storage.deleteLocations(map.id, [changed.id], { call });
          expect(await trashOf(storage, map.id)).toEqual([]);
          expect(await storage.findTrashed(map.id, [location!.id])).toEqual([null]);
          expect(await versionsOf(storage, location!)).toEqual([]);
        }
      },
    },
    {
      name: 'the trash is listed newest first, in pages, by time and content',
      async run({ storage }) {
        const map = await seedMap(storage);
        const list = await insert(storage, map.id, aCall(), Array<null>(9).fill(null));
        const calls = [aCall({ at: NOW }), aCall({ at: NOW + 1 }), aCall({ at: NOW + 2 })];
        for (const [index, call] of calls.entries())
          await remove(storage, list.slice(3 * index, 3 * index + 3), call);
        const expected = calls
          .flatMap((call, index) =>
            list.slice(3 * index, 3 * index + 3).map((location) => ({ location, deletedBy: call.id })),
          )
          .toSorted((x, y) => {
            const [a, b] = [x, y].map(({ deletedBy, location }) => `${deletedBy} ${location.id}`);
            return a! < b! ? 1 : -1;
          });
        expect(await trashOf(storage, map.id)).toEqual(expected);
        const paged: TrashedLocation[] = [];
        while (paged.length <= expected.length) {
          const last = paged.at(-1);
          const after =
            last === undefined ? null : { deletedBy: last.deletedBy, locationId: last.location.id };
          const page = await storage.listTrash(
            map.id,
            { limit: 2, after },
            { deletedSince: 0, matches: null },
          );
          paged.push(...page);
          if (page.length < 2) break;
        }
        expect(paged).toEqual(expected);
        const some = await storage.listTrash(
          map.id,
          { limit: 99, after: null },
          { deletedSince: NOW + 1, matches: ({ id }) => id !== list[4]!.id },
        );
        expect(some).toEqual(
          expected.filter(({ location }) => list.indexOf(location) >= 3 && location !== list[4]),
        );
        const oldest = await storage.listTrash(
          map.id,
          { limit: 2, after: null },
          { deletedSince: 0, matches: ({ id }) => list.slice(0, 3).some((location) => location.id === id) },
        );
        expect(oldest).toEqual(expected.slice(-3, -1));
        const foreign = await seedMap(storage, { ownerId: map.ownerId });
        expect(await trashOf(storage, foreign.id)).toEqual([]);
        expect(await storage.findTrashed(foreign.id, [list[0]!.id])).toEqual([null]);
      },
    },
    {
      name: 'a restored location is as before, two versions later',
      async run({ storage }) {
        const { mapId, start } = await seedLog(storage);
        const orders = ['1', '2', '2', '3'];
        const list = await insert(storage, mapId, aCall(), orders);
        const second = await change(storage, list[1]!, aCall(), { externalId: 'x' });
        const deletion = await remove(storage, [second]);
        const call = aCall({ operation: 'restoreLocations' });
        expect(await restore(storage, second, call)).toEqual({
          kind: 'restored',
          location: restored(second),
        });
        const after = [list[0], restored(second), list[2], list[3]];
        expect(await listPage(storage, mapId)).toEqual(after);
        expect(await storage.getLocations(mapId, [second.id])).toEqual([restored(second)]);
        expect(await storage.findLocationsByExternalIds(mapId, ['x'])).toEqual([restored(second)]);
        expect(await storage.countLocations(mapId)).toBe(4);
        await expectGrouped(storage, mapId, after as LocationRecord[]);
        expect(await trashOf(storage, mapId)).toEqual([]);
        expect(await storage.findTrashed(mapId, [second.id])).toEqual([null]);
        const versions = await versionsOf(storage, second);
        expect(versions.slice(0, 2)).toEqual([
          { locationId: second.id, version: 3, location: null, replacedBy: call.id, isInTrash: false },
          { locationId: second.id, version: 2, location: second, replacedBy: deletion!.id, isInTrash: false },
        ]);
        expect((await storage.findHistory(mapId, [call.id]))[0]!.counts).toEqual(countsOf({ created: 1 }));
        const log = await readAll(storage, mapId, start);
        expect(log.slice(-2).map(({ kind, locationId }) => [kind, locationId])).toEqual([
          ['deleted', second.id],
          ['created', second.id],
        ]);
        const revision = await storage.listRevision(mapId);
        const third = await change(storage, restored(second), aCall());
        expect(third.version).toBe(5);
        expect(await storage.listRevision(mapId)).not.toBe(revision);
        await remove(storage, [third]);
        expect((await restore(storage, third)).kind).toBe('restored');
        expect(await versionsOf(storage, second)).toHaveLength(6);
      },
    },
    {
      name: 'appends after a restore come after it, and sequence numbers go on',
      async run({ storage }) {
        const map = await seedMap(storage);
        const list = await insert(storage, map.id, aCall(), [null, null, null]);
        await remove(storage, [list[2]!]);
        const fourth = await append(storage, map.id);
        await restore(storage, list[2]!);
        const fifth = await append(storage, map.id);
        expect(idsOf(await listPage(storage, map.id))).toEqual(idsOf([...list, fourth, fifth]));
        expect([fourth.sequence, fifth.sequence]).toEqual([4, 5]);
      },
    },
    {
      name: 'what is not in the trash in that version cannot be restored',
      async run({ storage }) {
        const map = await seedMap(storage);
        const foreign = await seedMap(storage, { ownerId: map.ownerId });
        const [a, b] = await insert(storage, map.id, aCall(), [null, null]);
        const a2 = await change(storage, a!, aCall());
        await remove(storage, [a2]);
        const call = aCall();
        const missing = { kind: 'missing' };
        expect(await restore(storage, a!, call)).toEqual(missing);
        expect(await restore(storage, b!, call)).toEqual(missing);
        expect(await restore(storage, { ...a2, id: 'unknown' }, call)).toEqual(missing);
        expect(await restore(storage, { ...a2, mapId: foreign.id }, call)).toEqual(missing);
        expect(await storage.findHistory(map.id, [call.id])).toEqual([null]);
        expect((await restore(storage, a2)).kind).toBe('restored');
        expect(await restore(storage, a2)).toEqual(missing);
        expect(await listPage(storage, map.id)).toEqual([restored(a2), b]);
      },
    },
    {
      name: 'an external id that was given away prevents restoring',
      async run({ storage }) {
        const map = await seedMap(storage);
        const location = locationOf(await insertOne(storage, map.id, { location: { externalId: 'x' } }));
        await remove(storage, [location]);
        const other = locationOf(await insertOne(storage, map.id, { location: { externalId: 'x' } }));
        const call = aCall();
        expect(await restore(storage, location, call)).toEqual({ kind: 'external-id-taken' });
        expect(await listPage(storage, map.id)).toEqual([other]);
        expect(await trashOf(storage, map.id)).toHaveLength(1);
        expect(await storage.findHistory(map.id, [call.id])).toEqual([null]);
        await change(storage, other, aCall(), { externalId: null });
        expect((await restore(storage, location)).kind).toBe('restored');
        const third = await insertOne(storage, map.id, { location: { externalId: 'x' } });
        expect(third).toEqual({ kind: 'external-id-taken' });
      },
    },
    {
      name: 'several are restored in one call, each by itself',
      async run({ storage }) {
        const map = await seedMap(storage);
        const list = await insert(storage, map.id, aCall(), Array<null>(30).fill(null));
        await remove(storage, list.slice(0, 20));
        const call = aCall();
        const restores = list.slice(10).map(({ id, version }) => ({ id, version }));
        const result = await storage.restoreLocations(map.id, [...restores, restores[0]!], NOW + 9, { call });
        expect(result.kind === 'done' && result.outcomes.map(({ kind }) => kind)).toEqual([
          ...Array<string>(10).fill('restored'),
          ...Array<string>(11).fill('missing'),
        ]);
        expect(idsOf(await listPage(storage, map.id))).toEqual(idsOf(list.slice(10)));
        const changes = await storage.changesOfCall(map.id, call.id, { limit: 99, after: 0 });
        expect(changes.map(({ locationId }) => locationId)).toEqual(idsOf(list.slice(10, 20)));
        expect(await storage.restoreLocations(map.id, [], NOW, { call })).toEqual({
          kind: 'done',
          outcomes: [],
        });
      },
    },
    {
      name: 'of concurrent restores, one restores',
      async run({ storage }) {
        const map = await seedMap(storage);
        const [location] = await insert(storage, map.id, aCall());
        await remove(storage, [location!]);
        const outcomes = await Promise.all(Array.from({ length: 8 }, () => restore(storage, location!)));
        expect(outcomes.filter(({ kind }) => kind === 'restored')).toHaveLength(1);
        expect(outcomes.filter(({ kind }) => kind === 'missing')).toHaveLength(7);
        expect(await storage.countLocations(map.id)).toBe(1);
        expect(await versionsOf(storage, location!)).toHaveLength(2);
      },
    },
    {
      name: 'an idempotency key still answers with its first location after restoring',
      async run({ storage }) {
        const map = await seedMap(storage);
        const location = locationOf(await insertOne(storage, map.id, { key: 'key' }));
        await remove(storage, [location]);
        expect(await restore(storage, location)).toEqual({ kind: 'restored', location: restored(location) });
        const again = await insertOne(storage, map.id, { key: 'key' });
        expect(again).toEqual({ kind: 'replayed', location });
        expect(await listPage(storage, map.id)).toEqual([restored(location)]);
      },
    },
    {
      name: 'restoring without a call keeps nothing of the deletion',
      async run({ storage }) {
        const map = await seedMap(storage);
        for (const call of [undefined, aCall({ mostVersions: 0 })]) {
          const [location] = await insert(storage, map.id, aCall());
          await remove(storage, [location!]);
          const result = await storage.restoreLocations(map.id, [location!], NOW + 9, { call });
          expect(result).toEqual({
            kind: 'done',
            outcomes: [{ kind: 'restored', location: restored(location!) }],
          });
          expect(await versionsOf(storage, location!)).toEqual([]);
        }
      },
    },
    {
      name: 'nothing is restored to a missing or deleted map, or purged from it',
      async run({ storage }) {
        const map = await seedMap(storage);
        const [location] = await insert(storage, map.id, aCall());
        await remove(storage, [location!]);
        const { id, version } = location!;
        for (const [mapId, kind] of [
          ['nosuchmapnosuch1', 'map-missing'],
          [map.id, 'map-deleted'],
        ] as const) {
          if (kind === 'map-deleted')
            await storage.updateMap(mapId, { isDeleted: true }, { evenIfDeleted: true });
          expect(await storage.restoreLocations(mapId, [{ id, version }], NOW)).toEqual({ kind });
          expect(await storage.purgeLocations(mapId, [id])).toEqual({ kind });
        }
        expect(await trashOf(storage, map.id)).toHaveLength(1);
        await storage.updateMap(map.id, { isDeleted: false }, { evenIfDeleted: true });
        expect((await restore(storage, location!)).kind).toBe('restored');
      },
    },
    {
      name: 'purged locations leave nothing but the record of their calls',
      async run({ storage }) {
        const map = await seedMap(storage);
        const [a, b, c] = await insert(storage, map.id, aCall(), [null, null, null]);
        const a2 = await change(storage, a!, aCall());
        const c2 = await change(storage, c!, aCall());
        await remove(storage, [a2, b!]);
        const records = await historyOf(storage, map.id);
        expect(await storage.purgeLocations(map.id, [c!.id, a!.id, 'unknown', a!.id])).toEqual({
          kind: 'done',
          purgedIds: [a!.id],
        });
        expect(await versionsOf(storage, a!)).toEqual([]);
        expect((await trashOf(storage, map.id)).map(({ location }) => location)).toEqual([b]);
        expect(await restore(storage, a2)).toEqual({ kind: 'missing' });
        expect(await versionsOf(storage, c!)).toHaveLength(1);
        expect(await listPage(storage, map.id)).toEqual([c2]);
        expect(await historyOf(storage, map.id)).toEqual(records);
      },
    },
    {
      name: 'history within the limits stays',
      async run({ storage }) {
        const map = await seedMap(storage);
        const [a, b] = await insert(storage, map.id, aCall(), [null, null]);
        await change(storage, a!, aCall());
        await remove(storage, [b!]);
        const read = async () => [
          await historyOf(storage, map.id),
          await versionsOf(storage, a!),
          await trashOf(storage, map.id),
        ];
        const before = await read();
        const limits = { recordsSince: NOW, versionsSince: NOW, trashSince: NOW, mostVersions: 1 };
        expect(await removeOld(storage, limits)).toBe(0);
        expect(await read()).toEqual(before);
      },
    },
    {
      name: 'old records, versions and trash are removed, each by its limit',
      async run({ storage }) {
        const map = await seedMap(storage);
        const other = await seedMap(storage, { ownerId: map.ownerId });
        const [old, recent] = [NOW, NOW + DAY];
        const [a, b, c] = await insert(storage, map.id, aCall({ at: old }), [null, null, null]);
        await insert(storage, other.id, aCall({ at: old }));
        const last = aCall({ at: recent });
        await insert(storage, other.id, last);
        const a2 = await change(storage, a!, aCall({ at: old }));
        const a3 = await change(storage, a2, aCall({ at: recent }));
        const b2 = await change(storage, b!, aCall({ at: old }));
        await remove(storage, [b2], aCall({ at: old }));
        const c2 = await change(storage, c!, aCall({ at: old }));
        await remove(storage, [c2], aCall({ at: recent }));

        // The walk may miss records that nobody has read.
        expect(await historyOf(storage, map.id)).toHaveLength(7);
        expect(await historyOf(storage, other.id)).toHaveLength(2);
        expect(await removeOld(storage, { versionsSince: recent })).toBe(3);
        expect((await versionsOf(storage, a!)).map(({ version }) => version)).toEqual([2]);
        expect((await trashOf(storage, map.id)).map(({ location }) => location)).toEqual([c2, b2]);
        expect(await removeOld(storage, { trashSince: recent })).toBe(1);
        expect((await trashOf(storage, map.id)).map(({ location }) => location)).toEqual([c2]);
        expect(await removeOld(storage, { recordsSince: recent })).toBe(6);
        expect(await historyOf(storage, map.id)).toHaveLength(2);
        expect(idsOf(await historyOf(storage, other.id))).toEqual([last.id]);
        expect(await storage.findCreation(map.id, a!)).toBeNull();
        expect(await listPage(storage, map.id)).toEqual([a3]);
        expect(
          await removeOld(storage, { recordsSince: recent, versionsSince: recent, trashSince: recent }),
        ).toBe(0);
      },
    },
    {
      name: 'a location that leaves the trash leaves no versions',
      async run({ storage }) {
        const map = await seedMap(storage);
        const [a] = await insert(storage, map.id, aCall());
        const a2 = await change(storage, a!, aCall({ at: NOW + DAY }));
        await remove(storage, [a2], aCall({ at: NOW }));
        expect(await removeOld(storage, { trashSince: NOW + 1 }, 100)).toBe(2);
        expect(await versionsOf(storage, a!)).toEqual([]);
        expect(await restore(storage, a2)).toEqual({ kind: 'missing' });
      },
    },
    {
      name: 'more versions than a location may have are removed, the oldest first',
      async run({ storage }) {
        const map = await seedMap(storage);
        let [location] = await insert(storage, map.id, aCall());
        for (let count = 0; count < 6; count += 1) location = await change(storage, location!, aCall());
        const [other] = await insert(storage, map.id, aCall());
        await change(storage, other!, aCall());
        const kept = (await versionsOf(storage, location!)).slice(0, 2);
        expect(await removeOld(storage, { mostVersions: 2 })).toBe(4);
        expect(await versionsOf(storage, location!)).toEqual(kept);
        expect(await versionsOf(storage, other!)).toHaveLength(1);
        expect(await removeOld(storage, { mostVersions: 0 }, 2)).toBe(3);
        expect(await versionsOf(storage, location!)).toEqual([]);
      },
    },
    {
      name: 'a call keeps the entries of the log that readers see no more',
      mostChanges: 20,
      async run({ storage }) {
        const { mapId, start } = await seedLog(storage);
        const call = aCall();
        const list = await insert(storage, mapId, call, Array<null>(15).fill(null));
        await insert(storage, mapId, aCall(), Array<null>(15).fill(null));
        const changes = await storage.changesOfCall(mapId, call.id, { limit: 99, after: 0 });
        expect(changes.map(({ locationId }) => locationId)).toEqual(idsOf(list));
        expect(await storage.readChanges(mapId, start, 99)).toEqual({ kind: 'too-old' });
      },
    },
    {
      name: 'readers may see fewer entries of the log than are kept',
      async run({ storage }) {
        const { mapId, start } = await seedLog(storage);
        await insert(storage, mapId, aCall(), [null, null]);
        const changes = await readAll(storage, mapId, start);
        const { changedAt } = changes[0]!;
        const read = (removedUntil: number) => storage.readChanges(mapId, start, 99, { removedUntil });
        expect((await read(changedAt - 1)).kind).toBe('changes');
        expect(await read(changedAt + DAY)).toEqual({ kind: 'too-old' });
        const last = await storage.lastChange(mapId);
        const place = last.kind === 'place' ? last.place : start;
        expect(await storage.readChanges(mapId, place, 99, { removedUntil: changedAt + DAY })).toEqual({
          kind: 'changes',
          changes: [],
        });
      },
    },
    {
      name: 'a loaded dump has the deletion of a location that was deleted again',
      async run({ storage }) {
        const map = await seedMap(storage);
        const [a] = await insert(storage, map.id, aCall(), [null]);
        await remove(storage, [a!], aCall());
        const restored = await storage.restoreLocations(map.id, [a!], NOW, { call: aCall() });
        expect(restored).toMatchObject({ outcomes: [{ kind: 'restored' }] });
        const [now] = await listPage(storage, map.id);
        await remove(storage, [now!], aCall());
        const before = await versionsOf(storage, a!);
        expect(before.map(({ version }) => version)).toEqual([3, 2, 1]);
        // As if the first state had been over the limit.
        const items = (await collect(storage.dump(NOW))).filter(
          (item) => item.kind !== 'version' || item.version.version > 1,
        );
        await storage.removeAll([]);
        for (const item of items) await storage.load([item]);
        expect(await versionsOf(storage, a!)).toEqual(before.slice(0, 2));
        expect(await storage.purgeLocations(map.id, [a!.id])).toMatchObject({ kind: 'done' });
        const left = (await collect(storage.dump(NOW))).filter(({ kind }) => kind === 'version');
        expect(left).toEqual([]);
      },
    },
    {
      name: 'a dump has the history, and a loaded one goes on with it',
      async run({ storage }) {
        const map = await seedMap(storage);
        const [one, two] = [aCall(), aCall({ actor: { kind: 'link', id: 'l' } })];
        const [a, b, c] = await insert(storage, map.id, one, [null, null, null]);
        const a2 = await change(storage, a!, two);
        await change(storage, c!, one);
        await remove(storage, [b!], two);
        await remove(storage, [a2], one);
        await restore(storage, a2, two);
        const items = await collect(storage.dump(NOW));
        const versions = items.flatMap((item) => (item.kind === 'version' ? [item.version] : []));
        expect(items.slice(4)).toEqual([
          ...(await historyOf(storage, map.id)).toReversed().flatMap((record) => [
            { kind: 'history', history: record },
            { kind: 'changes', mapId: map.id, historyId: record.id, changes: expect.any(Array) },
          ]),
          ...idsOf([a!, b!, c!])
            .toSorted()
            .flatMap((id) => versions.filter(({ locationId }) => locationId === id))
            .map((version) => ({ kind: 'version', mapId: map.id, version })),
        ]);
        const ofA = versions.filter(({ locationId }) => locationId === a!.id);
        expect(ofA.map(({ version }) => version)).toEqual([1, 2, 3]);
        const read = async () => [
          await historyOf(storage, map.id),
          await trashOf(storage, map.id),
          ...(await Promise.all([a!, b!, c!].map((location) => versionsOf(storage, location)))),
          ...(await Promise.all(
            [one, two].map(({ id }) => storage.changesOfCall(map.id, id, { limit: 99, after: 0 })),
          )),
          await storage.findCreation(map.id, b!),
        ];
        const before = await read();
        await storage.removeAll([]);
        expect(await read()).toEqual([[], [], [], [], [], [], [], null]);
        for (const item of items) await storage.load([item]);
        expect(await read()).toEqual(before);
        expect(await collect(storage.dump(NOW))).toEqual(items);
        expect(await collect(storage.snapshot(NOW))).toEqual(expect.arrayContaining(items));

        expect((await restore(storage, b!)).kind).toBe('restored');
        const third = aCall();
        await insert(storage, map.id, third);
        const [record] = await storage.findHistory(map.id, [third.id]);
        expect(record!.firstChange).toBeGreaterThan(8);
        expect(await storage.changesOfCall(map.id, third.id, { limit: 9, after: 0 })).toHaveLength(1);
      },
    },
    {
      name: 'a loaded version is older than its location, and in the trash only without it',
      async run({ storage }) {
        const map = await seedMap(storage);
        const [a] = await insert(storage, map.id, aCall());
        const a2 = await change(storage, a!, aCall());
        const a3 = await change(storage, a2, aCall());
        const items = await collect(storage.dump(NOW));
        const isOfNow = (item: StoredItem) => item.kind !== 'version' && item.kind !== 'location';
        const location: StoredItem = { kind: 'location', location: a2 };
        const versions = [a!, a2, a3].map((state, index): StoredItem => {
          const replacedBy = newHistoryId(NOW);
          const version = { locationId: a!.id, version: index + 1, location: state, replacedBy };
          return { kind: 'version', mapId: map.id, version: { ...version, isInTrash: index !== 1 } };
        });
        await storage.removeAll([]);
        await storage.load([...items.filter(isOfNow).slice(0, 3), location, ...versions]);
        expect((await versionsOf(storage, a!)).map(({ version, isInTrash }) => [version, isInTrash])).toEqual(
          [[1, false]],
        );
        expect(await trashOf(storage, map.id)).toEqual([]);
        const changed = await change(storage, a2, aCall());
        expect((await versionsOf(storage, a!)).map(({ version }) => version)).toEqual([2, 1]);
        await remove(storage, [changed]);
        expect(await trashOf(storage, map.id)).toHaveLength(1);
      },
    },
    {
      name: 'history survives a restart',
      needs: 'reopen',
      async run({ storage, reopen }) {
        const map = await seedMap(storage);
        const [a, b] = await insert(storage, map.id, aCall(), [null, null]);
        await change(storage, a!, aCall());
        await remove(storage, [b!]);
        const before = [
          await historyOf(storage, map.id),
          await versionsOf(storage, a!),
          await trashOf(storage, map.id),
        ];
        const again = await reopen();
        expect([
          await historyOf(again, map.id),
          await versionsOf(again, a!),
          await trashOf(again, map.id),
        ]).toEqual(before);
        expect((await restore(again, b!)).kind).toBe('restored');
      },
    },
  ],
};
