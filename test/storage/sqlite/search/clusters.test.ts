/** Clusters equal what brute force computes from the list, after every write. */

import fc from 'fast-check';

import type { ClusterGrid } from '../../../../src/domain/clusters.ts';
import { cellAt, gridOf, inReadingOrder, isWithinGrid } from '../../../../src/domain/clusters.ts';
import type { LocationFilter } from '../../../../src/domain/filter/location-filter.ts';
import { readFilter } from '../../../../src/domain/filter/location-filter.ts';
import { locationMatcher } from '../../../../src/domain/filter/matcher.ts';
import type { LocationRecord } from '../../../../src/domain/location.ts';
import type { MapRecord } from '../../../../src/domain/map.ts';
import type { Cluster } from '../../../../src/storage/search.ts';
import { findClusters } from '../../../../src/storage/sqlite/search/clusters.ts';
import { runToCompletion } from '../../../../src/storage/sqlite/threads/long-reads.ts';
import { sqliteStorage } from '../../../../src/storage/sqlite/storage.ts';
import {
  anInsert,
  anUpdate,
  insertAll,
  listPage,
  seedMap,
  updateAll,
} from '../../../contract/storage/fixtures.ts';
import { anyFilter, bbox, contents, FIELDS } from './search-arbitraries.ts';
import { openConnection } from '../temporary.ts';

const connection = await openConnection(':memory:');
const storage = sqliteStorage(connection);

/** Clusters by brute force. */
function clustersOf(
  locations: readonly LocationRecord[],
  map: MapRecord,
  filter: LocationFilter | null,
  grid: ClusterGrid,
): readonly Cluster[] {
  const matches = filter === null ? () => true : locationMatcher(filter, map.fields);
  const cells = new Map<string, LocationRecord[]>();
  for (const location of locations.filter(matches)) {
    const cell = cellAt(location, grid.bits);
    if (!isWithinGrid(grid, cell)) continue;
    const key = `${cell.column} ${cell.row}`;
    cells.set(key, [...(cells.get(key) ?? []), location]);
  }
  return [...cells.values()].map((group) => {
    const latitudes = group.map(({ latitude }) => latitude);
    const longitudes = group.map(({ longitude }) => longitude);
    return {
      ...cellAt(group[0]!, grid.bits),
      count: group.length,
      latitudes: latitudes.reduce((a, b) => a + b),
      longitudes: longitudes.reduce((a, b) => a + b),
      box: {
        south: Math.min(...latitudes),
        west: Math.min(...longitudes),
        north: Math.max(...latitudes),
        east: Math.max(...longitudes),
      },
      location: group.length === 1 ? group[0]! : null,
    };
  });
}

/** Compares with a tolerance, since sums of degrees round differently. */
function expectSame(
  actual: readonly Cluster[] | null,
  expected: readonly Cluster[],
  grid: ClusterGrid,
): void {
  const sorted = [actual ?? [], expected].map((clusters) => clusters.toSorted(inReadingOrder(grid)));
  const [ours, theirs] = sorted.map((clusters) =>
    clusters.map(({ latitudes: _, longitudes: __, ...rest }) => rest),
  );
  expect(ours).toEqual(theirs);
  for (const [index, cluster] of sorted[1]!.entries()) {
    const ofStore = sorted[0]![index]!;
    for (const sum of ['latitudes', 'longitudes'] as const) {
      expect(Math.abs(ofStore[sum] - cluster[sum])).toBeLessThan(1e-8 * cluster.count);
    }
  }
}

const RUNS = Number(process.env.SEARCH_RUNS ?? 25);
/** Many locations at few points, so that cells lose their outermost locations. */
const dense = contents.map((each) => ({
  ...each,
  externalId: null,
  latitude: Math.round(each.latitude ?? 0) / 8,
  longitude: Math.round((each.longitude ?? 0) / 4) / 8,
}));
const crowded = fc.oneof(
  dense,
  contents.map((each) => ({ ...each, externalId: null })),
);

describe('clusters', () => {
  it('are correct after every write, at every zoom', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(crowded, { maxLength: 400 }), fc.gen(), async (some, gen) => {
        const map = await seedMap(storage, { fields: FIELDS });
        await insertAll(
          storage,
          map.id,
          some.map((location) => anInsert(map.id, { location })),
        );
        for (let round = 0; round < 6; round += 1) {
          const all = await listPage(storage, map.id);
          for (let checks = 0; checks < 6; checks += 1) {
            const zoom = gen(() => fc.integer({ min: 0, max: 22 }));
            const grid = gridOf(
              gen(() => bbox),
              zoom,
            );
            const filter = gen(() => fc.boolean())
              ? readFilter(
                  gen(
                    anyFilter,
                    all.slice(0, 5).map(({ id }) => id),
                  ),
                  'filter',
                )
              : null;
            const expected = clustersOf(all, map, filter, grid);
            const query = { map, filter, grid, limit: 2_000 };
            expectSame(await storage.findClusters(query), expected, grid);
            expectSame(runToCompletion(findClusters(connection, query)), expected, grid);
            if (expected.length > 0) {
              expect(await storage.findClusters({ ...query, limit: expected.length })).not.toBeNull();
              expect(await storage.findClusters({ ...query, limit: expected.length - 1 })).toBeNull();
            }
          }
          if (all.length === 0) break;
          await change(map, all, gen);
        }
      }),
      // Shrinking a failing list would take far longer than reading it.
      { numRuns: RUNS, endOnFailure: true },
    );
  });

  it('include the new point of the outermost location when it moves within its cell', async () => {
    const map = await seedMap(storage);
    const at = (latitude: number) => anInsert(map.id, { location: { latitude, longitude: latitude } });
    await insertAll(storage, map.id, [10, 11, 12].map(at));
    const [, middle] = await listPage(storage, map.id);
    await updateAll(storage, map.id, [anUpdate(middle!, { latitude: 13, longitude: 9 })]);
    const grid = gridOf({ south: 1, north: 2, west: 1, east: 2 }, 2);
    const [cluster] = (await storage.findClusters({ map, filter: null, grid, limit: 1 })) ?? [];
    expect(cluster?.box).toEqual({ south: 10, west: 9, north: 13, east: 12 });
  });
});

async function change(map: MapRecord, all: readonly LocationRecord[], gen: fc.GeneratorValue): Promise<void> {
  const most = gen(() => fc.constantFrom(1, 3, all.length));
  const some = gen(() => fc.subarray([...all], { maxLength: Math.min(most, all.length) }));
  if (gen(() => fc.boolean())) {
    await storage.deleteLocations(
      map.id,
      some.map(({ id }) => id),
    );
    return;
  }
  const updates = some.map((location) => {
    const { latitude = 0, longitude = 0 } = gen(() => crowded);
    return anUpdate(location, { latitude, longitude });
  });
  await updateAll(storage, map.id, updates);
}
