/** Clusters (capabilities §11) compared with the oracle's. */

import fc from 'fast-check';

import type { Box } from '../../../src/domain/filter/box.ts';
import { referenceClusters } from '../../domain/filter/reference-clusters.ts';
import { box } from '../../support/search-arbitraries.ts';
import { anInsert, collect, insertAll, locationOf, seedMap } from './fixtures.ts';
import { checkClusters } from './check-clusters.ts';
import { CLUSTER_CHANGE_CASE, CROWDED_CELL_CASE, MANY_CLUSTERS_CASE } from './cluster-changes.ts';
import { anyQuestion, change, expectResult, plan, World } from './search-world.ts';
import type { StorageCase, StorageTopic } from './harness.ts';

const zoom = fc.nat({ max: 22 });
const WORLD: Box = { south: -90, west: -180, north: 90, east: 180 };
/** Boxes of any size, boxes around the world, and small ones with the corners of cells. */
const view: fc.Arbitrary<Box> = fc.oneof(
  { weight: 3, arbitrary: box },
  fc.constantFrom(
    WORLD,
    { ...WORLD, west: 180, east: -180 },
    { ...WORLD, west: 0.001, east: 0 },
    { ...WORLD, west: 180, east: 180 },
    { south: 0, west: 0, north: 0, east: 0 },
    { south: 0, west: -90, north: 0, east: -45 },
    { south: -1e-9, west: 90, north: 1e-9, east: -90 },
  ),
);
const questions = fc.array(fc.record({ box: view, zoom, question: fc.option(anyQuestion, { freq: 2 }) }), {
  minLength: 10,
  maxLength: 20,
});

async function checkAll(
  world: World,
  some: typeof questions extends fc.Arbitrary<infer T> ? T : never,
): Promise<void> {
  for (const { question, ...each } of some) {
    const filter = question && world.named(question.filter);
    for (const map of world.maps)
      await checkClusters(world.storage, map, world.locations, { ...each, filter });
  }
}

/** Points, and boxes with the number of locations in each cluster, from north to south, then eastwards. */
const CASES: readonly {
  readonly name: string;
  readonly points: readonly (readonly [latitude: number, longitude: number])[];
  readonly asks: readonly {
    readonly box: readonly [number, number, number, number];
    readonly zoom: number;
    readonly counts: string;
  }[];
}[] = [
  {
    name: 'a cell includes its north and west edges, and 180° is in the last column',
    // At zoom 0 cells are 90° wide; the equator is the north edge of the third row.
    points: [
      [0, 0],
      [1e-9, 0],
      [0, -1e-9],
      [0, 89.9999999],
      [0, 90],
      [0, 180],
      [0, 179.9],
      [0, -180],
    ],
    asks: [
      { box: [0, 0, 0, 0], zoom: 0, counts: '2' },
      { box: [0, 0, 1, 0], zoom: 0, counts: '1 2' },
      { box: [-1, -1e-9, -1, 0], zoom: 0, counts: '1 2' },
      { box: [-1, 180, -1, 180], zoom: 0, counts: '3' },
      { box: [-1, 90, -1, 180], zoom: 0, counts: '3' },
      { box: [-1, 180, -1, -180], zoom: 0, counts: '3 1' },
      { box: [-1, -180, -1, 180], zoom: 0, counts: '1 1 2 3' },
      // Around the world from the column of both corners.
      { box: [-1, 80, -1, 10], zoom: 0, counts: '2 3 1 1' },
      { box: [-1, 10, -1, 80], zoom: 0, counts: '2' },
    ],
  },
  {
    name: 'a location just north of the equator is not in the row below it',
    points: [
      [0, 0],
      [-0, 0],
      [1e-15, 0],
      [1e-270, 0],
      [-1e-270, 0],
    ],
    asks: [
      { box: [0, 0, 1, 0], zoom: 0, counts: '2 3' },
      { box: [1e-270, 0, 1, 0], zoom: 22, counts: '2' },
    ],
  },
  {
    name: 'locations beyond the square are in its outermost rows',
    points: [
      [90, 0],
      [85.05112878, 0],
      [85.06, 0],
      [-90, 0],
      [-85.05112878, 0],
      [0, 0],
    ],
    asks: [
      { box: [86, 0, 90, 0], zoom: 22, counts: '3' },
      { box: [-90, 0, -90, 0], zoom: 22, counts: '2' },
      { box: [-90, 0, 90, 0], zoom: 22, counts: '3 1 2' },
    ],
  },
  {
    name: 'a touched cell counts all its locations, also outside the box',
    points: [
      [1, 1],
      [2, 2],
      [60, 80],
      [70, 89],
    ],
    asks: [
      { box: [1, 1, 1, 1], zoom: 0, counts: '3' },
      { box: [-10, 10, 65, 20], zoom: 0, counts: '3' },
      { box: [-10, 10, 67, 20], zoom: 0, counts: '1 3' },
      { box: [1, 1, 2, 2], zoom: 22, counts: '1 1' },
    ],
  },
];

function caseOf({ name, points, asks }: (typeof CASES)[number]): StorageCase {
  return {
    name,
    async run({ storage }) {
      const map = await seedMap(storage);
      const inserts = points.map(([latitude, longitude]) =>
        anInsert(map.id, { location: { latitude, longitude } }),
      );
      const locations = (await insertAll(storage, map.id, inserts)).map((outcome) => locationOf(outcome));
      for (const {
        box: [south, west, north, east],
        zoom: at,
        counts,
      } of asks) {
        const corners = { south, west, north, east };
        const oracle = referenceClusters(locations, corners, at).map(({ count }) => count);
        expectResult({ oracle: corners, zoom: at }, oracle.join(' '), counts);
        for (const filter of [null, {}])
          await checkClusters(storage, map, locations, { box: corners, zoom: at, filter });
      }
    },
  };
}

export const clusters: StorageTopic = {
  name: 'clusters',
  cases: [
    ...CASES.map(caseOf),
    CLUSTER_CHANGE_CASE,
    CROWDED_CELL_CASE,
    {
      name: 'any viewport has the oracle’s clusters after any change',
      run: ({ storage }) =>
        fc.assert(
          fc.asyncProperty(
            plan,
            questions,
            fc.array(change, { maxLength: 8 }),
            async (planned, some, changes) => {
              const world = await World.of(storage, planned);
              await checkAll(world, some);
              for (const each of changes) {
                await world.change(each);
                await checkAll(world, some.slice(0, 2));
              }
              await world.insert(planned.locations.slice(0, 5));
              await checkAll(world, some.slice(0, 4));
            },
          ),
          { numRuns: 12 },
        ),
    },
    {
      name: 'loaded locations are in the clusters as before',
      run: ({ storage }) =>
        fc.assert(
          fc.asyncProperty(
            plan,
            questions,
            fc.array(change, { maxLength: 8 }),
            async (planned, some, changes) => {
              await storage.removeAll([]);
              const world = await World.of(storage, planned);
              const items = await collect(storage.dump(0));
              await storage.removeAll([]);
              await storage.load(items);
              await checkAll(world, some);
              for (const each of changes) await world.change(each);
              await checkAll(world, some.slice(0, 4));
            },
          ),
          { numRuns: 4 },
        ),
    },
    MANY_CLUSTERS_CASE,
  ],
};
