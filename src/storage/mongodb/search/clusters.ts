/** Clusters: the cells of a grid that have locations. */

import type { Document } from 'mongodb';

import type { ClusterGrid, ClusterSums } from '../../../domain/clusters.ts';
import { cellAt, isWithinGrid } from '../../../domain/clusters.ts';
import type { Box } from '../../../domain/filter/box.ts';
import { around, boxOf } from '../../../domain/filter/box.ts';
import { CELL_BITS } from '../../../domain/filter/cell.ts';
import { rangesOfGrid } from '../../../domain/filter/cell-ranges.ts';
import type { IndexLookup } from '../../../domain/filter/index-lookup.ts';
import { NOTHING } from '../../../domain/filter/index-lookup.ts';
import type { Point } from '../../../domain/filter/distance.ts';
import { isEverything } from '../../../domain/filter/location-filter.ts';
import { locationMatcher } from '../../../domain/filter/matcher.ts';
import type { LocationRecord } from '../../../domain/location.ts';
import type { Cluster, ClusterQuery } from '../../search.ts';
import { candidatesOf } from './candidates.ts';
import { groupsOf } from './groups.ts';
import { queriesOf } from './queries.ts';
import type { LocationReader } from './reader.ts';

export async function findClusters(
  reader: LocationReader,
  { map, filter, grid, limit }: ClusterQuery,
): Promise<readonly Cluster[] | null> {
  const cells: IndexLookup = { ...NOTHING, cells: rangesOfGrid(grid) };
  if (filter === null || isEverything(filter)) return findAll(reader, map.id, cells, grid, limit);
  const matches = locationMatcher(filter, map.fields);
  const tally = new ClusterTally(grid);
  const groups = await groupsOf(reader, filter, [map], [cells]);
  // The grid's cells are a lookup of each group.
  for await (const location of candidatesOf(reader, groups, new Map())) {
    if (matches(location)) tally.add(location);
    if (tally.size > limit) return null;
  }
  return tally.take();
}

/** Adds up locations in any order; ignores those outside the grid. */
class ClusterTally {
  readonly #grid: ClusterGrid;
  readonly #clusters = new Map<number, Cluster>();

  constructor(grid: ClusterGrid) {
    this.#grid = grid;
  }

  get size(): number {
    return this.#clusters.size;
  }

  add(location: LocationRecord): void {
    const { latitude, longitude } = location;
    this.#add({ box: boxOf(location), count: 1, latitudes: latitude, longitudes: longitude, location });
  }

  addGroup({ count, latitudes, longitudes, south, west, north, east }: CellGroup): void {
    this.#add({ box: { south, west, north, east }, count, latitudes, longitudes, location: null });
  }

  take(): readonly Cluster[] {
    return [...this.#clusters.values()];
  }

  #add(part: Omit<Cluster, 'column' | 'row'>): void {
    const { bits } = this.#grid;
    const cell = cellAt({ latitude: part.box.south, longitude: part.box.west }, bits);
    if (!isWithinGrid(this.#grid, cell)) return;
    const key = cell.row * 2 ** bits + cell.column;
    const known = this.#clusters.get(key);
    this.#clusters.set(key, known === undefined ? { ...cell, ...part } : sumOf(known, part));
  }
}

function sumOf(a: Cluster, b: Omit<Cluster, 'column' | 'row'>): Cluster {
  return {
    ...a,
    count: a.count + b.count,
    latitudes: a.latitudes + b.latitudes,
    longitudes: a.longitudes + b.longitudes,
    box: around(a.box, b.box),
    location: null,
  };
}

/** A cell as the server adds it up. */
interface CellGroup extends Box, Pick<ClusterSums, 'count' | 'latitudes' | 'longitudes'> {
  /** The id of one of its locations. */
  readonly id: string;
}

async function findAll(
  reader: LocationReader,
  mapId: string,
  cells: IndexLookup,
  grid: ClusterGrid,
  limit: number,
): Promise<readonly Cluster[] | null> {
  const groups: CellGroup[] = [];
  for (const query of queriesOf([mapId], cells)) {
    for await (const group of reader.aggregate<CellGroup>(query, [groupByCell(grid), BY_CELL])) {
      if (isWithinGrid(grid, cellAt(cornerOf(group), grid.bits))) groups.push(group);
      if (groups.length > limit) return null;
    }
  }
  const tally = new ClusterTally(grid);
  const singles = groups.filter(({ count }) => count === 1).map(({ id }) => id);
  for (const query of queriesOf([mapId], { ...NOTHING, ids: singles })) {
    // Uses its current coordinates; a location deleted meanwhile is left out.
    for await (const location of reader.read(query)) tally.add(location);
  }
  for (const group of groups) if (group.count > 1) tally.addGroup(group);
  return tally.take();
}

function groupByCell({ bits }: ClusterGrid): Document {
  return {
    $group: {
      // Division by a power of two is exact.
      _id: { $floor: { $divide: ['$cell', 4 ** (CELL_BITS - bits)] } },
      id: { $first: '$_id' },
      count: { $sum: 1 },
      latitudes: { $sum: '$latitude' },
      longitudes: { $sum: '$longitude' },
      south: { $min: '$latitude' },
      west: { $min: '$longitude' },
      north: { $max: '$latitude' },
      east: { $max: '$longitude' },
    },
  };
}

/** FerretDB recomputes every batch: without an order it would repeat some groups and skip others. */
const BY_CELL: Document = { $sort: { _id: 1 } };

/** A point in the group's cell. */
function cornerOf({ south, west }: CellGroup): Point {
  return { latitude: south, longitude: west };
}
