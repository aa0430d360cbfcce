/** `map-locations import`, killed in the midst and run again. */

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

import { readConfig } from '../../src/config.ts';
import type { Gateway } from '../../src/gateway.ts';
import { openGateway } from '../../src/gateway.ts';
import type { Caller } from '../../src/services/caller.ts';
import { operatorFor } from '../../src/services/operator.ts';
import { createFakeGeocoder } from '../support/fake-geocoder.ts';
import type { GeocodingServer } from '../support/geocoding-server.ts';
import { found, json, startGeocodingServer } from '../support/geocoding-server.ts';
import { NO_MONGODB, ownDatabase, testServer } from '../support/mongodb-server.ts';
import { describeUnless } from '../support/skip.ts';
import type { Workspace } from './run-cli.ts';
import { createWorkspace } from './run-cli.ts';

const ROWS = 900;
const ADDRESSES = 450;
/** What one process asks for at the same time: so many questions are without an answer where it is killed. */
const CONCURRENCY = 4;

const server = await testServer();

for (const [name, url] of [
  ['SQLite', null],
  ['MongoDB', server === null ? undefined : ownDatabase(server)],
] as const) {
  describeUnless(url === undefined && NO_MONGODB, `an import killed and run again, on ${name}`, () => {
    let workspace: Workspace;
    let provider: GeocodingServer;
    let gateway: Gateway;
    let caller: Caller;

    beforeAll(async () => {
      workspace = createWorkspace();
      provider = await startGeocodingServer();
      provider.play((exchange) => void setTimeout(() => json(200, found(exchange))(exchange), 2));
      if (typeof url === 'string') workspace.environment.DATABASE_URL = url;
      Object.assign(workspace.environment, {
        GEOCODER: 'nominatim',
        NOMINATIM_URL: provider.url,
        GEOCODER_CONCURRENCY: String(CONCURRENCY),
        BULK_MAX_LOCATIONS: '100',
      });
      const config = readConfig({ DATABASE_URL: url ?? workspace.databaseUrl });
      gateway = await openGateway(config, { geocoder: createFakeGeocoder() });
      caller = operatorFor((await gateway.services.tokens.findOrCreateOwner('me')).owner);
    });
    afterAll(async () => {
      await gateway.close();
      await provider.close();
      workspace.remove();
    });

    const newMap = async () => (await gateway.services.maps.createMap({ caller }, { name: 'M' })).id;
    const write = (file: string, mark: string) => {
      const rows = Array.from({ length: ROWS }, (_, index) => {
        if (index % 97 === 50) return `bad ${index},Nowhere ${mark}`;
        if (index % 211 === 100) return 'not a row';
        return `${index},Street ${(index * 37) % ADDRESSES} in ${mark}`;
      });
      writeFileSync(workspace.path(file), `Name,Address\n${rows.join('\n')}\n`);
      return rows.filter((row) => /^\d/.test(row)).map((row) => row.split(',')[0]);
    };
    const names = async (map: string) => {
      const page = { limit: 10_000, fromEnd: false, after: null, before: null };
      return (await gateway.storage.listLocations(map, page)).map((location) => location.name);
    };
    const killAt = async (map: string, file: string, count: number) => {
      const { child, outcome } = workspace.start('import', map, file);
      while ((await gateway.storage.countLocations(map)) < count) await delay(5);
      child.kill('SIGKILL');
      expect(await outcome).toMatchObject({ code: null, stdout: '' });
    };

    it('stores each row once and in order, and asks for no address again that was answered', async () => {
      const map = await newMap();
      const good = write('killed.csv', 'Killed');
      await killAt(map, 'killed.csv', 300);
      await killAt(map, 'killed.csv', 700);
      const { code, stdout, stderr } = await workspace.run('import', map, 'killed.csv');
      expect(code).toBe(1);
      expect(stdout).toBe(`stored ${good.length}, rejected ${ROWS - good.length}\n`);
      expect(stderr).toMatch(
        /^Going on with the import of killed\.csv that ended early, 20.*: the first \d+ rows/,
      );
      expect(await names(map)).toEqual(good);
      const asked = provider.received.map(({ address }) => address);
      // The rejected addresses are one; what was under way at a kill was never answered.
      const distinct = new Set(asked).size;
      expect(distinct).toBeLessThanOrEqual(ADDRESSES + 1);
      expect(asked.length).toBeLessThanOrEqual(distinct + 2 * CONCURRENCY);
      console.error(
        `${name}: ${ROWS} rows killed twice: ${asked.length} calls for ${distinct} addresses, ${good.length} locations`,
      );
    });

    it('leaves the same file of rejected rows as an import that was not killed', async () => {
      const whole = await newMap();
      write('whole.csv', 'Killed');
      await workspace.run('import', whole, 'whole.csv');
      const rejected = readFileSync(workspace.path('whole.rejected.csv'), 'utf8');
      expect(rejected.split('\n').length).toBeGreaterThan(10);
      expect(readFileSync(workspace.path('killed.rejected.csv'), 'utf8')).toBe(rejected);
    });

    it('appends a file whose import was complete, without asking again', async () => {
      const map = await newMap();
      const good = write('twice.csv', 'Killed');
      provider.received.length = 0;
      for (const _ of [1, 2]) await workspace.run('import', map, 'twice.csv');
      expect(await names(map)).toEqual([...good, ...good]);
      expect(provider.received).toEqual([]);
    });

    it('goes on after an interruption, or begins anew with --restart', async () => {
      const map = await newMap();
      const good = write('stopped.csv', 'Stopped');
      const { child, outcome } = workspace.start('import', map, 'stopped.csv');
      while ((await gateway.storage.countLocations(map)) === 0) await delay(5);
      child.kill('SIGINT');
      const stopped = await outcome;
      expect(stopped.code).toBe(130);
      expect(stopped.stderr).toContain('The same command goes on from there; no row is stored twice.');
      const before = await names(map);
      expect(before.length).toBeLessThan(good.length);
      expect((await workspace.run('import', map, 'stopped.csv')).code).toBe(1);
      expect(await names(map)).toEqual(good);

      const { child: second, outcome: killed } = workspace.start('import', map, 'stopped.csv');
      while ((await gateway.storage.countLocations(map)) === good.length) await delay(2);
      second.kill('SIGKILL');
      await killed;
      const after = await names(map);
      expect((await workspace.run('import', '--restart', map, 'stopped.csv')).stderr).not.toContain(
        'Going on',
      );
      expect(await names(map)).toEqual([...after, ...good]);
    });

    it('keeps a file of rejected rows that was edited meanwhile, and adds the rest to it', async () => {
      const map = await newMap();
      write('edited.csv', 'Killed');
      const path = workspace.path('edited.rejected.csv');
      const { child, outcome } = workspace.start('import', map, 'edited.csv');
      while (!existsSync(path) || (await gateway.storage.countLocations(map)) < 200) await delay(2);
      child.kill('SIGKILL');
      await outcome;
      writeFileSync(path, 'my own notes');
      await workspace.run('import', map, 'edited.csv');
      const [first, second] = readFileSync(path, 'utf8').split('\n');
      expect(first).toBe('my own notes');
      expect(second).toMatch(/^(bad \d+,Nowhere Killed,\d+,ADDRESS_NOT_FOUND|not a row,,\d+,BAD_USER_INPUT)/);
    });
  });
}
