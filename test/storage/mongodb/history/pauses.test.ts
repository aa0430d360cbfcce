/** A writer that is held up at any statement while others write keeps exactly the history of what it changed. */

import type { LocationRecord } from '../../../../src/domain/location.ts';
import { openMongodbStorage } from '../../../../src/storage/mongodb/storage.ts';
import type { Storage } from '../../../../src/storage/storage.ts';
import {
  anInsert,
  anUpdate,
  idsOf,
  insertOne,
  listPage,
  NOW,
  seedMap,
} from '../../../contract/storage/fixtures.ts';
import { aCall, restore, trashOf, versionsOf } from '../../../contract/storage/history.ts';
import { expectHistory } from '../../../support/history.ts';
import { atEachStatement, expectWhole, runAround } from '../../../support/mongodb-crash.ts';
import { NO_MONGODB, ownDatabase, testServer } from '../../../support/mongodb-server.ts';
import { describeUnless } from '../../../support/skip.ts';

const server = await testServer();

describeUnless(server === null && NO_MONGODB, 'mongodb: history of a writer held up at any statement', () => {
  if (server === null) return;
  const url = ownDatabase(server);
  let storage: Storage;
  beforeAll(async () => {
    storage = await openMongodbStorage(url, { timeoutMs: 10_000, lateWriteMs: 100 });
  });
  afterAll(() => storage.close());

  interface Subject {
    readonly mapId: string;
    /** With an idempotency key and an external id. */
    readonly first: LocationRecord;
    readonly second: LocationRecord;
  }

  async function seedSubject(): Promise<Subject> {
    const { id: mapId } = await seedMap(storage);
    const keyed = anInsert(mapId, { key: 'key', order: '1', location: { externalId: 'x' } });
    await storage.insertLocations(mapId, [keyed, anInsert(mapId, { order: '2' })], NOW, { call: aCall() });
    const [first, second] = await listPage(storage, mapId);
    return { mapId, first: first!, second: second! };
  }

  /** Holds an operation up at each of its statements in turn, on a new map each time. */
  async function holdEverywhere(
    operation: (writer: Storage, subject: Subject) => Promise<unknown>,
    meanwhile: (subject: Subject) => Promise<unknown>,
    {
      prepare = async () => {},
      look = async () => {},
    }: {
      readonly prepare?: (subject: Subject) => Promise<unknown>;
      readonly look?: (subject: Subject) => Promise<unknown>;
    } = {},
  ): Promise<void> {
    const count = await atEachStatement(async (at) => {
      const subject = await seedSubject();
      await prepare(subject);
      // Otherwise the operation would wait for writes that are not closed yet.
      await storage.findHistory(subject.mapId, []);
      const { happened } = await runAround(
        url,
        at,
        (writer) => operation(writer, subject),
        async () => void (await meanwhile(subject)),
      );
      if (!happened) return false;
      try {
        await expectWhole(storage, subject.mapId);
        await expectHistory(storage, subject.mapId);
        await look(subject);
      } catch (error) {
        throw new Error(`held up before statement ${at}`, { cause: error });
      }
      return true;
    });
    expect(count).toBeGreaterThan(2);
  }

  /** The present state; null in the trash. */
  const now = async ({ mapId, first: { id } }: Subject): Promise<LocationRecord | null> =>
    (await storage.getLocations(mapId, [id]))[0]!;

  const update = async (writer: Storage, { mapId, first }: Subject, name: string) => {
    const [current] = await writer.getLocations(mapId, [first.id]);
    if (current === null || current === undefined) return;
    await writer.updateLocations(mapId, [anUpdate(current, { name })], { call: aCall() });
  };
  const remove = (writer: Storage, { mapId, first }: Subject) =>
    writer.deleteLocations(mapId, [first.id], { call: aCall() });
  const restoreFirst = async (writer: Storage, { mapId, first }: Subject) => {
    const [trashed] = await writer.findTrashed(mapId, [first.id]);
    if (trashed === null || trashed === undefined) return;
    await writer.restoreLocations(mapId, [trashed.location], NOW, { call: aCall() });
  };
  const removeAndRestore = async (subject: Subject) => {
    await remove(storage, subject);
    await restoreFirst(storage, subject);
  };
  const move = (writer: Storage, { mapId, first }: Subject) =>
    writer
      .moveLocations(mapId, { ids: [first.id], position: { kind: 'end' } }, NOW, { call: aCall() })
      .catch(() => {});

  it.each([
    ['another update', (subject: Subject) => update(storage, subject, 'other')],
    ['a move', (subject: Subject) => move(storage, subject)],
    ['a delete', (subject: Subject) => remove(storage, subject)],
    ['a delete and a restore', removeAndRestore],
    [
      'another update and one back',
      async (subject: Subject) => {
        await update(storage, subject, 'other');
        await update(storage, subject, subject.first.name);
      },
    ],
  ])('an update during %s', (_, meanwhile) =>
    holdEverywhere((writer, subject) => update(writer, subject, 'new'), meanwhile),
  );

  it.each([
    ['an update', (subject: Subject) => update(storage, subject, 'other')],
    ['another move', (subject: Subject) => move(storage, subject)],
    ['a delete and a restore', removeAndRestore],
  ])('a move during %s', (_, meanwhile) =>
    holdEverywhere((writer, subject) => move(writer, subject), meanwhile),
  );

  it.each([
    ['an update', (subject: Subject) => update(storage, subject, 'other')],
    ['another delete', (subject: Subject) => remove(storage, subject)],
    ['another delete and a restore', removeAndRestore],
    [
      'a delete, and a create with its external id',
      async (subject: Subject) => {
        await remove(storage, subject);
        const other = anInsert(subject.mapId, { location: { externalId: 'x' } });
        await storage.insertLocations(subject.mapId, [other], NOW, { call: aCall() });
      },
    ],
  ])('a delete during %s', (_, meanwhile) =>
    holdEverywhere((writer, subject) => remove(writer, subject), meanwhile, {
      // No reservation is lost: exactly one location has the external id, or can get it.
      look: async ({ mapId }) => {
        const having = (await listPage(storage, mapId)).filter(({ externalId }) => externalId === 'x');
        expect(having.length).toBeLessThanOrEqual(1);
        const outcome = await insertOne(storage, mapId, { location: { externalId: 'x' } });
        expect(outcome.kind).toBe(having.length === 1 ? 'external-id-taken' : 'inserted');
      },
    }),
  );

  it.each([
    ['another restore', (subject: Subject) => restoreFirst(storage, subject)],
    [
      'another restore and an update',
      async (subject: Subject) => {
        await restoreFirst(storage, subject);
        await update(storage, subject, 'other');
      },
    ],
    [
      'another restore and a delete',
      async (subject: Subject) => {
        await restoreFirst(storage, subject);
        await remove(storage, subject);
      },
    ],
    [
      'a create with its external id',
      async ({ mapId }: Subject) => {
        const other = anInsert(mapId, { location: { externalId: 'x' } });
        await storage.insertLocations(mapId, [other], NOW, { call: aCall() });
      },
    ],
    [
      'a repetition of its key',
      async ({ mapId, first }: Subject) => {
        const again = await insertOne(storage, mapId, { key: 'key' });
        expect(again).toMatchObject({ kind: 'replayed', location: { id: first.id } });
      },
    ],
  ])('a restore during %s', (_, meanwhile) =>
    holdEverywhere((writer, subject) => restoreFirst(writer, subject), meanwhile, {
      prepare: (subject) => remove(storage, subject),
      look: async ({ mapId }) => {
        const having = (await listPage(storage, mapId)).filter(({ externalId }) => externalId === 'x');
        expect(having.length).toBeLessThanOrEqual(1);
        if (having.length === 0) return;
        const outcome = await insertOne(storage, mapId, { location: { externalId: 'x' } });
        expect(outcome.kind).toBe('external-id-taken');
      },
    }),
  );

  it('a restore during a purge: purged for ever, or restored', async () => {
    await atEachStatement(async (at) => {
      const subject = await seedSubject();
      const { mapId, first } = subject;
      await update(storage, subject, 'other');
      await remove(storage, subject);
      const { happened } = await runAround(
        url,
        at,
        (writer) => restoreFirst(writer, subject),
        async () => void (await storage.purgeLocations(mapId, [first.id])),
      );
      await expectWhole(storage, mapId);
      const live = await now(subject);
      expect(await trashOf(storage, mapId)).toEqual([]);
      expect((await versionsOf(storage, first)).length).toBe(live === null ? 0 : live.version - 1);
      if (live === null) expect((await restore(storage, { ...first, version: 2 })).kind).toBe('missing');
      return happened;
    });
  });

  it('a purge during a restore: what was restored stays, with its history', async () => {
    await atEachStatement(async (at) => {
      const subject = await seedSubject();
      const { mapId, first } = subject;
      await update(storage, subject, 'other');
      await remove(storage, subject);
      const { happened } = await runAround(
        url,
        at,
        (writer) => writer.purgeLocations(mapId, [first.id]),
        () => restoreFirst(storage, subject),
      );
      const live = await now(subject);
      expect((await versionsOf(storage, first)).length).toBe(live === null ? 0 : live.version - 1);
      expect(idsOf((await trashOf(storage, mapId)).map(({ location }) => location))).toEqual([]);
      await expectWhole(storage, mapId);
      return happened;
    });
  });
});
