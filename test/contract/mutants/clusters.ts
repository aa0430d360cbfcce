/** Mutants with wrong clusters. */

import { cellAt } from '../../../src/domain/clusters.ts';
import { around, boxOf } from '../../../src/domain/filter/box.ts';
import type { Point } from '../../../src/domain/filter/distance.ts';
import type { LocationRecord } from '../../../src/domain/location.ts';
import type { Cluster } from '../../../src/storage/search.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import type { Rules } from './full-scan.ts';
import { withFullScan } from './full-scan.ts';
import type { Mutant } from './mutant.ts';
import { wholeList } from './mutant.ts';

const clustering = (name: string, breaks: (good: Storage) => Partial<Storage>): Mutant => ({
  name,
  topic: 'clusters',
  breaks,
});

/** Changes every cluster. */
const changing = (name: string, change: (cluster: Cluster) => Cluster): Mutant =>
  clustering(name, (good) => ({
    findClusters: async (query, scope) =>
      (await good.findClusters(query, scope))?.map((cluster) => change(cluster)) ?? null,
  }));

const placing = (name: string, cellOfPoint: NonNullable<Rules['cellAt']>): Mutant =>
  clustering(name, (good) => withFullScan(good, { cellAt: cellOfPoint }));

const meanOf = ({ count, latitudes, longitudes }: Cluster) => ({
  latitude: latitudes / count,
  longitude: longitudes / count,
});

/** Cells keep a part of deleted locations. */
function keepingDeleted(name: string, keep: (cluster: Cluster, deleted: LocationRecord) => Cluster): Mutant {
  return clustering(name, (good) => {
    const deleted: LocationRecord[] = [];
    return {
      async deleteLocation(mapId, id) {
        const outcome = await good.deleteLocation(mapId, id);
        if (outcome.kind === 'deleted') deleted.push(outcome.location);
        return outcome;
      },
      async findClusters(query, scope) {
        const { map, grid } = query;
        const found = await good.findClusters(query, scope);
        return (
          found?.map((cluster) =>
            deleted
              .filter(({ mapId }) => mapId === map.id)
              .filter((location) => {
                const { row, column } = cellAt(location, grid.bits);
                return row === cluster.row && column === cluster.column;
              })
              .reduce(keep, cluster),
          ) ?? null
        );
      },
    };
  });
}

export const clusterMutants: readonly Mutant[] = [
  changing('a cluster’s box is its mean', (cluster) => ({ ...cluster, box: boxOf(meanOf(cluster)) })),
  changing('a cluster of one has no location', (cluster) => ({ ...cluster, location: null })),
  changing('a cluster’s sums are rounded to millionths of a degree', (cluster) => ({
    ...cluster,
    latitudes: Math.round(cluster.latitudes * 1e6) / 1e6,
    longitudes: Math.round(cluster.longitudes * 1e6) / 1e6,
  })),
  clustering('a cluster of several has the first one’s location', (good) => ({
    async findClusters(query, scope) {
      const found = await good.findClusters(query, scope);
      const list = await wholeList(good, query.map.id);
      const firstIn = ({ row, column }: Cluster) =>
        list.find((location) => {
          const cell = cellAt(location, query.grid.bits);
          return cell.row === row && cell.column === column;
        }) ?? null;
      return found?.map((cluster) => ({ ...cluster, location: firstIn(cluster) })) ?? null;
    },
  })),
  clustering('the cells of a filter count all their locations', (good) => ({
    async findClusters(query, scope) {
      const found = await good.findClusters(query, scope);
      const all = await good.findClusters({ ...query, filter: null, limit: Infinity }, scope);
      const wholeOf = ({ row, column }: Cluster) =>
        all?.find((cluster) => cluster.row === row && cluster.column === column);
      return found?.map((cluster) => wholeOf(cluster) ?? cluster) ?? null;
    },
  })),
  clustering('the allowed number of cells is too many', (good) => ({
    findClusters: (query, scope) => good.findClusters({ ...query, limit: query.limit - 1 }, scope),
  })),
  clustering('one cell more than allowed is not too many', (good) => ({
    findClusters: (query, scope) => good.findClusters({ ...query, limit: query.limit + 1 }, scope),
  })),
  clustering('a viewport ends at the antimeridian', (good) => ({
    findClusters({ grid, ...query }, scope) {
      const columns = Math.min(grid.columns, 2 ** grid.bits - grid.left);
      return good.findClusters({ ...query, grid: { ...grid, columns } }, scope);
    },
  })),
  clustering('locations beyond the square are in no cell', (good) =>
    withFullScan(good, {
      passes: (_filter, { latitude }) => (Math.abs(latitude) > 85.05112878 ? false : null),
    }),
  ),
  placing('a cell includes its east edge', (location, bits) => {
    const { row, column } = cellAt(location, bits);
    const isOnEdge = ((location.longitude + 180) / 360) * 2 ** bits === column;
    return { row, column: isOnEdge ? Math.max(0, column - 1) : column };
  }),
  placing('a cell includes its south edge', (location, bits) => {
    const { row, column } = cellAt(location, bits);
    // Only this edge is a double.
    return { row: location.latitude === 0 ? row - 1 : row, column };
  }),
  placing('180° is in the first column', (location, bits) => {
    const { row, column } = cellAt(location, bits);
    return { row, column: location.longitude === 180 ? 0 : column };
  }),
  keepingDeleted('a cluster counts deleted locations', (cluster) => ({
    ...cluster,
    count: cluster.count + 1,
  })),
  keepingDeleted('a cluster’s sums include deleted locations', (cluster, { latitude, longitude }) => ({
    ...cluster,
    latitudes: cluster.latitudes + latitude,
    longitudes: cluster.longitudes + longitude,
  })),
  keepingDeleted('a cluster’s box includes deleted locations', (cluster, location) => ({
    ...cluster,
    box: around(cluster.box, boxOf(location)),
  })),
  clustering('a location stays in its first cell when it moves away', (good) => {
    const first = new Map<string, Point>();
    return {
      ...withFullScan(good, { cellAt: (location, bits) => cellAt(first.get(location.id) ?? location, bits) }),
      async updateLocations(mapId, updates) {
        const before = await good.getLocations(
          mapId,
          updates.map(({ id }) => id),
        );
        for (const location of before) {
          if (location !== null && !first.has(location.id)) first.set(location.id, location);
        }
        return good.updateLocations(mapId, updates);
      },
    };
  }),
  clustering('loaded locations are in no cell', (good) => {
    const loaded = new Set<string>();
    return {
      ...withFullScan(good, { passes: (_filter, { id }) => (loaded.has(id) ? false : null) }),
      async load(items) {
        for (const item of items) if (item.kind === 'location') loaded.add(item.location.id);
        await good.load(items);
      },
    };
  }),
  clustering('the cells of a map hold the locations of all maps', (good) => {
    const mapIds = new Set<string>();
    return {
      ...withFullScan(good, {
        listOf: async () => (await Promise.all([...mapIds].map((id) => wholeList(good, id)))).flat(),
      }),
      async insertMap(map) {
        mapIds.add(map.id);
        await good.insertMap(map);
      },
    };
  }),
];
