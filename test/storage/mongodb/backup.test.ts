/** Loading a copy: counts are right whatever else happens to the target, and intents end when a map is complete. */

import { setTimeout as delay } from 'node:timers/promises';

import { EMPTY_LIST } from '../../../src/domain/list/list-end.ts';
import { openMongodbStorage } from '../../../src/storage/mongodb/storage.ts';
import type { Storage, StoredItem } from '../../../src/storage/storage.ts';
import {
  append,
  aToken,
  collect,
  insertOne,
  insertOrders,
  listPage,
  NOW,
  seedMap,
  seedOwner,
} from '../../contract/storage/fixtures.ts';
import { runAround } from '../../support/mongodb-crash.ts';
import { NO_MONGODB, ownDatabase, testServer, withClient } from '../../support/mongodb-server.ts';
import { describeUnless } from '../../support/skip.ts';

const MOST_STATEMENTS = 30;

const server = await testServer();

describeUnless(server === null && NO_MONGODB, 'mongodb: loading', () => {
  if (server === null) return;
  const url = ownDatabase(server);
  let storage: Storage;
  let items: readonly StoredItem[];
  let mapIds: readonly string[];
  beforeAll(async () => {
    storage = await openMongodbStorage(url, { timeoutMs: 10_000 });
    const { id: ownerId } = await seedOwner(storage);
    const maps = [await seedMap(storage, { ownerId }), await seedMap(storage, { ownerId })];
    mapIds = maps.map(({ id }) => id).toSorted();
    for (const { id } of maps) {
      await insertOrders(storage, id, ['x', null, '5']);
      await insertOne(storage, id, { key: 'key' });
    }
    await storage.insertToken(aToken(ownerId));
    items = await collect(storage.dump(NOW));
  });
  afterAll(() => storage.close());

  async function expectCounted(lengths: readonly number[]): Promise<void> {
    for (const [index, mapId] of mapIds.entries()) {
      expect(await listPage(storage, mapId)).toHaveLength(lengths[index] ?? 0);
      expect(await storage.countLocations(mapId)).toBe(lengths[index]);
    }
  }

  const mapsWithEntries = () =>
    withClient(url, (client) =>
      client
        .db()
        .collection('maps')
        .countDocuments({ 'count.open.0': { $exists: true } }),
    );

  it('has the right counts while another load empties and fills the target, whatever is in progress', async () => {
    for (let at = 1; ; at += 1) {
      await storage.removeAll([]);
      const { happened } = await runAround(
        url,
        at,
        // It finds some of its documents inserted by the other.
        (writer) => writer.load(items).catch(() => {}),
        async () => {
          await storage.removeAll([]);
          await storage.load(items);
        },
      );
      await expectCounted([4, 4]);
      if (!happened) break;
      expect(at).toBeLessThan(MOST_STATEMENTS);
    }
  });

  it('counts locations stored before an interruption', async () => {
    await storage.removeAll([]);
    const twice = items.find((item) => item.kind === 'location')!;
    await expect(storage.load([...items, twice])).rejects.toThrow(/duplicate/i);
    await expectCounted([4, 4]);
    await append(storage, mapIds[1]!);
    await expectCounted([4, 5]);
  });

  it('counts locations that the source added after it had dumped the end of their list', async () => {
    await storage.removeAll([]);
    await storage.load(items.map((item) => (item.kind === 'map' ? { ...item, end: EMPTY_LIST } : item)));
    await expectCounted([4, 4]);
  });

  it('ends the intent of a map when the next item belongs to another, or when the store is closed', async () => {
    const second = items.findIndex((item) => item.kind === 'map' && item.map.id === mapIds[1]);
    const end = items.findIndex(({ kind }) => kind === 'token');
    await storage.removeAll([]);
    const target = await openMongodbStorage(url, { timeoutMs: 10_000 });
    await target.load(items.slice(0, second));
    await target.load(items.slice(second, end));
    while ((await mapsWithEntries()) > 1) await delay(20);
    await target.close();
    expect(await mapsWithEntries()).toBe(0);
    await expectCounted([4, 4]);
  });
});
