/** Databases of older versions and of a newer one. */

import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';

import type { Db } from 'mongodb';
import { BSON } from 'mongodb';

import { readFilter } from '../../../src/domain/filter/location-filter.ts';
import { LIST_ORDER } from '../../../src/domain/filter/location-order.ts';
import { ServiceError } from '../../../src/errors.ts';
import { IncompatibleStorageError } from '../../../src/storage/incompatible.ts';
import { NEWEST_VERSION } from '../../../src/storage/mongodb/migrations.ts';
import { openMongodbStorage } from '../../../src/storage/mongodb/storage.ts';
import {
  NOW,
  aLogo,
  anUpdate,
  append,
  listPage,
  move,
  movedOf,
  rejectionOf,
  seedMap,
  setLogo,
  updateOne,
  updatedOf,
} from '../../contract/storage/fixtures.ts';
import { NO_MONGODB, ownDatabase, testServer, withClient } from '../../support/mongodb-server.ts';
import { describeUnless } from '../../support/skip.ts';
import { DELETED_MAP, MAP, expectJoinedWords, namesFound } from '../versions/apostrophes.ts';
import { EMPTY, NUMBERS, TEXTS, expectContent, expectContinues } from '../versions/content.ts';

const OPTIONS = { timeoutMs: 10_000 };

/**
 * The documents of release 0.1. Only a tombstone's time differs: the server, whose clock is real, would delete it.
 */
const documents = readDocuments('mongodb-1.json');
/** The documents of version 6, whose words end at an apostrophe. */
const documents6 = readDocuments('mongodb-6.json');

function readDocuments(name: string) {
  const text = readFileSync(new URL(`../versions/${name}`, import.meta.url), 'utf8');
  return BSON.EJSON.parse(text) as Record<string, { _id: string }[]>;
}

const server = await testServer();

describeUnless(server === null && NO_MONGODB, 'mongodb: a database of another version', () => {
  if (server === null) return;

  const inDatabase = <T>(url: string, work: (db: Db) => Promise<T>) =>
    withClient(url, (client) => work(client.db()));

  async function databaseOf(content: typeof documents): Promise<string> {
    const url = ownDatabase(server!);
    await inDatabase(url, async (db) => {
      for (const [name, list] of Object.entries(content)) {
        await db.collection<{ _id: string }>(name).insertMany(list);
      }
    });
    return url;
  }

  const version1 = () => databaseOf(documents);

  const locationsIn = (url: string) =>
    inDatabase(url, (db) => db.collection<{ _id: string; name?: string }>('locations').find().toArray());

  const versionOf = (url: string) =>
    inDatabase(url, async (db) => {
      const found = await db
        .collection<{ _id: string; value: string }>('meta')
        .findOne({ _id: 'schema-version' });
      return found?.value;
    });

  it('1 is opened with all its content, and works as before', async () => {
    const url = await version1();
    const storage = await openMongodbStorage(url, OPTIONS);
    expect(await versionOf(url)).toBe(String(NEWEST_VERSION));
    await expectContent(storage);
    await expectContinues(storage);
    const [first] = await listPage(storage, TEXTS);
    expect((await storage.deleteLocation(TEXTS, first!.id)).kind).toBe('deleted');
    expect(await storage.countLocations(NUMBERS)).toBe(10);
    expect(await storage.countLocations(TEXTS)).toBe(6);
    await storage.close();
  });

  it('1 is migrated by several gateways at once, some of which write already', async () => {
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

  it('1 whose migration was interrupted is migrated from there', async () => {
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

  it('1 with a crash between a lock and its location: the location is counted when its key is used', async () => {
    const url = await version1();
    await inDatabase(url, async (db) => {
      await db.collection('locations').deleteOne({ mapId: TEXTS, name: { $regex: '^Place 16 ' } });
    });
    const storage = await openMongodbStorage(url, OPTIONS);
    expect(await storage.countLocations(TEXTS)).toBe(5);
    await storage.findIdempotencyRecords({ tokenId: 'token_1', mapId: TEXTS }, ['text'], NOW);
    const maps = (await storage.getMaps([TEXTS])).filter((map) => map !== null);
    expect(await storage.countMatches({ maps, filter: readFilter({ search: 'place 16' }, 'filter') })).toBe(
      1,
    );
    expect(await storage.countLocations(TEXTS)).toBe(6);
    expect(await listPage(storage, TEXTS)).toHaveLength(6);
    await storage.close();
  });

  it('3 is migrated so that search finds every location, even after an interruption', async () => {
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
    // Search never finds a tombstone.
    const documents = await inDatabase(url, (db) => db.collection('locations').find().toArray());
    for (const { place, cell, terms, shape } of documents) {
      expect([typeof cell, Array.isArray(terms), typeof shape]).toEqual(
        place === undefined ? ['undefined', false, 'undefined'] : ['number', true, 'string'],
      );
    }
  });

  it('6 gets the current words, and nothing else changes', async () => {
    const url = await databaseOf(documents6);
    const before = await locationsIn(url);
    const storage = await openMongodbStorage(url, OPTIONS);
    await expectJoinedWords(storage);
    await storage.updateMap(DELETED_MAP, { isDeleted: false }, { evenIfDeleted: true });
    await append(storage, DELETED_MAP);
    expect(await versionOf(url)).toBe(String(NEWEST_VERSION));
    await storage.close();
    const after = (await locationsIn(url)).filter(({ _id }) => before.some((each) => each._id === _id));
    const withoutTerms = (all: typeof before) => all.map((each) => ({ ...each, terms: null }));
    expect(withoutTerms(after)).toEqual(withoutTerms(before));
    // A tombstone has no words.
    const changed = after.filter((each, index) => !isDeepStrictEqual(each, before[index]));
    expect(changed.map(({ name }) => name)).toEqual([
      "Guy's",
      'O’Neill',
      'Oʼneil',
      'Plain',
      'Jeanne d＇Arc',
      "L'E\u0301toile",
      "Fool's gold",
    ]);
  });

  it('15 keeps the logos of its maps', async () => {
    const url = ownDatabase(server);
    const before = await openMongodbStorage(url, OPTIONS);
    const logo = aLogo((await seedMap(before)).id);
    await setLogo(before, logo);
    await before.close();
    await inDatabase(url, async (db) => {
      const logos = db.collection<{ _id: string }>('logos');
      const { mapId, ...document } = logo;
      await logos.deleteMany({});
      await logos.insertOne({ _id: mapId, ...document });
      const meta = db.collection<{ _id: string }>('meta');
      await meta.updateOne({ _id: 'schema-version' }, { $set: { value: '15' } });
    });
    const stores = await Promise.all(Array.from({ length: 3 }, () => openMongodbStorage(url, OPTIONS)));
    for (const storage of stores) {
      expect(await storage.getLogo(logo.mapId, logo.hash)).toEqual(logo);
      await storage.close();
    }
    expect(await inDatabase(url, (db) => db.collection('logos').countDocuments())).toBe(1);
  });

  const copyOf = (index: number) => ({
    _id: `${MAP}_1${String(index).padStart(11, '0')}`,
    place: `2501${index % 9}\u0001${String(100 + index).padStart(15, '0')}`,
    sequence: 100 + index,
  });

  it('a large 6 whose migration was interrupted is migrated by several gateways at once', async () => {
    const [done, ...others] = (documents6['locations'] ?? []).filter((each) => 'place' in each);
    const locations = [
      // Left by another gateway.
      { ...done!, terms: ['wguys'] },
      ...others,
      ...Array.from({ length: 300 }, (_, index) => ({ ...done!, ...copyOf(index) })),
    ];
    const url = await databaseOf({ ...documents6, locations });
    const stores = await Promise.all(Array.from({ length: 3 }, () => openMongodbStorage(url, OPTIONS)));
    for (const storage of stores) {
      expect(await namesFound(storage, MAP, 'guys')).toHaveLength(302);
      expect(await namesFound(storage, MAP, 'oneill')).toHaveLength(1);
    }
    await Promise.all(stores.map((storage) => storage.close()));
  });

  it('6 is migrated while another gateway updates and moves locations', async () => {
    const url = await databaseOf(documents6);
    const storage = await openMongodbStorage(url, OPTIONS);
    await inDatabase(url, async (db) => {
      for (const { _id, ...document } of documents6['locations'] ?? []) {
        const { terms } = document as { terms?: readonly string[] };
        if (terms !== undefined) {
          await db.collection<{ _id: string }>('locations').updateOne({ _id }, { $set: { terms } });
        }
      }
    });
    expect(await namesFound(storage, MAP, 'guys')).toEqual(['Guys']);

    const { Database } = await import('../../../src/storage/mongodb/database.ts');
    const { migrate } = await import('../../../src/storage/mongodb/migrations.ts');
    const database = new Database(url, OPTIONS);
    const run = database.run.bind(database);
    let calls = 0;
    jest.spyOn(database, 'run').mockImplementation(async (work, scope) => {
      // Between the read and the write of the locations.
      if ((calls += 1) === 2) {
        const [guys, neill] = await listPage(storage, MAP);
        movedOf(await move(storage, MAP, [guys!], { kind: 'end' }));
        updatedOf(await updateOne(storage, MAP, anUpdate(neill!, { name: "Kelly's", properties: {} })));
      }
      return run(work, scope);
    });
    await migrate(database, 6, () => {});
    expect(calls).toBeGreaterThan(2);
    await database.close();
    expect(await namesFound(storage, MAP, 'guys')).toEqual(['Guys', "Guy's"]);
    expect(await namesFound(storage, MAP, 'kellys')).toEqual(["Kelly's"]);
    expect(await namesFound(storage, MAP, 'oneill')).toEqual([]);
    await storage.close();
  });

  it('of a newer release is refused with its version, and nothing is written', async () => {
    const url = ownDatabase(server);
    const meta = { _id: 'schema-version', value: '99' };
    await inDatabase(url, (db) => db.collection<{ _id: string }>('meta').insertOne(meta));
    const error = await rejectionOf(openMongodbStorage(url, OPTIONS));
    expect(error).toBeInstanceOf(IncompatibleStorageError);
    expect(error).not.toBeInstanceOf(ServiceError);
    expect((error as Error).message).toMatch(/version 99, written by a newer release/);
    const names = await inDatabase(url, (db) => db.listCollections().toArray());
    expect(names.map(({ name }) => name)).toEqual(['meta']);
    expect(await versionOf(url)).toBe('99');
  });

  it('reports a migration that takes long', async () => {
    const notices: string[] = [];
    const url = await version1();
    const { Database } = await import('../../../src/storage/mongodb/database.ts');
    const { migrate } = await import('../../../src/storage/mongodb/migrations.ts');
    await (await openMongodbStorage(url, OPTIONS)).close();
    const database = new Database(url, OPTIONS);
    await inDatabase(url, (db) => db.collection('maps').updateMany({}, { $unset: { count: '' } }));
    await migrate(database, 1, ({ message }) => void notices.push(message), 0);
    await database.close();
    expect(notices).toEqual([
      `The database is being migrated from version 1 to ${NEWEST_VERSION}, which takes a while.`,
      expect.stringMatching(/^The database was migrated from version 1 to \d+ in [\d.]+ s\.$/),
    ]);
  });
});
