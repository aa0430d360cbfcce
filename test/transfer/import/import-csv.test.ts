import type { MapRecord } from '../../../src/domain/map.ts';
import { ServiceError, storageUnavailable } from '../../../src/errors.ts';
import type { Caller } from '../../../src/services/caller.ts';
import { TableHeaderError } from '../../../src/transfer/table.ts';
import type { ImportFileOptions } from '../../../src/transfer/open-import.ts';
import type { ImportOptions } from '../../../src/transfer/import/import-rows.ts';
import { importStream } from '../../../src/transfer/import/import-rows.ts';
import { IMPORT_BATCH_SIZE } from '../../../src/transfer/import/batches.ts';
import type { ImportProgress, RejectedRow } from '../../../src/transfer/import/report.ts';
import type { Services } from '../../../src/services/services.ts';
import { openStorage } from '../../../src/storage/open.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { servicesOver, testerOf } from '../../support/services.ts';
import { proxyStorage } from '../../support/storage-proxy.ts';

describe('importStream', () => {
  let storage: Storage;
  let services: Services;
  let caller: Caller;
  let map: MapRecord;

  beforeEach(async () => {
    storage = await openStorage('sqlite::memory:', { timeoutMs: 5000 });
    services = servicesOver(storage);
    caller = await testerOf(services);
    map = await services.maps.createMap({ caller }, { name: 'Museums' });
  });
  afterEach(() => storage.close());

  const run = (
    text: string,
    options?: ImportOptions & ImportFileOptions & { readonly name?: string },
    over = services,
  ) => importStream({ services: over, storage }, { caller }, map, chunksOf(text), options);

  const stored = async () =>
    storage.listLocations(map.id, { limit: 10_000, fromEnd: false, after: null, before: null });
  const storedNames = async () => (await stored()).map(({ name }) => name);

  it('appends the rows in file order, with every cell unchanged', async () => {
    await run('Name,Address\nbefore,Somewhere\n');
    const summary = await run('Name,Note,Address\nB,007,x\nA, =1+1 ,y\n');
    expect(summary).toEqual({ stored: 2, rejected: 0, end: { kind: 'complete' } });
    const [, second, third] = await stored();
    expect(second).toMatchObject({ name: 'B', order: '2' });
    expect(JSON.stringify(second?.properties)).toBe('{"Name":"B","Note":"007","Address":"x"}');
    expect(third).toMatchObject({ order: '3', properties: { Name: 'A', Note: ' =1+1 ', Address: 'y' } });
  });

  it('writes large batches, and smaller ones in an upsert', async () => {
    const rows = Array.from({ length: IMPORT_BATCH_SIZE + 1 }, (_, index) => `N,Somewhere,1,2,id${index}\n`);
    const ends = async (isUpsert: boolean) => {
      const seen: number[] = [];
      const onProgress = ({ stored: done }: ImportProgress) => void seen.push(done);
      await run(`Name,Address,lat,lng,externalId\n${rows.join('')}`, { isUpsert, onProgress });
      return seen;
    };
    expect(await ends(false)).toEqual([3_000, 3_001]);
    expect(await ends(true)).toEqual([1_000, 2_000, 3_000, 3_001]);
  });

  it('keeps the file order in an upsert while another client starts to create a row, and fails', async () => {
    const rows = Array.from({ length: 250 }, (_, index) => `${index},Somewhere,1,2,id${index}\n`);
    let isHeldUp = true;
    const { storage: held } = proxyStorage(storage, {
      before: ({ method, args }) => {
        if (method !== 'insertLocations' || !isHeldUp) return undefined;
        isHeldUp = false;
        const outcomes = (args[1] as readonly unknown[]).map(() => ({ kind: 'external-id-taken' }));
        return Promise.resolve({ kind: 'done', outcomes });
      },
    });
    const text = `Name,Address,lat,lng,externalId\n${rows.join('')}`;
    expect(await run(text, { isUpsert: true }, servicesOver(held))).toMatchObject({
      stored: 250,
      rejected: 0,
    });
    expect(isHeldUp).toBe(false);
    expect(await storedNames()).toEqual(rows.map((_, index) => `${index}`));
  });

  it('ends an upsert that another client blocks for too long, without rejecting a row', async () => {
    const upsertLocations = () => Promise.resolve({ map, results: [storageUnavailable()] });
    const held = {
      ...services,
      locationBatches: { upsertLocations } as unknown as Services['locationBatches'],
    };
    const summary = await run('Name,Address,externalId\nA,x,a\n', { isUpsert: true }, held);
    expect(summary).toMatchObject({ stored: 0, rejected: 0, end: { kind: 'failed', line: 2 } });
  });

  it('stores equal rows as separate locations, across batches', async () => {
    const summary = await run('Name,Address\n' + 'Same,Place\n'.repeat(25), { maxBatchSize: 10 });
    expect(summary.stored).toBe(25);
    expect(new Set((await stored()).map(({ id }) => id)).size).toBe(25);
  });

  it('keeps a column called __proto__ as data', async () => {
    await run('Name,Address,__proto__\nA,x,data\n');
    const [location] = await stored();
    expect(Object.entries(location?.properties ?? {})).toContainEqual(['__proto__', 'data']);
  });

  it('reports each rejected row, in order, and stores the rest', async () => {
    const rejected: RejectedRow[] = [];
    const text = ['Name,Address', 'A,x', 'B,', '"C', 'c",unknown:y', 'D', 'E,x', 'F,refused:', ''].join('\n');
    const summary = await run(text, { onRejected: (row) => void rejected.push(row), maxBatchSize: 2 });
    expect(summary).toEqual({ stored: 2, rejected: 4, end: { kind: 'complete' } });
    expect(await storedNames()).toEqual(['A', 'E']);
    expect(rejected).toEqual([
      { line: 3, cells: ['B', ''], code: 'BAD_USER_INPUT', reason: expect.stringContaining('"Address"') },
      { line: 4, cells: ['C\nc', 'unknown:y'], code: 'ADDRESS_NOT_FOUND', reason: 'No such address.' },
      { line: 6, cells: ['D'], code: 'BAD_USER_INPUT', reason: expect.stringContaining('1 cell;') },
      { line: 8, cells: ['F', 'refused:'], code: 'GEOCODER_REFUSED', reason: expect.any(String) },
    ]);
  });

  for (const [column, header] of [
    ['name', 'title,Address'],
    ['address', 'Name,Adress'],
  ]) {
    it(`stores nothing without the ${column} column`, async () => {
      const begun = await run(`${header}\nA,x\n`).catch((error: unknown) => error);
      expect(begun).toBeInstanceOf(TableHeaderError);
      expect((begun as Error).message).toContain(`which is the map's ${column} field`);
      expect(await storedNames()).toEqual([]);
    });
  }

  it('stores all rows before the damage, even if they do not fill a batch', async () => {
    const text = 'Name,Address\n' + rowsOf(0, 25) + 'broken,"never closed\n' + rowsOf(30, 40);
    const summary = await run(text, { maxBatchSize: 10 });
    expect(summary).toEqual({
      stored: 25,
      rejected: 0,
      end: { kind: 'damaged', line: 27, reason: 'a quote is opened and never closed' },
    });
    expect(await storedNames()).toHaveLength(25);
  });

  it('reports its progress if the store fails', async () => {
    let calls = 0;
    const failure = new ServiceError('STORAGE_UNAVAILABLE', 'The database cannot be reached.');
    const failing: Storage = {
      ...storage,
      insertLocations: (...given) => {
        calls += 1;
        return calls === 3 ? Promise.reject(failure) : storage.insertLocations(...given);
      },
    };
    const summary = await run('Name,Address\n' + rowsOf(0, 100), { maxBatchSize: 10 }, servicesOver(failing));
    expect(summary).toEqual({
      stored: 20,
      rejected: 0,
      end: { kind: 'failed', line: 22, lastLine: 31, error: failure },
    });
    expect(await storedNames()).toHaveLength(20);
    expect(calls).toBe(3);
  });

  it('ends if the map is deleted during the import', async () => {
    const summary = await run('Name,Address\n' + rowsOf(0, 100), {
      maxBatchSize: 10,
      onRejected: () => expect(true).toBe(false),
      onProgress: ({ stored: count }) => {
        if (count === 30) void services.maps.deleteMap({ caller }, map.id);
      },
    });
    expect(summary).toMatchObject({ end: { kind: 'failed', error: { code: 'MAP_DELETED' } } });
    expect(summary.stored).toBeGreaterThanOrEqual(30);
    expect(await storage.countLocations(map.id)).toBe(summary.stored);
  });

  it('stops between two batches at its signal, and says where', async () => {
    const controller = new AbortController();
    const summary = await run('Name,Address\n' + rowsOf(0, 100), {
      maxBatchSize: 10,
      stop: controller.signal,
      onProgress: ({ stored: count }) => {
        if (count === 20) controller.abort();
      },
    });
    expect(summary).toEqual({ stored: 20, rejected: 0, end: { kind: 'stopped', line: 22 } });
    expect(await storedNames()).toHaveLength(20);
  });

  it('reports its progress up to the last byte', async () => {
    const seen: ImportProgress[] = [];
    const text = 'Name,Address\n' + rowsOf(0, 25);
    await run(text, { maxBatchSize: 10, onProgress: (progress) => void seen.push(progress) });
    expect(seen.map(({ stored: count }) => count)).toEqual([10, 20, 25]);
    expect(seen.at(-1)?.bytes).toBe(Buffer.byteLength(text));
  });

  it('writes smaller batches if rows are large', async () => {
    const large = 'x'.repeat(60_000);
    const counts: number[] = [];
    await run('Name,Address,Note\n' + `A,x,${large}\n`.repeat(40), {
      onProgress: ({ stored: count }) => void counts.push(count),
    });
    expect(counts.at(-1)).toBe(40);
    expect(counts.length).toBeGreaterThan(2);
  });

  it('ignores the columns that an earlier import added to rejected rows', async () => {
    await run('Name,Address,line,code,reason\nA,x,7,BAD_USER_INPUT,wrong\n', { name: 'a.rejected.csv' });
    expect((await stored())[0]?.properties).toEqual({ Name: 'A', Address: 'x' });
  });
});

async function* chunksOf(text: string) {
  const bytes = Buffer.from(text);
  for (let start = 0; start < bytes.length; start += 1000) yield bytes.subarray(start, start + 1000);
}

function rowsOf(from: number, to: number): string {
  return Array.from({ length: to - from }, (_, index) => `Name ${from + index},Place\n`).join('');
}
