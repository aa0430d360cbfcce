/** Search in MongoDB has the same results as a check of every location. */

import fc from 'fast-check';

import { inReadingOrder } from '../../../../src/domain/clusters.ts';
import type { SearchSortKey } from '../../../../src/domain/filter/location-order.ts';
import type { MapRecord } from '../../../../src/domain/map.ts';
import type { PageRequest } from '../../../../src/domain/paging/paging.ts';
import type { Cluster, SearchStore } from '../../../../src/storage/search.ts';
import { openMongodbStorage } from '../../../../src/storage/mongodb/storage.ts';
import type { Storage } from '../../../../src/storage/storage.ts';
import {
  anInsert,
  anUpdate,
  collect,
  insertAll,
  listPage,
  locationOf,
  seedMap,
  updateOne,
} from '../../../contract/storage/fixtures.ts';
import { NO_MONGODB, ownDatabase, testServer } from '../../../support/mongodb-server.ts';
import { describeUnless } from '../../../support/skip.ts';
import {
  clustersOf,
  FIELDS,
  gridArbitrary,
  filterArbitrary,
  findAll,
  orderArbitrary,
  pageOf,
  locationArbitrary,
  searchOf,
} from './reference.ts';

const LOCATIONS = 40;
const EXTERNAL_IDS = ['ours-1', 'ours-2', 'ours-3'];
const FIRST: PageRequest<SearchSortKey> = { limit: 10, fromEnd: false, after: null, before: null };

const server = await testServer();

describeUnless(server === null && NO_MONGODB, 'mongodb: the results of a search', () => {
  if (server === null) return;
  const url = ownDatabase(server);
  const copyUrl = ownDatabase(server);
  let storage: Storage & SearchStore;
  const maps: MapRecord[] = [];
  const ids: string[] = [];

  beforeAll(async () => {
    storage = await openMongodbStorage(url, { timeoutMs: 30_000 });
    const generated = fc.sample(locationArbitrary, { numRuns: 3 * LOCATIONS, seed: 1 });
    for (let index = 0; index < 3; index += 1) {
      const map = await seedMap(storage, { createdAt: 7 - index, fields: index === 0 ? [] : FIELDS });
      // In order of creation, which differs from the order of ids.
      maps.unshift(map);
      const inserts = generated
        .slice(index * LOCATIONS, (index + 1) * LOCATIONS)
        .map(({ order, ...values }, at) =>
          anInsert(map.id, {
            order,
            location: { ...values, createdAt: at % 5, externalId: EXTERNAL_IDS[at] ?? null },
            ...(at % 10 === 0 ? { key: `key ${at}` } : {}),
          }),
        );
      const outcomes = await insertAll(storage, map.id, inserts);
      ids.push(...outcomes.map((outcome) => locationOf(outcome).id));
    }
    for (const map of maps) {
      const [first, second, third, fourth] = await listPage(storage, map.id);
      await storage.deleteLocations(map.id, [first!.id, second!.id]);
      const { name, latitude, longitude, properties } = fourth!;
      await updateOne(storage, map.id, anUpdate(third!, { name, latitude, longitude, properties }, '1'));
      await updateOne(storage, map.id, anUpdate(fourth!, { externalId: 'theirs' }));
    }
  });
  afterAll(() => storage.close());

  const someMaps = () => fc.subarray(maps, { minLength: 1 });
  const filters = () => filterArbitrary(ids, [...EXTERNAL_IDS, 'theirs', 'nobody’s']);
  const runs = (numRuns: number) => ({ numRuns, seed: 7 });

  it('are right in pages of any filter and order, from either end, after and before locations that may be deleted', async () => {
    const cursor = fc.option(fc.nat({ max: 3 * LOCATIONS }));
    const pages = fc.record({
      limit: fc.constantFrom(1, 3, 100),
      fromEnd: fc.boolean(),
      after: cursor,
      before: cursor,
    });
    await fc.assert(
      fc.asyncProperty(someMaps(), filters(), orderArbitrary, pages, async (some, filter, order, bounds) => {
        const search = searchOf(some, filter, order);
        const all = await findAll(storage, search);
        // A cursor may point to any location of the same order, whether the filter matches it or not.
        const hits = await findAll(storage, { ...search, filter: { kind: 'and', filters: [] } });
        const keyAt = (at: number | null) => (at === null ? null : (hits[at % hits.length]?.key ?? null));
        const page = { ...bounds, after: keyAt(bounds.after), before: keyAt(bounds.before) };
        expect(await storage.findLocations(search, page)).toEqual(pageOf(all, search.order, page));
      }),
      runs(300),
    );
  });

  it('are counted, and listed by version', async () => {
    await fc.assert(
      fc.asyncProperty(someMaps(), filters(), async (some, filter) => {
        const search = searchOf(some, filter, { by: 'list' });
        const all = await findAll(storage, search);
        expect(await storage.countMatches(search)).toBe(all.length);
        const [map] = some;
        const own = all.filter(({ location }) => location.mapId === map!.id);
        expect(await storage.findVersions({ map: map!, filter: search.filter }, 7)).toEqual(
          own.slice(0, 7).map(({ location: { id, version } }) => ({ id, version })),
        );
      }),
      runs(150),
    );
  });

  it('are added up by the cells of any grid', async () => {
    const filter = fc.option(filters());
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...maps), filter, gridArbitrary, async (map, input, grid) => {
        const search = searchOf([map], input ?? {}, { by: 'list' });
        const all = (await findAll(storage, search)).map(({ location }) => location);
        const expected = clustersOf(all, grid);
        const query = { map, filter: input === null ? null : search.filter, grid };
        const found = await storage.findClusters({ ...query, limit: expected.length });
        // Floating-point sums depend on the order of addition.
        const rounded = (clusters: readonly Cluster[]) =>
          clusters.map((each) => ({
            ...each,
            latitudes: expect.closeTo(each.latitudes, 9),
            longitudes: expect.closeTo(each.longitudes, 9),
          }));
        expect(found?.toSorted(inReadingOrder(grid))).toEqual(rounded(expected));
        if (expected.length > 0) {
          expect(await storage.findClusters({ ...query, limit: expected.length - 1 })).toBeNull();
        }
      }),
      runs(200),
    );
  });

  it('are the same in a copy', async () => {
    const copy = await openMongodbStorage(copyUrl, { timeoutMs: 30_000 });
    await copy.load(await collect(storage.dump(0)));
    for (const input of [{ search: 'caf' }, { bbox: { south: -90, west: -180, north: 90, east: 180 } }]) {
      const search = searchOf(maps, input, { by: 'list' });
      const found = await findAll(storage, search);
      expect(found.length).toBeGreaterThan(10);
      expect(await copy.findLocations(search, { ...FIRST, limit: 1_000 })).toEqual(found);
    }
    await copy.close();
  });

  it('are visited exactly once, page by page', async () => {
    const search = searchOf(maps, { property: { name: 'seats', exists: false } }, { by: 'name' });
    const all = await findAll(storage, search);
    const seen = [];
    for (let page = FIRST; ;) {
      const found = await storage.findLocations(search, page);
      seen.push(...found);
      const last = found.at(-1);
      if (last === undefined) break;
      page = { ...FIRST, after: last.key };
    }
    expect(seen).toEqual(all);
    expect(all.length).toBeGreaterThan(20);
  });
});
