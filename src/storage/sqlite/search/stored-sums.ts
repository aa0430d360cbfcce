/** The sums of a grid's cells: of the sums that are kept for smaller cells, or, of the smallest cells, of the points. */

import { isWithinGrid } from '../../../domain/clusters.ts';
import { positionOfNumber } from '../../../domain/filter/cell.ts';
import { rangesOfGrid } from '../../../domain/filter/cell-ranges.ts';
import type { Box } from '../../../domain/filter/box.ts';
import { around, boxOf } from '../../../domain/filter/box.ts';
import type { ClusterQuery } from '../../search.ts';
import type { SqlRow } from '../engine/driver.ts';
import type { Reader } from '../reader.ts';
import { numberOf } from '../rows.ts';
import type { Cell } from './cell-sums.ts';
import { boxIn, boxOfCells, boxOfPoints, LEVELS, sizeOf, UNITS } from './cell-sums.ts';
import { pointsOf } from './points.ts';
import type { PointSums } from './point-sums.ts';
import { addTo, NO_BOX } from './point-sums.ts';
import type { ResumableScan } from './resumable-scan.ts';

/** By the numbers of the grid's cells; null where more of them hold something than may. */
export type GridSums = ReadonlyMap<number, PointSums> | null;

type Query = Pick<ClusterQuery, 'grid' | 'limit'>;

/** Kept sums, or points, that are read at a time. */
const CHUNK = 1_000;

/** @param level one of {@link LEVELS}, whose cells are no larger than the grid's */
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
         FROM cell_sums WHERE map_number = ? AND level = ? AND cell BETWEEN ? AND ? ORDER BY cell LIMIT ${CHUNK}`,
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
      if (read >= CHUNK) {
        read = 0;
        yield;
      }
      if (rows.length < CHUNK) break;
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

/** Of a cell whose box is not kept: that of its parts. */
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
      if (read >= CHUNK) {
        read = 0;
        yield;
      }
    }
  }
  return sums;
}
