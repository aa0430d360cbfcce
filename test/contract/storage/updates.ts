/** Updating locations (capabilities §8): the result, the list, and concurrent updates. */

import type { LocationRecord } from '../../../src/domain/location.ts';
import { encodeOrder } from '../../../src/domain/list/order.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import {
  anUpdate,
  append,
  idsOf,
  insertOne,
  insertOrders,
  listOrders,
  listPage,
  locationOf,
  NOW,
  seedMap,
  updateAll,
  updatedOf,
  updateOne,
} from './fixtures.ts';
import type { StorageTopic } from './harness.ts';

async function seedLocation(storage: Storage): Promise<LocationRecord> {
  return append(storage, (await seedMap(storage)).id);
}

export const updates: StorageTopic = {
  name: 'updates',
  cases: [
    {
      name: 'an updated location has its new values on every read path',
      async run({ storage }) {
        const before = await seedLocation(storage);
        const values = {
          name: 'Ñandú',
          placeId: "p'2",
          latitude: -33.4489,
          longitude: 1e-17,
          properties: JSON.parse('{"Name":"Ñandú","$set":{"a.b":null},"__proto__":1,"Address":"B"}'),
          geocoding: {
            provider: 'manual',
            precision: 'rooftop',
            label: null,
            isAmbiguous: false,
            isChecked: true,
          },
          externalId: 'their-1',
        };
        const after = updatedOf(await updateOne(storage, before.mapId, anUpdate(before, values)));
        expect(after).toEqual({ ...before, ...values, version: 2, updatedAt: NOW + 1 });
        expect(JSON.stringify(after.properties)).toBe(JSON.stringify(values.properties));
        expect(await storage.getLocations(before.mapId, [before.id])).toEqual([after]);
        expect(await storage.findLocationsByExternalIds(before.mapId, ['their-1'])).toEqual([after]);
        expect(await listPage(storage, before.mapId)).toEqual([after]);
        expect(await storage.countLocations(before.mapId)).toBe(1);
        expect(await storage.deleteLocation(before.mapId, before.id)).toEqual({
          kind: 'deleted',
          location: after,
        });
      },
    },
    {
      name: 'every update increments the version',
      async run({ storage }) {
        let location = await seedLocation(storage);
        for (const name of ['a', 'b', 'c']) {
          location = updatedOf(await updateOne(storage, location.mapId, anUpdate(location, { name })));
        }
        expect(location).toMatchObject({ name: 'c', version: 4, updatedAt: NOW + 3, createdAt: NOW });
      },
    },
    {
      name: 'a location with a new order moves to its position, and the others stay',
      async run({ storage }) {
        const map = await seedMap(storage);
        const [a, b, c, d] = await insertOrders(storage, map.id, ['1', '2', '3', 'x']);
        const moved = updatedOf(await updateOne(storage, map.id, anUpdate(a!, {}, '2.5')));
        expect(moved).toMatchObject({ order: '2.5', orderKey: encodeOrder('2.5'), sequence: a!.sequence });
        expect(await listPage(storage, map.id)).toEqual([b, moved, c, d]);
        await updateOne(storage, map.id, anUpdate(moved, {}, 'y'));
        expect(await listOrders(storage, map.id)).toEqual(['2', '3', 'x', 'y']);
      },
    },
    {
      name: 'among equal orders, an updated location is sorted by creation',
      async run({ storage }) {
        const map = await seedMap(storage);
        const [a, b, c] = await insertOrders(storage, map.id, ['5', '1', '1']);
        await updateOne(storage, map.id, anUpdate(a!, {}, '1.0'));
        expect(idsOf(await listPage(storage, map.id))).toEqual(idsOf([a!, b!, c!]));
      },
    },
    {
      name: 'the order of an update counts as used',
      async run({ storage }) {
        const map = await seedMap(storage);
        const [a] = await insertOrders(storage, map.id, ['1', '2']);
        const large = updatedOf(await updateOne(storage, map.id, anUpdate(a!, {}, '41.5')));
        await updateOne(storage, map.id, anUpdate(large, {}, '1'));
        expect((await append(storage, map.id)).order).toBe('42');
      },
    },
    {
      name: 'while an updated text is last, an append gets that text',
      async run({ storage }) {
        const map = await seedMap(storage);
        const [a] = await insertOrders(storage, map.id, ['1', '2']);
        await updateOne(storage, map.id, anUpdate(a!, {}, 'x'));
        expect((await append(storage, map.id)).order).toBe('x');
      },
    },
    {
      name: 'an update of another version changes nothing and returns the current location',
      async run({ storage }) {
        const before = await seedLocation(storage);
        const now = updatedOf(await updateOne(storage, before.mapId, anUpdate(before, { name: 'quicker' })));
        const late = anUpdate(before, { name: 'late', externalId: 'late' }, '9');
        expect(await updateOne(storage, before.mapId, late)).toEqual({ kind: 'changed', location: now });
        const early = anUpdate({ ...now, version: 3 }, { name: 'early' });
        expect(await updateOne(storage, before.mapId, early)).toEqual({ kind: 'changed', location: now });
        expect(await listPage(storage, before.mapId)).toEqual([now]);
        expect(await storage.findLocationsByExternalIds(before.mapId, ['late'])).toEqual([null]);
      },
    },
    {
      name: 'of concurrent updates of one version, one is applied',
      async run({ storage }) {
        const before = await seedLocation(storage);
        const outcomes = await Promise.all(
          Array.from({ length: 10 }, (_, index) =>
            updateOne(storage, before.mapId, anUpdate(before, { name: `n${index}` })),
          ),
        );
        const [made, ...more] = outcomes.filter(({ kind }) => kind === 'updated');
        expect(more).toEqual([]);
        expect(await listPage(storage, before.mapId)).toEqual([updatedOf(made)]);
        expect(outcomes.filter(({ kind }) => kind === 'changed')).toHaveLength(9);
      },
    },
    {
      name: 'of updates of one version through two openings of the store, one is applied',
      needs: 'openAgain',
      async run({ storage, openAgain }) {
        const before = await seedLocation(storage);
        const other = await openAgain();
        const outcomes = await Promise.all(
          [storage, other, storage, other].map((opening, index) =>
            updateOne(opening, before.mapId, anUpdate(before, { name: `n${index}` })),
          ),
        );
        expect(outcomes.filter(({ kind }) => kind === 'updated')).toHaveLength(1);
      },
    },
    {
      name: 'a call returns an outcome for each update, in order',
      async run({ storage }) {
        const map = await seedMap(storage);
        const [a, b, c] = await insertOrders(storage, map.id, ['1', '2', '3']);
        await storage.deleteLocation(map.id, b!.id);
        const outcomes = await updateAll(storage, map.id, [
          anUpdate(a!, { name: 'a' }),
          anUpdate(b!, { name: 'b' }),
          anUpdate({ ...c!, version: 7 }, { name: 'c' }),
        ]);
        expect(outcomes.map(({ kind }) => kind)).toEqual(['updated', 'missing', 'changed']);
      },
    },
    {
      name: 'a location of another map is not updated',
      async run({ storage }) {
        const mine = await seedLocation(storage);
        const foreign = await seedMap(storage);
        expect(await updateOne(storage, foreign.id, anUpdate(mine, { name: 'x' }))).toEqual({
          kind: 'missing',
        });
        expect(await storage.getLocations(mine.mapId, [mine.id])).toEqual([mine]);
      },
    },
    {
      name: 'nothing is updated in a missing or deleted map',
      async run({ storage }) {
        const location = await seedLocation(storage);
        const update = anUpdate(location, { name: 'x' }, '9');
        expect(await storage.updateLocations('nosuchmapnosuch1', [update])).toEqual({ kind: 'map-missing' });
        await storage.updateMap(location.mapId, { isDeleted: true }, { evenIfDeleted: true });
        expect(await storage.updateLocations(location.mapId, [update])).toEqual({ kind: 'map-deleted' });
        expect(await storage.getLocations(location.mapId, [location.id])).toEqual([location]);
      },
    },
    {
      name: 'a page read before an update shows it when read again',
      async run({ storage }) {
        const map = await seedMap(storage);
        const [a] = await insertOrders(storage, map.id, ['1', '2']);
        await listPage(storage, map.id);
        const changed = updatedOf(await updateOne(storage, map.id, anUpdate(a!, { name: 'new' }, '3')));
        expect((await listPage(storage, map.id)).at(-1)).toEqual(changed);
      },
    },
    {
      name: 'a replay returns the first version of the location',
      async run({ storage }) {
        const map = await seedMap(storage);
        const first = locationOf(await insertOne(storage, map.id, { key: 'key' }));
        await updateOne(storage, map.id, anUpdate(first, { name: 'new' }, '9'));
        expect(await insertOne(storage, map.id, { key: 'key' })).toEqual({
          kind: 'replayed',
          location: first,
        });
        expect(await storage.countLocations(map.id)).toBe(1);
      },
    },
    {
      name: 'updates persist when the store is closed and opened',
      needs: 'reopen',
      async run({ storage, reopen }) {
        const before = await seedLocation(storage);
        const after = updatedOf(
          await updateOne(storage, before.mapId, anUpdate(before, { name: 'new', externalId: 'e' }, 'z')),
        );
        const again = await reopen();
        expect(await listPage(again, before.mapId)).toEqual([after]);
        expect(await again.findLocationsByExternalIds(before.mapId, ['e'])).toEqual([after]);
      },
    },
  ],
};
