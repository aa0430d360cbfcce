/** The effect of a transaction's writes on the map's row and its log. */

import fc from 'fast-check';

import { insertAll as insertWithin } from '../../../../src/storage/sqlite/locations/insert.ts';
import { sqliteStorage } from '../../../../src/storage/sqlite/storage.ts';
import {
  anInsert,
  anUpdate,
  append,
  expectLogged,
  insertOne,
  listPage,
  move,
  NOW,
  seedMap,
  updateOne,
} from '../../../contract/storage/fixtures.ts';
import { openConnection, temporaryFolder, valueOf } from '../temporary.ts';

const folder = temporaryFolder();
let files = 0;

async function openStore() {
  const connection = await openConnection(`${folder}/${(files += 1)}.db`);
  const storage = sqliteStorage(connection);
  const map = await seedMap(storage);
  const failing = () =>
    connection
      .write(() => {
        insertWithin(connection, map.id, [anInsert(map.id)], NOW);
        throw new Error('as wanted');
      })
      .catch(() => 'failed');
  return { connection, storage, map, failing };
}

const rowsOfLog = (connection: Parameters<typeof valueOf>[0]) =>
  Number(valueOf(connection, 'SELECT count(*) AS count FROM changes'));

// Makes all of them share one transaction on a busy machine.
beforeEach(() => {
  jest.spyOn(performance, 'now').mockReturnValue(0);
});
afterEach(() => {
  jest.restoreAllMocks();
});

describe('the writes of one transaction', () => {
  it('to one list share a row of its log, and are numbered individually', async () => {
    const { connection, storage, map } = await openStore();
    const created = await Promise.all(Array.from({ length: 50 }, () => append(storage, map.id)));
    expect(rowsOfLog(connection)).toBe(1);
    expect(created.map(({ sequence }) => sequence)).toEqual(
      Array.from({ length: 50 }, (_, index) => index + 1),
    );
    const read = await storage.readChanges(map.id, { number: 0, stamp: '0' }, 100);
    expect(read).toMatchObject({
      kind: 'changes',
      changes: created.map(({ id }) => ({ kind: 'created', locationId: id })),
    });
    await storage.close();
  });

  it('to two lists are logged for each', async () => {
    const { storage, map } = await openStore();
    const other = await seedMap(storage, { ownerId: map.ownerId });
    await Promise.all([map, other, map, other, other].map(({ id }) => append(storage, id)));
    expect(await storage.countLocations(map.id)).toBe(2);
    expect(await storage.countLocations(other.id)).toBe(3);
    for (const { id } of [map, other]) await expectLogged(storage, id);
    await storage.close();
  });

  it('see that one of them has deleted the map', async () => {
    const { storage, map } = await openStore();
    const isDeleted = (value: boolean) =>
      storage.updateMap(map.id, { isDeleted: value }, { evenIfDeleted: true });
    const [, , refused] = await Promise.all([
      append(storage, map.id),
      isDeleted(true),
      storage.insertLocations(map.id, [anInsert(map.id)], NOW),
      isDeleted(false),
      append(storage, map.id),
    ]);
    expect(refused).toEqual({ kind: 'map-deleted' });
    expect(await storage.countLocations(map.id)).toBe(2);
    await expectLogged(storage, map.id);
    await storage.close();
  });

  it('discard the changes of a failed one', async () => {
    const { storage, map, failing } = await openStore();
    const [first, , last] = await Promise.all([append(storage, map.id), failing(), append(storage, map.id)]);
    expect([first.sequence, last.sequence]).toEqual([1, 2]);
    expect(await storage.countLocations(map.id)).toBe(2);
    await expectLogged(storage, map.id);
    await storage.close();
  });

  it('result in the same list, sequence numbers and log as writes one by one', async () => {
    const write = fc.constantFrom('create', 'update', 'delete', 'move', 'fail', 'rename');
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(write, { minLength: 1, maxLength: 12 }), { maxLength: 6 }),
        async (rounds) => {
          const { storage, map, failing } = await openStore();
          for (const round of rounds) {
            const before = await storage.listRevision(map.id);
            const list = await listPage(storage, map.id);
            await Promise.all(
              round.map((kind, index) => {
                const target = list[index % Math.max(1, list.length)];
                if (kind === 'fail') return failing();
                if (kind === 'rename')
                  return storage.updateMap(map.id, { name: `${index}` }, { evenIfDeleted: false });
                if (kind === 'create' || target === undefined) return insertOne(storage, map.id);
                if (kind === 'delete') return storage.deleteLocation(map.id, target.id);
                if (kind === 'move') return move(storage, map.id, [target], { kind: 'end' });
                return updateOne(storage, map.id, anUpdate(target, { name: `${index}` }, `${index}`));
              }),
            );
            const after = await listPage(storage, map.id);
            if (JSON.stringify(after) !== JSON.stringify(list))
              expect(await storage.listRevision(map.id)).not.toBe(before);
            expect(await storage.countLocations(map.id)).toBe(after.length);
            expect(new Set(after.map(({ sequence }) => sequence)).size).toBe(after.length);
          }
          await expectLogged(storage, map.id);
          await storage.close();
        },
      ),
      { numRuns: 60 },
    );
  });
});
