/** A writer that is held up between any two statements while others write does no harm when it continues. */

import { newOwnerId } from '../../../../src/domain/ids.ts';
import type { MapRecord } from '../../../../src/domain/map.ts';
import { openMongodbStorage } from '../../../../src/storage/mongodb/storage.ts';
import type { LocationInsert, Storage } from '../../../../src/storage/storage.ts';
import {
  anInsert,
  append,
  DAY,
  idsOf,
  insertAll,
  insertOne,
  listPage,
  locationOf,
  NOW,
  seedMap,
} from '../../../contract/storage/fixtures.ts';
import { atEachStatement, expectWhole, runAround } from '../../../support/mongodb-crash.ts';
import { NO_MONGODB, ownDatabase, testServer } from '../../../support/mongodb-server.ts';
import { describeUnless } from '../../../support/skip.ts';

const server = await testServer();

describeUnless(server === null && NO_MONGODB, 'mongodb: a writer held up at any statement', () => {
  if (server === null) return;
  const url = ownDatabase(server);
  let storage: Storage;
  beforeAll(async () => {
    storage = await openMongodbStorage(url, { timeoutMs: 10_000, lateWriteMs: 100 });
  });
  afterAll(() => storage.close());

  /** Holds an operation up at each of its statements in turn, on a new map each time. */
  async function holdEverywhere<T>(
    operation: (writer: Storage, map: MapRecord) => Promise<T>,
    meanwhile: (map: MapRecord) => Promise<void>,
    look: (map: MapRecord, result: T) => Promise<void>,
  ): Promise<void> {
    await atEachStatement(async (at) => {
      const map = await seedMap(storage);
      const { happened, result } = await runAround(
        url,
        at,
        (writer) => operation(writer, map),
        () => meanwhile(map),
      );
      if (!happened) return false;
      try {
        await look(map, result);
      } catch (error) {
        throw new Error(`held up before statement ${at}`, { cause: error });
      }
      return true;
    });
  }

  const keyed = (map: MapRecord, overrides: { readonly digest?: string } = {}): LocationInsert =>
    anInsert(map.id, { key: 'key', ...overrides });

  it('while another process repeats its key: one location, and both get it', () =>
    holdEverywhere(
      async (writer, map) => (await insertAll(writer, map.id, [keyed(map)]))[0]!,
      async (map) => void (await insertAll(storage, map.id, [keyed(map)])),
      async (map, mine) => {
        const list = await expectWhole(storage, map.id);
        const again = locationOf(await insertOne(storage, map.id, { key: 'key' }), 'replayed');
        expect(list).toEqual([again]);
        expect('location' in mine ? mine.location : null).toEqual(again);
      },
    ));

  it('while another process repeats its key and deletes the location: it does not come back', () =>
    holdEverywhere(
      async (writer, map) => (await insertAll(writer, map.id, [keyed(map)]))[0]!,
      async (map) => {
        const [outcome] = await insertAll(storage, map.id, [keyed(map)]);
        const { id } = outcome !== undefined && 'location' in outcome ? outcome.location : { id: '' };
        expect((await storage.deleteLocation(map.id, id)).kind).toBe('deleted');
      },
      async (map, mine) => {
        expect(await expectWhole(storage, map.id)).toEqual([]);
        const again = locationOf(await insertOne(storage, map.id, { key: 'key' }), 'replayed');
        expect('location' in mine ? mine.location : null).toEqual(again);
        expect(await expectWhole(storage, map.id)).toEqual([]);
      },
    ));

  it('while another process uses its key with another body: one of the two is refused', () =>
    holdEverywhere(
      async (writer, map) => (await insertAll(writer, map.id, [keyed(map)]))[0]!,
      async (map) => void (await insertAll(storage, map.id, [keyed(map, { digest: 'other' })])),
      async (map, mine) => {
        const [only, ...rest] = await expectWhole(storage, map.id);
        expect(rest).toEqual([]);
        const [record] = await storage.findIdempotencyRecords(
          { tokenId: 'token-1', mapId: map.id },
          ['key'],
          NOW,
        );
        expect(record?.location).toEqual(only);
        expect(mine.kind).toBe(record?.digest === 'other' ? 'conflict' : 'inserted');
      },
    ));

  it('while its key expires by another process’s clock, which uses it again: both locations are complete', () =>
    holdEverywhere(
      async (writer, map) => insertAll(writer, map.id, [keyed(map)]),
      async (map) => {
        const insert = anInsert(map.id, { key: 'key', digest: 'new', expiresAt: NOW + 2 * DAY });
        await insertAll(storage, map.id, [insert], NOW + DAY);
      },
      async (map) => {
        const list = await expectWhole(storage, map.id);
        expect(list.length).toBeGreaterThanOrEqual(1);
        expect(list.length).toBeLessThanOrEqual(2);
        const scope = { tokenId: 'token-1', mapId: map.id };
        const [record] = await storage.findIdempotencyRecords(scope, ['key'], NOW + DAY);
        expect(list).toContainEqual(record?.location);
      },
    ));

  it('while others append: acknowledged locations keep their positions', () => {
    const appended = new Map<string, readonly string[]>();
    return holdEverywhere(
      async (writer, map) => insertAll(writer, map.id, [anInsert(map.id), anInsert(map.id)]),
      async (map) => {
        const meanwhile: string[] = [];
        for (let count = 0; count < 3; count += 1) meanwhile.push((await append(storage, map.id)).id);
        appended.set(map.id, meanwhile);
      },
      async (map, mine) => {
        const list = await expectWhole(storage, map.id);
        const own = mine.map((outcome) => locationOf(outcome).id);
        expect(idsOf(list).filter((id) => !own.includes(id))).toEqual(appended.get(map.id));
        expect(idsOf(list).filter((id) => own.includes(id))).toEqual(own);
      },
    );
  });

  it('while the map is deleted: stored before that, or refused', () =>
    holdEverywhere(
      (writer, map) => writer.insertLocations(map.id, [keyed(map), anInsert(map.id)], NOW),
      async (map) => void (await storage.updateMap(map.id, { isDeleted: true }, { evenIfDeleted: true })),
      async (map, { kind }) => {
        await storage.updateMap(map.id, { isDeleted: false }, { evenIfDeleted: true });
        expect((await expectWhole(storage, map.id)).length).toBe(kind === 'done' ? 2 : 0);
      },
    ));

  it('a delete, while another process repeats the key and deletes the location: one delete gets it', () => {
    const elsewhere = new Map<string, string>();
    return holdEverywhere(
      async (writer, map) => {
        const [location] = await listPage(storage, map.id);
        // Skips this statement, which is not the writer's.
        const made = location ?? locationOf(await insertOne(storage, map.id, { key: 'key' }));
        return writer.deleteLocation(map.id, made.id);
      },
      async (map) => {
        const { id } = locationOf(await insertOne(storage, map.id, { key: 'key' }), 'replayed');
        elsewhere.set(map.id, (await storage.deleteLocation(map.id, id)).kind);
      },
      async (map, mine) => {
        expect([mine.kind, elsewhere.get(map.id)].toSorted()).toEqual(['deleted', 'missing']);
        locationOf(await insertOne(storage, map.id, { key: 'key' }), 'replayed');
        expect(await expectWhole(storage, map.id)).toEqual([]);
      },
    );
  });

  it('an update, while the map is restored: the map is not missing', () =>
    holdEverywhere(
      async (writer, map) => {
        await storage.updateMap(map.id, { isDeleted: true }, { evenIfDeleted: true });
        return writer.updateMap(map.id, { name: 'New' }, { evenIfDeleted: false });
      },
      async (map) => void (await storage.updateMap(map.id, { isDeleted: false }, { evenIfDeleted: true })),
      async (map, { kind }) => {
        const [found] = await storage.getMaps([map.id]);
        expect([kind, found?.name]).toEqual(['updated', 'New']);
      },
    ));

  it('an owner, while another process creates it: both get the same', () =>
    holdEverywhere(
      (writer, { id }) => writer.findOrCreateOwner({ id: newOwnerId(), name: `of ${id}`, createdAt: NOW }),
      async ({ id }) =>
        void (await storage.findOrCreateOwner({ id: newOwnerId(), name: `of ${id}`, createdAt: NOW })),
      async ({ id }, { owner }) => expect(await storage.findOwnerByName(`of ${id}`)).toEqual(owner),
    ));
});
