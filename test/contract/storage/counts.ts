/** A map's stored number of locations is correct after every write, copy and opening. */

import type { LocationGeocoding } from '../../../src/domain/location.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import {
  anInsert,
  anUpdate,
  append,
  collect,
  expectGrouped,
  idsOf,
  insertAll,
  insertOne,
  insertOrders,
  listPage,
  locationOf,
  move,
  NOW,
  rejectionOf,
  seedMap,
  updateAll,
  updatedOf,
  updateOne,
} from './fixtures.ts';
import type { StorageTopic } from './harness.ts';

/** Expects the stored counts to be those of the list. @returns the number of locations */
async function expectCounted(storage: Storage, mapId: string): Promise<number> {
  const count = await storage.countLocations(mapId);
  const list = await listPage(storage, mapId);
  expect(count).toBe(list.length);
  await expectGrouped(storage, mapId, list);
  return count;
}

const STREET = { provider: 'a.b$c', precision: 'street', label: null, isAmbiguous: false, isChecked: false };
const CHECKED = { ...STREET, isChecked: true };

export const counts: StorageTopic = {
  name: 'counts',
  cases: [
    {
      name: 'is correct after every write',
      async run({ storage }) {
        const { id } = await seedMap(storage);
        expect(await expectCounted(storage, id)).toBe(0);
        await append(storage, id);
        expect(await expectCounted(storage, id)).toBe(1);
        const locations = await insertOrders(storage, id, ['x', '5', null, '-1', null]);
        expect(await expectCounted(storage, id)).toBe(6);
        for (const [index, location] of locations.entries()) {
          expect((await storage.deleteLocation(id, location.id)).kind).toBe('deleted');
          expect(await expectCounted(storage, id)).toBe(5 - index);
          expect((await storage.deleteLocation(id, location.id)).kind).toBe('missing');
          expect(await expectCounted(storage, id)).toBe(5 - index);
        }
        await storage.insertLocations(id, [], NOW);
        expect(await expectCounted(storage, id)).toBe(1);
      },
    },
    {
      name: 'counts locations by how they were geocoded, whatever changes it',
      async run({ storage }) {
        const { id } = await seedMap(storage);
        const insert = (geocoding: LocationGeocoding, key?: string) =>
          anInsert(id, { location: { geocoding }, ...(key !== undefined && { key }) });
        const inserted = await insertAll(storage, id, [
          insert(STREET),
          insert(CHECKED),
          insert(STREET, 'key'),
        ]);
        const [first, second, third] = inserted.map((outcome) => locationOf(outcome));
        await append(storage, id);
        expect(await expectCounted(storage, id)).toBe(4);
        const checked = updatedOf(await updateOne(storage, id, anUpdate(first!, { geocoding: CHECKED })));
        expect(await expectCounted(storage, id)).toBe(4);
        // A stale version changes nothing.
        expect((await updateOne(storage, id, anUpdate(first!, { geocoding: STREET }))).kind).toBe('changed');
        expect(await expectCounted(storage, id)).toBe(4);
        await updateAll(storage, id, [
          anUpdate(checked, { name: 'New', geocoding: { ...STREET, isAmbiguous: true } }),
          anUpdate(second!, { name: 'New' }),
          anUpdate(third!, { geocoding: { ...STREET, label: 'New' } }),
        ]);
        expect(await expectCounted(storage, id)).toBe(4);
        await move(storage, id, [third!], { kind: 'start' });
        await storage.deleteLocations(id, [first!.id, third!.id]);
        await insertAll(storage, id, [insert(STREET, 'key')]);
        expect(await expectCounted(storage, id)).toBe(2);
        expect(await storage.countByGeocoding('none')).toEqual([]);
      },
    },
    {
      name: 'counts by geocoding are correct during concurrent updates',
      async run({ storage }) {
        const { id } = await seedMap(storage);
        const inserts = Array.from({ length: 30 }, () => anInsert(id, { location: { geocoding: STREET } }));
        const locations = (await insertAll(storage, id, inserts)).map((outcome) => locationOf(outcome));
        await Promise.all([
          ...locations.map((location) => updateOne(storage, id, anUpdate(location, { geocoding: CHECKED }))),
          ...locations.map((location) =>
            updateOne(storage, id, anUpdate(location, { geocoding: { ...STREET, provider: 'manual' } })),
          ),
          ...locations.slice(0, 10).map((location) => storage.deleteLocation(id, location.id)),
          ...locations.map(async () => {
            await append(storage, id);
            const counts = await storage.countByGeocoding(id);
            expect(counts.every(({ count }) => count > 0)).toBe(true);
          }),
        ]);
        expect(await expectCounted(storage, id)).toBe(50);
      },
    },
    {
      name: 'counts each map separately, and an unknown map as empty',
      async run({ storage }) {
        const one = await seedMap(storage);
        const two = await seedMap(storage, { ownerId: one.ownerId });
        await insertOrders(storage, one.id, [null, null, null]);
        await append(storage, two.id);
        expect([await expectCounted(storage, one.id), await expectCounted(storage, two.id)]).toEqual([3, 1]);
        expect(await storage.countLocations('none')).toBe(0);
      },
    },
    {
      name: 'counts a location stored under a key once, also after replays and conflicts',
      async run({ storage }) {
        const { id } = await seedMap(storage);
        const first = locationOf(await insertOne(storage, id, { key: 'key' }));
        await insertOne(storage, id, { key: 'key' });
        expect(await expectCounted(storage, id)).toBe(1);
        await insertOne(storage, id, { key: 'key', digest: 'other' });
        expect(await expectCounted(storage, id)).toBe(1);
        await insertAll(storage, id, [anInsert(id, { key: 'a' }), anInsert(id, { key: 'a' }), anInsert(id)]);
        expect(await expectCounted(storage, id)).toBe(3);
        await storage.deleteLocation(id, first.id);
        expect(await expectCounted(storage, id)).toBe(2);
        await insertOne(storage, id, { key: 'key' });
        await storage.findIdempotencyRecords({ tokenId: 'token-1', mapId: id }, ['key', 'a'], NOW);
        expect(await expectCounted(storage, id)).toBe(2);
      },
    },
    {
      name: 'counts nothing of a failed call',
      async run({ storage }) {
        const { id } = await seedMap(storage);
        const there = await append(storage, id);
        const twice = anInsert(id, { location: { id: there.id } });
        for (const inserts of [
          [twice],
          [anInsert(id), twice, anInsert(id, { key: 'key' })],
          [anInsert(id, { key: 'key', location: { id: there.id } })],
        ]) {
          await rejectionOf(storage.insertLocations(id, inserts, NOW));
          expect(await expectCounted(storage, id)).toBe(1);
        }
        await append(storage, id);
        expect(await expectCounted(storage, id)).toBe(2);
        await storage.deleteLocation(id, there.id);
        expect(await expectCounted(storage, id)).toBe(1);
      },
    },
    {
      name: 'stays when the map is deleted and restored',
      async run({ storage }) {
        const { id } = await seedMap(storage);
        const [location] = await insertOrders(storage, id, [null, null]);
        await storage.updateMap(id, { isDeleted: true }, { evenIfDeleted: false });
        expect((await storage.insertLocations(id, [anInsert(id)], NOW)).kind).toBe('map-deleted');
        expect((await storage.deleteLocation(id, location!.id)).kind).toBe('map-deleted');
        expect(await expectCounted(storage, id)).toBe(2);
        await storage.updateMap(id, { isDeleted: false, name: 'New' }, { evenIfDeleted: true });
        await append(storage, id);
        expect(await expectCounted(storage, id)).toBe(3);
      },
    },
    {
      name: 'is copied, whole or in pieces, and reset by a removal',
      async run({ storage }) {
        const one = await seedMap(storage);
        const two = await seedMap(storage, { ownerId: one.ownerId });
        await insertOrders(storage, one.id, ['b', 'a', null, '7']);
        await append(storage, two.id);
        const removed = locationOf(await insertOne(storage, two.id, { key: 'deleted' }));
        await insertOne(storage, two.id, { key: 'kept' });
        await storage.deleteLocation(two.id, removed.id);
        const items = await collect(storage.dump(NOW));
        for (const size of [items.length, 2, 3]) {
          await storage.removeAll([]);
          expect(await expectCounted(storage, one.id)).toBe(0);
          for (let at = 0; at < items.length; at += size) await storage.load(items.slice(at, at + size));
          expect([await expectCounted(storage, one.id), await expectCounted(storage, two.id)]).toEqual([
            4, 2,
          ]);
        }
        await append(storage, two.id);
        await insertOne(storage, two.id, { key: 'deleted' });
        expect(await expectCounted(storage, two.id)).toBe(3);
      },
    },
    {
      name: 'is correct during concurrent writes to one map',
      async run({ storage }) {
        const { id } = await seedMap(storage);
        const ids = idsOf(await insertOrders(storage, id, Array<null>(20).fill(null)));
        let responses = 0;
        await Promise.all([
          ...ids.slice(0, 15).map((location) => storage.deleteLocation(id, location)),
          ...ids.slice(0, 15).map((location) => storage.deleteLocation(id, location)),
          ...Array.from({ length: 30 }, async (_, index) => {
            await insertAll(storage, id, [anInsert(id), anInsert(id, { key: `key ${index % 10}` })]);
            responses += 1;
            const least = responses;
            expect(await storage.countLocations(id)).toBeGreaterThanOrEqual(5 + least);
          }),
        ]);
        expect(await expectCounted(storage, id)).toBe(5 + 30 + 10);
      },
    },
    {
      name: 'is correct after each of many writes in a row',
      async run({ storage }) {
        const { id } = await seedMap(storage);
        for (let count = 1; count <= 80; count += 1) {
          const location = await append(storage, id);
          if (count % 3 === 0) await storage.deleteLocation(id, location.id);
          expect(await storage.countLocations(id)).toBe(count - Math.floor(count / 3));
        }
        await expectCounted(storage, id);
      },
    },
    {
      name: 'is visible to other openings after every write',
      needs: 'openAgain',
      async run({ storage, openAgain }) {
        const other = await openAgain();
        const { id } = await seedMap(storage);
        const first = await append(storage, id);
        for (const [writer, reader] of [
          [storage, other],
          [other, storage],
        ] as const) {
          const before = await expectCounted(reader, id);
          await append(writer, id);
          expect(await expectCounted(reader, id)).toBe(before + 1);
        }
        await other.deleteLocation(id, first.id);
        expect([await expectCounted(storage, id), await expectCounted(other, id)]).toEqual([2, 2]);
      },
    },
    {
      name: 'persists when the store is closed and opened',
      needs: 'reopen',
      async run({ storage, reopen }) {
        const { id } = await seedMap(storage);
        const [location] = await insertOrders(storage, id, [null, 'x', null]);
        await storage.deleteLocation(id, location!.id);
        const again = await reopen();
        expect(await expectCounted(again, id)).toBe(2);
        await append(again, id);
        expect(await expectCounted(again, id)).toBe(3);
      },
    },
  ],
};
