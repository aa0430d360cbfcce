/**
 * Keeps what stands in each cell of a few levels: how many locations, the sums of their points, and the box around them.
 * A change costs the same however many locations a cell holds.
 *
 * Sums are of whole numbers, so what was added is taken away without a rest. A box that a removed point stood on is made
 * anew from what is left, where that is little; else it is NULL, unknown, and whoever asks looks at the finer level.
 */

import type { Box } from '../../../domain/filter/box.ts';
import { around, boxOf } from '../../../domain/filter/box.ts';
import { cellOf, CELL_BITS } from '../../../domain/filter/cell.ts';
import type { SqlRow, SqlValue } from '../driver.ts';
import { exactReal } from '../exact-real.ts';
import { numberOf, numberOrNull } from '../rows.ts';
import type { IndexChange, Indexed, Writer } from './index-change.ts';
import { isOnEdge, NO_BOX } from './point-sums.ts';

/** Bits of a cell's column, and of its row, from the coarsest to the finest. */
export const LEVELS = [4, 8, 12] as const;

/** Kept sums are of degrees times this, rounded. */
export const UNITS = 1e9;

/** Points that are read to make a box anew. */
const FEW_POINTS = 200;

/** Cells of the finest level, within one of a level; a number of a cell is divided by it. */
export function sizeOf(level: number): number {
  return 4 ** (CELL_BITS - level);
}

/** What a transaction changes in a cell. */
interface CellChange {
  readonly mapNumber: number;
  readonly level: number;
  readonly cell: number;
  count: number;
  latitudes: number;
  longitudes: number;
  removed: number;
  /** Around what is added, and around what is removed. */
  addedBox: Box;
  removedBox: Box;
}

/** By map and cell. */
type CellChanges = Map<string, CellChange>;

/** @param changes one for each location */
export function writeCellSums(writer: Writer, changes: readonly IndexChange[]): void {
  const points: CellChanges = new Map();
  for (const { before, after } of changes) {
    if (before !== null && after !== null && isSamePlace(before, after)) continue;
    if (before !== null) note(points, changeOf(before, -1));
    if (after !== null) note(points, changeOf(after, 1));
  }
  let finer = points;
  // Boxes of a level are made of the finer one.
  for (const level of LEVELS.toReversed()) {
    const cells: CellChanges = new Map();
    for (const change of finer.values()) {
      const parts = sizeOf(level) / sizeOf(change.level);
      note(cells, { ...change, level, cell: Math.floor(change.cell / parts) });
    }
    for (const change of cells.values()) {
      if (change.removed === 0) add(writer, change);
      else replace(writer, change);
    }
    finer = cells;
  }
}

function isSamePlace(a: Indexed, b: Indexed): boolean {
  return a.mapNumber === b.mapNumber && a.latitude === b.latitude && a.longitude === b.longitude;
}

function changeOf(point: Indexed, sign: 1 | -1): CellChange {
  const box = boxOf(point);
  return {
    mapNumber: point.mapNumber,
    level: CELL_BITS,
    cell: cellOf(point),
    count: sign,
    latitudes: sign * unitsOf(point.latitude),
    longitudes: sign * unitsOf(point.longitude),
    removed: sign === 1 ? 0 : 1,
    addedBox: sign === 1 ? box : NO_BOX,
    removedBox: sign === 1 ? NO_BOX : box,
  };
}

/** As SQL computes it too. */
function unitsOf(degrees: number): number {
  return Math.floor(degrees * UNITS + 0.5);
}

function note(cells: CellChanges, change: CellChange): void {
  const key = `${change.mapNumber} ${change.cell}`;
  const known = cells.get(key);
  if (known === undefined) {
    cells.set(key, change);
    return;
  }
  known.count += change.count;
  known.latitudes += change.latitudes;
  known.longitudes += change.longitudes;
  known.removed += change.removed;
  known.addedBox = around(known.addedBox, change.addedBox);
  known.removedBox = around(known.removedBox, change.removedBox);
}

function add(writer: Writer, change: CellChange): void {
  const { mapNumber, level, cell, count, latitudes, longitudes, addedBox } = change;
  writer.run(
    `INSERT INTO cell_sums VALUES (?, ?, ?, ?, ?, ?, ${BOX})
     ON CONFLICT DO UPDATE SET count = count + excluded.count, latitudes = latitudes + excluded.latitudes,
       longitudes = longitudes + excluded.longitudes, south = min(south, excluded.south), west = min(west, excluded.west),
       north = max(north, excluded.north), east = max(east, excluded.east)`,
    ...[mapNumber, level, cell, count, latitudes, longitudes],
    ...valuesOf(addedBox),
  );
}

/** The four sides of a box as parameters. */
const BOX = '? * ?, ? * ?, ? * ?, ? * ?';

function valuesOf(box: Box | null): readonly SqlValue[] {
  if (box === null) return Array<null>(8).fill(null);
  return [box.south, box.west, box.north, box.east].flatMap(exactReal);
}

function replace(writer: Writer, change: CellChange): void {
  const { mapNumber, level, cell, count, latitudes, longitudes } = change;
  const key = [mapNumber, level, cell];
  const row = writer.get(
    `SELECT count, ${BOX_COLUMNS} FROM cell_sums WHERE map_number = ? AND level = ? AND cell = ?`,
    ...key,
  );
  const left = (row === undefined ? 0 : numberOf(row, 'count')) + count;
  if (left === 0) {
    writer.run('DELETE FROM cell_sums WHERE map_number = ? AND level = ? AND cell = ?', ...key);
    return;
  }
  writer.run(
    `INSERT INTO cell_sums VALUES (?, ?, ?, ?, ?, ?, ${BOX})
     ON CONFLICT DO UPDATE SET count = count + excluded.count, latitudes = latitudes + excluded.latitudes,
       longitudes = longitudes + excluded.longitudes,
       south = excluded.south, west = excluded.west, north = excluded.north, east = excluded.east`,
    ...[mapNumber, level, cell, count, latitudes, longitudes],
    ...valuesOf(boxAfter(writer, change, boxIn(row), left)),
  );
}

/** @param left how many the cell holds after the change */
function boxAfter(writer: Writer, change: CellChange, before: Box | null, left: number): Box | null {
  if (before !== null) {
    const whole = around(before, change.addedBox);
    if (!isOnEdge(whole, change.removedBox)) return whole;
  }
  return remake(writer, change, left);
}

/** The box around what is in a cell, by a few rows; null where it takes more. */
function remake(writer: Writer, { mapNumber, level, cell }: CellChange, left: number): Box | null {
  const finer = LEVELS.find((each) => each > level);
  if (finer === undefined) {
    return left > FEW_POINTS ? null : boxOfPoints(writer, mapNumber, { level, cell });
  }
  const { box, unknown } = boxOfCells(writer, mapNumber, { level, cell }, finer);
  return unknown === 0 ? box : null;
}

export const BOX_COLUMNS = 'south, west, north, east';

/** Null where it is not known, or there is none. */
export function boxIn(row: SqlRow | undefined): Box | null {
  if (row === undefined || numberOrNull(row, 'south') === null) return null;
  return {
    south: numberOf(row, 'south'),
    west: numberOf(row, 'west'),
    north: numberOf(row, 'north'),
    east: numberOf(row, 'east'),
  };
}

export interface Cell {
  readonly level: number;
  readonly cell: number;
}

type Getter = Pick<Writer, 'get'>;

/** Around all points of a cell. */
export function boxOfPoints(reader: Getter, mapNumber: number, { level, cell }: Cell): Box | null {
  const size = sizeOf(level);
  return boxIn(
    reader.get(
      `SELECT min(latitude) AS south, min(longitude) AS west, max(latitude) AS north, max(longitude) AS east
       FROM locations INDEXED BY locations_by_cell WHERE map_number = ? AND cell BETWEEN ? AND ?`,
      mapNumber,
      cell * size,
      (cell + 1) * size - 1,
    ),
  );
}

/** Around the cells of a finer level whose boxes are known; and how many are not. */
export function boxOfCells(reader: Getter, mapNumber: number, { level, cell }: Cell, finer: number) {
  const parts = 4 ** (finer - level);
  const row = reader.get(
    `SELECT min(south) AS south, min(west) AS west, max(north) AS north, max(east) AS east,
       count(*) - count(south) AS unknown
     FROM cell_sums WHERE map_number = ? AND level = ? AND cell BETWEEN ? AND ?`,
    mapNumber,
    finer,
    cell * parts,
    (cell + 1) * parts - 1,
  );
  return { box: boxIn(row), unknown: numberOf(row ?? {}, 'unknown') };
}
