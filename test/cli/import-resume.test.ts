/** `map-locations import`, killed midway and run again. */

import { readFileSync, writeFileSync } from 'node:fs';

import { readConfig } from '../../src/app/config.ts';
import type { StoreApplication } from '../../src/app/composition/store.ts';
import { openStoreApplication } from '../../src/app/composition/store.ts';
import type { Caller } from '../../src/services/caller.ts';
import { operatorFor } from '../../src/services/operator.ts';
import { createFakeGeocoder } from '../support/fake-geocoder.ts';
import type { GeocodingServer } from '../support/geocoding-server.ts';
import { found, startGeocodingServer } from '../support/geocoding-server.ts';
import { NO_MONGODB, ownDatabase, testServer } from '../support/mongodb-server.ts';
import { describeUnless } from '../support/skip.ts';
import type { Workspace } from './run-cli.ts';
import { createWorkspace } from './run-cli.ts';

const ROWS = 270;
const BATCH = 30;
/** Different addresses in each batch: every second row has the address of the row before. */
const ADDRESSES_IN_BATCH = BATCH / 2;
/** The concurrent provider calls of a process; a kill may leave this many without a response. */
const CONCURRENCY = 4;

const server = await testServer();

for (const [name, url] of [
  ['SQLite', null],
  ['MongoDB', server === null ? undefined : ownDatabase(server)],
] as const) {
  describeUnless(url === undefined && NO_MONGODB, `an import killed and run again, on ${name}`, () => {
    let workspace: Workspace;
    let provider: GeocodingServer;
    let gateway: StoreApplication;
    let caller: Caller;

    beforeAll(async () => {
      workspace = createWorkspace();
      provider = await startGeocodingServer();
      if (typeof url === 'string') workspace.environment.DATABASE_URL = url;
      Object.assign(workspace.environment, {
        GEOCODER: 'nominatim',
        NOMINATIM_URL: provider.url,
        GEOCODER_CONCURRENCY: String(CONCURRENCY),
        // An import writes three times as many at once.
        BULK_MAX_LOCATIONS: String(BATCH / 3),
      });
      const config = readConfig({ DATABASE_URL: url ?? workspace.databaseUrl });
      gateway = await openStoreApplication(config, { geocoder: createFakeGeocoder() });
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
        if (index % 47 === 25) return `bad ${index},Nowhere ${mark}`;
        if (index % 101 === 50) return 'not a row';
        return `${index},Street ${Math.floor(index / 2)} in ${mark}`;
      });
      writeFileSync(workspace.path(file), `Name,Address\n${rows.join('\n')}\n`);
      return rows.filter((row) => /^\d/.test(row)).map((row) => row.split(',')[0]);
    };
    const names = async (map: string) => {
      const page = { limit: 10_000, fromEnd: false, after: null, before: null };
      return (await gateway.storage.listLocations(map, page)).map((location) => location.name);
    };
    /** Sends the signal at a number of provider calls, in the middle of a batch. */
    const endAt = async (signal: 'SIGKILL' | 'SIGINT', calls: number, ...args: string[]) => {
      const { child, outcome } = workspace.start('import', ...args);
      let received = 0;
      provider.play((exchange) => {
        received += 1;
        if (received === calls) child.kill(signal);
        return found(exchange);
      });
      const ended = await outcome;
      expect(received).toBeGreaterThanOrEqual(calls);
      return ended;
    };
    /** The provider calls up to the middle of a batch (from 1), for addresses that are not cached. */
    const inBatch = (batch: number) => Math.round((batch - 0.5) * ADDRESSES_IN_BATCH);
    const KILLED = { code: null, stdout: '' };

    it('stores each row once and in order, and geocodes no address twice', async () => {
      const map = await newMap();
      const good = write('killed.csv', 'Killed');
      expect(await endAt('SIGKILL', inBatch(4), map, 'killed.csv')).toMatchObject(KILLED);
      const before = await names(map);
      expect(before.length).toBeGreaterThan(2 * BATCH);
      expect(await endAt('SIGKILL', inBatch(4), map, 'killed.csv')).toMatchObject(KILLED);
      expect((await names(map)).length).toBeGreaterThan(before.length);
      const { code, stdout, stderr } = await workspace.run('import', map, 'killed.csv');
      expect(code).toBe(1);
      expect(stdout).toBe(`stored ${good.length}, rejected ${ROWS - good.length}\n`);
      expect(stderr).toMatch(
        /^Resuming the import of killed\.csv that ended early, 20.*: the first \d+ rows/,
      );
      expect(await names(map)).toEqual(good);
      const received = provider.received.map(({ address }) => address);
      // The rejected rows share an address. Calls under way at a kill are repeated.
      const distinct = new Set(received).size;
      expect(distinct).toBeLessThanOrEqual(ROWS / 2 + 1);
      expect(received.length).toBeLessThanOrEqual(distinct + 2 * CONCURRENCY);
      console.error(
        `${name}: ${ROWS} rows killed twice: ${received.length} calls for ${distinct} addresses, ${good.length} locations`,
      );
    });

    it('leaves the same file of rejected rows as an uninterrupted import', async () => {
      const whole = await newMap();
      write('whole.csv', 'Killed');
      await workspace.run('import', whole, 'whole.csv');
      const rejected = readFileSync(workspace.path('whole.rejected.csv'), 'utf8');
      expect(rejected.split('\n').length).toBeGreaterThan(10);
      expect(readFileSync(workspace.path('killed.rejected.csv'), 'utf8')).toBe(rejected);
    });

    it('appends the file again after a complete import, without provider calls', async () => {
      const map = await newMap();
      const good = write('twice.csv', 'Killed');
      provider.received.length = 0;
      for (const _ of [1, 2]) await workspace.run('import', map, 'twice.csv');
      expect(await names(map)).toEqual([...good, ...good]);
      expect(provider.received).toEqual([]);
    });

    it('stops after its batch when interrupted, prints the line, and resumes there', async () => {
      const map = await newMap();
      const good = write('stopped.csv', 'Stopped');
      const stopped = await endAt('SIGINT', inBatch(2), map, 'stopped.csv');
      expect(stopped.code).toBe(130);
      const before = await names(map);
      // Two batches, and the header.
      expect(stopped.stderr).toContain(`Stopped before line ${2 * BATCH + 2} of stopped.csv`);
      expect(stopped.stderr).toContain('Run the same command to resume; no row is stored twice.');
      expect(stopped.stdout).toBe(`stored ${before.length}, rejected ${2 * BATCH - before.length}\n`);
      expect(before).toEqual(good.slice(0, before.length));
      expect((await workspace.run('import', map, 'stopped.csv')).code).toBe(1);
      expect(await names(map)).toEqual(good);
    });

    it('starts again from the first row with --restart', async () => {
      const map = await newMap();
      const good = write('restarted.csv', 'Restarted');
      expect(await endAt('SIGKILL', inBatch(4), map, 'restarted.csv')).toMatchObject(KILLED);
      const before = await names(map);
      expect(before.length).toBeGreaterThan(0);
      const { stderr } = await workspace.run('import', '--restart', map, 'restarted.csv');
      expect(stderr).not.toContain('Resuming');
      expect(await names(map)).toEqual([...before, ...good]);
    });

    it('keeps edits of the file of rejected rows, and appends the rest', async () => {
      const map = await newMap();
      write('edited.csv', 'Edited');
      const path = workspace.path('edited.rejected.csv');
      expect(await endAt('SIGKILL', inBatch(4), map, 'edited.csv')).toMatchObject(KILLED);
      expect(readFileSync(path, 'utf8')).toContain('Nowhere Edited');
      writeFileSync(path, 'my own notes');
      await workspace.run('import', map, 'edited.csv');
      const [first, second] = readFileSync(path, 'utf8').split('\n');
      expect(first).toBe('my own notes');
      expect(second).toMatch(/^(bad \d+,Nowhere Edited,\d+,ADDRESS_NOT_FOUND|not a row,,\d+,BAD_USER_INPUT)/);
    });
  });
}
