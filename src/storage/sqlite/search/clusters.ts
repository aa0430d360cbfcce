/**
 * Clusters: the sums of a viewport's cells. They come from stored sums, from points below the finest level, or from the
 * matches of a filter.
 */

import type { ClusterGrid } from '../../../domain/clusters.ts';
import { isWithinGrid } from '../../../domain/clusters.ts';
import type { Box } from '../../../domain/filter/box.ts';
import { around, boxOf } from '../../../domain/filter/box.ts';
import { rangesOfGrid } from '../../../domain/filter/cell-ranges.ts';
import { cellOf, positionOfNumber } from '../../../domain/filter/cell.ts';
import { NOTHING } from '../../../domain/filter/index-lookup.ts';
import type { LocationFilter } from '../../../domain/filter/location-filter.ts';
import { EVERYTHING, isEverything } from '../../../domain/filter/location-filter.ts';
import { locationMatcher } from '../../../domain/filter/matcher.ts';
import type { LocationRecord } from '../../../domain/location.ts';
import type { Cluster, ClusterQuery } from '../../search.ts';
import type { SqlRow } from '../engine/driver.ts';
import type { Reader } from '../engine/statements.ts';
import { numberOf } from '../engine/statements.ts';
import { LOCATION_COLUMNS, toLocation } from '../locations/location-records.ts';
import type { ResumableScan } from '../threads/long-reads.ts';
import { scanCandidates } from './candidate-scan.ts';
import type { Cell } from './cell-sums.ts';
import { LEVELS, UNITS, boxIn, boxOfCells, boxOfPoints, sizeOf } from './cell-sums.ts';
import type { HitRow } from './hit-rows.ts';
import { hitOf, recordsAt } from './hit-rows.ts';
import { pointsOf } from './points.ts';
import type { SearchedMapRow } from './searched-map.ts';
import { readSearchedMap } from './searched-map.ts';

export function* findClusters(reader: Reader, query: ClusterQuery): ResumableScan<readonly Cluster[] | null> {
  const { filter, grid } = query;
  const map = readSearchedMap(reader, query.map, filter ?? EVERYTHING, {
    members: ['latitude', 'longitude'],
  });
  if (map === null) return [];
  if (filter !== null && !isEverything(filter)) return yield* clustersOfMatches(reader, map, query, filter);
  const level = LEVELS.find((bits) => bits >= grid.bits);
  const sums =
    level === undefined
      ? yield* sumsOfPoints(reader, map.number, query)
      : yield* sumsOfLevel(reader, map.number, query, level);
  return sums === null ? null : yield* withLocations(reader, map, grid, sums);
}

/** Clusters of a filter's matches. */
function* clustersOfMatches(
  reader: Reader,
  map: SearchedMapRow,
  { grid, limit }: ClusterQuery,
  filter: LocationFilter,
): ResumableScan<readonly Cluster[] | null> {
  const matches = locationMatcher(filter, map.map.fields);
  const size = sizeOf(grid.bits);
  const sums = new Map<number, PointSums>();
  /** The last hit of each cell. */
  const last = new Map<number, HitRow>();
  const inGrid = { ...NOTHING, cells: rangesOfGrid(grid) };
  const narrowed: SearchedMapRow = {
    ...map,
    lookups: [...map.lookups, inGrid],
    lookupsWith: (presences) => [...map.lookupsWith(presences), inGrid],
  };
  yield* scanCandidates(reader, narrowed, (candidates, areMatches) => {
    for (const candidate of candidates) {
      const cell = Math.floor(cellOf(candidate) / size);
      if (!isWithinGrid(grid, positionOfNumber(cell)) || !(areMatches || matches(candidate))) continue;
      const { latitude, longitude } = candidate;
      addTo(sums, cell, { count: 1, latitudes: latitude, longitudes: longitude, box: boxOf(candidate) });
      const sortKey = { orderKey: candidate.orderKey, sequence: candidate.sequence };
      last.set(cell, hitOf(candidate, { value: [], map: map.map, sortKey }));
    }
    return sums.size > limit;
  });
  if (sums.size > limit) return null;
  const alone = [...last].filter(([cell]) => sums.get(cell)?.count === 1).map(([, hit]) => hit);
  const found = yield* recordsAt(reader, alone);
  const locations = new Map(found.map(({ location }) => [Math.floor(cellOf(location) / size), location]));
  return [...sums].map(([cell, each]) => clusterOf(cell, each, locations.get(cell)));
}

/** @param location the cell's location, where it has exactly one */
function clusterOf(cell: number, sums: PointSums, location: LocationRecord | undefined): Cluster {
  // Stored sums are of rounded degrees.
  const exact =
    location === undefined ? {} : { latitudes: location.latitude, longitudes: location.longitude };
  return { ...positionOfNumber(cell), ...sums, ...exact, location: location ?? null };
}

/** Cells with one location per read. */
const SINGLE_CELLS = 200;

function* withLocations(
  reader: Reader,
  map: SearchedMapRow,
  { bits }: ClusterGrid,
  sums: ReadonlyMap<number, PointSums>,
): ResumableScan<readonly Cluster[]> {
  const size = sizeOf(bits);
  const singles = [...sums].filter(([, { count }]) => count === 1).map(([cell]) => cell);
  const locations = new Map<number, LocationRecord>();
  for (let begin = 0; begin < singles.length; begin += SINGLE_CELLS) {
    const ranges = singles
      .slice(begin, begin + SINGLE_CELLS)
      .map((cell) => [cell * size, (cell + 1) * size - 1]);
    const rows = reader.all(
      `SELECT cell, ${LOCATION_COLUMNS} FROM json_each(?) AS r CROSS JOIN locations INDEXED BY locations_by_cell
       WHERE map_number = ? AND cell BETWEEN r.value ->> 0 AND r.value ->> 1`,
      JSON.stringify(ranges),
      map.number,
    );
    for (const row of rows) {
      locations.set(Math.floor(numberOf(row, 'cell') / size), toLocation(row, map.map.id));
    }
    yield;
  }
  return [...sums].map(([cell, each]) => clusterOf(cell, each, locations.get(cell)));
}

/** By cell number of the grid; null where more cells than the limit hold locations. */
export type GridSums = ReadonlyMap<number, PointSums> | null;

type Query = Pick<ClusterQuery, 'grid' | 'limit'>;

/** Stored sums or points per read. */
const SUMS = 1_000;

/** @param level one of {@link LEVELS}, at least as fine as the grid */
export function* sumsOfLevel(
  reader: Reader,
  mapNumber: number,
  { grid, limit }: Query,
  level: number,
): ResumableScan<GridSums> {
  const parts = 4 ** (level - grid.bits);
  const sums = new Map<number, PointSums>();
  let read = 0;
  for (const { first, last } of rangesOfGrid(grid)) {
    const end = Math.floor(last / sizeOf(level));
    for (let next = Math.floor(first / sizeOf(level)); ;) {
      const rows = reader.all(
        `SELECT cell, count, latitudes * 1.0 AS latitudes, longitudes * 1.0 AS longitudes, south, west, north, east
         FROM cell_sums WHERE map_number = ? AND level = ? AND cell BETWEEN ? AND ? ORDER BY cell LIMIT ${SUMS}`,
        ...[mapNumber, level, next, end],
      );
      for (const row of rows) {
        const cell = numberOf(row, 'cell');
        const at = Math.floor(cell / parts);
        if (!isWithinGrid(grid, positionOfNumber(at))) continue;
        const box = boxIn(row) ?? boxOfCell(reader, mapNumber, { level, cell });
        addTo(sums, at, { ...sumsIn(row), box });
        next = cell + 1;
      }
      if (sums.size > limit) return null;
      read += rows.length;
      if (read >= SUMS) {
        read = 0;
        yield;
      }
      if (rows.length < SUMS) break;
    }
  }
  return sums;
}

function sumsIn(row: SqlRow): Omit<PointSums, 'box'> {
  return {
    count: numberOf(row, 'count'),
    latitudes: numberOf(row, 'latitudes') / UNITS,
    longitudes: numberOf(row, 'longitudes') / UNITS,
  };
}

/** Computes an unknown box from the cells within. */
function boxOfCell(reader: Reader, mapNumber: number, cell: Cell): Box {
  const finer = LEVELS.find((level) => level > cell.level);
  if (finer === undefined) return boxOfPoints(reader, mapNumber, cell) ?? NO_BOX;
  const { box, unknown } = boxOfCells(reader, mapNumber, cell, finer);
  if (unknown === 0) return box ?? NO_BOX;
  const parts = 4 ** (finer - cell.level);
  return reader
    .all(
      `SELECT cell FROM cell_sums WHERE map_number = ? AND level = ? AND cell BETWEEN ? AND ? AND south IS NULL`,
      ...[mapNumber, finer, cell.cell * parts, (cell.cell + 1) * parts - 1],
    )
    .map((row) => boxOfCell(reader, mapNumber, { level: finer, cell: numberOf(row, 'cell') }))
    .reduce(around, box ?? NO_BOX);
}

export function* sumsOfPoints(
  reader: Reader,
  mapNumber: number,
  { grid, limit }: Query,
): ResumableScan<GridSums> {
  const size = sizeOf(grid.bits);
  const sums = new Map<number, PointSums>();
  let read = 0;
  for (const { first, last } of rangesOfGrid(grid)) {
    for (const rows of pointsOf(reader, mapNumber, { first, last })) {
      for (const [, , , latitude, longitude, cell] of rows) {
        const at = Math.floor(cell / size);
        if (!isWithinGrid(grid, positionOfNumber(at))) continue;
        const point = { latitude, longitude };
        addTo(sums, at, {
          count: 1,
          latitudes: point.latitude,
          longitudes: point.longitude,
          box: boxOf(point),
        });
      }
      if (sums.size > limit) return null;
      read += rows.length;
      if (read >= SUMS) {
        read = 0;
        yield;
      }
    }
  }
  return sums;
}

/** Latitudes and longitudes are sums of degrees. */
export interface PointSums {
  count: number;
  latitudes: number;
  longitudes: number;
  /** Bounding box of the points. */
  box: Box;
}

/** The bounding box of no points. */
export const NO_BOX: Box = { south: Infinity, west: Infinity, north: -Infinity, east: -Infinity };

/** Adds to the sums of a cell. */
export function addTo<K>(sums: Map<K, PointSums>, key: K, added: PointSums): void {
  const known = sums.get(key);
  if (known === undefined) {
    sums.set(key, { ...added });
    return;
  }
  known.count += added.count;
  known.latitudes += added.latitudes;
  known.longitudes += added.longitudes;
  known.box = around(known.box, added.box);
}
