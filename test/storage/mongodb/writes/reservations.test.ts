/** External ids when a writer is stopped or held up at any statement. */

import { openMongodbStorage } from '../../../../src/storage/mongodb/storage.ts';
import type { Storage } from '../../../../src/storage/storage.ts';
import {
  anInsert,
  anUpdate,
  insertAll,
  insertOne,
  listPage,
  locationOf,
  seedMap,
  updatedOf,
  updateOne,
} from '../../../contract/storage/fixtures.ts';
import { atEachStatement, expectWhole, runAround, stopEverywhere } from '../../../support/mongodb-crash.ts';
import { NO_MONGODB, ownDatabase, testServer, withClient } from '../../../support/mongodb-server.ts';
import { describeUnless } from '../../../support/skip.ts';

/** A little longer than the validity of a reservation that a crash has left. */
const LATER_MS = 61_000;

const server = await testServer();

describeUnless(server === null && NO_MONGODB, 'mongodb: external ids', () => {
  if (server === null) return;
  const url = ownDatabase(server);
  let storage: Storage;
  beforeAll(async () => {
    storage = await openMongodbStorage(url, { timeoutMs: 10_000, lateWriteMs: 100 });
  });
  afterAll(() => storage.close());

  /** As if the map's reservations had been made a minute earlier. */
  const letTimePass = (mapId: string) =>
    withClient(url, async (client) => {
      const reservations = client.db().collection('externalIds');
      for (const { _id, since } of await reservations.find({ mapId }).toArray()) {
        await reservations.updateOne({ _id }, { $set: { since: new Date(since.getTime() - LATER_MS) } });
      }
    });

  /** At most one location has the external id; after a minute a location without it can get it. */
  async function expectUsable(mapId: string, externalId: string): Promise<void> {
    const having = (await listPage(storage, mapId)).filter((location) => location.externalId === externalId);
    expect(having.length).toBeLessThanOrEqual(1);
    expect(await storage.findLocationsByExternalIds(mapId, [externalId])).toEqual([having[0] ?? null]);
    const early = await insertOne(storage, mapId, { location: { externalId } });
    if (having.length > 0) expect(early.kind).toBe('external-id-taken');
    if (early.kind === 'inserted') return;
    await letTimePass(mapId);
    const late = await insertOne(storage, mapId, { location: { externalId } });
    expect(late.kind).toBe(having.length > 0 ? 'external-id-taken' : 'inserted');
  }

  it('an interrupted create keeps its external id, or leaves it to the next create, which keeps the order of its call', async () => {
    const { stops } = await stopEverywhere(
      storage,
      url,
      async ({ id }) =>
        (writer) =>
          insertOne(writer, id, { location: { externalId: 'b' } }),
      async ({ id }) => {
        const having = (await expectWhole(storage, id)).length > 0;
        const inserts = ['a', 'b', 'c'].map((externalId) => anInsert(id, { location: { externalId } }));
        const outcomes = await insertAll(storage, id, inserts);
        const middle = having ? 'external-id-taken' : 'inserted';
        expect(outcomes.map(({ kind }) => kind)).toEqual(['inserted', middle, 'inserted']);
        const list = await expectWhole(storage, id);
        const order = list.map(({ externalId }) => externalId);
        expect(order).toEqual(having ? ['b', 'a', 'c'] : ['a', 'b', 'c']);
        expect(await storage.findLocationsByExternalIds(id, order.map(String))).toEqual(list);
      },
    );
    expect(stops).toBeGreaterThan(5);
  });

  it('a retry with a key stores an interrupted create, with its external id', async () => {
    await stopEverywhere(
      storage,
      url,
      async ({ id }) => {
        const insert = anInsert(id, { key: 'key', location: { externalId: 'a' } });
        return (writer) => insertAll(writer, id, [insert]);
      },
      async ({ id }) => {
        const retry = anInsert(id, { key: 'key', location: { externalId: 'a' } });
        let [outcome] = await insertAll(storage, id, [retry]);
        if (outcome?.kind === 'external-id-taken') {
          await letTimePass(id);
          [outcome] = await insertAll(storage, id, [retry]);
        }
        if (outcome === undefined || !('location' in outcome)) throw new Error(outcome?.kind);
        expect(await expectWhole(storage, id)).toEqual([outcome.location]);
        expect(await storage.findLocationsByExternalIds(id, ['a'])).toEqual([outcome.location]);
      },
    );
  });

  it('an interrupted create with a key does not take back an external id that another location got since', async () => {
    await stopEverywhere(
      storage,
      url,
      async ({ id }) => {
        const insert = anInsert(id, { key: 'key', location: { externalId: 'a' } });
        return (writer) => insertAll(writer, id, [insert]);
      },
      async ({ id }) => {
        await letTimePass(id);
        await insertOne(storage, id, { location: { externalId: 'a' } });
        await insertOne(storage, id, { key: 'key', location: { externalId: 'a' } });
        const list = await expectWhole(storage, id);
        expect(list).toHaveLength(1);
        expect(await storage.findLocationsByExternalIds(id, ['a'])).toEqual(list);
      },
    );
  });

  it('an interrupted update is applied or not, and both external ids stay usable', async () => {
    await stopEverywhere(
      storage,
      url,
      async ({ id }) => {
        const before = locationOf(await insertOne(storage, id, { location: { externalId: 'a' } }));
        const update = anUpdate(before, { externalId: 'b', name: 'New' }, '7');
        return (writer) => writer.updateLocations(id, [update]);
      },
      async ({ id }) => {
        const [location] = await expectWhole(storage, id);
        const { externalId, name, order, version } = location!;
        expect([
          ['a', 'A place', '1', 1],
          ['b', 'New', '7', 2],
        ]).toContainEqual([externalId, name, order, version]);
        await expectUsable(id, 'a');
        await expectUsable(id, 'b');
      },
    );
  });

  it('an interrupted delete frees the external id with the location', async () => {
    await stopEverywhere(
      storage,
      url,
      async ({ id }) => {
        const before = locationOf(await insertOne(storage, id, { location: { externalId: 'a' } }));
        return (writer) => writer.deleteLocation(id, before.id);
      },
      async ({ id }) => {
        await expectWhole(storage, id);
        await expectUsable(id, 'a');
      },
    );
  });

  it('an update that is held up while the external id moves to and fro leaves it with one location', async () => {
    await atEachStatement(async (at) => {
      const { id } = await seedMap(storage);
      const first = locationOf(await insertOne(storage, id, { location: { externalId: 'a' } }));
      const { happened } = await runAround(
        url,
        at,
        (writer) => updateOne(writer, id, anUpdate(first, { externalId: 'b' })),
        async () => {
          const [now] = await storage.getLocations(id, [first.id]);
          const other = await updateOne(storage, id, anUpdate(now!, { externalId: 'c' }));
          if (other.kind === 'updated') {
            updatedOf(await updateOne(storage, id, anUpdate(other.location, { externalId: 'a' })));
          }
        },
      );
      const [location] = await listPage(storage, id);
      for (const externalId of ['a', 'b', 'c']) await expectUsable(id, externalId);
      const having = await storage.findLocationsByExternalIds(id, [location!.externalId!]);
      expect(having[0]?.id).toBe(first.id);
      return happened;
    });
  });
});
