/** Imports that are interrupted at any store call, and resumed. */

import { randomUUID } from 'node:crypto';

import fc from 'fast-check';

import type { Caller } from '../../../src/services/caller.ts';
import { ImportUnderWayError, openImportRun } from '../../../src/transfer/import/runs.ts';
import { IMPORT_BATCH_SIZE } from '../../../src/transfer/import/batches.ts';
import type { ImportOptions } from '../../../src/transfer/import/import-rows.ts';
import { importStream } from '../../../src/transfer/import/import-rows.ts';
import type { ImportSummary } from '../../../src/transfer/import/report.ts';
import { openStorage } from '../../../src/storage/open.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { historyOf } from '../../contract/storage/history.ts';
import { proxyStorage } from '../../support/storage-proxy.ts';
import { NO_MONGODB, ownDatabase, testServer } from '../../support/mongodb-server.ts';
import { servicesOver, testerOf } from '../../support/services.ts';
import { describeUnless } from '../../support/skip.ts';

const BATCH = 5;

/** Equal rows, rows rejected before and by the geocoder, and a blank row, in several batches. */
const ROWS = Array.from({ length: 23 }, (_, index) => {
  if (index % 7 === 3) return `Bad ${index},unknown:there`;
  if (index === 11) return 'not a row';
  if (index % 6 === 5) return 'Same,Place';
  return `Name ${index},Place ${index % 4}`;
});
const FILE = `Name,Address\n${ROWS.join('\n')}\n`;
const GOOD = ROWS.filter((row) => !row.includes('unknown:') && row.includes(',')).map(
  (row) => row.split(',')[0],
);

class Crash extends Error {}

/** A process that ends at its nth store call: before it, or after it without its result. */
interface Fate {
  readonly call: number;
  readonly isDone: boolean;
}

const server = await testServer();
const STORES: [string, string | null][] = [
  ['SQLite', 'sqlite::memory:'],
  ['MongoDB', server === null ? null : ownDatabase(server)],
];

for (const [name, url] of STORES) {
  describeUnless(url === null && NO_MONGODB, `an import resumed, on ${name}`, () => {
    let storage: Storage;
    let caller: Caller;

    beforeAll(async () => {
      storage = await openStorage(url ?? '', { timeoutMs: 5000 });
      caller = await testerOf(servicesOver(storage));
    });
    afterAll(() => storage.close());

    const newMap = async () => servicesOver(storage).maps.createMap({ caller }, { name: 'M' });

    const run = async (
      map: Awaited<ReturnType<typeof newMap>>,
      store: Storage,
      options: ImportOptions = {},
    ) =>
      importStream({ services: servicesOver(store), storage: store }, { caller }, map, chunksOf(FILE), {
        maxBatchSize: BATCH,
        checksum: 'checksum',
        ...options,
      });

    /**
     * A process on the same store that ends at the given call; null if the import completes before, which it does once
     * its checkpoint is deleted, whether or not the process gets the result.
     */
    const runUntil = async (map: Awaited<ReturnType<typeof newMap>>, { call, isDone }: Fate) => {
      let calls = 0;
      const last = { isForgotten: false };
      const { storage: mortal } = proxyStorage(storage, {
        before: ({ method, args }) => {
          calls += 1;
          if (calls > call) return Promise.reject(new Crash());
          if (calls < call) return undefined;
          if (!isDone) return Promise.reject(new Crash());
          const work = Reflect.get(storage, method) as (...given: unknown[]) => Promise<unknown>;
          return work(...args).then(() => {
            last.isForgotten = method === 'removeMeta';
            throw new Crash();
          });
        },
      });
      const ended: unknown = await run(map, mortal).catch((error: unknown) => error);
      const failure = ended instanceof Error ? ended : (ended as ImportSummary).end;
      if ('kind' in failure && failure.kind === 'complete') return null;
      expect('kind' in failure && failure.kind === 'failed' ? failure.error : failure).toBeInstanceOf(Crash);
      return last.isForgotten ? null : calls;
    };

    const names = async (mapId: string) =>
      (
        await storage.listLocations(mapId, {
          limit: 4 * IMPORT_BATCH_SIZE,
          fromEnd: false,
          after: null,
          before: null,
        })
      ).map((location) => location.name);

    /** The history of a map: operations, and how many locations each has created. */
    const callsOf = async (mapId: string) =>
      (await historyOf(storage, mapId)).map(({ operation, counts }) => [operation, counts.created]);

    it('stores each row once and in order, whichever store call interrupts the first run', async () => {
      let ended = 0;
      for (let call = 1; ; call += 1) {
        let isOver = true;
        for (const isDone of [false, true]) {
          const map = await newMap();
          if ((await runUntil(map, { call, isDone })) === null) continue;
          isOver = false;
          ended += 1;
          const { end } = await run(map, storage);
          expect(end).toEqual({ kind: 'complete' });
          expect(await names(map.id)).toEqual(GOOD);
          expect(await callsOf(map.id)).toEqual([['import', GOOD.length]]);
        }
        if (isOver) break;
      }
      // Five batches, each with at least a lookup of the map, an insert and a checkpoint.
      expect(ended).toBeGreaterThan(2 * 15);
    });

    it('stores each row once and in order after any number of interruptions', async () => {
      const fate = fc.record({ call: fc.integer({ min: 1, max: 12 }), isDone: fc.boolean() });
      await fc.assert(
        fc.asyncProperty(fc.array(fate, { minLength: 2, maxLength: 6 }), async (fates) => {
          const map = await newMap();
          let isComplete = false;
          for (const each of fates) {
            if ((await runUntil(map, each)) !== null) continue;
            isComplete = true;
            break;
          }
          if (!isComplete) await run(map, storage);
          expect(await names(map.id)).toEqual(GOOD);
          expect(await callsOf(map.id)).toEqual([['import', GOOD.length]]);
        }),
        { numRuns: 30 },
      );
    });

    it('looks up the rows of two batches in doubt, even if the first has no stored rows', async () => {
      const map = await newMap();
      const rows = Array.from({ length: 3 * IMPORT_BATCH_SIZE + 10 }, (_, index) => {
        const isBad = Math.floor(index / IMPORT_BATCH_SIZE) === 1;
        return `${isBad ? '' : `Name ${index}`},Somewhere,1,2`;
      });
      const file = `Name,Address,lat,lng\n${rows.join('\n')}\n`;
      const runOver = async (store: Storage) =>
        importStream({ services: servicesOver(store), storage: store }, { caller }, map, chunksOf(file), {
          checksum: 'lost',
        });
      // The checkpoint after the second batch is lost, and the third batch is stored.
      const counts = { setMeta: 0, insertLocations: 0 };
      const { storage: mortal } = proxyStorage(storage, {
        before: ({ method, args }) => {
          if (counts.insertLocations === 2) return Promise.reject(new Crash());
          if (method === 'setMeta') {
            counts.setMeta += 1;
            return counts.setMeta < 2 ? undefined : Promise.reject(new Crash());
          }
          if (method !== 'insertLocations') return undefined;
          counts.insertLocations += 1;
          if (counts.insertLocations < 2) return undefined;
          const work = storage.insertLocations(...(args as Parameters<Storage['insertLocations']>));
          return work.then(() => Promise.reject(new Crash()));
        },
      });
      expect((await runOver(mortal)).end).toMatchObject({ kind: 'failed', error: expect.any(Crash) });
      expect(counts.insertLocations).toBe(2);
      expect(await names(map.id)).toHaveLength(2 * IMPORT_BATCH_SIZE);

      expect((await runOver(storage)).end).toEqual({ kind: 'complete' });
      const good = rows.map((row) => row.split(',')[0]).filter((text) => text !== '');
      expect(await names(map.id)).toEqual(good);
    });

    it('is neither set back nor restarted by a slower process', async () => {
      const map = await newMap();
      const open = () => openImportRun({ storage, mapId: map.id, checksum: 'overtaken' });
      const at = (rows: number) => ({ rows, stored: rows, rejected: 0, note: null });
      const [slow, quick] = [await open(), await open()];
      await slow.save(at(200));
      await quick.save(at(600));
      await expect(slow.save(at(400))).rejects.toThrow(ImportUnderWayError);
      expect((await open()).resumed).toMatchObject({ rows: 600 });
      await quick.finish();
      await expect(slow.save(at(800))).rejects.toThrow(ImportUnderWayError);
      const next = await open();
      expect(next.resumed).toBeNull();
      await expect(slow.save(at(800))).rejects.toThrow(ImportUnderWayError);
      await next.finish();
    });

    it('reports what earlier runs did, and counts only its own rows', async () => {
      const map = await newMap();
      const controller = new AbortController();
      const first = await run(map, storage, {
        stop: controller.signal,
        checkpointNote: async () => 'a note',
        onProgress: () => controller.abort(),
      });
      expect(first).toMatchObject({ stored: 4, rejected: 1, end: { kind: 'stopped', line: 7 } });
      let resumed: unknown = null;
      const second = await run(map, storage, {
        onBegin: (earlier) => {
          resumed = earlier;
        },
      });
      expect(resumed).toMatchObject({ rows: 5, stored: 4, rejected: 1, note: 'a note' });
      expect(second).toMatchObject({ stored: GOOD.length - 4, end: { kind: 'complete' } });
      expect(second.rejected).toBe(ROWS.length - GOOD.length - 1);
    });

    it('appends all rows again after a complete import', async () => {
      const map = await newMap();
      await run(map, storage);
      await run(map, storage);
      expect(await names(map.id)).toEqual([...GOOD, ...GOOD]);
    });

    it('appends all rows again with restart', async () => {
      const map = await newMap();
      await runUntil(map, { call: 12, isDone: true });
      const before = await names(map.id);
      expect(before.length).toBeGreaterThan(0);
      await run(map, storage, { restart: true });
      expect(await names(map.id)).toEqual([...before, ...GOOD]);
    });

    it('imports another file, or the same file into another map, independently', async () => {
      const [map, other] = [await newMap(), await newMap()];
      await runUntil(map, { call: 12, isDone: true });
      const before = await names(map.id);
      await run(other, storage);
      expect(await names(other.id)).toEqual(GOOD);
      await run(map, storage, { checksum: randomUUID() });
      expect(await names(map.id)).toEqual([...before, ...GOOD]);
    });

    it('lets one of two concurrent imports continue, and stores nothing twice', async () => {
      for (let round = 0; round < 10; round += 1) {
        const map = await newMap();
        const ends = (await Promise.all([run(map, storage), run(map, storage)])).map(({ end }) => end);
        const losers = ends.filter((end) => end.kind === 'failed');
        for (const { error } of losers) expect(error).toBeInstanceOf(ImportUnderWayError);
        if (losers.length === 2) await run(map, storage);
        const stored = await names(map.id);
        expect([...stored].sort()).toEqual([...GOOD].sort());
      }
    });

    it('leaves no checkpoint in the store when it is complete', async () => {
      const map = await newMap();
      await runUntil(map, { call: 12, isDone: true });
      await run(map, storage);
      for await (const item of storage.dump(0)) {
        if (item.kind === 'meta') expect(item.key).not.toContain(map.id);
      }
    });
  });
}

async function* chunksOf(text: string) {
  yield Buffer.from(text);
}
