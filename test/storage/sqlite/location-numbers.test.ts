/** Row numbers of locations, which determine the order of rows in the file. */

import { sqliteStorage } from '../../../src/storage/sqlite/storage.ts';
import { append, listPage, seedMap } from '../../contract/storage/fixtures.ts';
import { openConnection } from './temporary.ts';

async function openStore() {
  const connection = await openConnection(':memory:');
  const numbers = () =>
    connection.all('SELECT number FROM locations ORDER BY number').map(({ number }) => Number(number));
  return { connection, storage: sqliteStorage(connection), numbers };
}

describe('the row numbers of locations', () => {
  it('keep the rows of a map together when several maps are written to', async () => {
    const { connection, storage } = await openStore();
    const maps = [await seedMap(storage), await seedMap(storage)];
    for (let turn = 0; turn < 3; turn += 1) for (const { id } of maps) await append(storage, id);
    const owners = connection
      .all('SELECT map_number FROM locations ORDER BY number')
      .map((row) => row.map_number);
    expect(owners).toEqual(owners.toSorted());
    expect(new Set(owners).size).toBe(2);
  });

  it('are never reused', async () => {
    const { storage, numbers } = await openStore();
    const map = await seedMap(storage);
    const first = await append(storage, map.id);
    const before = numbers();
    await storage.deleteLocation(map.id, first.id);
    await append(storage, map.id);
    expect(numbers().some((number) => before.includes(number))).toBe(false);
  });

  it.each([
    ['more maps than separate number ranges', 'UPDATE maps SET number = 4294967296'],
    ['more locations than a map’s number range', 'UPDATE maps SET last_sequence = 4294967300'],
  ])('are safe integers, even with %s', async (_, sql) => {
    const { connection, storage, numbers } = await openStore();
    const map = await seedMap(storage);
    connection.exec(sql);
    const added = [await append(storage, map.id), await append(storage, map.id)];
    expect(numbers()).toEqual([1, 2]);
    expect((await listPage(storage, map.id)).map(({ id }) => id)).toEqual(added.map(({ id }) => id));
  });
});
