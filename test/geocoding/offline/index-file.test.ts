import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { EXTRA_NAMES, MISTAKEN_NAMES } from '../../../src/geocoding/offline/extra-names.ts';
import { Gazetteer } from '../../../src/geocoding/offline/gazetteer.ts';
import { openGazetteer } from '../../../src/geocoding/offline/index-file.ts';
import { createOfflineGeocoder } from '../../../src/geocoding/offline/offline-geocoder.ts';
import { regionDefinitions } from '../../../src/geocoding/offline/regions.ts';
import { sourcePath } from '../../../src/geocoding/offline/source-path.ts';
import { fileOfPackage } from '../../../src/lib/package-files.ts';
import { unlessChanged } from '../../support/scope.ts';
import { itUnless } from '../../support/skip.ts';
import { processorMs } from '../../support/processor-time.ts';

/** Building the index takes seconds. */
const unchanged = unlessChanged('src/geocoding/offline', 'test/geocoding/offline', 'package-lock.json');

describe('the index file', () => {
  let directory: string;
  let path: string;
  let whole: Buffer;

  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'gazetteer-'));
    path = join(directory, 'deep', 'gazetteer.bin');
    mkdirSync(dirname(path));
    copyFileSync(fileOfPackage('dist/geocoding/offline/gazetteer.bin'), path);
    whole = readFileSync(path);
  });

  afterAll(() => {
    rmSync(directory, { recursive: true, force: true });
  });

  const lisbon = async (): Promise<string> =>
    (await createOfflineGeocoder({ indexPath: path }).geocode({ address: 'Lisboa, Portugal', apiKey: null }))
      .placeId;

  it('is small', () => {
    expect(whole.length).toBeLessThan(20 * 1024 * 1024);
  });

  it('opens in milliseconds', () => {
    const before = process.cpuUsage();
    expect(Gazetteer.openFile(path, null)).not.toBeNull();
    expect(processorMs(before)).toBeLessThan(100);
  });

  it('equals the cached one; otherwise raise VERSION in format.ts', async () => {
    await openGazetteer();
    const cached = join(sourcePath(), '../../../.cache/map-locations/gazetteer.bin');
    if (existsSync(cached)) expect(readFileSync(cached).equals(whole)).toBe(true);
  });

  itUnless(
    unchanged,
    'is built where there is none, written whole and with nothing left beside it',
    async () => {
      rmSync(dirname(path), { recursive: true });
      expect(await lisbon()).toBe('geonames:2267057');
      expect(readFileSync(path).equals(whole)).toBe(true);
      expect(readdirSync(dirname(path))).toEqual(['gazetteer.bin']);
    },
  );

  it('is refused if it is truncated', () => {
    const shorter = join(directory, 'shorter.bin');
    writeFileSync(shorter, whole.subarray(0, 1_000_000));
    expect(Gazetteer.openFile(shorter, null)).toBeNull();
  });

  it('is refused if it is longer than its header says', () => {
    const longer = join(directory, 'longer.bin');
    writeFileSync(longer, Buffer.concat([whole, Buffer.alloc(1)]));
    expect(Gazetteer.openFile(longer, null)).toBeNull();
  });

  itUnless(unchanged, 'is rebuilt when it is of another version, or made from another source', async () => {
    const other = Buffer.from(whole);
    other.writeUInt32LE(999, 4);
    writeFileSync(path, other);
    expect(Gazetteer.openFile(path, null)).toBeNull();
    expect(await lisbon()).toBe('geonames:2267057');
    expect(readFileSync(path).equals(whole)).toBe(true);
    expect(Gazetteer.openFile(path, 1)).toBeNull();
  });

  itUnless(unchanged, 'stays in memory where it cannot be written', async () => {
    const file = join(directory, 'file');
    writeFileSync(file, '');
    chmodSync(file, 0o400);
    const gazetteer = await openGazetteer(join(file, 'gazetteer.bin'));
    expect(gazetteer.lookup('lisboa').towns.length).toBeGreaterThan(0);
  });

  it('may be opened by many addresses at once', async () => {
    const geocoder = createOfflineGeocoder({ indexPath: path });
    const addresses = ['Lisboa, Portugal', 'Wien', 'Kyiv, Ukraine'];
    const responses = await Promise.all(
      addresses.map((address) => geocoder.geocode({ address, apiKey: null })),
    );
    expect(responses.map(({ placeId }) => placeId)).toEqual([
      'geonames:2267057',
      'geonames:2761369',
      'geonames:703448',
    ]);
  });
});

describe('the tables of names', () => {
  const lines = readFileSync(sourcePath(), 'utf8').split('\n');
  const columns = lines.map((line) => line.split('\t', 12));

  it('identify every region by an existing town', () => {
    const towns = new Set(
      columns.flatMap(([, name, ascii, , , , , , country]) => [`${country}:${name}`, `${country}:${ascii}`]),
    );
    const divisions = new Set(columns.map((row) => `${row[8]}:${row[10]}`));
    const unknown = regionDefinitions().filter(({ country, code, seat }) =>
      code === null ? !towns.has(`${country}:${seat}`) : !divisions.has(`${country}:${code}`),
    );
    expect(unknown).toEqual([]);
  });

  it('add names to the intended towns, and remove names from others', () => {
    const names = new Map(columns.map(([id, name]) => [Number(id), name]));
    expect(
      [...EXTRA_NAMES, ...MISTAKEN_NAMES].filter(({ geonameId, town }) => names.get(geonameId) !== town),
    ).toEqual([]);
    const alternates = new Map(columns.map(([id, , , list = '']) => [Number(id), list.split(',')]));
    expect(
      MISTAKEN_NAMES.filter(
        ({ geonameId, names: list }) => !list.every((name) => alternates.get(geonameId)?.includes(name)),
      ),
    ).toEqual([]);
  });
});
