import { readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { setImmediate as turn } from 'node:timers/promises';

import { readConfig } from '../../src/app/config.ts';
import type { StoreApplication } from '../../src/app/composition/store.ts';
import { openStoreApplication } from '../../src/app/composition/store.ts';
import type { Caller } from '../../src/services/caller.ts';
import { operatorFor } from '../../src/services/operator.ts';
import { createFakeGeocoder } from '../support/fake-geocoder.ts';
import type { Workspace } from './run-cli.ts';
import { createWorkspace } from './run-cli.ts';

const LOCATIONS = 30_000;

describe('map-locations export', () => {
  let workspace: Workspace;
  let gateway: StoreApplication;
  let caller: Caller;
  let map: string;
  let large: string;

  beforeAll(async () => {
    workspace = createWorkspace();
    const config = readConfig({ DATABASE_URL: workspace.databaseUrl });
    gateway = await openStoreApplication(config, { geocoder: createFakeGeocoder() });
    caller = operatorFor((await gateway.services.tokens.findOrCreateOwner('me')).owner);
    const { maps, locationBatches } = gateway.services;
    map = (await maps.createMap({ caller }, { name: 'M' })).id;
    large = (await maps.createMap({ caller }, { name: 'L' })).id;
    const inputOf = (name: string) => ({
      fields: { Name: name, Address: 'x' },
      position: { latitude: 1, longitude: 2 },
    });
    await locationBatches.createLocations({ caller }, map, ['A', 'B'].map(inputOf));
    for (let start = 0; start < LOCATIONS; start += 1_000) {
      const names = Array.from({ length: 1_000 }, (_, index) => `N${start + index}`);
      await locationBatches.createLocations({ caller }, large, names.map(inputOf));
    }
  });
  afterAll(async () => {
    await gateway.close();
    workspace.remove();
  });

  const read = (name: string) => readFileSync(workspace.path(name), 'utf8');
  const partials = () => readdirSync(workspace.folder).filter((name) => name.includes('partial'));
  const isGeoJson = (text: string) =>
    (JSON.parse(text) as { features: { name: string }[] }).features.map(({ name }) => name);

  it('writes GeoJSON or the requested format to stdout', async () => {
    const outcome = await workspace.run('export', map);
    expect(outcome).toMatchObject({ code: 0, stderr: '' });
    expect(isGeoJson(outcome.stdout)).toEqual(['A', 'B']);
    const csv = await workspace.run('export', map, '--format', 'csv');
    expect(csv.stdout.split('\r\n')[0]).toBe('id,externalId,order,lat,lng,placeId,Name,Address,more');
    const ndjson = await workspace.run('export', map, '--format', 'ndjson');
    expect(ndjson.stdout.trimEnd().split('\n')).toHaveLength(2);
  });

  it('writes a file in the format of its extension, unless another is requested', async () => {
    for (const name of ['a.geojson', 'a.txt', 'a']) {
      expect(await workspace.run('export', map, name)).toMatchObject({ code: 0, stdout: '' });
      expect(isGeoJson(read(name))).toEqual(['A', 'B']);
    }
    await workspace.run('export', map, 'a.CSV');
    expect(read('a.CSV')).toMatch(/^id,externalId/);
    await workspace.run('export', map, 'a.ndjson');
    expect(read('a.ndjson')).toMatch(/^\{"name":"A"/);
    await workspace.run('export', map, 'a.tsv');
    expect(read('a.tsv')).toMatch(/^id\texternalId\t/);
    await workspace.run('export', map, 'c.csv', '--delimiter', ';', '--for', 'spreadsheet');
    expect(read('c.csv')).toMatch(/^\ufeffid;externalId;/);
    expect(await workspace.run('export', map, 'd.csv', '--delimiter', '|')).toMatchObject({ code: 2 });
    await workspace.run('export', map, 'b.csv', '--format', 'ndjson');
    expect(read('b.csv')).toBe(read('a.ndjson'));
    expect(partials()).toEqual([]);
  });

  it('replaces a file, follows a link, and writes to devices', async () => {
    writeFileSync(workspace.path('old.csv'), 'old');
    symlinkSync(workspace.path('old.csv'), workspace.path('link.csv'));
    expect(await workspace.run('export', map, 'link.csv')).toMatchObject({ code: 0 });
    expect(read('old.csv')).toMatch(/^id,externalId/);
    expect(await workspace.run('export', map, '/dev/null')).toMatchObject({ code: 0 });
    expect(statSync('/dev/null').isCharacterDevice()).toBe(true);
  });

  it('leaves a file unchanged, without leftovers, when it cannot be written or the map cannot be read', async () => {
    writeFileSync(workspace.path('kept.csv'), 'kept');
    const { id: deleted } = await gateway.services.maps.createMap({ caller }, { name: 'gone' });
    await gateway.services.maps.deleteMap({ caller }, deleted);
    const cases: [args: string[], code: number, message: string][] = [
      [['nope', 'kept.csv'], 1, 'There is no map "nope".'],
      [[deleted, 'kept.csv'], 1, 'The map is deleted'],
      [[map, '.'], 1, '. is a directory'],
      [[map, 'no/such/folder.csv'], 1, 'no/such/folder.csv cannot be written'],
      [[map, 'kept.csv', '--format', 'xml'], 2, "option '--format"],
    ];
    for (const [args, code, message] of cases) {
      const outcome = await workspace.run('export', ...args);
      expect({ code: outcome.code, stdout: outcome.stdout }).toEqual({ code, stdout: '' });
      expect(outcome.stderr).toContain(message);
      expect(outcome.stderr).not.toMatch(/^ +at /m);
    }
    expect(read('kept.csv')).toBe('kept');
    expect(partials()).toEqual([]);
  });

  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const) {
    it(`leaves the file unchanged, without leftovers, when ${signal} ends it`, async () => {
      writeFileSync(workspace.path('kept.geojson'), 'kept');
      const { child, outcome } = workspace.start('export', large, 'kept.geojson');
      const hasBegun = () => partials().some((name) => statSync(workspace.path(name)).size > 0);
      while (child.exitCode === null && !hasBegun()) await turn();
      child.kill(signal);
      expect((await outcome).code).toBe(code);
      expect(read('kept.geojson')).toBe('kept');
      expect(partials()).toEqual([]);
    });
  }

  it('ends silently when the reader closes the pipe', async () => {
    const { child, outcome } = workspace.start('export', large);
    child.stdout?.once('data', () => child.stdout?.destroy());
    expect(await outcome).toMatchObject({ code: 0, stderr: '' });
  });
});
