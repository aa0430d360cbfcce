import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { attributionParts } from '../../src/web/basemap-file/attribution-html.ts';
import { BasemapFile, readBasemap } from '../../src/web/basemap-file/basemap-file.ts';
import type { ArchiveOptions } from '../support/pmtiles.ts';
import { makeArchive, rectangle } from '../support/pmtiles.ts';
import { describeUnless } from '../support/skip.ts';

const HOLLAND = [3, 51, 7, 54] as const;

let folder: string;
let path: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'map-locations-'));
  path = join(folder, 'a.pmtiles');
});
afterAll(() => rmSync(folder, { recursive: true }));

function archive(options: Partial<ArchiveOptions> = {}): Buffer {
  return makeArchive({ bounds: HOLLAND, layers: { earth: [rectangle(HOLLAND)] }, ...options });
}

type Change = (bytes: Buffer) => Buffer | void;

/** Reads an archive whose bytes were changed. */
async function read(change: Change, options: Partial<ArchiveOptions> = {}) {
  const bytes = archive(options);
  writeFileSync(path, change(bytes) ?? bytes);
  return readBasemap(path);
}

const setByte =
  (offset: number, value: number): Change =>
  (bytes) => {
    bytes[offset] = value;
  };
const setLong =
  (offset: number, value: bigint): Change =>
  (bytes) => {
    bytes.writeBigUInt64LE(value, offset);
  };

describe('reading the header of a basemap file', () => {
  it('finds zooms, bounds, attribution and layers', async () => {
    expect(await read(() => {}, { minZoom: 2, maxZoom: 4 })).toEqual({
      minZoom: 2,
      maxZoom: 4,
      bounds: { west: 3, south: 51, east: 7, north: 54 },
      attribution: [
        { text: 'Protomaps', href: 'https://github.com/protomaps/basemaps' },
        { text: ' © ', href: null },
        { text: 'OpenStreetMap', href: 'https://www.openstreetmap.org/copyright' },
      ],
      hasKnownLayers: true,
    });
  });

  it('finds that the metadata names no attribution, and that no layer is known', async () => {
    const other = { layers: { transportation: [rectangle(HOLLAND)] }, metadata: { attribution: undefined } };
    expect(await read(() => {}, other)).toMatchObject({ attribution: [], hasKnownLayers: false });
  });

  const cases: readonly (readonly [name: string, change: Change, message: RegExp])[] = [
    ['text', () => Buffer.from('not an archive'), /it does not begin with "PMTiles"$/],
    ['an empty file', () => Buffer.alloc(0), /it does not begin with "PMTiles"$/],
    ['version 2', setByte(7, 2), /its version is 2, not 3$/],
    ['a magic alone', (bytes: Buffer) => bytes.subarray(0, 7), /its version is missing, not 3$/],
    ['half a header', (bytes: Buffer) => bytes.subarray(0, 60), /its header is cut off$/],
    ['raster tiles', setByte(99, 2), /it holds PNG$/],
    ['tiles of a type to come', setByte(99, 200), /it holds tiles of type 200$/],
    ['Brotli', setByte(98, 3), /the compression of its tiles is Brotli; gzip and none are allowed$/],
    ['Zstandard', setByte(97, 4), /the compression of its directories is Zstandard/],
    ['another compression', setByte(97, 9), /the compression of its directories is compression 9/],
    [
      'metadata beyond the file',
      setLong(24, 1n << 60n),
      /the end of its metadata is beyond that of the file$/,
    ],
    [
      'a length that overflows',
      setLong(16, (1n << 64n) - 1n),
      /the end of its root directory is beyond that of the file$/,
    ],
    [
      'leaves beyond the file',
      setLong(48, 1n << 40n),
      /the end of its leaf directories is beyond that of the file$/,
    ],
    [
      'tiles beyond the file',
      (bytes: Buffer) => bytes.subarray(0, -1),
      /the end of its tiles is beyond that of the file$/,
    ],
    ['no root directory', setLong(16, 0n), /its root directory is not within the first 16384 bytes$/],
    ['a root directory in the header', setLong(8, 0n), /its root directory is not within/],
    ['zooms in the wrong order', setByte(100, 9), /its zooms are 9 to 5; 0 to 26 are allowed$/],
    ['a zoom without tiles', setByte(101, 255), /its zooms are 0 to 255; 0 to 26 are allowed$/],
    ['empty bounds', (bytes) => bytes.fill(0, 102, 118), /its bounds are empty or not on Earth$/],
    ['bounds on no Earth', (bytes) => void bytes.writeInt32LE(1_900_000_000, 110), /its bounds are empty/],
    ['metadata that is no gzip', setLong(24, 0n), /its metadata is no JSON that can be unpacked$/],
  ];
  it.each(cases)('refuses %s', async (_name, change, message) => {
    const refused = read(change);
    await expect(refused).rejects.toThrow(/^be a PMTiles archive \(version 3\) of vector tiles: /);
    await expect(refused).rejects.toThrow(message);
  });

  it('reads no more than a bounded amount of metadata, packed and unpacked', async () => {
    const append =
      (metadata: Buffer): Change =>
      (bytes) => {
        bytes.writeBigUInt64LE(BigInt(bytes.length), 24);
        bytes.writeBigUInt64LE(BigInt(metadata.length), 32);
        return Buffer.concat([bytes, metadata]);
      };
    await expect(read(append(Buffer.alloc(1024 * 1024 + 1)))).rejects.toThrow(
      /its metadata has 1048577 bytes; 1048576 are allowed$/,
    );
    const bomb = gzipSync(Buffer.alloc(9 * 1024 * 1024, ' '));
    await expect(read(append(bomb))).rejects.toThrow(/no JSON that can be unpacked$/);
  });

  it('says why a file cannot be read, without its name', async () => {
    const missing = join(folder, 'missing');
    await expect(readBasemap(missing)).rejects.toThrow(
      /^name a file that the server can read; reading it failed \(ENOENT\)$/,
    );
    await expect(readBasemap(folder)).rejects.toThrow(/^name a file$/);
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    await expect(readBasemap(pipe)).rejects.toThrow(/^name a file$/);
  });
});

describe('a basemap file that changes while it is served', () => {
  it('has another ETag after a rename, even of a file of the same size and time', async () => {
    const time = new Date('2026-01-01T00:00:00Z');
    const other = join(folder, 'other');
    for (const name of [path, other]) {
      writeFileSync(name, archive());
      utimesSync(name, time, time);
    }
    const file = new BasemapFile(path, () => {});
    const tagOf = async () => {
      const opened = await file.open();
      await opened!.handle.close();
      return opened!.etag;
    };
    const before = await tagOf();
    expect(await tagOf()).toBe(before);
    expect(before).toMatch(/^"[0-9a-z-]+"$/);
    renameSync(other, path);
    expect(await tagOf()).not.toBe(before);
  });

  it('is reported once when it becomes unusable, and once when it is usable again', async () => {
    const reports: (string | null)[] = [];
    const served = join(folder, 'served');
    const file = new BasemapFile(served, (problem) => reports.push(problem));
    expect([await file.read(), await file.read()]).toEqual([null, null]);
    writeFileSync(served, 'text');
    expect([await file.read(), await file.open()]).toEqual([null, null]);
    rmSync(served);
    writeFileSync(path, archive({ maxZoom: 3 }));
    symlinkSync(path, served);
    expect([(await file.read())?.maxZoom, (await file.read())?.maxZoom]).toEqual([3, 3]);
    expect(reports).toEqual([expect.stringMatching(/ENOENT/), expect.stringMatching(/does not begin/), null]);
  });
});

describe('the attribution in the metadata', () => {
  const cases: readonly (readonly [html: string, parts: readonly (readonly [string, string | null])[]])[] = [
    ['© OpenStreetMap', [['© OpenStreetMap', null]]],
    ['<a href="https://a.example/?a=1&amp;b=2">A &amp; B</a>', [['A & B', 'https://a.example/?a=1&b=2']]],
    [
      "<A class=x HREF='http://a.example'>A</A>, <b>bold</b>",
      [
        ['A', 'http://a.example/'],
        [', bold', null],
      ],
    ],
    ['<a href=https://a.example/x>A</a>', [['A', 'https://a.example/x']]],
    ['<a href="javascript:alert(1)">A</a>', [['A', null]]],
    ['<a href="/relative">A</a> <a data-href="https://a.example">B</a>', [['A B', null]]],
    ['<img src=x onerror=alert(1)><script>x</script>', [['x', null]]],
    ['&lt;img src=x onerror=alert(1)&gt;', [['<img src=x onerror=alert(1)>', null]]],
    ['&copy; &#169; &#xa9; &unknown; &#9999999;', [['© © © &unknown; &#9999999;', null]]],
    ['  a\n\n\u202Eb\u0000c < d  ', [['a b c < d', null]]],
    ['', []],
    ['<a href="https://a.example"></a>', []],
  ];
  it.each(cases)('%j', (html, parts) => {
    expect(attributionParts(html)).toEqual(parts.map(([text, href]) => ({ text, href })));
  });

  it('is read up to a limit, in linear time', () => {
    for (const hostile of ['<a href="', '<a ', '<', '&#'])
      expect(JSON.stringify(attributionParts(hostile.repeat(1_000_000))).length).toBeLessThan(10_000);
  });
});

const PYTHON_READER = `
import json, sys
from pmtiles.reader import Reader, MmapSource, all_tiles
with open(sys.argv[1], 'rb') as file:
    reader = Reader(MmapSource(file))
    header = reader.header()
    print(json.dumps([
        header['version'], header['tile_type'].name, header['min_zoom'], header['max_zoom'],
        header['min_lon_e7'], header['min_lat_e7'], header['max_lon_e7'], header['max_lat_e7'],
        reader.metadata()['name'], [list(zxy) for zxy, _ in all_tiles(MmapSource(file))],
    ]))
`;
const python = process.env['TEST_PMTILES'] ?? 'python3';
const hasPmtiles = spawnSync(python, ['-c', 'import pmtiles']).status === 0;

describeUnless(
  !hasPmtiles && 'needs pmtiles of Python: `pip install pmtiles`, or TEST_PMTILES=$(.ci/pmtiles)',
  'the archives of these tests',
  () => {
    it('are read by the reference implementation', () => {
      writeFileSync(path, archive({ minZoom: 1, maxZoom: 3 }));
      const output = execFileSync(python, ['-c', PYTHON_READER, path], { encoding: 'utf8' });
      expect(JSON.parse(output)).toEqual([
        ...[3, 'MVT', 1, 3, 30_000_000, 510_000_000, 70_000_000, 540_000_000, 'Made by a test'],
        [
          [1, 1, 0],
          [2, 2, 1],
          [3, 4, 2],
        ],
      ]);
    });
  },
);
