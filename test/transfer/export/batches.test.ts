/** Exports of a map that changes concurrently, and imports of the files that are interrupted at every call. */

import fc from 'fast-check';

import type { MapFormat } from '../../../src/transfer/formats.ts';
import { MAP_FORMATS } from '../../../src/transfer/formats.ts';
import type { Caller } from '../../../src/services/caller.ts';
import { exportBatches } from '../../../src/transfer/export/batches.ts';
import { importStream } from '../../../src/transfer/import/import-rows.ts';
import type { ImportSummary } from '../../../src/transfer/import/report.ts';
import type { Services } from '../../../src/services/services.ts';
import { openStorage } from '../../../src/storage/open.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { NO_MONGODB, ownDatabase, testServer } from '../../support/mongodb-server.ts';
import { servicesOver, testerOf } from '../../support/services.ts';
import { describeUnless } from '../../support/skip.ts';
import { proxyStorage } from '../../support/storage-proxy.ts';
import { textOfExport } from '../../support/zip.ts';

const JSON_ID = /"id":"([^"]+)"/g;
/** Ids in an export; in GPX, the number in the name. */
const ID: Readonly<Record<Exclude<MapFormat, 'csv'>, RegExp>> = {
  geojson: JSON_ID,
  ndjson: JSON_ID,
  xlsx: /<c r="A[0-9]+" t="inlineStr"><is><t>([^<]+)/g,
  kml: /<Data name="id"><value>([^<]+)</g,
  gpx: /<name>N(\d+)</g,
};

describe('exportBatches', () => {
  it('reads batches of bounded size, with a limit derived from the size of the one before', async () => {
    const limits: number[] = [];
    const sizeAt = (read: number) => (read < 10 ? 100 : 60_000);
    let read = 0;
    const pieces = exportBatches(({ limit }) => {
      limits.push(limit);
      read += 1;
      const count = read > 20 ? 0 : limit;
      const bytes = Buffer.alloc(count * sizeAt(read));
      return Promise.resolve({ bytes, count, last: { orderKey: '1', sequence: read } });
    }, undefined);
    for await (const piece of pieces) expect(piece.length).toBeGreaterThan(0);
    expect(limits.slice(0, 5)).toEqual([50, 100, 200, 400, 600]);
    // Only the first batch of large locations exceeds the size.
    expect(Math.max(...limits)).toBe(600);
    expect(limits.slice(10)).toEqual(limits.slice(10).map(() => 4));
  });

  it('reads on demand, and stops at its signal', async () => {
    const controller = new AbortController();
    let reads = 0;
    const pieces = exportBatches(({ limit }) => {
      reads += 1;
      return Promise.resolve({ bytes: Buffer.from('x'), count: limit, last: { orderKey: '1', sequence: 1 } });
    }, controller.signal);
    expect(reads).toBe(0);
    await pieces.next();
    await pieces.next();
    expect(reads).toBe(2);
    controller.abort(new Error('gone'));
    await expect(pieces.next()).rejects.toThrow('gone');
    expect(reads).toBe(2);
  });
});

const server = await testServer();
const STORES: [name: string, url: string | null, runs: number][] = [
  ['SQLite', 'sqlite::memory:', 25],
  ['MongoDB', server === null ? null : ownDatabase(server), 3],
];

for (const [name, url, runs] of STORES) {
  describeUnless(url === null && NO_MONGODB, `whole maps on ${name}`, () => {
    let storage: Storage;
    let services: Services;
    let caller: Caller;

    beforeAll(async () => {
      storage = await openStorage(url ?? '', { timeoutMs: 5000 });
      services = servicesOver(storage);
      caller = await testerOf(services);
    });
    afterAll(() => storage.close());

    const inputOf = (label: string, order: string | null = null) => ({
      fields: { Name: label, Address: 'x' },
      order,
      position: { latitude: 1, longitude: 2 },
    });
    it('contain locations that exist throughout once, in order, during concurrent writes', async () => {
      const change = fc.record({
        kind: fc.constantFrom('create', 'delete', 'update'),
        at: fc.nat(400),
      });
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom(...MAP_FORMATS),
          fc.array(fc.array(change, { maxLength: 4 }), { minLength: 1, maxLength: 8 }),
          async (format, changes) => {
            const map = await services.maps.createMap({ caller }, { name: 'M' });
            const { locations, locationBatches } = services;
            const first = Array.from({ length: 400 }, (_, index) => inputOf(`N${index}`));
            const { results } = await locationBatches.createLocations({ caller }, map.id, first);
            const ids = results.map((result) => ('id' in result ? result.id : ''));
            const deleted = new Set<string>();
            const { read } = await services.exports.openExport(
              { caller },
              { mapId: map.id, format, isForSpreadsheet: false },
            );
            const pieces: Buffer[] = [];
            const turns = [...changes];
            for await (const piece of read()) {
              pieces.push(piece);
              for (const { kind, at } of turns.shift() ?? []) {
                const id = ids[at];
                if (kind === 'create') {
                  await locationBatches.createLocations({ caller }, map.id, [
                    inputOf(`new${at}`, String(at)),
                  ]);
                } else if (id !== undefined && !deleted.has(id)) {
                  if (kind === 'update') {
                    await locations.updateLocation({ caller }, map.id, id, { fields: { Note: 'changed' } });
                  } else {
                    await locations.deleteLocation({ caller }, map.id, id);
                    deleted.add(id);
                  }
                }
              }
            }
            const text = textOfExport(Buffer.concat(pieces));
            const found =
              format === 'csv'
                ? text
                    .split('\r\n')
                    .slice(1, -1)
                    .map((line) => line.split(',')[0] ?? '')
                : [...text.matchAll(ID[format])].map(([, id = '']) =>
                    format === 'gpx' ? (ids[Number(id)] ?? id) : id,
                  );
            expect(new Set(found).size).toBe(found.length);
            const throughout = ids.filter((id) => !deleted.has(id));
            expect(found.filter((id) => throughout.includes(id))).toEqual(throughout);
          },
        ),
        { numRuns: runs },
      );
    });

    class Crash extends Error {}

    // GPX has no addresses.
    for (const format of MAP_FORMATS.filter((one) => one !== 'gpx')) {
      for (const isUpsert of [false, true]) {
        it(`are imported once, whichever store call interrupts the import: ${format}${isUpsert ? ', upsert' : ''}`, async () => {
          const from = await services.maps.createMap({ caller }, { name: 'from' });
          const inputs = Array.from({ length: 13 }, (_, index) => ({
            ...inputOf(`N${index}`),
            externalId: index % 3 === 0 ? null : `e${index}`,
          }));
          await services.locationBatches.createLocations({ caller }, from.id, inputs);
          const { read } = await services.exports.openExport(
            { caller },
            { mapId: from.id, format, isForSpreadsheet: false },
          );
          const pieces: Buffer[] = [];
          for await (const piece of read()) pieces.push(piece);
          async function* chunks() {
            yield* pieces;
          }
          const run = async (mapId: string, store: Storage) => {
            const [map] = await storage.getMaps([mapId]);
            const gateway = { services: servicesOver(store), storage: store };
            const options = { maxBatchSize: 4, checksum: `x ${format}`, isUpsert };
            if (map === null || map === undefined) throw new Error('The map is gone.');
            return importStream(gateway, { caller }, map, chunks(), { ...options, format, isUpsert });
          };
          const step = name === 'SQLite' ? 1 : 5;
          for (let call = 1; ; call += step) {
            const to = await services.maps.createMap({ caller }, { name: 'to' });
            let calls = 0;
            const { storage: mortal } = proxyStorage(storage, {
              before: ({ method, args }) => {
                calls += 1;
                if (calls < call) return undefined;
                if (calls > call) return Promise.reject(new Crash());
                const work = Reflect.get(storage, method) as (...given: unknown[]) => Promise<unknown>;
                return work(...args).then(() => Promise.reject(new Crash()));
              },
            });
            const ended = await run(to.id, mortal).catch((error: unknown) => error);
            const isOver = calls < call;
            if (!isOver) {
              const failure = ended instanceof Error ? ended : (ended as ImportSummary).end;
              expect('error' in failure ? failure.error : failure).toBeInstanceOf(Crash);
              // The last call deletes the checkpoint; nothing remains to do after it.
              const left = await storage.getMeta(`import ${to.id} x ${format}`);
              if (left !== null) expect((await run(to.id, storage)).end).toEqual({ kind: 'complete' });
            }
            const page = { limit: 100, fromEnd: false, after: null, before: null };
            const stored = await storage.listLocations(to.id, page);
            expect(stored.map((location) => location.name)).toEqual(inputs.map(({ fields }) => fields.Name));
            if (isOver) break;
          }
        });
      }
    }
  });
}
