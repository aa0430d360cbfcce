/** Databases of the first version, and of a later one. */

import { readFileSync } from 'node:fs';

import type { Db } from 'mongodb';
import { BSON } from 'mongodb';

import { readFilter } from '../../../src/domain/filter/location-filter.ts';
import { LIST_ORDER } from '../../../src/domain/filter/location-order.ts';
import { ServiceError } from '../../../src/errors.ts';
import { openMongodbStorage } from '../../../src/storage/mongodb/mongodb-storage.ts';
import { NEWEST_VERSION } from '../../../src/storage/mongodb/schema-version.ts';
import { UnfitStorageError } from '../../../src/storage/unfit.ts';
import { append, listPage, NOW, rejectionOf } from '../../contract/storage/fixtures.ts';
import { NO_MONGODB, ownDatabase, testServer, withClient } from '../../support/mongodb-server.ts';
import { describeUnless } from '../../support/skip.ts';
import { EMPTY, expectContent, expectGoesOn, NUMBERS, TEXTS } from '../versions/content.ts';

const OPTIONS = { timeoutMs: 10_000 };

/**
 * What version 0.1 of the program stored, document by document. Only the time of a tombstone is another: the server, whose
 * clock is the real one, would remove it.
 */
const documents = BSON.EJSON.parse(
  readFileSync(new URL('../versions/mongodb-1.json', import.meta.url), 'utf8'),
) as Record<string, { _id: string }[]>;

const server = await testServer();

describeUnless(server === null && NO_MONGODB, 'mongodb: a database of another version', () => {
  if (server === null) return;

  const inDatabase = <T>(url: string, work: (db: Db) => Promise<T>) =>
    withClient(url, (client) => work(client.db()));

  async function version1(): Promise<string> {
    const url = ownDatabase(server!);
    await inDatabase(url, async (db) => {
      for (const [name, list] of Object.entries(documents)) {
        await db.collection<{ _id: string }>(name).insertMany(list);
      }
    });
    return url;
  }

  const versionOf = (url: string) =>
    inDatabase(url, async (db) => {
      const found = await db
        .collection<{ _id: string; value: string }>('meta')
        .findOne({ _id: 'schema-version' });
      return found?.value;
    });

  it('1 is opened with everything that was in it, and goes on as before', async () => {
    const url = await version1();
    const storage = await openMongodbStorage(url, OPTIONS);
    expect(await versionOf(url)).toBe(String(NEWEST_VERSION));
    await expectContent(storage);
    await expectGoesOn(storage);
    const [first] = await listPage(storage, TEXTS);
    expect((await storage.deleteLocation(TEXTS, first!.id)).kind).toBe('deleted');
    expect(await storage.countLocations(NUMBERS)).toBe(10);
    expect(await storage.countLocations(TEXTS)).toBe(6);
    await storage.close();
  });

  it('1 is brought along by several gateways at once, of which some write already', async () => {
    const url = await version1();
    const stores = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const storage = await openMongodbStorage(url, OPTIONS);
        await append(storage, EMPTY);
        return storage;
      }),
    );
    for (const storage of stores) expect(await storage.countLocations(EMPTY)).toBe(4);
    await Promise.all(stores.map((storage) => storage.close()));
  });

  it('1 whose migration was cut short is brought along from there', async () => {
    const url = await version1();
    await inDatabase(url, async (db) => {
      const { _id } = (await db.collection('locations').findOne({ mapId: NUMBERS, place: { $gt: '' } }))!;
      await db.collection('locations').updateOne({ _id }, { $set: { sequence: 1 } });
      await db
        .collection<{ _id: string }>('maps')
        .updateOne({ _id: EMPTY }, { $set: { count: { settled: 0, open: [] } } });
    });
    const storage = await openMongodbStorage(url, OPTIONS);
    await expectContent(storage);
    await storage.close();
  });

  it('1 in which a crash came between a claim and its location: the location is counted when its key is asked for', async () => {
    const url = await version1();
    await inDatabase(url, async (db) => {
      await db.collection('locations').deleteOne({ mapId: TEXTS, name: { $regex: '^Place 16 ' } });
    });
    const storage = await openMongodbStorage(url, OPTIONS);
    expect(await storage.countLocations(TEXTS)).toBe(5);
    await storage.findIdempotencyRecords({ tokenId: 'token_1', mapId: TEXTS }, ['text'], NOW);
    const maps = (await storage.getMaps([TEXTS])).filter((map) => map !== null);
    expect(await storage.countFound({ maps, filter: readFilter({ search: 'place 16' }, 'filter') })).toBe(1);
    expect(await storage.countLocations(TEXTS)).toBe(6);
    expect(await listPage(storage, TEXTS)).toHaveLength(6);
    await storage.close();
  });

  it('3 is brought along so that every location is found, also where it was cut short', async () => {
    const url = await version1();
    await (await openMongodbStorage(url, OPTIONS)).close();
    const unfound = await inDatabase(url, async (db) => {
      const locations = db.collection('locations');
      const { modifiedCount } = await locations.updateMany(
        { mapId: TEXTS, place: { $gt: '' } },
        { $unset: { cell: '', terms: '', shape: '' } },
      );
      await db
        .collection<{ _id: string }>('meta')
        .updateOne({ _id: 'schema-version' }, { $set: { value: '3' } });
      return modifiedCount;
    });
    expect(unfound).toBe(6);
    const stores = await Promise.all([openMongodbStorage(url, OPTIONS), openMongodbStorage(url, OPTIONS)]);
    const [storage] = stores;
    for (const id of [TEXTS, NUMBERS]) {
      const maps = (await storage.getMaps([id])).filter((map) => map !== null);
      const listed = await listPage(storage, id);
      for (const filter of [
        { search: 'place' },
        { bbox: { south: -90, west: -180, north: 90, east: 180 } },
      ]) {
        const search = { maps, filter: readFilter(filter, 'filter'), order: LIST_ORDER };
        const found = await storage.findLocations(search, {
          limit: 100,
          fromEnd: false,
          after: null,
          before: null,
        });
        expect(found.map(({ location }) => location)).toEqual(listed);
      }
    }
    await Promise.all(stores.map((store) => store.close()));
    // A tombstone is found by nothing.
    const documents = await inDatabase(url, (db) => db.collection('locations').find().toArray());
    for (const { place, cell, terms, shape } of documents) {
      expect([typeof cell, Array.isArray(terms), typeof shape]).toEqual(
        place === undefined ? ['undefined', false, 'undefined'] : ['number', true, 'string'],
      );
    }
  });

  it('of a later release is refused by its number, and nothing is made in it', async () => {
    const url = ownDatabase(server);
    const meta = { _id: 'schema-version', value: '99' };
    await inDatabase(url, (db) => db.collection<{ _id: string }>('meta').insertOne(meta));
    const error = await rejectionOf(openMongodbStorage(url, OPTIONS));
    expect(error).toBeInstanceOf(UnfitStorageError);
    expect(error).not.toBeInstanceOf(ServiceError);
    expect((error as Error).message).toMatch(/version 99, written by a newer release/);
    const names = await inDatabase(url, (db) => db.listCollections().toArray());
    expect(names.map(({ name }) => name)).toEqual(['meta']);
    expect(await versionOf(url)).toBe('99');
  });

  it('says so where its migration takes long', async () => {
    const heard: string[] = [];
    const url = await version1();
    const { Database } = await import('../../../src/storage/mongodb/database.ts');
    const { migrate } = await import('../../../src/storage/mongodb/migrations.ts');
    await (await openMongodbStorage(url, OPTIONS)).close();
    const database = new Database(url, OPTIONS);
    await inDatabase(url, (db) => db.collection('maps').updateMany({}, { $unset: { count: '' } }));
    await migrate(database, 1, ({ message }) => void heard.push(message), 0);
    await database.close();
    expect(heard).toEqual([
      `The database is being brought from version 1 to ${NEWEST_VERSION}, which takes a while.`,
      expect.stringMatching(/^The database was brought from version 1 to 6 in [\d.]+ s\.$/),
    ]);
  });
});
