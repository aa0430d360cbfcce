/** The version of a map's list never repeats: an update that was planned for a lost version is planned again. */

import type { MapDocument } from '../../../../src/storage/mongodb/schema.ts';
import { openMongodbStorage } from '../../../../src/storage/mongodb/storage.ts';
import type { Storage } from '../../../../src/storage/storage.ts';
import { append, collect, insertOrders, NOW, seedMap } from '../../../contract/storage/fixtures.ts';
import { expectWhole, runAround } from '../../../support/mongodb-crash.ts';
import { NO_MONGODB, ownDatabase, testServer, withClient } from '../../../support/mongodb-server.ts';
import { describeUnless } from '../../../support/skip.ts';

const server = await testServer();

describeUnless(server === null && NO_MONGODB, 'mongodb: the version of a list', () => {
  if (server === null) return;
  const url = ownDatabase(server);
  let storage: Storage;
  beforeAll(async () => {
    storage = await openMongodbStorage(url, { timeoutMs: 10_000 });
  });
  afterAll(() => storage.close());

  /** A failover to a member without the map's last writes. */
  const takeBack = (map: MapDocument) =>
    withClient(url, async (client) => {
      await client.db().collection<MapDocument>('maps').replaceOne({ _id: map._id }, map);
      await client.db().collection('locations').deleteMany({ mapId: map._id });
    });
  const documentOf = (mapId: string) =>
    withClient(url, async (client) => {
      return (await client.db().collection<MapDocument>('maps').findOne({ _id: mapId }))!;
    });

  it('differs after a failover that rolled the last one back', async () => {
    const { id } = await seedMap(storage);
    const before = await documentOf(id);
    // The statements of an append: read the map, update it, insert. The second append has read the update of the first.
    const { happened } = await runAround(
      url,
      5,
      async (writer) => {
        await append(writer, id);
        await append(writer, id);
      },
      async () => {
        await takeBack(before);
        await insertOrders(storage, id, [null, null]);
      },
    );
    expect(happened).toBe(true);
    const list = await expectWhole(storage, id);
    expect(list.map(({ order, sequence }) => [order, sequence])).toEqual([
      ['1', 1],
      ['2', 2],
      ['3', 3],
    ]);
  });

  it('differs in every copy of the map', async () => {
    const { id } = await seedMap(storage);
    const [first] = await insertOrders(storage, id, [null, null, null]);
    const older = await collect(storage.dump(NOW));
    await storage.deleteLocation(id, first!.id);
    const newer = await collect(storage.dump(NOW));
    await storage.removeAll([]);
    await storage.load(older);
    const { happened } = await runAround(
      url,
      2,
      (writer) => append(writer, id),
      async () => {
        await storage.removeAll([]);
        await storage.load(newer);
      },
    );
    expect(happened).toBe(true);
    expect(await expectWhole(storage, id, { isLogged: false })).toHaveLength(3);
  });
});
