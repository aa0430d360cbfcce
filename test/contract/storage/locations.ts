/** Locations are returned exactly as stored, one by one and when deleted. */

import type { JsonObject } from '../../../src/domain/json/json.ts';
import type { LocationRecord } from '../../../src/domain/location.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import {
  aLocation,
  anInsert,
  append,
  idsOf,
  insertAll,
  insertOne,
  insertOrders,
  listPage,
  locationOf,
  rejectionOf,
  seedMap,
} from './fixtures.ts';
import type { StorageTopic } from './harness.ts';

/** Written as JSON, since a literal `__proto__` in JavaScript sets the prototype. */
const ODD_KEYS = `{
  "Name": "A place", "Address": "Somewhere", "": "empty", "__proto__": {"polluted": true}, "constructor": "c",
  "prototype": null, "hasOwnProperty": 1, "toString": "t", "toJSON": "j", "$where": "1", "$set": {"$gt": ""},
  "a.b": {"c.d": ".", "": [""]}, "a": {"b": 1}, ".": 0, "_id": "mine", "id": "other", "map_number": 3, "😀": "🎉",
  "\\ue000": "\\ufffd", "ключ": "值", " ": " ", "a\\tb\\n": "\\u0001\\u007f", "'\\"\`": "\\\\", "%s": "?", "[0]": [[]]
}`;

const VALUES = `{
  "null": null, "true": true, "false": false, "empty": "", "list": [1, null, [], {}, [null, [false]]], "object": {},
  "smallest": 5e-324, "largest": 1.7976931348623157e308, "negative": -1.7976931348623157e308, "third": 0.1,
  "sum": 0.30000000000000004, "past safe": 9007199254740993, "past 64 bits": 18446744073709551616, "int": 2147483648,
  "long": 9223372036854775807, "text number": "1e400", "text true": "true", "text null": "null", "date": "2026-01-01",
  "iso": "2026-01-01T00:00:00.000Z", "json": "{\\"a\\":1}", "deep": {"a": {"b": {"c": {"d": {"e": {"f": 1}}}}}}
}`;

async function storeProperties(storage: Storage, json: string): Promise<readonly LocationRecord[]> {
  const map = await seedMap(storage);
  const properties = JSON.parse(json) as JsonObject;
  const outcome = await insertOne(storage, map.id, { key: 'key', location: { properties } });
  const inserted = locationOf(outcome);
  const [found] = await storage.getLocations(map.id, [inserted.id]);
  const [listed] = await listPage(storage, map.id);
  const scope = { tokenId: 'token-1', mapId: map.id };
  const [remembered] = await storage.findIdempotencyRecords(scope, ['key'], 0);
  const replayed = locationOf(await insertOne(storage, map.id, { key: 'key' }), 'replayed');
  const deleted = await storage.deleteLocation(map.id, inserted.id);
  if (deleted.kind !== 'deleted') throw new Error(`deleteLocation returned ${deleted.kind}`);
  return [inserted, found!, listed!, remembered!.location, replayed, deleted.location];
}

/** Compares as text, which reveals the order of keys and an own `__proto__`. */
async function expectSameProperties(storage: Storage, json: string): Promise<void> {
  for (const location of await storeProperties(storage, json)) {
    expect(JSON.stringify(location.properties)).toBe(JSON.stringify(JSON.parse(json)));
    expect(location.properties).toEqual(JSON.parse(json));
  }
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
}

export const locations: StorageTopic = {
  name: 'locations',
  cases: [
    {
      name: 'a location is returned as stored on every read path',
      async run({ storage }) {
        const map = await seedMap(storage);
        const location = aLocation(map.id, { name: 'Ñandú', placeId: "p'1", createdAt: 1 });
        const [outcome] = await insertAll(storage, map.id, [{ location, order: '1.50', idempotency: null }]);
        const inserted = locationOf(outcome);
        expect(inserted).toEqual({
          ...location,
          order: '1.50',
          orderKey: inserted.orderKey,
          sequence: 1,
          version: 1,
          updatedAt: 1,
        });
        expect(await storage.getLocations(map.id, [location.id])).toEqual([inserted]);
        expect(await listPage(storage, map.id)).toEqual([inserted]);
        expect(await storage.deleteLocation(map.id, location.id)).toEqual({
          kind: 'deleted',
          location: inserted,
        });
      },
    },
    {
      name: 'properties keep every key and the order of keys',
      run: ({ storage }) => expectSameProperties(storage, ODD_KEYS),
    },
    {
      name: 'properties keep keys that look like numbers',
      run: ({ storage }) =>
        expectSameProperties(storage, '{"b":1,"10":2,"9":{"1":[],"0":null},"-1":3,"01":4,"1.5":5}'),
    },
    {
      name: 'properties keep every value, doubles exactly',
      run: ({ storage }) => expectSameProperties(storage, VALUES),
    },
    {
      name: 'properties keep 64 KiB',
      run: ({ storage }) =>
        expectSameProperties(
          storage,
          JSON.stringify(
            Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`key ${i}`, '😀'.repeat(75)])),
          ),
        ),
    },
    {
      name: 'coordinates are kept as exactly the same doubles',
      async run({ storage }) {
        const map = await seedMap(storage);
        const pairs = [
          [0, 0],
          [64.1466, -21.9426],
          [-89.99999999999999, 179.99999999999997],
          [0.1 + 0.2, -1e-7],
          [5e-324, -5e-324],
          [1 / 3, -2 / 3],
          [1e-17, -0.9999999999999999],
          [0.9999999999999999, -1.0000000000000002],
          [90, -180],
        ] as const;
        for (const [latitude, longitude] of pairs) {
          const { id } = locationOf(await insertOne(storage, map.id, { location: { latitude, longitude } }));
          const [found] = await storage.getLocations(map.id, [id]);
          expect([found?.latitude, found?.longitude]).toEqual([latitude, longitude]);
        }
      },
    },
    {
      name: 'each requested id has an entry, in the order of the request',
      async run({ storage }) {
        const map = await seedMap(storage);
        const [a, b, c] = await insertOrders(storage, map.id, ['3', '1', '2']);
        const unknown = aLocation(map.id).id;
        const ids = [c!.id, unknown, a!.id, c!.id, '', b!.id];
        expect(await storage.getLocations(map.id, ids)).toEqual([c, null, a, c, null, b]);
        expect(await storage.getLocations(map.id, [])).toEqual([]);
      },
    },
    {
      name: 'many ids can be requested at once',
      async run({ storage }) {
        const map = await seedMap(storage);
        const created = await insertOrders(storage, map.id, Array<null>(1000).fill(null));
        const ids = idsOf(created).toReversed();
        expect(idsOf((await storage.getLocations(map.id, ids)) as LocationRecord[])).toEqual(ids);
      },
    },
    {
      name: "another map's location is not found, and not deleted",
      async run({ storage }) {
        const [one, two] = [await seedMap(storage), await seedMap(storage)];
        const location = await append(storage, one.id);
        expect(await storage.getLocations(two.id, [location.id])).toEqual([null]);
        expect(await storage.deleteLocation(two.id, location.id)).toEqual({ kind: 'missing' });
        expect(await storage.getLocations('zzzzzzzzzzzzzzzz', [location.id])).toEqual([null]);
        expect(await storage.getLocations(one.id, [location.id])).toEqual([location]);
      },
    },
    {
      name: 'a location is deleted once and for good',
      async run({ storage }) {
        const map = await seedMap(storage);
        const [one, two] = await insertOrders(storage, map.id, ['1', '2']);
        expect(await storage.deleteLocation(map.id, one!.id)).toEqual({ kind: 'deleted', location: one });
        expect(await storage.getLocations(map.id, [one!.id, two!.id])).toEqual([null, two]);
        expect(await listPage(storage, map.id)).toEqual([two]);
        expect(await storage.deleteLocation(map.id, one!.id)).toEqual({ kind: 'missing' });
        expect(await storage.deleteLocation(map.id, aLocation(map.id).id)).toEqual({ kind: 'missing' });
        expect(await storage.countLocations(map.id)).toBe(1);
      },
    },
    {
      name: 'nothing is deleted from a missing or deleted map',
      async run({ storage }) {
        const map = await seedMap(storage);
        const location = await append(storage, map.id);
        expect(await storage.deleteLocation('zzzzzzzzzzzzzzzz', location.id)).toEqual({
          kind: 'map-missing',
        });
        await storage.updateMap(map.id, { isDeleted: true }, { evenIfDeleted: true });
        expect(await storage.deleteLocation(map.id, location.id)).toEqual({ kind: 'map-deleted' });
        expect(await storage.deleteLocation(map.id, 'unknown')).toEqual({ kind: 'map-deleted' });
        await storage.updateMap(map.id, { isDeleted: false }, { evenIfDeleted: true });
        expect(await listPage(storage, map.id)).toEqual([location]);
      },
    },
    {
      name: 'nothing is stored in a missing or deleted map',
      async run({ storage }) {
        const map = await seedMap(storage);
        const before = await append(storage, map.id);
        await storage.updateMap(map.id, { isDeleted: true }, { evenIfDeleted: true });
        const insert = anInsert(map.id, { order: '50', key: 'key' });
        expect(await storage.insertLocations(map.id, [insert], 0)).toEqual({ kind: 'map-deleted' });
        expect(await storage.insertLocations(map.id, [], 0)).toEqual({ kind: 'map-deleted' });
        const elsewhere = anInsert('zzzzzzzzzzzzzzzz');
        expect(await storage.insertLocations('zzzzzzzzzzzzzzzz', [elsewhere], 0)).toEqual({
          kind: 'map-missing',
        });
        await storage.updateMap(map.id, { isDeleted: false }, { evenIfDeleted: true });
        expect(await listPage(storage, map.id)).toEqual([before]);
        const scope = { tokenId: 'token-1', mapId: map.id };
        expect(await storage.findIdempotencyRecords(scope, ['key'], 0)).toEqual([null]);
        expect((await append(storage, map.id)).order).toBe('2');
      },
    },
    {
      name: 'a call without items returns no outcomes',
      async run({ storage }) {
        const map = await seedMap(storage);
        expect(await storage.insertLocations(map.id, [], 0)).toEqual({ kind: 'done', outcomes: [] });
        expect((await append(storage, map.id)).sequence).toBe(1);
      },
    },
    {
      name: 'a failing item leaves no partial write',
      async run({ storage }) {
        const map = await seedMap(storage);
        const location = await append(storage, map.id);
        const twin = anInsert(map.id, { location: { id: location.id }, order: '99', key: 'key' });
        const others = [anInsert(map.id), anInsert(map.id, { key: 'others' })];
        await rejectionOf(storage.insertLocations(map.id, [twin, ...others], 0));
        expect(await listPage(storage, map.id)).toEqual([location]);
        const scope = { tokenId: 'token-1', mapId: map.id };
        expect(await storage.findIdempotencyRecords(scope, ['key', 'others'], 0)).toEqual([null, null]);
        // Its number may be used: a store without transactions assigns numbers before it stores.
        const next = await append(storage, map.id);
        expect(await listPage(storage, map.id)).toEqual([location, next]);
      },
    },
    {
      name: 'changes to passed or returned objects do not affect the store',
      async run({ storage }) {
        const map = await seedMap(storage);
        const properties = { list: [1, 2], object: { a: 1 } };
        const insert = anInsert(map.id, { key: 'key', location: { properties } });
        const expected = structuredClone(locationOf((await insertAll(storage, map.id, [insert]))[0]));
        properties.list.push(3);
        properties.object.a = 2;
        const read = async () => {
          const [found] = await storage.getLocations(map.id, [expected.id]);
          const [listed] = await listPage(storage, map.id);
          const scope = { tokenId: 'token-1', mapId: map.id };
          const [record] = await storage.findIdempotencyRecords(scope, ['key'], 0);
          return [found!, listed!, record!.location];
        };
        for (const location of await read()) {
          expect(location).toEqual(expected);
          const writable = location as { name: string; properties: Record<string, unknown> };
          writable.name = 'changed';
          (writable.properties['list'] as number[]).length = 0;
        }
        for (const location of await read()) expect(location).toEqual(expected);
      },
    },
  ],
};
