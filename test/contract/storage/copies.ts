/** Dumps, snapshots and loads of a whole store. */

import type { Storage, StoredItem } from '../../../src/storage/storage.ts';
import {
  aLogo,
  anInsert,
  append,
  aToken,
  collect,
  DAY,
  idsOf,
  insertAll,
  insertOne,
  insertOrders,
  listPage,
  locationOf,
  move,
  NOW,
  seedMap,
  seedOwner,
  setLogo,
} from './fixtures.ts';
import type { StorageTopic } from './harness.ts';

/** A unique name for an item of a dump. */
function nameOf(item: StoredItem): string {
  switch (item.kind) {
    case 'meta':
      return `meta ${item.key}`;
    case 'owner':
      return `owner ${item.owner.id}`;
    case 'account':
      return `account ${item.account.ownerId}`;
    case 'map':
      return `map ${item.map.id}`;
    case 'logo':
      return `logo ${item.logo.mapId}`;
    case 'location':
      return `location ${item.location.id}`;
    case 'idempotency':
      return `idempotency ${item.scope.tokenId} ${item.key}`;
    case 'webhook':
      return `webhook ${item.webhook.id}`;
    case 'invitation':
      return `invitation ${item.invitation.id}`;
    case 'history':
      return `history ${item.history.id}`;
    case 'changes':
      return `changes ${item.historyId} ${item.changes.map(({ number }) => number).join(' ')}`;
    case 'version':
      return `version ${item.version.locationId} ${item.version.version}`;
    case 'token':
      return `token ${item.token.id}`;
    case 'geocode':
      return `geocode ${item.geocode.key}`;
  }
}

const [ONE, TWO] = ['1'.repeat(16), '2'.repeat(16)] as const;

/** Two maps and all their records, stored in another order than a dump's. */
async function seedAll(storage: Storage) {
  const owner = await seedOwner(storage, 'b');
  const two = await seedMap(storage, { id: TWO, ownerId: owner.id, geocodingApiKey: 'sealed' });
  const one = await seedMap(storage, { id: ONE, ownerId: owner.id, createdAt: NOW + 1 });
  await storage.setMetaIfAbsent('z', 'last');
  await storage.setMetaIfAbsent('a', 'first');
  await storage.insertToken(aToken(owner.id, { id: 'token_2', mapId: one.id, revokedAt: NOW }));
  await storage.insertToken(
    aToken(owner.id, { id: 'token_1', expiresAt: NOW, name: 'Laptop', lastUsedAt: NOW - 1 }),
  );
  const locations = [...(await insertOrders(storage, one.id, ['x', '10', '-1', '2', '2.0']))];
  for (const [tokenId, key, expiresAt] of [
    ['t2', 'k', NOW + DAY],
    ['t1', 'l', NOW + DAY],
    ['t1', 'K', NOW + DAY],
    ['t1', 'expired', NOW],
  ] as const) {
    locations.push(locationOf(await insertOne(storage, one.id, { order: '3', key, tokenId, expiresAt }, 0)));
  }
  await storage.deleteLocation(one.id, locations[1]!.id);
  await append(storage, two.id);
  const branded = await setLogo(storage, aLogo(two.id));
  return { owner, one, two: branded, locations };
}

export const copies: StorageTopic = {
  name: 'copies',
  cases: [
    {
      name: 'a dump has everything in a fixed order',
      async run({ storage }) {
        const { owner, one, two } = await seedAll(storage);
        const items = await collect(storage.dump(NOW));
        const [ofOne, ofTwo] = [await listPage(storage, one.id), await listPage(storage, two.id)];
        expect(items.map(nameOf)).toEqual([
          ...['meta a', 'meta z', `owner ${owner.id}`],
          ...[`map ${one.id}`, ...idsOf(ofOne).map((id) => `location ${id}`)],
          ...['idempotency t1 K', 'idempotency t1 l', 'idempotency t2 k'],
          ...[`map ${two.id}`, `logo ${two.id}`, ...idsOf(ofTwo).map((id) => `location ${id}`)],
          ...['token token_1', 'token token_2'],
        ]);
        const ends = items.flatMap((item) => (item.kind === 'map' ? [item.end] : []));
        expect(ends).toEqual([
          { lastSequence: 9, largestNumber: '10' },
          { lastSequence: 1, largestNumber: '1' },
        ]);
      },
    },
    {
      name: 'a loaded dump behaves like the dumped store',
      async run({ storage }) {
        const { one, two, locations } = await seedAll(storage);
        const items = await collect(storage.dump(NOW));
        await storage.removeAll([]);
        expect(await storage.isEmpty()).toBe(true);
        expect(await collect(storage.dump(0))).toEqual([]);

        await storage.load(items);
        expect(await collect(storage.dump(NOW))).toEqual(items);
        expect(await storage.getMaps([one.id, two.id])).toEqual([one, two]);
        const next = await append(storage, two.id);
        expect([next.order, next.sequence]).toEqual(['2', 2]);
        const text = await append(storage, one.id);
        expect([text.order, text.sequence]).toEqual(['x', 10]);
        const again = await insertOne(storage, one.id, { key: 'k', tokenId: 't2' });
        expect(locationOf(again, 'replayed')).toEqual(locations[5]);
        expect((await storage.findTokenByHash(aToken('', { id: 'token_2' }).hash))?.revokedAt).toBe(NOW);
      },
    },
    {
      name: 'a dump can be loaded in pieces',
      async run({ storage }) {
        await seedAll(storage);
        const items = await collect(storage.dump(NOW));
        await storage.removeAll([]);
        for (let index = 0; index < items.length; index += 3)
          await storage.load(items.slice(index, index + 3));
        await storage.load([]);
        expect(await collect(storage.dump(NOW))).toEqual(items);
      },
    },
    {
      name: 'loaded idempotency keys count, also those of deleted locations',
      async run({ storage }) {
        const { id } = await seedMap(storage);
        await insertOne(storage, id, { key: 'kept' });
        const removed = locationOf(await insertOne(storage, id, { key: 'deleted' }));
        await storage.deleteLocation(id, removed.id);
        const [items, before] = [await collect(storage.dump(NOW)), await listPage(storage, id)];
        await storage.removeAll([]);
        await storage.load(items);
        for (const key of ['kept', 'deleted']) {
          expect((await insertOne(storage, id, { key })).kind).toBe('replayed');
          expect((await insertOne(storage, id, { key, digest: 'other' })).kind).toBe('conflict');
        }
        expect(await listPage(storage, id)).toEqual(before);
      },
    },
    {
      name: 'removing everything keeps the named values',
      async run({ storage }) {
        await seedAll(storage);
        await storage.removeAll(['z', 'unknown']);
        expect(await collect(storage.dump(0))).toEqual([{ kind: 'meta', key: 'z', value: 'last' }]);
        expect(await storage.isEmpty()).toBe(true);
      },
    },
    {
      name: 'a snapshot has the content of a dump without geocodes, with a map’s locations in any order',
      async run({ storage }) {
        await seedAll(storage);
        const place = { placeId: 'p', latitude: 1, longitude: 2, precision: 'rooftop' };
        await storage.putGeocode({
          ...{ key: 'k', provider: 'google', mapId: null, place },
          ...{ storedAt: NOW, expiresAt: null },
        });
        const byName = (items: readonly StoredItem[]) =>
          items.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
        const dumped = (await collect(storage.dump(NOW))).filter(({ kind }) => kind !== 'geocode');
        const items = await collect(storage.snapshot(NOW));
        expect(byName(items)).toEqual(byName(dumped));
        // A map's records still follow the map.
        expect(items.map(({ kind }) => kind)).toEqual(dumped.map(({ kind }) => kind));
      },
    },
    {
      name: 'a snapshot during concurrent writes has each unchanged location once, and nothing twice',
      async run({ storage }) {
        const map = await seedMap(storage);
        const locations = await insertOrders(
          storage,
          map.id,
          Array.from({ length: 1_500 }, (_, index) => String(index)),
        );
        const iterator = storage.snapshot(NOW)[Symbol.asyncIterator]();
        const ids: string[] = [];
        const read = async (most: number) => {
          for (let count = 0; count < most; count += 1) {
            const { done, value } = await iterator.next();
            if (done === true) return;
            if (value.kind === 'location') ids.push(value.location.id);
          }
        };
        await read(300);
        const [first, last] = [locations.slice(0, 100), locations.slice(-100)];
        await move(storage, map.id, first, { kind: 'end' });
        await move(storage, map.id, last, { kind: 'start' });
        const removed = locations.slice(700, 800);
        await storage.deleteLocations(map.id, idsOf(removed));
        await insertOrders(storage, map.id, [null, '0.5']);
        await read(Infinity);
        expect(new Set(ids).size).toBe(ids.length);
        const left = new Set([...idsOf(first), ...idsOf(last), ...idsOf(removed)]);
        const unchanged = idsOf(locations).filter((id) => !left.has(id));
        expect(unchanged.filter((id) => !ids.includes(id))).toEqual([]);
        // Moved locations are included: a snapshot does not read by position.
        expect(idsOf([...first, ...last]).filter((id) => !ids.includes(id))).toEqual([]);
      },
    },
    {
      name: 'a dump has thousands of each, once each',
      async run({ storage }) {
        const map = await seedMap(storage);
        const inserts = Array.from({ length: 1200 }, (_, index) =>
          anInsert(map.id, { key: `key ${index}`, tokenId: `token ${index % 3}`, order: String(index % 7) }),
        );
        for (let index = 0; index < inserts.length; index += 600) {
          await insertAll(storage, map.id, inserts.slice(index, index + 600));
        }
        const items = await collect(storage.dump(NOW));
        expect(new Set(items.map(nameOf)).size).toBe(items.length);
        expect(items).toHaveLength(2 + 2 * 1200);
        const listed = items.flatMap((item) => (item.kind === 'location' ? [item.location] : []));
        expect(listed).toEqual(await listPage(storage, map.id));
      },
    },
  ],
};
