/** `map-locations import` beyond plain tables: other formats and encodings, upserts and dry runs. */

import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';

import { readConfig } from '../../src/app/config.ts';
import type { LocationRecord } from '../../src/domain/location.ts';
import type { StoreApplication } from '../../src/app/composition/store.ts';
import { openStoreApplication } from '../../src/app/composition/store.ts';
import type { Caller } from '../../src/services/caller.ts';
import { operatorFor } from '../../src/services/operator.ts';
import { createFakeGeocoder } from '../support/fake-geocoder.ts';
import type { GeocodingServer } from '../support/geocoding-server.ts';
import { found, startGeocodingServer } from '../support/geocoding-server.ts';
import type { Workspace } from './run-cli.ts';
import { createWorkspace } from './run-cli.ts';

describe('map-locations import', () => {
  let workspace: Workspace;
  let gateway: StoreApplication;
  let caller: Caller;
  let map: string;
  let provider: GeocodingServer;

  beforeAll(async () => {
    workspace = createWorkspace();
    provider = await startGeocodingServer();
    provider.play(found);
    Object.assign(workspace.environment, { GEOCODER: 'nominatim', NOMINATIM_URL: provider.url });
    const config = readConfig({ DATABASE_URL: workspace.databaseUrl });
    gateway = await openStoreApplication(config, { geocoder: createFakeGeocoder() });
    caller = operatorFor((await gateway.services.tokens.findOrCreateOwner('me')).owner);
  });
  afterAll(async () => {
    await gateway.close();
    await provider.close();
    workspace.remove();
  });
  beforeEach(async () => {
    map = (await gateway.services.maps.createMap({ caller }, { name: 'M' })).id;
    provider.received.length = 0;
  });

  const write = (name: string, content: string | Buffer) => {
    writeFileSync(workspace.path(name), content);
    return name;
  };
  const read = (name: string) => readFileSync(workspace.path(name), 'utf8');
  const stored = (id = map): Promise<readonly LocationRecord[]> =>
    gateway.storage.listLocations(id, { limit: 10_000, fromEnd: false, after: null, before: null });
  const feature = (name: string, rest: object = {}) => ({
    type: 'Feature',
    geometry: { type: 'Point', coordinates: [2, 1] },
    properties: { Name: name, Address: 'x' },
    ...rest,
  });
  const collection = (...features: unknown[]) =>
    JSON.stringify({ type: 'FeatureCollection', features }, null, 1);

  it('imports what it exported, in each format, by extension or by name', async () => {
    const own = (await gateway.services.maps.createMap({ caller }, { name: 'from' })).id;
    await gateway.services.locationBatches.createLocations({ caller }, own, [
      { fields: { Name: 'B', Address: 'y', n: 1 }, order: '2', position: { latitude: 1, longitude: 2 } },
      {
        fields: { Name: 'A', Address: ' x' },
        externalId: 'e',
        position: { latitude: 0.1, longitude: -7, placeId: 'p' },
      },
    ]);
    const contentOf = (list: readonly LocationRecord[]) =>
      list.map(({ name, order, properties, placeId, latitude, longitude, externalId }) => {
        return { name, order, properties, placeId, latitude, longitude, externalId };
      });
    const files: [name: string, ...options: string[]][] = [
      ['a.geojson'],
      ['a.csv'],
      ['a.ndjson'],
      ['a.json'],
      ['a.jsonl'],
      ['a.data', '--format', 'ndjson'],
      ['a.txt', '--format', 'geojson'],
    ];
    for (const [name, ...options] of files) {
      const to = (await gateway.services.maps.createMap({ caller }, { name: 'to' })).id;
      expect(await workspace.run('export', own, name, ...options)).toMatchObject({ code: 0 });
      expect(await workspace.run('import', to, name, ...options)).toMatchObject({
        code: 0,
        stdout: 'stored 2, rejected 0\n',
      });
      expect(contentOf(await stored(to))).toEqual(contentOf(await stored(own)));
    }
    expect(provider.received).toEqual([]);
  });

  it('rejects Features that cannot be stored, and imports their corrected file', async () => {
    const file = write(
      'f.geojson',
      collection(
        feature('A', { order: '9' }),
        feature('line', { geometry: { type: 'LineString', coordinates: [] } }),
        feature('off', { geometry: { type: 'Point', coordinates: [200, 1] } }),
        feature('short', { geometry: { type: 'Point', coordinates: [2] } }),
        feature('number', { order: 7 }),
        { type: 'Nothing' },
        5,
        feature('placed', { geometry: null, placeId: 'p' }),
        feature('Z', { properties: { Name: 'Z', Address: 'z', deep: { a: [1, null] } } }),
      ),
    );
    const outcome = await workspace.run('import', map, file);
    expect(outcome).toMatchObject({ code: 1, stdout: 'stored 2, rejected 7\n' });
    expect((await stored()).map(({ name, order }) => [name, order])).toEqual([
      ['A', '9'],
      ['Z', '10'],
    ]);
    const { features } = JSON.parse(read('f.rejected.geojson')) as {
      features: {
        properties: { Name?: string } | null;
        rejected: { feature: number; code: string; reason: string };
      }[];
    };
    expect(features.map(({ rejected }) => [rejected.feature, rejected.code])).toEqual(
      [2, 3, 4, 5, 6, 7, 8].map((number) => [number, 'BAD_USER_INPUT']),
    );
    expect(features[0]?.rejected.reason).toBe(
      'The geometry is a LineString; only a Point can become a location.',
    );
    for (const each of features)
      Object.assign(each, feature('mended'), { order: undefined, placeId: undefined });
    write('f.rejected.geojson', JSON.stringify({ type: 'FeatureCollection', features }));
    expect(await workspace.run('import', map, 'f.rejected.geojson')).toMatchObject({
      code: 0,
      stdout: 'stored 7, rejected 0\n',
    });
    expect((await stored()).at(-1)?.properties).toEqual({ Name: 'mended', Address: 'x' });
  });

  it('rejects lines that cannot be stored, and imports their corrected file', async () => {
    const line = (name: string, rest: object = {}) =>
      JSON.stringify({
        latLngLiteral: { lat: '1.5', lng: '-2' },
        properties: { Name: name, Address: 'x' },
        ...rest,
      });
    const lines = [
      line('A'),
      '',
      line('point', { latLngLiteral: { lat: 'north', lng: '1' } }),
      '{"properties": ',
      '[]',
      line('B', { latLngLiteral: { lat: 3, lng: 4 }, more: 'passed over' }),
      line('none', { properties: 'x' }),
    ];
    const outcome = await workspace.run('import', map, write('l.ndjson', lines.join('\r\n')));
    expect(outcome).toMatchObject({ code: 1, stdout: 'stored 2, rejected 4\n' });
    expect((await stored()).map(({ name, latitude, longitude }) => [name, latitude, longitude])).toEqual([
      ['A', 1.5, -2],
      ['B', 3, 4],
    ]);
    const rejected = read('l.rejected.ndjson').trimEnd().split('\n');
    const rows = rejected.map(
      (text) => (JSON.parse(text) as { rejected: { line: number; text?: string } }).rejected,
    );
    expect(rows.map((each) => [each.line, each.text])).toEqual([
      [3, undefined],
      [4, '{"properties":'],
      [5, '[]'],
      [7, undefined],
    ]);
    write('l.rejected.ndjson', String(rejected[0]).replace('north', '9'));
    expect(await workspace.run('import', map, 'l.rejected.ndjson')).toMatchObject({ code: 0 });
    expect((await stored()).at(-1)).toMatchObject({ name: 'point', latitude: 9 });
  });

  it('imports nothing from a file that is no FeatureCollection or no text', async () => {
    const cases: [content: string | Buffer, message: string][] = [
      ['Name,Address\nA,x\n', 'not a GeoJSON FeatureCollection: it is not valid JSON'],
      ['{"type":"FeatureCollection"}', 'it has no member "features"'],
      ['', 'it ends before it is complete'],
      [Buffer.from(collection(feature('\xe9')), 'latin1'), 'it is not UTF-8'],
    ];
    for (const [content, message] of cases) {
      const outcome = await workspace.run('import', map, write('bad.geojson', content));
      expect(outcome).toMatchObject({ code: 2, stdout: '' });
      expect(outcome.stderr).toContain(message);
      expect(outcome.stderr).toContain('Nothing was imported.');
    }
    expect(existsSync(workspace.path('bad.rejected.geojson'))).toBe(false);
  });

  it('stores the Features before damage, and names the first unreadable one', async () => {
    const whole = collection(...Array.from({ length: 250 }, (_, index) => feature(`N${index}`)));
    const outcome = await workspace.run('import', map, write('cut.geojson', whole.slice(0, -40)));
    expect(outcome).toMatchObject({ code: 1, stdout: 'stored 249, rejected 0\n' });
    expect(outcome.stderr).toContain(
      'cut.geojson is damaged from Feature 250 on: it ends before it is complete.',
    );
  });

  it('reads the encodings that spreadsheets write', async () => {
    const text = 'Name;Address;Note\r\nCafé “Zoë” €;Łódź;x\r\n';
    const western = 'Name;Address;Note\r\nCafé “Zoë” €;somewhere;x\r\n';
    const cp1252 = Buffer.from(
      western.replaceAll('“', '\x93').replaceAll('”', '\x94').replaceAll('€', '\x80'),
      'latin1',
    );
    const bigEndian = Buffer.from(text, 'utf16le').swap16();
    const files: [name: string, bytes: Buffer, ...options: string[]][] = [
      ['western.csv', cp1252, '--encoding', 'cp1252'],
      ['marked.csv', Buffer.from(`\ufeff${text}`, 'utf16le')],
      ['marked-be.csv', Buffer.concat([Buffer.from([0xfe, 0xff]), bigEndian])],
      ['named.csv', Buffer.from(text, 'utf16le'), '--encoding', 'UTF-16LE'],
      ['named-be.csv', bigEndian, '--encoding', 'utf-16be'],
      // The byte order mark overrides --encoding.
      ['utf8.csv', Buffer.from(`\ufeff${text}`), '--encoding', 'cp1252'],
    ];
    for (const [name, bytes, ...options] of files) {
      expect(await workspace.run('import', map, write(name, bytes), ...options)).toMatchObject({ code: 0 });
      expect((await stored()).at(-1)?.properties).toEqual({
        Name: 'Café “Zoë” €',
        Address: name === 'western.csv' ? 'somewhere' : 'Łódź',
        Note: 'x',
      });
    }
    const json = Buffer.from(collection(feature('Zoë')), 'latin1');
    await workspace.run('import', map, write('western.geojson', json), '--encoding', 'latin1');
    expect((await stored()).at(-1)?.name).toBe('Zoë');
    const unnamed = await workspace.run('import', map, 'western.csv');
    expect(unnamed).toMatchObject({ code: 2 });
    expect(unnamed.stderr).toContain(
      'it is not UTF-8. If it is text in another encoding, name that with --encoding.',
    );
    const unknown = await workspace.run('import', map, 'western.csv', '--encoding', 'cp99');
    expect(unknown).toMatchObject({ code: 2, stdout: '' });
  });

  it('ignores the columns that a rejected file adds, under any file name', async () => {
    await workspace.run('import', map, write('towns.csv', 'Name,Address,lat,lng\nA,x,1,\nB,x,1,2\n'));
    write('mended.csv', read('towns.rejected.csv').replace('A,x,1,', 'A,x,1,2'));
    expect(await workspace.run('import', map, 'mended.csv')).toMatchObject({ code: 0 });
    expect((await stored()).at(-1)).toMatchObject({
      name: 'A',
      longitude: 2,
      properties: { Name: 'A', Address: 'x' },
    });
    expect(Object.keys((await stored()).at(-1)?.properties ?? {})).toEqual(['Name', 'Address']);
  });

  it('updates locations by external id, creates the rest, and resumes after a kill', async () => {
    const rows = (mark: string) => `Name,Address,externalId,lat,lng\nA,x,a,1,2\nB${mark},x,b,1,2\nC,x,,1,2\n`;
    const first = await workspace.run('import', map, write('u.csv', rows('')), '--upsert');
    expect(first).toMatchObject({ code: 0, stdout: 'stored 3, rejected 0\n' });
    expect(first.stderr).toContain('Stored rows: 3 created.');
    expect((await stored())[0]?.properties).toEqual({ Name: 'A', Address: 'x' });
    const before = await stored();
    const second = await workspace.run('import', map, write('u.csv', rows('2')), '--upsert');
    expect(second.stderr).toContain('Stored rows: 1 created, 1 updated, 1 unchanged.');
    const after = await stored();
    expect(after.map(({ name, externalId, version }) => [name, externalId, version])).toEqual([
      ['A', 'a', 1],
      ['B2', 'b', 2],
      ['C', null, 1],
      ['C', null, 1],
    ]);
    expect(after.map(({ id }) => id).slice(0, 3)).toEqual(before.map(({ id }) => id));
    // In a user's own table, only an upsert uses that column.
    await workspace.run('import', map, write('plain.csv', rows('')));
    expect((await stored()).at(-3)).toMatchObject({ externalId: null, properties: { externalId: 'a' } });
  });

  it('uses a Feature’s externalId, else its id, and the last Feature of several', async () => {
    const file = write(
      'u.geojson',
      collection(
        feature('A', { id: 'a' }),
        feature('B', { id: 7 }),
        feature('C', { id: 'no', externalId: 'c' }),
        feature('D', { id: null }),
        feature('A again', { id: 'a' }),
      ),
    );
    const outcome = await workspace.run('import', map, file, '--upsert');
    expect(outcome).toMatchObject({ code: 0, stdout: 'stored 5, rejected 0\n' });
    expect((await stored()).map(({ name, externalId }) => [name, externalId])).toEqual([
      ['A again', 'a'],
      ['B', '7'],
      ['C', 'c'],
      ['D', null],
    ]);
    await workspace.run('import', map, file);
    expect((await stored()).slice(4).map(({ name, externalId }) => [name, externalId])).toEqual([
      ['A', null],
      ['B', null],
      ['D', null],
      ['A again', null],
    ]);
  });

  it('reports the outcome of each row without storing, geocoding or writing anything', async () => {
    await gateway.services.locationBatches.createLocations({ caller }, map, [
      { fields: { Name: 'A', Address: 'x' }, externalId: 'a', position: { latitude: 1, longitude: 2 } },
    ]);
    const text = [
      'externalId,Name,Address',
      'a,A,x',
      '"b\n2",B,x',
      'c,"C\nc",y',
      'd,,z',
      'c,"C\nc",y',
      'a,A,moved',
      'short',
      '',
    ].join('\n');
    const files = readdirSync(workspace.folder);
    const dry = await workspace.run('import', map, write('dry.csv', text), '--dry-run', '--upsert');
    expect(dry.code).toBe(1);
    expect(dry.stdout.split('\n').map((line) => line.split('\t').slice(0, 2))).toEqual([
      ['2', 'unchanged'],
      ['3', 'BAD_USER_INPUT'],
      ['5', 'created'],
      ['7', 'BAD_USER_INPUT'],
      ['8', 'unchanged'],
      ['10', 'updated'],
      ['11', 'BAD_USER_INPUT'],
      [''],
    ]);
    for (const line of dry.stdout.split('\n').slice(0, -1)) {
      const [, outcome = '', reason, ...more] = line.split('\t');
      expect([outcome === 'BAD_USER_INPUT', reason !== '', more]).toEqual([
        reason !== '',
        outcome === 'BAD_USER_INPUT',
        [],
      ]);
    }
    const features = collection(
      feature('N', { externalId: 'a' }),
      feature('M', { externalId: 'm' }),
      feature('M', { externalId: 'm' }),
    );
    const plain = await workspace.run('import', map, write('dry.geojson', features), '--dry-run');
    expect(plain.stdout).toMatch(/^1\tCONFLICT\t[^\t\n]+\n2\tcreated\t\n3\tCONFLICT\t[^\t\n]+\n$/);
    const good = await workspace.run(
      'import',
      map,
      write('good.csv', 'Name,Address\nA,anywhere\n'),
      '--dry-run',
    );
    expect(good).toMatchObject({ code: 0, stdout: '2\tcreated\t\n' });
    const damaged = await workspace.run(
      'import',
      map,
      write('hurt.csv', 'Name,Address\nA,x\nb"c,x\n'),
      '--dry-run',
    );
    expect(damaged).toMatchObject({ code: 1, stdout: '2\tcreated\t\n' });
    expect(damaged.stderr).toContain('hurt.csv is damaged from line 3 on');
    expect(await workspace.run('import', map, 'absent.csv', '--dry-run')).toMatchObject({
      code: 2,
      stdout: '',
    });
    expect(provider.received).toEqual([]);
    expect(await stored()).toHaveLength(1);
    const added = readdirSync(workspace.folder).filter((name) => !files.includes(name));
    expect(added.sort()).toEqual(['dry.csv', 'dry.geojson', 'good.csv', 'hurt.csv']);
  });

  it('reports the upsert outcome of later rows with one external id', async () => {
    const fields = { Name: 'A', Address: 'x' };
    const at = (lat: string) => ({ latLngLiteral: { lat, lng: '2' } });
    const rows: [outcome: string, line: object][] = [
      ['created', { ...at('1'), order: '5', properties: fields }],
      ['unchanged', { ...at('1'), properties: fields }],
      ['unchanged', { ...at('1.0'), properties: { Address: 'x', Name: 'A' } }],
      ['unchanged', { properties: fields }],
      ['updated', { ...at('1'), order: '6', properties: fields }],
      ['updated', { properties: { ...fields, More: 1 } }],
      ['unchanged', { ...at('1'), properties: { ...fields, More: 1 } }],
      ['updated', { properties: { ...fields, Address: 'y' } }],
      ['unchanged', { properties: { Address: 'y', Name: 'A' } }],
      ['updated', { ...at('1'), properties: { ...fields, Address: 'y' } }],
    ];
    const lines = rows.map(([, line]) => `${JSON.stringify({ externalId: 'E', ...line })}\n`).join('');
    const dry = await workspace.run('import', map, write('e.ndjson', lines), '--dry-run', '--upsert');
    expect(
      dry.stdout
        .trim()
        .split('\n')
        .map((line) => line.trim().split('\t')[1]),
    ).toEqual(rows.map(([outcome]) => outcome));
    const real = await workspace.run('import', map, 'e.ndjson', '--upsert');
    expect(real.stderr).toContain('Stored rows: 1 created, 4 updated, 5 unchanged.');
  });
});
