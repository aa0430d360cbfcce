/** `map-locations geocode`: a whole map, also killed midway and run again. */

import type { StoreApplication } from '../../src/app/composition/store.ts';
import { openStoreApplication } from '../../src/app/composition/store.ts';
import { readConfig } from '../../src/app/config.ts';
import type { LocationGeocoding } from '../../src/domain/location.ts';
import { operatorFor } from '../../src/services/operator.ts';
import { anInsert, insertAll, listPage } from '../contract/storage/fixtures.ts';
import { historyOf } from '../contract/storage/history.ts';
import type { GeocodingServer } from '../support/geocoding-server.ts';
import { found, startGeocodingServer } from '../support/geocoding-server.ts';
import { NO_MONGODB, ownDatabase, testServer } from '../support/mongodb-server.ts';
import { describeUnless } from '../support/skip.ts';
import type { Workspace } from './run-cli.ts';
import { createWorkspace } from './run-cli.ts';

const BATCH = 10;
/** The concurrent provider calls of a process; a kill may leave this many without a response. */
const CONCURRENCY = 4;
const TOWN: LocationGeocoding = {
  provider: 'offline',
  precision: 'locality',
  label: null,
  isAmbiguous: false,
  isChecked: false,
};

const server = await testServer();

for (const [name, url] of [
  ['SQLite', null],
  ['MongoDB', server === null ? undefined : ownDatabase(server)],
] as const) {
  describeUnless(url === undefined && NO_MONGODB, `map-locations geocode, on ${name}`, () => {
    let workspace: Workspace;
    let provider: GeocodingServer;
    let gateway: StoreApplication;

    beforeAll(async () => {
      workspace = createWorkspace();
      provider = await startGeocodingServer();
      if (typeof url === 'string') workspace.environment.DATABASE_URL = url;
      Object.assign(workspace.environment, {
        GEOCODER: 'nominatim',
        NOMINATIM_URL: provider.url,
        GEOCODER_CONCURRENCY: String(CONCURRENCY),
        BULK_MAX_LOCATIONS: String(BATCH),
      });
      gateway = await openStoreApplication(readConfig({ DATABASE_URL: url ?? workspace.databaseUrl }));
    });
    afterAll(async () => {
      await gateway.close();
      await provider.close();
      workspace.remove();
    });
    beforeEach(() => {
      provider.received.length = 0;
      provider.play(found);
    });

    /** A map of these addresses, each with a point in the middle of its town. */
    async function newMap(
      addresses: readonly string[],
      geocodingOf: (index: number) => Partial<LocationGeocoding> = () => ({}),
    ): Promise<string> {
      const { owner } = await gateway.services.tokens.findOrCreateOwner('me');
      const { id } = await gateway.services.maps.createMap({ caller: operatorFor(owner) }, { name: 'M' });
      const inserts = addresses.map((address, index) =>
        anInsert(id, {
          location: {
            name: address,
            properties: { Name: address, Address: address },
            geocoding: { ...TOWN, ...geocodingOf(index) },
          },
        }),
      );
      await insertAll(gateway.storage, id, inserts);
      return id;
    }

    const addressesIn = (street: string, count: number) =>
      Array.from({ length: count }, (_, index) => `${street} ${index + 1}`);
    const requested = () => provider.received.map(({ address }) => address);
    const precisionsOf = async (map: string) =>
      (await listPage(gateway.storage, map)).map(({ geocoding }) => geocoding.precision);

    it('improves points, and leaves those that a person has checked and addresses that are not found', async () => {
      const map = await newMap(['Main Street 1', 'Main Street 2', 'Nowhere 3', 'Main Street 4'], (index) =>
        index === 1 ? { isChecked: true } : {},
      );
      const { code, stdout, stderr } = await workspace.run('geocode', map);
      expect([code, stdout]).toEqual([0, 'changed 2, kept 1, unchanged 0, not found 1\n']);
      expect(stderr).toMatch(/^locality to rooftop: 2\nGeocoded 4 locations in [\d.]+ s \(\d+\/s\)\.\n$/);
      expect(await precisionsOf(map)).toEqual(['rooftop', 'locality', 'locality', 'rooftop']);
      const again = await workspace.run('geocode', map, '--json');
      expect(JSON.parse(again.stdout)).toEqual({
        ...{ changed: 0, kept: 1, unchanged: 2, notFound: 1 },
        ...{ end: 'complete', precisions: [] },
      });
      // The cache has both answers and the refusal.
      expect(requested().toSorted()).toEqual(['Main Street 1', 'Main Street 4', 'Nowhere 3']);
    });

    it('takes only points of the given precisions, and only unchecked ones', async () => {
      const kinds = ['locality', 'region', 'street', 'rooftop', 'region'];
      const map = await newMap(addressesIn('Narrow Street', 5), (index) => ({
        precision: kinds[index]!,
        isChecked: index === 4,
      }));
      const args = ['--precision', 'locality', '--precision', 'region'];
      const { stdout } = await workspace.run('geocode', map, ...args, '--dry-run');
      expect(stdout).toBe('changed 2, kept 1, unchanged 0, not found 0\n');
      const narrowed = await workspace.run('geocode', map, ...args, '--unchecked');
      expect(narrowed.stdout).toBe('changed 2, kept 0, unchanged 0, not found 0\n');
      expect(await precisionsOf(map)).toEqual(['rooftop', 'rooftop', 'street', 'rooftop', 'region']);
    });

    it('stores nothing in a dry run', async () => {
      const map = await newMap(addressesIn('Dry Street', 3));
      const before = await listPage(gateway.storage, map);
      const { code, stdout, stderr } = await workspace.run('geocode', map, '--dry-run');
      expect([code, stdout]).toEqual([0, 'changed 3, kept 0, unchanged 0, not found 0\n']);
      expect(stderr).toMatch(/Nothing was stored\.\n$/);
      expect(await listPage(gateway.storage, map)).toEqual(before);
    });

    it('goes on where it was after a kill, and requests no address twice', async () => {
      const addresses = addressesIn('Killed Street', 65);
      // Every second address is worse than the point, so that the filter still matches it afterwards.
      const map = await newMap(addresses, (index) => (index % 2 === 0 ? {} : { precision: 'rooftop' }));
      const killAt = async (calls: number) => {
        const { child, outcome } = workspace.start('geocode', map);
        let received = 0;
        provider.play((exchange) => {
          received += 1;
          if (received === calls) child.kill('SIGKILL');
          return found(exchange);
        });
        expect(await outcome).toMatchObject({ code: null, stdout: '' });
        return received;
      };
      await killAt(25);
      const improved = (await precisionsOf(map)).filter((precision) => precision === 'rooftop').length;
      expect(improved).toBeGreaterThan(32);
      await killAt(15);
      provider.play(found);
      const { code, stderr } = await workspace.run('geocode', map);
      expect([code, stderr]).toEqual([
        0,
        expect.stringMatching(/^Going on with a run that ended early, 20.*: \d\d of 65 locations are done\./),
      ]);
      expect(new Set(await precisionsOf(map))).toEqual(new Set(['rooftop']));
      const history = await historyOf(gateway.storage, map);
      expect(history.map(({ actor, operation, counts }) => [actor.kind, operation, counts.updated])).toEqual([
        ['operator', 'geocode', 65],
      ]);
      expect(new Set(requested())).toEqual(new Set(addresses));
      expect(requested().length).toBeLessThanOrEqual(addresses.length + 2 * CONCURRENCY);
      // A finished run is over: the next one starts with the first location.
      const next = await workspace.run('geocode', map);
      expect(next.stderr).not.toContain('Going on');
    });

    it('ends at a quota with what it has done, and goes on when there is another', async () => {
      const addresses = addressesIn('Quota Street', 24);
      const map = await newMap(addresses);
      workspace.environment.GEOCODER_MAP_QUOTA = '14';
      const { code, stdout, stderr } = await workspace.run('geocode', map);
      expect([code, stdout]).toEqual([1, 'changed 14, kept 0, unchanged 0, not found 0\n']);
      expect(stderr).toMatch(
        /map-locations: .*14.*\nThe run ended at the location \w+\.\nThe same command goes on from there\.\n$/s,
      );
      workspace.environment.GEOCODER_MAP_QUOTA = '0';
      const rest = await workspace.run('geocode', map);
      expect([rest.code, rest.stdout]).toEqual([0, expect.stringMatching(/^changed 10, /)]);
      expect(requested().toSorted()).toEqual(addresses.toSorted());
    });

    it('starts anew for another area of the map', async () => {
      const map = await newMap(addressesIn('Area Street', 12));
      workspace.environment.GEOCODER_MAP_QUOTA = '10';
      expect((await workspace.run('geocode', map)).code).toBe(1);
      workspace.environment.GEOCODER_MAP_QUOTA = '0';
      await gateway.storage.updateMap(
        map,
        { geocoding: { countries: [], bounds: null, language: 'de' } },
        { evenIfDeleted: false },
      );
      const { stdout, stderr } = await workspace.run('geocode', map);
      expect(stdout).toBe('changed 2, kept 0, unchanged 10, not found 0\n');
      expect(stderr).not.toContain('Going on');
    });

    it('stops after its batch when interrupted, and starts anew with --restart', async () => {
      const map = await newMap(addressesIn('Stopped Street', 30));
      const { child, outcome } = workspace.start('geocode', map);
      let received = 0;
      provider.play((exchange) => {
        received += 1;
        if (received === 5) child.kill('SIGINT');
        return found(exchange);
      });
      const { code, stdout, stderr } = await outcome;
      expect([code, stdout]).toEqual([130, 'changed 10, kept 0, unchanged 0, not found 0\n']);
      expect(stderr).toMatch(/Stopping after the current batch.*The same command goes on from there\.\n$/s);
      const again = await workspace.run('geocode', map, '--restart');
      expect(again.stdout).toBe('changed 20, kept 0, unchanged 10, not found 0\n');
      expect(again.stderr).not.toContain('Going on');
    });
  });
}

describe('map-locations geocode', () => {
  let workspace: Workspace;
  beforeAll(() => {
    workspace = createWorkspace();
  });
  afterAll(() => workspace.remove());

  it('refuses an unknown map, a deleted map, unknown precisions and --restart in a dry run', async () => {
    const map = await workspace.get('map', 'create', '--owner', 'me', '--name', 'M');
    await workspace.get('map', 'delete', map);
    for (const [args, message] of [
      [['none'], /map/],
      [[map], /is deleted; `map-locations map restore/],
      [
        [map, '--precision', 'house'],
        /--precision.*must be one of rooftop, interpolated, street, locality, region/,
      ],
      [[map, '--dry-run', '--restart'], /'--dry-run' cannot be used with option '--restart'/],
    ] as const) {
      const { code, stdout, stderr } = await workspace.run('geocode', ...args);
      expect([args, code, stdout]).toEqual([args, 2, '']);
      expect(stderr).toMatch(message);
    }
  });

  it('is refused by the public Nominatim, by its name', async () => {
    const gateway = await openStoreApplication(readConfig({ DATABASE_URL: workspace.databaseUrl }));
    const { owner } = await gateway.services.tokens.findOrCreateOwner('me');
    const { id } = await gateway.services.maps.createMap({ caller: operatorFor(owner) }, { name: 'M' });
    await insertAll(gateway.storage, id, [anInsert(id, { location: { geocoding: TOWN } })]);
    await gateway.close();
    workspace.environment.GEOCODER = 'nominatim';
    workspace.environment.NOMINATIM_EMAIL = 'me@example.org';
    const { code, stdout, stderr } = await workspace.run('geocode', id);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/public Nominatim server .*NOMINATIM_URL/);
  });
});
