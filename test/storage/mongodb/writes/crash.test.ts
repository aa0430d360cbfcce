/** A writer that crashes between two statements, or before the response, leaves nothing half-done (insert.ts says why). */

import { newOwnerId } from '../../../../src/domain/ids.ts';
import type { LocationRecord } from '../../../../src/domain/location.ts';
import { openMongodbStorage } from '../../../../src/storage/mongodb/storage.ts';
import type { Storage } from '../../../../src/storage/storage.ts';
import {
  anInsert,
  anUpdate,
  append,
  idsOf,
  insertAll,
  insertOne,
  insertOrders,
  listPage,
  locationOf,
  NOW,
} from '../../../contract/storage/fixtures.ts';
import { expectWhole, stopEverywhere } from '../../../support/mongodb-crash.ts';
import { NO_MONGODB, ownDatabase, testServer } from '../../../support/mongodb-server.ts';
import { describeUnless } from '../../../support/skip.ts';

const server = await testServer();

describeUnless(server === null && NO_MONGODB, 'mongodb: a writer that crashes at any statement', () => {
  if (server === null) return;
  const url = ownDatabase(server);
  let storage: Storage;
  beforeAll(async () => {
    storage = await openMongodbStorage(url, { timeoutMs: 10_000, lateWriteMs: 100 });
  });
  afterAll(() => storage.close());

  type StopArguments = Parameters<typeof stopEverywhere>;
  const stopAnywhere = async (prepare: StopArguments[2], look: StopArguments[3]) =>
    (await stopEverywhere(storage, url, prepare, look)).statements;

  it('create without a key: the location exists or not', async () => {
    const count = await stopAnywhere(
      async ({ id }) =>
        (writer) =>
          insertOne(writer, id),
      async ({ id }) => {
        const left = await expectWhole(storage, id);
        expect(left.length).toBeLessThanOrEqual(1);
        const next = await append(storage, id);
        expect(idsOf(await listPage(storage, id))).toEqual([...idsOf(left), next.id]);
      },
    );
    console.log(`${count} statements`);
  });

  it('create with a key: a retry finds the location by its key, or creates it', async () => {
    const count = await stopAnywhere(
      async ({ id }) => {
        const insert = anInsert(id, { key: 'key' });
        return (writer) => insertAll(writer, id, [insert]);
      },
      async ({ id }) => {
        const left = await expectWhole(storage, id);
        const later = await append(storage, id);
        const retried = await insertOne(storage, id, { key: 'key' });
        if (!('location' in retried)) throw new Error(retried.kind);
        if (left.length > 0) expect(retried).toEqual({ kind: 'replayed', location: left[0] });
        const list = await expectWhole(storage, id);
        expect(idsOf(list).toSorted()).toEqual([retried.location.id, later.id].toSorted());
        expect(list).toContainEqual(retried.location);
        await expectDeletedForGood(id, retried.location.id);
      },
    );
    console.log(`${count} statements`);
  });

  it('create with a key: another body with the key is refused only if its location exists', async () => {
    await stopAnywhere(
      async ({ id }) => {
        const insert = anInsert(id, { key: 'key', order: '7' });
        return (writer) => insertAll(writer, id, [insert]);
      },
      async ({ id }) => {
        const other = await insertOne(storage, id, { key: 'key', digest: 'other', order: '8' });
        const [only, ...rest] = await expectWhole(storage, id);
        expect(rest).toEqual([]);
        expect([other.kind, only?.order]).toEqual(
          other.kind === 'conflict' ? ['conflict', '7'] : ['inserted', '8'],
        );
      },
    );
  });

  it('create many, some with keys: each is complete, and a retry creates none twice', async () => {
    const keys = ['a', undefined, 'b', 'c', undefined];
    const count = await stopAnywhere(
      async ({ id }) => {
        const earlier = await insertOne(storage, id, { key: 'c' });
        const inserts = keys.map((key) => anInsert(id, { key }));
        expect(earlier.kind).toBe('inserted');
        return (writer) => writer.insertLocations(id, inserts, NOW);
      },
      async ({ id }) => {
        const left = await expectWhole(storage, id);
        const retried = await insertAll(
          storage,
          id,
          keys.map((key) => anInsert(id, { key })),
        );
        const list = await expectWhole(storage, id);
        const keyed = retried.filter((_, index) => keys[index] !== undefined);
        for (const outcome of keyed) {
          if (!('location' in outcome)) throw new Error(outcome.kind);
          expect(list.filter((location) => location.id === outcome.location.id)).toEqual([outcome.location]);
        }
        // Every call creates those without a key; the first call creates all of them or none.
        const keyless = retried.filter((_, index) => keys[index] === undefined).map((o) => locationOf(o));
        expect(list.length - keyed.length - keyless.length).toBe(left.length > 1 ? 2 : 0);
      },
    );
    console.log(`${count} statements`);
  });

  it('delete with a key: deleted or not, and once deleted, the key does not bring it back', async () => {
    const ids = new Map<string, string>();
    const count = await stopAnywhere(
      async ({ id }) => {
        const location = locationOf(await insertOne(storage, id, { key: 'key' }));
        ids.set(id, location.id);
        return (writer) => writer.deleteLocation(id, location.id);
      },
      async ({ id }) => {
        const left = await expectWhole(storage, id);
        const replayed = locationOf(await insertOne(storage, id, { key: 'key' }), 'replayed');
        expect(replayed.id).toBe(ids.get(id));
        expect(await expectWhole(storage, id)).toEqual(left);
        expect((await storage.deleteLocation(id, replayed.id)).kind).toBe(
          left.length > 0 ? 'deleted' : 'missing',
        );
        await expectDeletedForGood(id, replayed.id);
      },
    );
    console.log(`${count} statements`);
  });

  it('update of geocoding: made or not, and a retry makes it', async () => {
    const before = new Map<string, readonly LocationRecord[]>();
    const checked = (location: LocationRecord) =>
      anUpdate(location, { geocoding: { ...location.geocoding, isChecked: true } });
    const count = await stopAnywhere(
      async ({ id }) => {
        before.set(id, await insertOrders(storage, id, [null, null, null]));
        const [first, , third] = before.get(id)!;
        return (writer) => writer.updateLocations(id, [checked(first!), checked(third!)]);
      },
      async ({ id }) => {
        const [first, second, third] = await expectWhole(storage, id);
        expect(second).toEqual(before.get(id)![1]);
        await storage.updateLocations(id, [checked(first!), checked(third!)]);
        const list = await expectWhole(storage, id);
        expect(list.map(({ geocoding }) => geocoding.isChecked)).toEqual([true, false, true]);
      },
    );
    console.log(`${count} statements`);
  });

  it('an owner exists, or the next call creates it', async () => {
    const count = await stopAnywhere(
      async ({ id }) =>
        (writer) =>
          writer.findOrCreateOwner({ id: newOwnerId(), name: `owner of ${id}`, createdAt: NOW }),
      async ({ id }) => {
        const name = `owner of ${id}`;
        const found = await storage.findOwnerByName(name);
        const { owner, created } = await storage.findOrCreateOwner({
          id: newOwnerId(),
          name,
          createdAt: NOW,
        });
        expect(created).toBe(found === null);
        expect(await storage.findOwner(owner.id)).toEqual(owner);
        expect((await storage.listOwners()).filter((other) => other.name === name)).toEqual([owner]);
      },
    );
    console.log(`${count} statements`);
  });

  it('a map gets all changes of a patch, or none', async () => {
    const patch = { name: 'New', isPublished: true, providerMapApiKey: 'p', geocodingApiKey: null };
    const count = await stopAnywhere(
      async ({ id }) => {
        await storage.updateMap(id, { geocodingApiKey: 'g' }, { evenIfDeleted: false });
        return (writer) => writer.updateMap(id, patch, { evenIfDeleted: false });
      },
      async (map) => {
        const [found] = await storage.getMaps([map.id]);
        expect([
          { ...map, geocodingApiKey: 'g' },
          { ...map, ...patch },
        ]).toContainEqual(found);
      },
    );
    console.log(`${count} statements`);
  });

  /** Deletes the key's location; the key still replays and brings nothing back. */
  async function expectDeletedForGood(mapId: string, id: string): Promise<void> {
    await storage.deleteLocation(mapId, id);
    for (let again = 0; again < 2; again += 1) {
      const location = locationOf(await insertOne(storage, mapId, { key: 'key' }), 'replayed');
      expect(location.id).toBe(id);
    }
    expect(idsOf(await expectWhole(storage, mapId))).not.toContain(id);
  }
});
