/** Closing a store ends its write intents, and does not wait for a server that does not respond. */

import type { ListCount } from '../../../src/storage/mongodb/schema.ts';
import { openMongodbStorage } from '../../../src/storage/mongodb/storage.ts';
import { append, insertOrders, seedMap } from '../../contract/storage/fixtures.ts';
import { startProxy } from '../../support/mongodb-proxy.ts';
import { NO_MONGODB, ownDatabase, testServer, withClient } from '../../support/mongodb-server.ts';
import { describeUnless } from '../../support/skip.ts';

/** Of the geocoding that the fixtures have. */
const GROUP = { provider: 'offline', precision: 'locality', isAmbiguous: true, isChecked: false };

const server = await testServer();

describeUnless(server === null && NO_MONGODB, 'mongodb: closing', () => {
  if (server === null) return;
  const url = ownDatabase(server);

  const countOf = (mapId: string) =>
    withClient(url, async (client) => {
      const maps = client.db().collection<{ _id: string; count: ListCount }>('maps');
      return (await maps.findOne({ _id: mapId }))!.count;
    });

  it('closes done writes of every map', async () => {
    const storage = await openMongodbStorage(url, { timeoutMs: 10_000 });
    const [one, two] = [await seedMap(storage), await seedMap(storage)];
    const [first] = await insertOrders(storage, one.id, [null, 'x', null]);
    await append(storage, one.id);
    await storage.deleteLocation(one.id, first!.id);
    await append(storage, two.id);
    await storage.close();
    await storage.close();
    expect(await countOf(one.id)).toEqual({ settled: [{ ...GROUP, count: 3 }], open: [] });
    expect(await countOf(two.id)).toEqual({ settled: [{ ...GROUP, count: 1 }], open: [] });
  });

  it('closes writes that are in progress when it starts', async () => {
    const storage = await openMongodbStorage(url, { timeoutMs: 10_000 });
    const { id } = await seedMap(storage);
    const under = insertOrders(storage, id, [null, null]);
    await storage.close();
    await under;
    expect(await countOf(id)).toEqual({ settled: [{ ...GROUP, count: 2 }], open: [] });
  });

  it('ends long before the connections time out if the server no longer responds', async () => {
    let isResponding = true;
    const proxy = await startProxy(url, {
      judge: () => (isResponding ? 'pass' : new Promise(() => {})),
    });
    const storage = await openMongodbStorage(proxy.url, { timeoutMs: 60_000 });
    const { id } = await seedMap(storage);
    await append(storage, id);
    isResponding = false;
    await storage.close();
    expect((await countOf(id)).open).toHaveLength(1);
    await proxy.close();
  });
});
