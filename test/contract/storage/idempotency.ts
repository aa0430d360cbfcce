/** Idempotency keys (contract §1): the first response again, and nothing stored twice. */

import type { Storage } from '../../../src/storage/storage.ts';
import {
  anInsert,
  append,
  DAY,
  idsOf,
  insertAll,
  insertOne,
  listPage,
  locationOf,
  NOW,
  seedMap,
} from './fixtures.ts';
import type { StorageTopic } from './harness.ts';

const find = (storage: Storage, mapId: string, keys: readonly string[], now = NOW, tokenId = 'token-1') =>
  storage.findIdempotencyRecords({ tokenId, mapId }, keys, now);

export const idempotency: StorageTopic = {
  name: 'idempotency',
  cases: [
    {
      name: 'the same key and digest get the first location, and store nothing',
      async run({ storage }) {
        const map = await seedMap(storage);
        const first = locationOf(await insertOne(storage, map.id, { key: 'key', order: '5' }));
        const second = locationOf(await insertOne(storage, map.id, { key: 'key', order: '6' }), 'replayed');
        expect(second).toEqual(first);
        expect(await listPage(storage, map.id)).toEqual([first]);
        // A replay uses neither a number nor a sequence.
        const next = await append(storage, map.id);
        expect([next.order, next.sequence]).toEqual(['6', first.sequence + 1]);
      },
    },
    {
      name: 'the same key with another digest is a conflict, and stores nothing',
      async run({ storage }) {
        const map = await seedMap(storage);
        const first = locationOf(await insertOne(storage, map.id, { key: 'key', digest: 'one' }));
        for (const digest of ['two', '', 'ONE', 'one ']) {
          expect(await insertOne(storage, map.id, { key: 'key', digest })).toEqual({ kind: 'conflict' });
        }
        expect(await listPage(storage, map.id)).toEqual([first]);
        expect(
          locationOf(await insertOne(storage, map.id, { key: 'key', digest: 'one' }), 'replayed'),
        ).toEqual(first);
        expect((await append(storage, map.id)).order).toBe('2');
      },
    },
    {
      name: 'the first location is returned again after its deletion',
      async run({ storage }) {
        const map = await seedMap(storage);
        const first = locationOf(await insertOne(storage, map.id, { key: 'key' }));
        await storage.deleteLocation(map.id, first.id);
        expect(locationOf(await insertOne(storage, map.id, { key: 'key' }), 'replayed')).toEqual(first);
        expect(await listPage(storage, map.id)).toEqual([]);
        expect((await find(storage, map.id, ['key']))[0]).toEqual({ digest: 'digest-1', location: first });
      },
    },
    {
      name: 'a key belongs to its token',
      async run({ storage }) {
        const map = await seedMap(storage);
        const one = locationOf(await insertOne(storage, map.id, { key: 'key', tokenId: 'one', digest: 'a' }));
        const two = locationOf(await insertOne(storage, map.id, { key: 'key', tokenId: 'two', digest: 'b' }));
        expect(one.id).not.toBe(two.id);
        expect((await find(storage, map.id, ['key'], NOW, 'one'))[0]?.location).toEqual(one);
        expect((await find(storage, map.id, ['key'], NOW, 'two'))[0]?.location).toEqual(two);
        expect(await find(storage, map.id, ['key'], NOW, 'three')).toEqual([null]);
      },
    },
    {
      name: 'a key belongs to its map',
      async run({ storage }) {
        const [one, two] = [await seedMap(storage), await seedMap(storage)];
        const first = locationOf(await insertOne(storage, one.id, { key: 'key', digest: 'a' }));
        expect(await find(storage, two.id, ['key'])).toEqual([null]);
        const second = locationOf(await insertOne(storage, two.id, { key: 'key', digest: 'b' }));
        expect(second.mapId).toBe(two.id);
        expect((await find(storage, one.id, ['key']))[0]?.location).toEqual(first);
        expect((await find(storage, two.id, ['key']))[0]?.location).toEqual(second);
      },
    },
    {
      name: 'keys differ by every character',
      async run({ storage }) {
        const map = await seedMap(storage);
        const keys = [
          'k',
          'K',
          'k ',
          ' k',
          '%',
          '_',
          '$k',
          'k.k',
          '*',
          `${'k'.repeat(255)}`,
          `${'k'.repeat(254)}l`,
        ];
        const outcomes = await insertAll(
          storage,
          map.id,
          keys.map((key) => anInsert(map.id, { key })),
        );
        const found = await find(storage, map.id, keys);
        expect(found.map((record) => record?.location)).toEqual(
          outcomes.map((outcome) => locationOf(outcome)),
        );
        expect(new Set(found.map((record) => record?.location.id)).size).toBe(keys.length);
      },
    },
    {
      name: 'a record is valid until just before it expires, and is replaced afterwards',
      async run({ storage }) {
        const map = await seedMap(storage);
        const expiresAt = NOW + DAY;
        const first = locationOf(await insertOne(storage, map.id, { key: 'key', expiresAt }));
        const again = await insertOne(storage, map.id, { key: 'key' }, expiresAt - 1);
        expect(locationOf(again, 'replayed')).toEqual(first);
        expect((await find(storage, map.id, ['key'], expiresAt - 1))[0]?.location).toEqual(first);
        expect(await find(storage, map.id, ['key'], expiresAt)).toEqual([null]);
        expect(await find(storage, map.id, ['key'], expiresAt + DAY)).toEqual([null]);

        const renewed = { key: 'key', digest: 'other', expiresAt: expiresAt + DAY };
        const second = locationOf(await insertOne(storage, map.id, renewed, expiresAt));
        expect(second.id).not.toBe(first.id);
        const [record] = await find(storage, map.id, ['key'], expiresAt);
        expect(record).toEqual({ digest: 'other', location: second });
        expect(idsOf(await listPage(storage, map.id))).toEqual([first.id, second.id]);
      },
    },
    {
      name: 'each requested key has an entry, in the order of the request',
      async run({ storage }) {
        const map = await seedMap(storage);
        const a = locationOf(await insertOne(storage, map.id, { key: 'a', digest: 'x' }));
        const b = locationOf(await insertOne(storage, map.id, { key: 'b', digest: 'y' }));
        const [recordA, recordB] = [
          { digest: 'x', location: a },
          { digest: 'y', location: b },
        ];
        const found = await find(storage, map.id, ['b', 'none', 'a', 'b']);
        expect(found).toEqual([recordB, null, recordA, recordB]);
        expect(await find(storage, map.id, [])).toEqual([]);
      },
    },
    {
      name: 'a repeated key in one call stores one location',
      async run({ storage }) {
        const map = await seedMap(storage);
        const outcomes = await insertAll(storage, map.id, [
          anInsert(map.id, { key: 'key' }),
          anInsert(map.id),
          anInsert(map.id, { key: 'key' }),
          anInsert(map.id, { key: 'key', digest: 'other' }),
          anInsert(map.id),
        ]);
        expect(outcomes.map(({ kind }) => kind)).toEqual([
          'inserted',
          'inserted',
          'replayed',
          'conflict',
          'inserted',
        ]);
        const first = locationOf(outcomes[0]);
        expect(locationOf(outcomes[2], 'replayed')).toEqual(first);
        expect((await listPage(storage, map.id)).map(({ order }) => order)).toEqual(['1', '2', '3']);
      },
    },
    {
      name: 'locations without a key are never replays',
      async run({ storage }) {
        const map = await seedMap(storage);
        const outcomes = await insertAll(storage, map.id, [
          anInsert(map.id),
          anInsert(map.id),
          anInsert(map.id),
        ]);
        expect(outcomes.map(({ kind }) => kind)).toEqual(['inserted', 'inserted', 'inserted']);
        expect(await storage.countLocations(map.id)).toBe(3);
      },
    },
    {
      name: 'concurrent calls with one key store one location, and all get it',
      async run({ storage }) {
        const map = await seedMap(storage);
        const outcomes = await Promise.all(
          Array.from({ length: 20 }, () => insertOne(storage, map.id, { key: 'key' })),
        );
        const listed = await listPage(storage, map.id);
        expect(listed).toHaveLength(1);
        expect(outcomes.filter(({ kind }) => kind === 'inserted')).toHaveLength(1);
        for (const outcome of outcomes) {
          expect('location' in outcome ? outcome.location : null).toEqual(listed[0]);
        }
      },
    },
    {
      name: 'of concurrent calls with one key and several digests, one digest wins',
      async run({ storage }) {
        const map = await seedMap(storage);
        const outcomes = await Promise.all(
          Array.from({ length: 12 }, (_, index) =>
            insertOne(storage, map.id, { key: 'key', digest: `digest-${index % 3}` }),
          ),
        );
        expect(await storage.countLocations(map.id)).toBe(1);
        const kinds = outcomes.map(({ kind }) => kind).sort();
        expect(kinds).toEqual([
          ...Array<string>(8).fill('conflict'),
          'inserted',
          ...Array<string>(3).fill('replayed'),
        ]);
      },
    },
    {
      name: 'a replay needs an existing map that is not deleted',
      async run({ storage }) {
        const map = await seedMap(storage);
        const first = locationOf(await insertOne(storage, map.id, { key: 'key' }));
        await storage.updateMap(map.id, { isDeleted: true }, { evenIfDeleted: true });
        const again = [anInsert(map.id, { key: 'key' })];
        expect(await storage.insertLocations(map.id, again, NOW)).toEqual({ kind: 'map-deleted' });
        await storage.updateMap(map.id, { isDeleted: false }, { evenIfDeleted: true });
        expect(locationOf(await insertOne(storage, map.id, { key: 'key' }), 'replayed')).toEqual(first);
      },
    },
    {
      name: 'removing expired records removes and counts only those',
      async run({ storage }) {
        const map = await seedMap(storage);
        for (const [index, expiresAt] of [NOW - 1, NOW, NOW + 1, NOW + DAY].entries()) {
          await insertOne(storage, map.id, { key: `key-${index}`, expiresAt }, 0);
        }
        const keys = ['key-0', 'key-1', 'key-2', 'key-3'];
        const present = async () => (await find(storage, map.id, keys, 0)).map((record) => record !== null);
        expect(await storage.removeExpired(NOW - 2)).toBe(0);
        expect(await present()).toEqual([true, true, true, true]);
        expect(await storage.removeExpired(NOW)).toBe(2);
        expect(await present()).toEqual([false, false, true, true]);
        expect(await storage.removeExpired(NOW)).toBe(0);
        expect(await storage.countLocations(map.id)).toBe(4);
        expect(await storage.removeExpired(NOW + 2 * DAY)).toBe(2);
        expect(await present()).toEqual([false, false, false, false]);
      },
    },
  ],
};
