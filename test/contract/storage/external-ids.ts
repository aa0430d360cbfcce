/** External ids are unique in a map, also under concurrent writes (capabilities §8). */

import type { Storage } from '../../../src/storage/storage.ts';
import {
  anInsert,
  anUpdate,
  insertAll,
  insertOne,
  listPage,
  locationOf,
  seedMap,
  updatedOf,
  updateOne,
} from './fixtures.ts';
import type { StorageTopic } from './harness.ts';

const insertWith = async (storage: Storage, mapId: string, externalId: string) =>
  locationOf(await insertOne(storage, mapId, { location: { externalId } }));

const TAKEN = { kind: 'external-id-taken' };

export const externalIds: StorageTopic = {
  name: 'external ids',
  cases: [
    {
      name: 'locations are found by external id, in the order of the request, with null for unknown ids',
      async run({ storage }) {
        const map = await seedMap(storage);
        const [a, b] = [await insertWith(storage, map.id, 'a'), await insertWith(storage, map.id, 'b')];
        await insertOne(storage, map.id);
        expect(await storage.findLocationsByExternalIds(map.id, ['b', 'c', 'a', 'b'])).toEqual([
          b,
          null,
          a,
          b,
        ]);
        expect(await storage.findLocationsByExternalIds(map.id, [])).toEqual([]);
      },
    },
    {
      name: 'external ids are compared exactly',
      async run({ storage }) {
        const map = await seedMap(storage);
        const ids = [
          'a',
          'A',
          'á',
          'a\u0301',
          '$where',
          'a.b',
          ' ',
          '1',
          '01',
          '\u{1f600}',
          "'",
          'é'.repeat(255),
        ];
        const outcomes = await insertAll(
          storage,
          map.id,
          ids.map((externalId) => anInsert(map.id, { location: { externalId } })),
        );
        const stored = outcomes.map((outcome) => locationOf(outcome));
        expect(await storage.findLocationsByExternalIds(map.id, ids)).toEqual(stored);
      },
    },
    {
      name: 'an external id belongs to its map',
      async run({ storage }) {
        const [mine, other] = [await seedMap(storage), await seedMap(storage)];
        const location = await insertWith(storage, mine.id, 'a');
        expect(await storage.findLocationsByExternalIds(other.id, ['a'])).toEqual([null]);
        await insertWith(storage, other.id, 'a');
        expect(await storage.findLocationsByExternalIds(mine.id, ['a'])).toEqual([location]);
      },
    },
    {
      name: 'a new location with a used external id is not stored',
      async run({ storage }) {
        const map = await seedMap(storage);
        const first = await insertWith(storage, map.id, 'a');
        expect(await insertOne(storage, map.id, { location: { externalId: 'a' } })).toEqual(TAKEN);
        expect(await listPage(storage, map.id)).toEqual([first]);
        expect(await storage.countLocations(map.id)).toBe(1);
      },
    },
    {
      name: 'of several items with one external id in a call, only the first is stored; other items are unaffected',
      async run({ storage }) {
        const map = await seedMap(storage);
        const outcomes = await insertAll(storage, map.id, [
          anInsert(map.id, { location: { externalId: 'a', name: 'first' } }),
          anInsert(map.id, { location: { externalId: 'a' } }),
          anInsert(map.id, { location: { externalId: 'b' } }),
        ]);
        expect(outcomes.map(({ kind }) => kind)).toEqual(['inserted', 'external-id-taken', 'inserted']);
        const [a] = await storage.findLocationsByExternalIds(map.id, ['a']);
        expect(a?.name).toBe('first');
      },
    },
    {
      name: 'of concurrent calls with one external id, one stores a location',
      async run({ storage }) {
        const map = await seedMap(storage);
        const outcomes = await Promise.all(
          Array.from({ length: 10 }, () => insertOne(storage, map.id, { location: { externalId: 'a' } })),
        );
        expect(outcomes.filter(({ kind }) => kind === 'inserted')).toHaveLength(1);
        expect(await listPage(storage, map.id)).toHaveLength(1);
      },
    },
    {
      name: 'of concurrent calls through two openings with one external id, one stores a location',
      needs: 'openAgain',
      async run({ storage, openAgain }) {
        const map = await seedMap(storage);
        const other = await openAgain();
        const outcomes = await Promise.all(
          [storage, other, storage, other].map((opening) =>
            insertOne(opening, map.id, { location: { externalId: 'a' } }),
          ),
        );
        expect(outcomes.filter(({ kind }) => kind === 'inserted')).toHaveLength(1);
        expect(await listPage(storage, map.id)).toHaveLength(1);
      },
    },
    {
      name: 'a replay returns its location, whose external id is its own',
      async run({ storage }) {
        const map = await seedMap(storage);
        const location = { externalId: 'a' };
        const first = locationOf(await insertOne(storage, map.id, { key: 'key', location }));
        expect(await insertOne(storage, map.id, { key: 'key', location })).toEqual({
          kind: 'replayed',
          location: first,
        });
        expect(await insertOne(storage, map.id, { key: 'other', location })).toEqual(TAKEN);
        // The key of a refused item stays free.
        expect((await insertOne(storage, map.id, { key: 'other' })).kind).toBe('inserted');
      },
    },
    {
      name: 'an update to a used external id changes nothing',
      async run({ storage }) {
        const map = await seedMap(storage);
        await insertWith(storage, map.id, 'a');
        const b = await insertWith(storage, map.id, 'b');
        expect(await updateOne(storage, map.id, anUpdate(b, { externalId: 'a', name: 'x' }))).toEqual(TAKEN);
        expect(await storage.findLocationsByExternalIds(map.id, ['b'])).toEqual([b]);
      },
    },
    {
      name: 'an external id is free again once its location has another or none, or is deleted',
      async run({ storage }) {
        const map = await seedMap(storage);
        const a = await insertWith(storage, map.id, 'a');
        const b = updatedOf(await updateOne(storage, map.id, anUpdate(a, { externalId: 'b' })));
        await insertWith(storage, map.id, 'a');
        const none = updatedOf(await updateOne(storage, map.id, anUpdate(b, { externalId: null })));
        expect(none.externalId).toBeNull();
        const second = await insertWith(storage, map.id, 'b');
        await storage.deleteLocation(map.id, second.id);
        expect(await storage.findLocationsByExternalIds(map.id, ['b'])).toEqual([null]);
        await insertWith(storage, map.id, 'b');
      },
    },
    {
      name: 'an updated location keeps its external id, and can take it back after another',
      async run({ storage }) {
        const map = await seedMap(storage);
        const first = await insertWith(storage, map.id, 'a');
        const named = updatedOf(await updateOne(storage, map.id, anUpdate(first, { name: 'x' })));
        expect(await storage.findLocationsByExternalIds(map.id, ['a'])).toEqual([named]);
        const other = updatedOf(await updateOne(storage, map.id, anUpdate(named, { externalId: 'b' })));
        const back = updatedOf(await updateOne(storage, map.id, anUpdate(other, { externalId: 'a' })));
        expect(await storage.findLocationsByExternalIds(map.id, ['a', 'b'])).toEqual([back, null]);
      },
    },
    {
      name: 'concurrent updates that give one location the same external id reserve it for that location',
      async run({ storage }) {
        const map = await seedMap(storage);
        for (let round = 0; round < 5; round += 1) {
          const before = locationOf(await insertOne(storage, map.id));
          const externalId = `e${round}`;
          const outcomes = await Promise.all(
            Array.from({ length: 6 }, () => updateOne(storage, map.id, anUpdate(before, { externalId }))),
          );
          expect(outcomes.filter(({ kind }) => kind === 'updated')).toHaveLength(1);
          const [found] = await storage.findLocationsByExternalIds(map.id, [externalId]);
          expect(found?.id).toBe(before.id);
          expect(await insertOne(storage, map.id, { location: { externalId } })).toEqual(TAKEN);
        }
      },
    },
    {
      name: 'an item refused for its external id uses no order',
      async run({ storage }) {
        const map = await seedMap(storage);
        const outcomes = await insertAll(storage, map.id, [
          anInsert(map.id, { location: { externalId: 'a' } }),
          anInsert(map.id, { location: { externalId: 'a' }, order: '1000' }),
          anInsert(map.id, { location: { externalId: 'b' } }),
        ]);
        const orders = outcomes.map((outcome) =>
          'location' in outcome ? outcome.location.order : outcome.kind,
        );
        expect(orders).toEqual(['1', 'external-id-taken', '2']);
        expect(await insertOne(storage, map.id, { location: { externalId: 'b' }, order: '500' })).toEqual(
          TAKEN,
        );
        const [a] = await storage.findLocationsByExternalIds(map.id, ['a']);
        expect(await updateOne(storage, map.id, anUpdate(a!, { externalId: 'b' }, '700'))).toEqual(TAKEN);
        expect(locationOf(await insertOne(storage, map.id)).order).toBe('3');
      },
    },
    {
      name: 'repetitions of one key in a call are all refused when another location has the external id',
      async run({ storage }) {
        const map = await seedMap(storage);
        const location = { externalId: 'a' };
        const outcomes = await insertAll(storage, map.id, [
          anInsert(map.id, { location }),
          ...Array.from({ length: 5 }, () => anInsert(map.id, { key: 'key', location })),
        ]);
        expect(outcomes.map(({ kind }) => kind)).toEqual(['inserted', ...Array(5).fill('external-id-taken')]);
        const same = await insertAll(
          storage,
          map.id,
          Array.from({ length: 3 }, () => anInsert(map.id, { key: 'other', location: { externalId: 'b' } })),
        );
        expect(same.map(({ kind }) => kind)).toEqual(['inserted', 'replayed', 'replayed']);
      },
    },
    {
      name: 'of concurrent updates to one external id, one succeeds',
      async run({ storage }) {
        const map = await seedMap(storage);
        const locations = (
          await insertAll(
            storage,
            map.id,
            Array.from({ length: 6 }, () => anInsert(map.id)),
          )
        ).map((outcome) => locationOf(outcome));
        const outcomes = await Promise.all(
          locations.map((location) => updateOne(storage, map.id, anUpdate(location, { externalId: 'a' }))),
        );
        expect(outcomes.filter(({ kind }) => kind === 'updated')).toHaveLength(1);
        expect(outcomes.filter(({ kind }) => kind === 'external-id-taken')).toHaveLength(5);
        const listed = await listPage(storage, map.id);
        expect(listed.filter(({ externalId }) => externalId === 'a')).toHaveLength(1);
      },
    },
  ],
};
