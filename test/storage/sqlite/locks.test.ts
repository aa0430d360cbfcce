/** A store while another connection holds the write lock, and after a failed write. */

import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import type { JsonObject } from '../../../src/domain/json/json.ts';
import type { ServiceError } from '../../../src/errors.ts';
import { openDatabase } from '../../../src/storage/sqlite/engine/driver.ts';
import { openSqliteStorage, sqliteStorage } from '../../../src/storage/sqlite/storage.ts';
import {
  anInsert,
  append,
  expectUnavailable,
  insertOrders,
  listPage,
  NOW,
  rejectionOf,
  seedMap,
} from '../../contract/storage/fixtures.ts';
import { openConnection, temporaryFolder, valueOf } from './temporary.ts';

const folder = temporaryFolder();
let files = 0;

/** A store with a map, and a connection that holds the write lock until it is released. */
async function lockedStore(timeoutMs: number) {
  const path = join(folder, `${(files += 1)}.db`);
  const storage = await openSqliteStorage(`sqlite:${path}`, { timeoutMs });
  const map = await seedMap(storage);
  const first = await append(storage, map.id);
  const other = openDatabase(path);
  other.exec('BEGIN IMMEDIATE');
  return {
    storage,
    map,
    first,
    release: () => other.exec('ROLLBACK'),
    close: async () => {
      other.close();
      await storage.close();
    },
  };
}

describe('while another process holds the write lock', () => {
  it('a write waits without blocking other work, and is stored when the lock is free', async () => {
    const { storage, map, release, close } = await lockedStore(10_000);
    let isStored = false;
    const appended = append(storage, map.id).finally(() => (isStored = true));
    // Far more timers than the write tries to get the lock per turn.
    for (let tick = 0; tick < 50; tick += 1) await delay(1);
    expect(isStored).toBe(false);
    release();
    expect((await appended).order).toBe('2');
    await close();
  });

  it('a write fails with STORAGE_UNAVAILABLE after its timeout, and stores nothing', async () => {
    const { storage, map, first, release, close } = await lockedStore(400);
    const appended = rejectionOf(append(storage, map.id));
    const begun = performance.now();
    const error = (await appended) as ServiceError;
    expect(error.code).toBe('STORAGE_UNAVAILABLE');
    expect(error.retryAfterSeconds).toBeGreaterThan(0);
    expect(error.message).not.toMatch(/sqlite|lock|busy|\.db/i);
    // The first attempt blocks for part of the 400 ms before the clock starts.
    expect(performance.now() - begun).toBeGreaterThanOrEqual(300);
    release();
    expect(await listPage(storage, map.id)).toEqual([first]);
    expect((await append(storage, map.id)).order).toBe('2');
    await close();
  });

  it('every kind of write times out, and a new connection can read', async () => {
    const { storage, map, first, close } = await lockedStore(1);
    await expectUnavailable(storage.deleteLocation(map.id, first.id));
    await expectUnavailable(storage.updateMap(map.id, { name: 'x' }, { evenIfDeleted: true }));
    await expectUnavailable(storage.setMetaIfAbsent('key', 'value'));
    await expectUnavailable(storage.removeExpired(NOW));
    expect(await storage.getMaps([map.id])).toEqual([map]);
    expect(await listPage(storage, map.id)).toEqual([first]);
    await close();
  });

  it('a write does not start its work, which could use stale data', async () => {
    const path = join(folder, `${(files += 1)}.db`);
    const connection = await openConnection(path, 100);
    const other = openDatabase(path);
    other.exec('BEGIN IMMEDIATE');
    let begun = 0;
    await expectUnavailable(connection.write(() => (begun += 1)));
    expect(begun).toBe(0);
    other.exec('COMMIT');
    await connection.write(() => (begun += 1));
    expect(begun).toBe(1);
    other.close();
    await connection.close();
  });

  it('reads do not wait', async () => {
    const { storage, map, first, close } = await lockedStore(3_600_000);
    expect(await listPage(storage, map.id)).toEqual([first]);
    expect(await storage.countLocations(map.id)).toBe(1);
    await storage.ping();
    await close();
  });
});

describe('a failed write', () => {
  const openStore = async () => {
    const connection = await openConnection(join(folder, `${(files += 1)}.db`));
    const storage = sqliteStorage(connection);
    return { connection, storage, map: await seedMap(storage) };
  };

  it('stores none of its items, numbers or sequence numbers', async () => {
    const { connection, storage, map } = await openStore();
    const [first] = await insertOrders(storage, map.id, [null]);
    const twin = { location: { id: first!.id } };
    const inserts = [anInsert(map.id, { order: '70', key: 'a' }), anInsert(map.id, twin), anInsert(map.id)];
    await rejectionOf(storage.insertLocations(map.id, inserts, NOW));
    expect(await listPage(storage, map.id)).toEqual([first]);
    expect(valueOf(connection, 'SELECT COUNT(*) FROM idempotency_records')).toBe(0);
    const next = await append(storage, map.id);
    expect([next.order, next.sequence]).toEqual(['2', 2]);
    await storage.close();
  });

  it('leaves the connection usable, whatever failed', async () => {
    const { storage, map } = await openStore();
    const circular: Record<string, unknown> = {};
    circular['self'] = circular;
    const insert = anInsert(map.id, { location: { properties: circular as unknown as JsonObject } });
    const error = await rejectionOf(storage.insertLocations(map.id, [anInsert(map.id), insert], NOW));
    expect(error).toBeInstanceOf(TypeError);
    expect(await listPage(storage, map.id)).toEqual([]);
    expect((await append(storage, map.id)).order).toBe('1');
    await storage.close();
  });

  it('does not affect concurrent writes', async () => {
    const { storage, map } = await openStore();
    const [first] = await insertOrders(storage, map.id, [null]);
    const bad = () =>
      storage.insertLocations(map.id, [anInsert(map.id, { location: { id: first!.id } })], NOW);
    const calls = Array.from({ length: 30 }, (_, index) =>
      index % 3 === 0 ? bad() : append(storage, map.id),
    );
    const settled = await Promise.allSettled(calls);
    expect(settled.filter(({ status }) => status === 'rejected')).toHaveLength(10);
    const orders = (await listPage(storage, map.id)).map(({ order }) => order);
    expect(orders).toEqual(Array.from({ length: 21 }, (_, index) => String(index + 1)));
    await storage.close();
  });
});
