/** Search results after writes that share a transaction, fail, or copy. */

import { readFilter } from '../../../../src/domain/filter/location-filter.ts';
import { LIST_ORDER } from '../../../../src/domain/filter/location-order.ts';
import type { MapRecord } from '../../../../src/domain/map.ts';
import { insertAll as insertIn } from '../../../../src/storage/sqlite/locations/insert.ts';
import { sqliteStorage } from '../../../../src/storage/sqlite/storage.ts';
import { updateAll as updateIn } from '../../../../src/storage/sqlite/locations/update.ts';
import {
  anInsert,
  anUpdate,
  collect,
  insertAll,
  listPage,
  locationOf,
  NOW,
  seedMap,
  updatedOf,
  updateOne,
} from '../../../contract/storage/fixtures.ts';
import { openConnection, valueOf } from '../temporary.ts';

async function openStore() {
  const connection = await openConnection(':memory:');
  const storage = sqliteStorage(connection);
  return { connection, storage, map: await seedMap(storage) };
}

type Store = Awaited<ReturnType<typeof openStore>>['storage'];

/** More than a search reads whole. */
const MANY = 30;

async function fill(storage: Store, map: MapRecord): Promise<void> {
  const inserts = Array.from({ length: MANY }, () =>
    anInsert(map.id, { location: { name: 'filler', properties: {} } }),
  );
  await insertAll(storage, map.id, inserts);
}

async function search(storage: Store, map: MapRecord, text: string): Promise<readonly string[]> {
  const page = { limit: 100, fromEnd: false, after: null, before: null };
  const filter = readFilter({ search: text }, 'filter');
  const found = await storage.findLocations({ maps: [map], filter, order: LIST_ORDER }, page);
  return found.map(({ location: { name } }) => name);
}

const named = (map: MapRecord, name: string) => anInsert(map.id, { location: { name, properties: {} } });

describe('the indexes', () => {
  it('have no trace of a failed write among others', async () => {
    const { connection, storage, map } = await openStore();
    await fill(storage, map);
    const insert = (name: string) => insertAll(storage, map.id, [named(map, name)]);
    const fail = () =>
      connection.write(() => {
        insertIn(connection, map.id, [named(map, 'failed')], NOW);
        throw new Error('after the insert');
      });
    // The row number of the first failed write is another location's; that of the last is unused.
    const results = await Promise.allSettled([insert('one'), fail(), insert('two'), fail()]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'rejected']);
    expect(await search(storage, map, 'failed')).toEqual([]);
    expect(await search(storage, map, 'one')).toEqual(['one']);
    expect(await search(storage, map, 'two')).toEqual(['two']);
    expect(valueOf(connection, 'SELECT count(*) FROM location_words')).toBe(MANY + 2);
    expect(valueOf(connection, 'SELECT sum(count) FROM cell_sums WHERE level = 4')).toBe(MANY + 2);
  });

  it('are written once per transaction', async () => {
    const { connection, storage, map } = await openStore();
    const segments = () => Number(valueOf(connection, 'SELECT count(*) FROM location_words_idx'));
    const before = segments();
    jest.spyOn(performance, 'now').mockReturnValue(0);
    await Promise.all(
      Array.from({ length: 20 }, (_, at) => insertAll(storage, map.id, [named(map, `x${at}`)])),
    );
    jest.restoreAllMocks();
    // The first write does not wait, so there are at most two transactions.
    expect(segments() - before).toBeLessThanOrEqual(2);
  });

  it('are updated for new text, but not for a new order or point', async () => {
    const { storage, map } = await openStore();
    const [inserted] = await insertAll(storage, map.id, [named(map, 'één')]);
    let location = locationOf(inserted);
    // Only non-ASCII texts are normalized.
    const normalized = jest.spyOn(String.prototype, 'normalize');
    const worksOut = async (
      ...change: Parameters<typeof anUpdate> extends [unknown, ...infer R] ? R : never
    ) => {
      normalized.mockClear();
      location = updatedOf(await updateOne(storage, map.id, anUpdate(location, ...change)));
      return normalized.mock.calls.length > 0;
    };
    expect(await worksOut({}, '7')).toBe(false);
    expect(await worksOut({ latitude: 1, externalId: 'x' })).toBe(false);
    expect(await worksOut({ name: 'zwölf' })).toBe(true);
    expect(await worksOut({ properties: { Note: 'tré' } })).toBe(true);
    normalized.mockRestore();
    expect([await search(storage, map, 'één'), await search(storage, map, 'tré')]).toEqual([[], ['zwölf']]);
  });

  it('follow a location that is updated and deleted within one transaction', async () => {
    const { connection, storage, map } = await openStore();
    await fill(storage, map);
    await insertAll(storage, map.id, [named(map, 'first')]);
    const location = (await listPage(storage, map.id)).at(-1)!;
    await Promise.all([
      updateOne(storage, map.id, anUpdate(location, { name: 'second' })),
      storage.deleteLocation(map.id, location.id),
      insertAll(storage, map.id, [named(map, 'third')]),
    ]);
    expect(await search(storage, map, 'first')).toEqual([]);
    expect(await search(storage, map, 'second')).toEqual([]);
    expect(await search(storage, map, 'third')).toEqual(['third']);
    // The number of the first is not reused.
    expect(valueOf(connection, 'SELECT max(number) - min(number) FROM locations')).toBe(MANY + 1);
    expect(valueOf(connection, 'SELECT sum(count) FROM cell_sums WHERE level = 4')).toBe(MANY + 1);
  });

  it('follow a location that is updated twice within one transaction', async () => {
    const { connection, storage, map } = await openStore();
    const [inserted] = await insertAll(storage, map.id, [named(map, 'first')]);
    const location = locationOf(inserted);
    const there = { name: 'second', latitude: 10 };
    await connection.write(() => {
      updateIn(connection, map.id, [anUpdate(location, there)]);
      const changed = { ...location, ...there, version: location.version + 1 };
      updateIn(connection, map.id, [anUpdate(changed, { latitude: 20 })]);
    });
    await fill(storage, map);
    expect([await search(storage, map, 'first'), await search(storage, map, 'second')]).toEqual([
      [],
      ['second'],
    ]);
    expect(valueOf(connection, 'SELECT sum(count) FROM cell_sums WHERE level = 4')).toBe(MANY + 1);
  });

  it('match a copy after it is loaded, and are empty after removeAll', async () => {
    const { connection, storage, map } = await openStore();
    await fill(storage, map);
    await insertAll(storage, map.id, [named(map, 'copied')]);
    const items = await collect(storage.dump(0));
    await storage.removeAll([]);
    for (const table of ['location_words', 'cell_sums']) {
      expect(valueOf(connection, `SELECT count(*) FROM ${table}`)).toBe(0);
    }
    await storage.load(items);
    expect(await search(storage, map, 'copied')).toEqual(['copied']);
  });
});
