/** Changing locations (capabilities §8): what becomes of them, of the list, and of those who change them at once. */

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
      name: 'a changed location is given back as it is now, by every way to it',
      async run({ storage }) {
        const before = await seedLocation(storage);
        const values = {
          name: 'Ñandú',
          placeId: "p'2",
          latitude: -33.4489,
          longitude: 1e-17,
          properties: JSON.parse('{"Name":"Ñandú","$set":{"a.b":null},"__proto__":1,"Address":"B"}'),
          geocoding: { provider: 'manual', precision: 'rooftop' },
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
      name: 'a location that is changed again and again counts its versions',
      async run({ storage }) {
        let location = await seedLocation(storage);
        for (const name of ['a', 'b', 'c']) {
          location = updatedOf(await updateOne(storage, location.mapId, anUpdate(location, { name })));
        }
        expect(location).toMatchObject({ name: 'c', version: 4, updatedAt: NOW + 3, createdAt: NOW });
      },
    },
    {
      name: 'a location with another order stands where that puts it, and the others where they stood',
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
      name: 'among equal orders a changed location stands where its creation puts it',
      async run({ storage }) {
        const map = await seedMap(storage);
        const [a, b, c] = await insertOrders(storage, map.id, ['5', '1', '1']);
        await updateOne(storage, map.id, anUpdate(a!, {}, '1.0'));
        expect(idsOf(await listPage(storage, map.id))).toEqual(idsOf([a!, b!, c!]));
      },
    },
    {
      name: 'an order that a change gave counts as used',
      async run({ storage }) {
        const map = await seedMap(storage);
        const [a] = await insertOrders(storage, map.id, ['1', '2']);
        const large = updatedOf(await updateOne(storage, map.id, anUpdate(a!, {}, '41.5')));
        await updateOne(storage, map.id, anUpdate(large, {}, '1'));
        expect((await append(storage, map.id)).order).toBe('42');
      },
    },
    {
      name: 'while a text is last because of a change, an appended location gets that text',
      async run({ storage }) {
        const map = await seedMap(storage);
        const [a] = await insertOrders(storage, map.id, ['1', '2']);
        await updateOne(storage, map.id, anUpdate(a!, {}, 'x'));
        expect((await append(storage, map.id)).order).toBe('x');
      },
    },
    {
      name: 'a change of another version changes nothing and answers what is there',
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
      name: 'of changes of one version at once, one is made',
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
      name: 'of changes of one version by two openings of the store, one is made',
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
      name: 'several changes of one call have an outcome each, in their order',
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
      name: 'a location of another map is not changed',
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
      name: 'nothing of a map that is missing or deleted is changed',
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
      name: 'a page that was read before a change shows the change when it is read again',
      async run({ storage }) {
        const map = await seedMap(storage);
        const [a] = await insertOrders(storage, map.id, ['1', '2']);
        await listPage(storage, map.id);
        const changed = updatedOf(await updateOne(storage, map.id, anUpdate(a!, { name: 'new' }, '3')));
        expect((await listPage(storage, map.id)).at(-1)).toEqual(changed);
      },
    },
    {
      name: 'a repeated request under a key is answered with the location as it was first',
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
      name: 'changes are there after the store was closed and opened',
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
