/** The change log when a writer is stopped or held up at any statement (README.md of the adapter explains why). */

import type { ChangeKind } from '../../../src/domain/change.ts';
import { toEntry } from '../../../src/storage/change-entries.ts';
import type { ChangeOffset } from '../../../src/storage/changes.ts';
import { Database } from '../../../src/storage/mongodb/database.ts';
import type { MapDocument } from '../../../src/storage/mongodb/schema.ts';
import { recoverWrites } from '../../../src/storage/mongodb/writes/recovery.ts';
import { openMongodbStorage } from '../../../src/storage/mongodb/storage.ts';
import type { LocationRecord } from '../../../src/domain/location.ts';
import type { MapRecord } from '../../../src/domain/map.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import {
  anInsert,
  anUpdate,
  append,
  idsOf,
  insertAll,
  insertOrders,
  listPage,
  locationOf,
  move,
  movedOf,
  seedMap,
  SETTLED_WITHIN_MS,
  updatedOf,
  updateOne,
} from '../../contract/storage/fixtures.ts';
import { atEachStatement, expectWhole, runAround, stopEverywhere } from '../../support/mongodb-crash.ts';
import { NO_MONGODB, ownDatabase, testServer, withClient } from '../../support/mongodb-server.ts';
import { describeUnless } from '../../support/skip.ts';
import { until } from '../../support/until.ts';

/** As short as the tests' writers allow. */
const LATE_MS = 100;

const server = await testServer();

interface Kind {
  readonly name: string;
  /** @returns the work of the test */
  readonly prepare: (storage: Storage, map: MapRecord) => Promise<(writer: Storage) => Promise<unknown>>;
}

const seedThree = (storage: Storage, { id }: MapRecord) => insertOrders(storage, id, ['1', '2', '2']);

const KINDS: readonly Kind[] = [
  {
    name: 'create',
    prepare: async (_storage, { id }) => {
      const inserts = [anInsert(id), anInsert(id)];
      return async (writer) =>
        void (await insertAll(writer, id, inserts)).map((outcome) => locationOf(outcome));
    },
  },
  {
    name: 'create with a key',
    prepare: async (_storage, { id }) => {
      const inserts = [anInsert(id, { key: 'key', location: { externalId: 'e' } })];
      return async (writer) => {
        const [outcome] = await insertAll(writer, id, inserts);
        expect(['inserted', 'replayed']).toContain(outcome?.kind);
      };
    },
  },
  {
    name: 'update',
    prepare: async (storage, map) => {
      const [first] = await seedThree(storage, map);
      const update = anUpdate(first!, { name: 'New', externalId: 'e' }, '7');
      return async (writer) => void updatedOf(await updateOne(writer, map.id, update));
    },
  },
  {
    name: 'delete',
    prepare: async (storage, map) => {
      const [first] = await seedThree(storage, map);
      return async (writer) =>
        expect(await writer.deleteLocation(map.id, first!.id)).toEqual({ kind: 'deleted', location: first });
    },
  },
  {
    name: 'move, with neighbours',
    prepare: async (storage, map) => {
      const list = await seedThree(storage, map);
      return async (writer) => {
        const position = { kind: 'before', id: list[2]!.id } as const;
        movedOf(await move(writer, map.id, [list[0]!], position));
      };
    },
  },
];

describeUnless(server === null && NO_MONGODB, 'mongodb: the change log', () => {
  if (server === null) return;
  const url = ownDatabase(server);
  let storage: Storage;
  beforeAll(async () => {
    storage = await openMongodbStorage(url, { timeoutMs: 10_000, lateWriteMs: LATE_MS });
  });
  afterAll(() => storage.close());

  for (const { name, prepare } of KINDS) {
    it(`${name}: a writer that is stopped at any statement leaves a change with its entry, or neither`, async () => {
      const { stops } = await stopEverywhere(
        storage,
        url,
        (map) => prepare(storage, map),
        async ({ id }) => {
          const left = await expectWhole(storage, id);
          const last = await append(storage, id);
          await readUntil(id, last);
          expect(await expectWhole(storage, id)).toHaveLength(left.length + 1);
        },
      );
      console.log(`${stops} stops`);
    });

    it(`${name}: a writer that is held up at any statement while others read starts again`, async () => {
      const statements = await atEachStatement(async (at) => {
        const map = await seedMap(storage);
        const operation = await prepare(storage, map);
        const meanwhile = async () => readUntil(map.id, await append(storage, map.id));
        const { happened } = await runAround(url, at, operation, meanwhile);
        await expectWhole(storage, map.id).catch((error: unknown) => {
          throw new Error(`held up before statement ${at}`, { cause: error });
        });
        return happened;
      });
      console.log(`${statements} statements`);
    });
  }

  it('a writer waits for a location of another write, and both changes are logged', async () => {
    const map = await seedMap(storage);
    const [first] = await seedThree(storage, map);
    const other = await openMongodbStorage(url, { timeoutMs: 10_000 });
    const renamed = await Promise.all(
      [storage, other, storage, other].map((writer, index) => rename(writer, map.id, first!.id, `${index}`)),
    );
    const [now] = await storage.getLocations(map.id, [first!.id]);
    expect(now!.version).toBe(5);
    expect(idsOf(renamed)).toEqual(Array(4).fill(first!.id));
    await expectWhole(storage, map.id);
    await other.close();
  });

  it('a log keeps no more than its maximum, including deletes', async () => {
    const few = await openMongodbStorage(url, { timeoutMs: 10_000, mostChanges: 10 });
    const map = await seedMap(few);
    for (let count = 0; count < 30; count += 1) await append(few, map.id);
    await few.deleteLocations(map.id, idsOf(await listPage(few, map.id)));
    await few.close();
    const again = await openMongodbStorage(url, { timeoutMs: 10_000, mostChanges: 100_000 });
    const { number, stamp } = await offsetAt(again, map.id, 60);
    // A larger maximum later does not bring removed changes back.
    expect((await again.readChanges(map.id, { number: 0, stamp: '0' }, 100)).kind).toBe('too-old');
    expect(await again.readChanges(map.id, { number, stamp }, 100)).toEqual({ kind: 'changes', changes: [] });
    await again.close();
  });

  it('writes that are done while others are closed are closed too: a closed store leaves no open write', async () => {
    const closing = await openMongodbStorage(url, { timeoutMs: 30_000 });
    const map = await seedMap(closing);
    const list = await insertOrders(closing, map.id, Array<null>(600).fill(null));
    await closing.deleteLocations(map.id, idsOf(list));
    await closing.close();
    const stored = await withClient(url, (client) =>
      client.db().collection<MapDocument>('maps').findOne({ _id: map.id }),
    );
    expect(stored!.log!.open).toEqual([]);
    expect(stored!.count).toEqual({ settled: [], open: [] });
  });

  it('a delete counts as applied if the location is missing, even after a late recovery of another write', async () => {
    const { id: mapId } = await seedMap(storage);
    const [deleted, left] = await insertOrders(storage, mapId, ['1', '2']);
    await storage.deleteLocation(mapId, deleted!.id);
    const database = new Database(url, { timeoutMs: 10_000 });
    const recover = async (kind: ChangeKind, id: string, first: number) => {
      const write = { id: 'write', first, entries: [toEntry(mapId, { kind, id })], since: new Date() };
      return [...(await recoverWrites(database.collections, mapId, [write]))];
    };
    expect(await recover('created', left!.id, 2)).toEqual([]);
    // Leaves a tombstone, which takes the id.
    expect(await recover('created', deleted!.id, 1)).toEqual([deleted!.id]);
    expect(await recover('deleted', deleted!.id, 3)).toEqual([]);
    expect(await recover('deleted', left!.id, 4)).toEqual([left!.id]);
    await database.close();
  });

  /** On a busy machine, closing a store may leave the last write open; it is then recovered like a crashed one. */
  async function offsetAt(store: Storage, mapId: string, number: number): Promise<ChangeOffset> {
    let offset: ChangeOffset | null = null;
    const isThere = async () => {
      const last = await store.lastChange(mapId);
      if (last.kind !== 'place') throw new Error(last.kind);
      offset = last.place;
      return offset.number === number;
    };
    await until(isThere, () => `the log ends at ${offset?.number}, not at ${number}`, SETTLED_WITHIN_MS);
    return offset!;
  }

  /** Reads until the creation of this location is in the log, and so everything before it. */
  async function readUntil(mapId: string, { id }: LocationRecord): Promise<void> {
    const isLogged = async () => {
      const read = await storage.readChanges(mapId, { number: 0, stamp: '0' }, 1_000);
      if (read.kind !== 'changes') throw new Error(read.kind);
      return read.changes.some(({ locationId }) => locationId === id);
    };
    await until(isLogged, 'the location in the log', SETTLED_WITHIN_MS);
  }
});

/** Updates a location, whatever its version. */
async function rename(storage: Storage, mapId: string, id: string, name: string): Promise<LocationRecord> {
  for (;;) {
    const [location] = await storage.getLocations(mapId, [id]);
    const outcome = await updateOne(storage, mapId, anUpdate(location!, { name }));
    if (outcome.kind === 'updated') return outcome.location;
    expect(outcome.kind).toBe('changed');
  }
}
