/** A writer that crashes at any statement leaves a change with its history, or neither. */

import type { LocationRecord } from '../../../../src/domain/location.ts';
import type { MapRecord } from '../../../../src/domain/map.ts';
import { openMongodbStorage } from '../../../../src/storage/mongodb/storage.ts';
import type { Storage } from '../../../../src/storage/storage.ts';
import { anInsert, anUpdate, idsOf, insertOne, listPage, NOW } from '../../../contract/storage/fixtures.ts';
import {
  aCall,
  change,
  historyOf,
  insert,
  remove,
  restore,
  trashOf,
  versionsOf,
} from '../../../contract/storage/history.ts';
import { expectHistory } from '../../../support/history.ts';
import { expectWhole, stopEverywhere } from '../../../support/mongodb-crash.ts';
import { NO_MONGODB, ownDatabase, testServer } from '../../../support/mongodb-server.ts';
import { describeUnless } from '../../../support/skip.ts';

const server = await testServer();

describeUnless(server === null && NO_MONGODB, 'mongodb: history after a crash at any statement', () => {
  if (server === null) return;
  const url = ownDatabase(server);
  let storage: Storage;
  beforeAll(async () => {
    storage = await openMongodbStorage(url, { timeoutMs: 10_000, lateWriteMs: 100 });
  });
  afterAll(() => storage.close());

  /** A location with an idempotency key and an external id, with one former state. */
  async function seedChanged({ id: mapId }: MapRecord): Promise<LocationRecord> {
    const call = aCall();
    await storage.insertLocations(mapId, [anInsert(mapId, { key: 'key', order: '5' })], NOW, { call });
    const [location] = await listPage(storage, mapId);
    return change(storage, location!, aCall(), { externalId: 'x' });
  }

  const seeded = new Map<string, readonly LocationRecord[]>();
  const seededOf = ({ id }: MapRecord) => seeded.get(id)!;

  async function stopAnywhere(
    prepare: (map: MapRecord) => Promise<readonly LocationRecord[]>,
    operation: (writer: Storage, locations: readonly LocationRecord[], map: MapRecord) => Promise<unknown>,
    look: (map: MapRecord) => Promise<void>,
  ): Promise<void> {
    const { stops, statements } = await stopEverywhere(
      storage,
      url,
      async (map) => {
        seeded.set(map.id, await prepare(map));
        return (writer) => operation(writer, seededOf(map), map);
      },
      async (map) => {
        await expectWhole(storage, map.id);
        await expectHistory(storage, map.id);
        await look(map);
        await expectWhole(storage, map.id);
        await expectHistory(storage, map.id);
      },
    );
    expect(stops).toBeGreaterThan(2);
    console.log(`${statements} statements`);
  }

  it('a create', () =>
    stopAnywhere(
      async () => [],
      (writer, _, { id }) =>
        writer.insertLocations(id, [anInsert(id, { key: 'key' }), anInsert(id)], NOW, { call: aCall() }),
      async ({ id }) => {
        const list = await listPage(storage, id);
        const counts = (await historyOf(storage, id)).map((record) => record.counts.created);
        expect(counts).toEqual(list.length === 0 ? [] : [list.length]);
        await insert(storage, id, aCall());
      },
    ));

  it('an update of several, one with another external id', () =>
    stopAnywhere(
      async (map) => [await seedChanged(map), ...(await insert(storage, map.id, aCall(), [null, null]))],
      (writer, [a, b, c], { id }) =>
        writer.updateLocations(
          id,
          [
            anUpdate(a!, { externalId: 'y' }, '7'),
            anUpdate(b!, { geocoding: { ...b!.geocoding, isChecked: true } }),
            anUpdate(c!, { name: 'other' }),
          ],
          { call: aCall() },
        ),
      async ({ id }) => {
        const now = await listPage(storage, id);
        for (const location of now) await change(storage, location, aCall());
      },
    ));

  it('a move', () =>
    stopAnywhere(
      ({ id }) => insert(storage, id, aCall(), ['x', 'x', 'x', 'y']),
      (writer, [, b, , d], { id }) =>
        writer.moveLocations(id, { ids: [d!.id], position: { kind: 'before', id: b!.id } }, NOW, {
          call: aCall(),
        }),
      async (map) => {
        const [a, b, c, d] = seededOf(map);
        const position = { kind: 'before', id: b!.id } as const;
        await storage.moveLocations(map.id, { ids: [d!.id], position }, NOW, { call: aCall() });
        expect(idsOf(await listPage(storage, map.id))).toEqual(idsOf([a!, d!, b!, c!]));
      },
    ));

  it('a delete', () =>
    stopAnywhere(
      async (map) => [await seedChanged(map), ...(await insert(storage, map.id, aCall()))],
      (writer, locations, { id }) => writer.deleteLocations(id, idsOf(locations), { call: aCall() }),
      async (map) => {
        const left = await listPage(storage, map.id);
        if (left.length > 0) await remove(storage, left);
        expect(await trashOf(storage, map.id)).toHaveLength(2);
        for (const location of seededOf(map)) {
          expect(await restore(storage, location)).toMatchObject({ kind: 'restored' });
        }
        const again = await insertOne(storage, map.id, { location: { externalId: 'x' } });
        expect(again.kind).toBe('external-id-taken');
      },
    ));

  it('a restore', () =>
    stopAnywhere(
      async (map) => {
        const locations = [await seedChanged(map), ...(await insert(storage, map.id, aCall()))];
        await remove(storage, locations);
        return locations;
      },
      (writer, locations, { id }) => writer.restoreLocations(id, locations, NOW, { call: aCall() }),
      async (map) => {
        for (const { location } of await trashOf(storage, map.id)) {
          expect(await restore(storage, location)).toMatchObject({ kind: 'restored' });
        }
        expect(idsOf(await listPage(storage, map.id))).toEqual(idsOf(seededOf(map)));
        const [first] = seededOf(map);
        expect(await storage.findLocationsByExternalIds(map.id, ['x'])).toEqual([
          expect.objectContaining({ id: first!.id, version: 4 }),
        ]);
        const again = await insertOne(storage, map.id, { key: 'key' });
        expect(again).toMatchObject({ kind: 'replayed', location: { id: first!.id } });
        const other = await insertOne(storage, map.id, { location: { externalId: 'x' } });
        expect(other.kind).toBe('external-id-taken');
      },
    ));

  it('a purge leaves a location in the trash, or nothing of it', async () => {
    const { stops } = await stopEverywhere(
      storage,
      url,
      async (map) => {
        const location = await seedChanged(map);
        await remove(storage, [location]);
        seeded.set(map.id, [location]);
        return (writer) => writer.purgeLocations(map.id, [location.id]);
      },
      async (map) => {
        const location = seededOf(map)[0]!;
        const trash = await trashOf(storage, map.id);
        expect(await versionsOf(storage, location)).toHaveLength(trash.length === 0 ? 0 : 2);
        await storage.purgeLocations(map.id, [location.id]);
        expect(await trashOf(storage, map.id)).toEqual([]);
        await expectHistory(storage, map.id, new Set([location.id]));
        const again = await insertOne(storage, map.id, { key: 'key' });
        expect(again).toMatchObject({ kind: 'replayed', location: { id: location.id } });
        expect(await listPage(storage, map.id)).toEqual([]);
      },
    );
    expect(stops).toBeGreaterThan(4);
  });
});
