/** Moves that stop or are held up at any statement, and the commands of moves on a deployment with transactions. */

import type { Document } from 'mongodb';
import { Binary } from 'mongodb';

import type { LocationRecord } from '../../../../src/domain/location.ts';
import type { MapRecord } from '../../../../src/domain/map.ts';
import { encodeOrder } from '../../../../src/domain/list/order.ts';
import { toEntry } from '../../../../src/storage/change-entries.ts';
import { Database } from '../../../../src/storage/mongodb/database.ts';
import type { LocationDocument } from '../../../../src/storage/mongodb/locations/location-records.ts';
import type { MapLog } from '../../../../src/storage/mongodb/schema.ts';
import { openMongodbStorage } from '../../../../src/storage/mongodb/storage.ts';
import { acquireLease } from '../../../../src/storage/mongodb/writes/move-lease.ts';
import { writeMove } from '../../../../src/storage/mongodb/writes/move-write.ts';
import type { Storage } from '../../../../src/storage/storage.ts';
import {
  anUpdate,
  append,
  expectLogged,
  expectUnavailable,
  idsOf,
  insertOrders,
  listPage,
  move,
  movedOf,
  seedMap,
  updateOne,
  updatedOf,
} from '../../../contract/storage/fixtures.ts';
import {
  atEachStatement,
  expectWhole,
  runAround,
  runUntil,
  stopEverywhere,
} from '../../../support/mongodb-crash.ts';
import type { Fate } from '../../../support/mongodb-proxy.ts';
import { startProxy } from '../../../support/mongodb-proxy.ts';
import { NO_MONGODB, ownDatabase, testServer, withClient } from '../../../support/mongodb-server.ts';
import { describeUnless } from '../../../support/skip.ts';

/** Six with the same order, so that a move among them renumbers neighbours. */
const EQUAL = ['0', '5', '5', '5', '5', '5', '5', '9', 'x'];

const server = await testServer();

describeUnless(server === null && NO_MONGODB, 'mongodb: moves', () => {
  if (server === null) return;
  const url = ownDatabase(server);
  let storage: Storage;
  beforeAll(async () => {
    storage = await openMongodbStorage(url, { timeoutMs: 30_000, lateWriteMs: 100 });
  });
  afterAll(() => storage.close());

  const changeMap = (mapId: string, change: Document) =>
    withClient(url, (client) =>
      client.db().collection<{ _id: string }>('maps').updateOne({ _id: mapId }, change),
    );
  const mapOf = (mapId: string) =>
    withClient(url, (client) =>
      client
        .db()
        .collection<{ _id: string; log: MapLog; mover?: { until: Date } }>('maps')
        .findOne({ _id: mapId }),
    );
  /** As if the lease had expired. */
  const letLeaseLapse = (mapId: string) => changeMap(mapId, { $set: { 'mover.until': new Date(0) } });

  const seedList = async (map: MapRecord) => insertOrders(storage, map.id, EQUAL);
  /** Moves the last two before one of the equal ones. By default there are no more neighbours before it than after it. */
  const wanted = (list: readonly LocationRecord[], target = 4) => ({
    moved: [list[8]!, list[7]!],
    position: { kind: 'before', id: list[target]!.id } as const,
    ids: idsOf([...list.slice(0, target), list[8]!, list[7]!, ...list.slice(target, 7)]),
  });

  it('an interrupted move affects no other call, and a repetition completes it', async () => {
    const lists = new Map<string, readonly LocationRecord[]>();
    const { stops, statements } = await stopEverywhere(
      storage,
      url,
      async (map) => {
        const list = await seedList(map);
        lists.set(map.id, list);
        const { moved, position } = wanted(list);
        return (writer) => move(writer, map.id, moved, position);
      },
      async ({ id }) => {
        const { moved, position, ids } = wanted(lists.get(id)!);
        const others = (all: readonly string[]) => all.filter((one) => !idsOf(moved).includes(one));
        expect(others(idsOf(await expectWhole(storage, id)))).toEqual(others(ids));
        await letLeaseLapse(id);
        expect(idsOf(movedOf(await move(storage, id, moved, position)))).toEqual(idsOf(moved));
        const list = await expectWhole(storage, id);
        expect(idsOf(list)).toEqual(ids);
        // A repetition does not write again what was written before the stop.
        movedOf(await move(storage, id, moved, position));
        expect(await listPage(storage, id)).toEqual(list);
        const last = await append(storage, id);
        expect(idsOf(await listPage(storage, id))).toEqual([...ids, last.id]);
      },
    );
    expect(stops).toBeGreaterThan(12);
    console.log(`${statements} statements`);
  });

  it.each([
    ['the neighbours before', 4],
    ['those after', 5],
  ])('a bulk command that ended after any of its locations leaves a valid list: %s', async (_who, target) => {
    const map = await seedMap(storage);
    const list = await seedList(map);
    const { moved, position, ids } = wanted(list, target);
    const before = new Map((await documentsOf(map.id)).map((document) => [document._id, document]));
    let updates: Document[] = [];
    const proxy = await startProxy(url, {
      judge: (name, command) => {
        if (name === 'update' && command['update'] === 'locations')
          updates = command['updates'] as Document[];
        return 'pass';
      },
    });
    const mover = await openMongodbStorage(proxy.url, { timeoutMs: 30_000 });
    movedOf(await move(mover, map.id, moved, position));
    await mover.close();
    await proxy.close();
    expect(updates.length).toBeGreaterThan(moved.length);
    const after = new Map((await documentsOf(map.id)).map((document) => [document._id, document]));

    const others = ids.filter((id) => !idsOf(moved).includes(id));
    const state = new Map(before);
    for (const { q } of updates) {
      const { $eq: id } = (q as Document)['_id'] as { $eq: string };
      state.set(id, after.get(id)!);
      const places = others.map((other) => state.get(other)!.place);
      expect(places).toEqual(places.toSorted());
    }
    expect([...state.values()]).toEqual(expect.arrayContaining([...after.values()]));
  });

  const documentsOf = (mapId: string) =>
    withClient(url, (client) =>
      // Whether a write was recovered by now depends on timing.
      client
        .db()
        .collection<LocationDocument>('locations')
        .find({ mapId })
        .project<LocationDocument>({ fence: 0 })
        .toArray(),
    );

  /** Holds a move up at each of its statements in turn, on a new map each time. */
  async function holdEverywhere(
    meanwhile: (list: readonly LocationRecord[], map: MapRecord) => Promise<unknown>,
    look: (
      list: readonly LocationRecord[],
      map: MapRecord,
      outcome: Awaited<ReturnType<typeof move>>,
    ) => Promise<void>,
  ): Promise<void> {
    await atEachStatement(async (at) => {
      const map = await seedMap(storage);
      const list = await seedList(map);
      const { moved, position } = wanted(list);
      const { happened, result } = await runAround(
        url,
        at,
        (writer) => move(writer, map.id, moved, position),
        async () => void (await meanwhile(list, map)),
      );
      try {
        await look(list, map, result);
      } catch (error) {
        throw new Error(`held up before statement ${at}`, { cause: error });
      }
      return happened;
    });
  }

  const rename = async (location: LocationRecord) => {
    const [now] = await storage.getLocations(location.mapId, [location.id]);
    return updatedOf(await updateOne(storage, location.mapId, anUpdate(now!, { name: 'renamed' })));
  };

  it('while a moved location and a neighbour are updated: both changes are kept', () =>
    holdEverywhere(
      async (list) => {
        await rename(list[8]!);
        await rename(list[4]!);
        await rename(list[1]!);
      },
      async (list, map, outcome) => {
        const listed = await expectWhole(storage, map.id);
        expect(idsOf(listed)).toEqual(wanted(list).ids);
        const moved = movedOf(outcome);
        expect(idsOf(moved)).toEqual(idsOf(wanted(list).moved));
        for (const { id, order } of moved)
          expect(listed).toContainEqual(expect.objectContaining({ id, order }));
        const renamed = listed.filter(({ name }) => name === 'renamed');
        // The last run is not held up.
        expect([0, 3]).toContain(renamed.length);
      },
    ));

  const reorder = async (location: LocationRecord, order: string) => {
    const [now] = await storage.getLocations(location.mapId, [location.id]);
    return updatedOf(await updateOne(storage, location.mapId, anUpdate(now!, {}, order)));
  };

  it('while a moved location and neighbours are moved elsewhere: all others keep their positions', () =>
    holdEverywhere(
      async (list) => {
        await reorder(list[7]!, '9.5');
        await reorder(list[2]!, '8');
        await reorder(list[5]!, '-1');
      },
      async (list, map, outcome) => {
        movedOf(outcome);
        const ids = idsOf(await expectWhole(storage, map.id));
        const others = [2, 5, 7, 8].map((index) => list[index]!.id);
        const left = (all: readonly string[]) => all.filter((id) => !others.includes(id));
        expect(left(ids)).toEqual(left(idsOf(list)));
        expect(ids.indexOf(list[8]!.id)).toBeLessThan(ids.indexOf(list[4]!.id));
      },
    ));

  it('while a moved location is deleted: it is missing and nothing moves, or it is deleted afterwards', () =>
    holdEverywhere(
      async (list, map) => storage.deleteLocation(map.id, list[7]!.id),
      async (list, map, outcome) => {
        const left = idsOf(await expectWhole(storage, map.id));
        const deletedId = list[7]!.id;
        if (outcome.kind === 'missing') {
          expect(outcome.id).toBe(deletedId);
          expect(left).toEqual(idsOf(list).filter((id) => id !== deletedId));
          return;
        }
        expect(idsOf(movedOf(outcome))).toEqual(idsOf(wanted(list).moved));
        expect(left.filter((id) => id !== deletedId)).toEqual(
          wanted(list).ids.filter((id) => id !== deletedId),
        );
      },
    ));

  it('while the target is deleted: it is missing and nothing moves, or they go to its position', () =>
    holdEverywhere(
      async (list, map) => storage.deleteLocation(map.id, list[4]!.id),
      async (list, map, outcome) => {
        const target = list[4]!.id;
        const left = idsOf(await expectWhole(storage, map.id)).filter((id) => id !== target);
        const expected = outcome.kind === 'missing' ? idsOf(list) : wanted(list).ids;
        if (outcome.kind !== 'missing') movedOf(outcome);
        expect(left).toEqual(expected.filter((id) => id !== target));
      },
    ));

  it('while others append to the end of the list: the moved locations stay together', async () => {
    await atEachStatement(async (at) => {
      const map = await seedMap(storage);
      const list = await insertOrders(storage, map.id, ['1', '2', '3', '4']);
      const { happened } = await runAround(
        url,
        at,
        async (writer) => movedOf(await move(writer, map.id, [list[2]!, list[0]!], { kind: 'end' })),
        async () => void (await insertOrders(storage, map.id, [null, null])),
      );
      const ids = idsOf(await expectWhole(storage, map.id));
      expect([at, ids.indexOf(list[0]!.id)]).toEqual([at, ids.indexOf(list[2]!.id) + 1]);
      return happened;
    });
  });

  it('while the map is deleted: moved before that, or refused', () =>
    holdEverywhere(
      async (_list, map) => storage.updateMap(map.id, { isDeleted: true }, { evenIfDeleted: true }),
      async (list, map, { kind }) => {
        await storage.updateMap(map.id, { isDeleted: false }, { evenIfDeleted: true });
        const expected = kind === 'map-deleted' ? idsOf(list) : wanted(list).ids;
        expect(idsOf(await expectWhole(storage, map.id))).toEqual(expected);
      },
    ));

  it('the lease of a crashed mover is free within 10 s; until then a call fails with STORAGE_UNAVAILABLE', async () => {
    const map = await seedMap(storage);
    const list = await seedList(map);
    const { moved, position, ids } = wanted(list);
    await runUntil(url, { at: 2, fate: 'cut before' }, (writer) => move(writer, map.id, moved, position));
    const until = (await mapOf(map.id))?.mover?.until.getTime() ?? Infinity;
    expect(until - Date.now()).toBeLessThanOrEqual(10_000);
    const hasty = await openMongodbStorage(url, { timeoutMs: 300 });
    await expectUnavailable(move(hasty, map.id, moved, position));
    await hasty.close();
    const patient = await openMongodbStorage(url, { timeoutMs: 20_000 });
    movedOf(await move(patient, map.id, moved, position));
    expect(idsOf(await listPage(patient, map.id))).toEqual(ids);
    await patient.close();
  });

  it('a call after its time limit moves nothing', async () => {
    const map = await seedMap(storage);
    const list = await seedList(map);
    const later = new Date(Date.now() + 60_000);
    await changeMap(map.id, {
      $set: { mover: { id: 'another', until: later } },
    });
    let attempts = 0;
    const proxy = await startProxy(url, {
      judge: (name) => {
        if (name === 'findAndModify') attempts += 1;
        return 'pass';
      },
    });
    const hasty = await openMongodbStorage(proxy.url, { timeoutMs: 500 });
    const calls = [list[8]!, list[7]!].map((location) => move(hasty, map.id, [location], { kind: 'start' }));
    await Promise.all(calls.map(expectUnavailable));
    const attemptsInTime = attempts;
    await letLeaseLapse(map.id);
    for (let count = 0; count < 100; count += 1) await hasty.ping();
    // One may have been in progress.
    expect(attempts).toBeLessThanOrEqual(attemptsInTime + 1);
    expect(await listPage(storage, map.id)).toEqual(list);
    await hasty.close();
    await proxy.close();
  });

  it('one call at a time has the lease, which expires by the server’s clock', async () => {
    const map = await seedMap(storage);
    const database = new Database(url, { timeoutMs: 30_000 });
    const { collections } = database;
    const first = await acquireLease(collections, map.id, 'first');
    if (first === null || 'kind' in first) throw new Error('not given');
    expect(await acquireLease(collections, map.id, 'second')).toBeNull();
    expect(await acquireLease(collections, map.id, 'first')).toMatchObject({ id: 'first' });
    await letLeaseLapse(map.id);
    expect(await acquireLease(collections, map.id, 'second')).toMatchObject({ id: 'second' });
    expect(await acquireLease(collections, 'none', 'x')).toEqual({ kind: 'map-missing' });

    const list = await seedList(map);
    const change = { location: list[0]!, order: '77', change: 5 };
    const request = { mapId: map.id, ids: [], now: 1, call: undefined };
    const late = { ...first, writeUntil: new Date(Date.now() - 1_000) };
    await writeMove(collections, request, late, [change], null);
    expect(await listPage(storage, map.id)).toEqual(list);
    const timely = { ...first, writeUntil: new Date(Date.now() + 60_000) };
    expect(await writeMove(collections, request, timely, [change], null)).toBe(1);
    const [changed] = await storage.getLocations(map.id, [list[0]!.id]);
    expect(changed).toMatchObject({ order: '77', orderKey: encodeOrder('77'), version: 2 });
    expect(await writeMove(collections, request, timely, [change], null)).toBe(0);
    await database.close();
  });

  it('an order with a dollar sign is data', async () => {
    const map = await seedMap(storage);
    const list = await insertOrders(storage, map.id, ['$a', '$b', '$c', '$d']);
    await move(storage, map.id, [list[3]!], { kind: 'after', id: list[0]!.id });
    const listed = await expectWhole(storage, map.id);
    expect(idsOf(listed)).toEqual([0, 3, 1, 2].map((index) => list[index]!.id));
    expect(listed[1]!.order).toMatch(/^\$/);
  });

  describe('on a deployment with transactions (simulated on a server without them)', () => {
    const UNKNOWN_COMMAND = 59;
    const sent: Document[] = [];
    const nameOf = (command: Document) => `${Object.keys(command)[0]} ${String(Object.values(command)[0])}`;

    /** Runs work before the first write to the locations. */
    async function withReplicaSet(
      work: (replica: Storage) => Promise<void>,
      beforeWrite: () => Promise<unknown> = () => Promise.resolve(),
    ): Promise<void> {
      sent.length = 0;
      let isFirst = true;
      const proxy = await startProxy(url, {
        judge: async (name, command): Promise<Fate> => {
          sent.push(command);
          if (name === 'update' && command['update'] === 'locations' && isFirst) {
            isFirst = false;
            await beforeWrite();
          }
          return 'pass';
        },
        response: (response) => {
          if ('isWritablePrimary' in response) return { ...response, setName: 'rs' };
          return response['code'] === UNKNOWN_COMMAND ? { ok: 1 } : response;
        },
      });
      const replica = await openMongodbStorage(proxy.url, { timeoutMs: 30_000, lateWriteMs: 100 });
      try {
        await work(replica);
      } finally {
        await replica.close();
        await proxy.close();
      }
    }

    it('a move is written in one transaction, and pages are read from a snapshot', async () => {
      const map = await seedMap(storage);
      const list = await seedList(map);
      const { moved, position, ids } = wanted(list);
      await withReplicaSet(async (replica) => {
        sent.length = 0;
        movedOf(await move(replica, map.id, moved, position));
        const writes = sent.filter((command) => command['autocommit'] === false);
        expect(writes.map(nameOf)).toEqual(['update locations', 'commitTransaction 1']);
        expect(writes[0]).toMatchObject({ startTransaction: true, txnNumber: writes[1]!['txnNumber'] });
        sent.length = 0;
        expect(idsOf(await listPage(replica, map.id))).toEqual(ids);
        expect(sent.map((command) => command['readConcern'] as Document)).toMatchObject([
          { level: 'snapshot' },
        ]);
      });
    });

    it('a transaction is aborted and repeated if one of its locations has moved meanwhile', async () => {
      const map = await seedMap(storage);
      const list = await seedList(map);
      const { moved, position, ids } = wanted(list);
      await withReplicaSet(
        async (replica) => {
          sent.length = 0;
          movedOf(await move(replica, map.id, moved, position));
        },
        () => reorder(moved[1]!, '7.5'),
      );
      const writes = sent.filter((command) => command['autocommit'] === false);
      expect(writes.map(nameOf)).toEqual([
        'update locations',
        'abortTransaction 1',
        'update locations',
        'commitTransaction 1',
      ]);
      expect(idsOf(await listPage(storage, map.id))).toEqual(ids);
    });

    it('a recovery ends the transaction of a crashed mover first', async () => {
      const map = await seedMap(storage);
      const list = await seedList(map);
      const { id } = list[7]!;
      const session = { id: new Binary(Buffer.alloc(16, 7), Binary.SUBTYPE_UUID) };
      await withReplicaSet(async (replica) => {
        // Earlier writes are closed by then.
        await expectLogged(replica, map.id);
        const { log } = (await mapOf(map.id))!;
        const entries = [toEntry(map.id, { kind: 'updated', id })];
        const open = { id: 'dead', first: log.last + 1, entries, since: new Date(), session };
        await changeMap(map.id, {
          $set: { 'log.last': open.first, 'log.lastWrite': open.id },
          $push: { 'log.open': open },
        });
        sent.length = 0;
        movedOf(await move(replica, map.id, [list[8]!, list[7]!], { kind: 'start' }));
      });
      const kills = sent.filter((command) => 'killSessions' in command);
      expect(kills.map((command) => command['killSessions'] as Document)).toEqual([[session]]);
      const names = sent.map(nameOf);
      expect(names.findIndex((name) => name.startsWith('killSessions'))).toBeLessThan(
        names.indexOf('update locations'),
      );
    });
  });
});
