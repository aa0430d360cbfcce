/** Clusters after each kind of write, and the limit of clusters in a response. */

import { MAX_CLUSTERS } from '../../../src/domain/clusters.ts';
import type { Box } from '../../../src/domain/filter/box.ts';
import type { LocationRecord } from '../../../src/domain/location.ts';
import { checkClusters } from './check-clusters.ts';
import {
  anInsert,
  anUpdate,
  collect,
  idsOf,
  insertAll,
  listPage,
  locationOf,
  seedMap,
  updateAll,
  updatedOf,
} from './fixtures.ts';
import type { StorageCase } from './harness.ts';

const WORLD: Box = { south: -90, west: -180, north: 90, east: 180 };

export const CLUSTER_CHANGE_CASE: StorageCase = {
  name: 'clusters follow each kind of write',
  async run({ storage }) {
    const map = await seedMap(storage);
    const check = async () => {
      const locations = await listPage(storage, map.id);
      for (const zoom of [0, 4, 8, 14]) {
        for (const filter of [null, { search: 'place' }]) {
          await checkClusters(storage, map, locations, { box: WORLD, zoom, filter });
        }
      }
    };
    const insert = async (...points: readonly (readonly [latitude: number, longitude: number])[]) => {
      const inserts = points.map(([latitude, longitude]) =>
        anInsert(map.id, { location: { latitude, longitude } }),
      );
      const stored = (await insertAll(storage, map.id, inserts)).map((outcome) => locationOf(outcome));
      await check();
      return stored;
    };
    const update = async (
      ...changes: readonly (readonly [LocationRecord | undefined, Parameters<typeof anUpdate>[1]])[]
    ) => {
      const updates = changes.map(([location, values]) => anUpdate(location!, values));
      const updated = (await updateAll(storage, map.id, updates)).map(updatedOf);
      await check();
      return updated;
    };
    const at = (latitude: number, longitude: number) => ({ latitude, longitude });

    const [a, b, c, distant] = await insert([1, 1], [2, 2], [3, 3], [-50, -100.5]);
    await insert([1, 1], [1.00001, 1.00001]);
    // Within its cell, inwards and outwards; into an empty cell; into an occupied one.
    const [inside] = await update([c, at(1.5, 1.5)]);
    let outside = inside;
    for (const side of [at(1.5, 4), at(4, 1.5), at(1.5, 0.5), at(0.5, 1.5)]) {
      [outside] = await update([outside, side]);
    }
    const [away] = await update([outside, at(60, 60)]);
    const [back] = await update([away, at(1, 1)]);
    await update([back, at(2, 2)], [b, at(1, 1)]);
    await update([distant, { name: 'Alone', properties: { place: 'Alone' } }]);
    const [, , , , , last] = await listPage(storage, map.id);
    await storage.deleteLocation(map.id, a!.id);
    await check();
    await storage.deleteVersions(map.id, [last!]);
    await check();
    await storage.deleteLocations(map.id, idsOf([b!, c!]));
    await check();
    await insert([5, 5], [-50, -100.5]);

    const items = await collect(storage.dump(0));
    await storage.removeAll([]);
    await storage.load(items);
    await check();
    await storage.deleteLocations(map.id, idsOf((await listPage(storage, map.id)).slice(1)));
    await check();
  },
};

/** Too many to scan at each write. */
const CROWD = 250;

export const CROWDED_CELL_CASE: StorageCase = {
  name: 'a cell of hundreds has the box of its remaining locations',
  async run({ storage }) {
    const map = await seedMap(storage);
    const check = async () => {
      const locations = await listPage(storage, map.id);
      const box = { south: 9, west: 9, north: 11, east: 11 };
      for (const zoom of [2, 5, 10, 12]) {
        await checkClusters(storage, map, locations, { box, zoom, filter: null });
      }
    };
    const crowd = Array.from({ length: CROWD }, (_, index) => ({
      latitude: 10.02 + index / 100_000,
      longitude: 10.02 + index / 100_000,
    }));
    const apart = [9.7, 10.4].flatMap((degrees) => [
      { latitude: degrees, longitude: 10.021 },
      { latitude: 10.021, longitude: degrees },
    ]);
    const inserts = [...crowd, ...apart].map((location) => anInsert(map.id, { location }));
    const stored = (await insertAll(storage, map.id, inserts)).map((outcome) => locationOf(outcome));
    await check();
    await storage.deleteLocation(map.id, stored[CROWD - 1]!.id);
    await check();
    // Out on each side of the crowd, and back into its middle.
    const middle = crowd[CROWD / 2]!;
    let moved = stored[0]!;
    for (const side of [
      { longitude: 10.03 },
      { latitude: 10.03 },
      { longitude: 10.0199 },
      { latitude: 10.0199 },
    ]) {
      for (const point of [{ ...middle, ...side }, middle]) {
        moved = updatedOf((await updateAll(storage, map.id, [anUpdate(moved, point)]))[0]);
        await check();
      }
    }
    for (const { id } of stored.slice(CROWD)) {
      await storage.deleteLocation(map.id, id);
      await check();
    }
    await storage.deleteLocations(map.id, idsOf(stored.slice(2)));
    await check();
  },
};

/** 64 columns by 32 rows of a zoom's cells that are contiguous on the curve of cell numbers. */
const COLUMNS = 64;
const ROWS = 32;
const BITS = 12;
const LEFT = 2 ** (BITS - 1);
const TOP = 2 ** (BITS - 1);

/** A point in a cell of a grid of 2^12 by 2^12, away from the edges of smaller cells too; degrees. */
function pointIn(column: number, row: number) {
  const fraction = (index: number) => (index + 0.4) / 2 ** BITS;
  const mercator = Math.PI * (1 - 2 * fraction(row));
  return {
    latitude: (Math.atan(Math.sinh(mercator)) * 180) / Math.PI,
    longitude: fraction(column) * 360 - 180,
  };
}

export const MANY_CLUSTERS_CASE: StorageCase = {
  name: `a viewport has ${MAX_CLUSTERS} clusters side by side, and one more if the limit allows it`,
  async run({ storage }) {
    const map = await seedMap(storage);
    const insert = async (from: number, to: number) => {
      const inserts = Array.from({ length: to - from }, (_, index) => {
        const [column, row] = [(from + index) % COLUMNS, Math.floor((from + index) / COLUMNS)];
        const location = { name: 'x', properties: {}, ...pointIn(LEFT + column, TOP + row) };
        return anInsert(map.id, { location });
      });
      return (await insertAll(storage, map.id, inserts)).map((outcome) => locationOf(outcome));
    };
    const { latitude: north, longitude: west } = pointIn(LEFT, TOP);
    const { latitude: south, longitude: east } = pointIn(LEFT + COLUMNS - 1, TOP + ROWS - 1);
    const box = { south, west, north, east };
    const locations = [...(await insert(0, 1_000)), ...(await insert(1_000, MAX_CLUSTERS))];
    await checkClusters(storage, map, locations, { box, zoom: BITS - 2, filter: null });
    locations.push(...(await insert(MAX_CLUSTERS, MAX_CLUSTERS + 1)));
    // At the first two zooms each has its own cell; at the last one up to four share a cell.
    for (const zoom of [BITS - 2, BITS - 1, BITS - 3]) {
      await checkClusters(storage, map, locations, { box, zoom, filter: null });
    }
    await checkClusters(storage, map, locations, { box, zoom: BITS - 2, filter: { search: 'x' } });
  },
};
