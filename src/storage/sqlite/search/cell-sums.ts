/**
 * Sums per cell on a few levels: number of locations, sums of their coordinates, and bounding box. The cost of a change
 * does not depend on the number of locations in a cell.
 *
 * Coordinates are summed as integers, so that subtraction is exact. Removing a point on the edge of a box recomputes
 * the box if that is cheap. Otherwise it becomes NULL (unknown), and readers use the finer level.
 */

import type { Box } from '../../../domain/filter/box.ts';
import { around, boxOf } from '../../../domain/filter/box.ts';
import { cellOf, CELL_BITS } from '../../../domain/filter/cell.ts';
import type { SqlRow, SqlValue } from '../engine/driver.ts';
import { exactReal } from '../engine/driver.ts';
import { numberOf, numberOrNull } from '../engine/statements.ts';
import type { Writer } from '../engine/statements.ts';
import type { IndexChange, IndexedLocation } from '../locations/location-records.ts';

/** Bits of a cell's column and row number, from coarse to fine. */
export const LEVELS = [4, 8, 12] as const;

/** Coordinates are stored in degrees times this, rounded. */
export const UNITS = 1e9;

/** Points to read when recomputing a box. */
const FEW_POINTS = 200;

/** Finest cells per cell of a level. Dividing a finest cell's number by it gives the number of its cell. */
export function sizeOf(level: number): number {
  return 4 ** (CELL_BITS - level);
}

/** What a transaction removes from a cell. */
interface CellLoss {
  readonly mapNumber: number;
  readonly level: number;
  readonly cell: number;
  count: number;
  latitudes: number;
  longitudes: number;
  /** Around the removed points. */
  box: Box;
}

/** @param changes already written; one per location */
export function writeCellSums(writer: Writer, changes: readonly IndexChange[]): void {
  const moved = changes.filter(({ before, after }) => !isSamePlace(before, after));
  const added = moved.filter(({ after }) => after !== null).map(({ number }) => number);
  for (const [first, last] of runsOf(added)) addLocations(writer, first, last);
  subtractPoints(
    writer,
    moved.flatMap(({ before }) => before ?? []),
  );
}

function isSamePlace(a: IndexedLocation | null, b: IndexedLocation | null): boolean {
  return a?.mapNumber === b?.mapNumber && a?.latitude === b?.latitude && a?.longitude === b?.longitude;
}

/** Runs of consecutive numbers. */
function runsOf(numbers: readonly number[]): readonly (readonly [first: number, last: number])[] {
  const runs: [number, number][] = [];
  for (const number of [...numbers].sort((a, b) => a - b)) {
    const run = runs.at(-1);
    if (run?.[1] === number - 1) run[1] = number;
    else runs.push([number, number]);
  }
  return runs;
}

const NAMED_SUMS = `sum(CAST(floor(latitude * ${UNITS} + 0.5) AS INTEGER)) AS latitudes,
  sum(CAST(floor(longitude * ${UNITS} + 0.5) AS INTEGER)) AS longitudes, min(latitude) AS south,
  min(longitude) AS west, max(latitude) AS north, max(longitude) AS east`;
const SUMS = `count(*), ${NAMED_SUMS}`;
const SIZES = LEVELS.map((level) => `(${level}, ${sizeOf(level)})`).join(', ');

/** @param first and `last` are inclusive row numbers */
function addLocations(writer: Writer, first: number, last: number): void {
  writer.run(
    `WITH levels (level, size) AS (VALUES ${SIZES}),
       added AS MATERIALIZED (SELECT map_number, cell, latitude, longitude FROM locations
         WHERE number BETWEEN ? AND ?)
     INSERT INTO cell_sums SELECT map_number, level, cell / size AS part, ${SUMS} FROM levels CROSS JOIN added
       WHERE true GROUP BY map_number, level, part
     ON CONFLICT DO UPDATE SET count = count + excluded.count, latitudes = latitudes + excluded.latitudes,
       longitudes = longitudes + excluded.longitudes, south = min(south, excluded.south), west = min(west, excluded.west),
       north = max(north, excluded.north), east = max(east, excluded.east)`,
    first,
    last,
  );
}

/** Computes all sums, in a table without any. */
export function sumUpCells(writer: Writer): void {
  for (const level of LEVELS) {
    writer.run(
      `INSERT INTO cell_sums SELECT map_number, ${level}, cell / ${sizeOf(level)} AS part, ${SUMS}
       FROM locations INDEXED BY locations_by_cell GROUP BY map_number, part`,
    );
  }
}

/** Number of stored sums that differ from the map's locations. Unknown boxes are not wrong. */
export function countWrongSums(reader: Getter, mapNumber: number): number {
  let wrong = 0;
  for (const level of LEVELS) {
    const row = reader.get(
      `WITH present AS MATERIALIZED (SELECT cell / ${sizeOf(level)} AS part, count(*) AS count, ${NAMED_SUMS}
           FROM locations WHERE map_number = ? GROUP BY part)
       SELECT (SELECT count(*) FROM present LEFT JOIN cell_sums AS kept
           ON kept.map_number = ? AND kept.level = ${level} AND kept.cell = present.part
         WHERE kept.count IS NOT present.count OR kept.latitudes IS NOT present.latitudes
           OR kept.longitudes IS NOT present.longitudes
           OR (kept.south, kept.west, kept.north, kept.east) <>
             (present.south, present.west, present.north, present.east))
         + (SELECT count(*) FROM cell_sums WHERE map_number = ? AND level = ${level}
           AND cell NOT IN (SELECT part FROM present)) AS wrong`,
      mapNumber,
      mapNumber,
      mapNumber,
    );
    wrong += numberOf(row ?? {}, 'wrong');
  }
  return wrong;
}

function subtractPoints(writer: Writer, points: readonly IndexedLocation[]): void {
  let finer = points.map(lossOf);
  // The boxes of a level are computed from the finer level.
  for (const level of LEVELS.toReversed()) {
    const cells = new Map<string, CellLoss>();
    for (const loss of finer) {
      const parts = sizeOf(level) / sizeOf(loss.level);
      note(cells, { ...loss, level, cell: Math.floor(loss.cell / parts) });
    }
    finer = [...cells.values()];
    for (const loss of finer) reduce(writer, loss);
  }
}

function lossOf(point: IndexedLocation): CellLoss {
  return {
    mapNumber: point.mapNumber,
    level: CELL_BITS,
    cell: cellOf(point),
    count: 1,
    latitudes: unitsOf(point.latitude),
    longitudes: unitsOf(point.longitude),
    box: boxOf(point),
  };
}

/** Must agree with NAMED_SUMS. */
function unitsOf(degrees: number): number {
  return Math.floor(degrees * UNITS + 0.5);
}

function note(cells: Map<string, CellLoss>, loss: CellLoss): void {
  const key = `${loss.mapNumber} ${loss.cell}`;
  const known = cells.get(key);
  if (known === undefined) {
    cells.set(key, loss);
    return;
  }
  known.count += loss.count;
  known.latitudes += loss.latitudes;
  known.longitudes += loss.longitudes;
  known.box = around(known.box, loss.box);
}

function reduce(writer: Writer, loss: CellLoss): void {
  const { mapNumber, level, cell, count, latitudes, longitudes } = loss;
  const key = [mapNumber, level, cell];
  const row = writer.get(
    `SELECT count, ${BOX_COLUMNS} FROM cell_sums WHERE map_number = ? AND level = ? AND cell = ?`,
    ...key,
  );
  const left = (row === undefined ? 0 : numberOf(row, 'count')) - count;
  if (left === 0) {
    writer.run('DELETE FROM cell_sums WHERE map_number = ? AND level = ? AND cell = ?', ...key);
    return;
  }
  writer.run(
    `UPDATE cell_sums SET count = ?, latitudes = latitudes - ?, longitudes = longitudes - ?,
       south = ? * ?, west = ? * ?, north = ? * ?, east = ? * ? WHERE map_number = ? AND level = ? AND cell = ?`,
    ...[left, latitudes, longitudes],
    ...valuesOf(boxAfter(writer, loss, boxIn(row), left)),
    ...key,
  );
}

function valuesOf(box: Box | null): readonly SqlValue[] {
  if (box === null) return Array<null>(8).fill(null);
  return [box.south, box.west, box.north, box.east].flatMap(exactReal);
}

/** @param left locations in the cell after the loss */
function boxAfter(writer: Writer, loss: CellLoss, before: Box | null, left: number): Box | null {
  return before !== null && !isOnEdge(before, loss.box) ? before : recomputeBox(writer, loss, left);
}

/** Whether removing `other` may shrink the box. */
function isOnEdge(box: Box, other: Box): boolean {
  return (
    other.south <= box.south || other.west <= box.west || other.north >= box.north || other.east >= box.east
  );
}

/** Computes the box of a cell from a few rows; null where it takes more. */
function recomputeBox(writer: Writer, { mapNumber, level, cell }: CellLoss, left: number): Box | null {
  const finer = LEVELS.find((each) => each > level);
  if (finer === undefined) {
    return left > FEW_POINTS ? null : boxOfPoints(writer, mapNumber, { level, cell });
  }
  const { box, unknown } = boxOfCells(writer, mapNumber, { level, cell }, finer);
  return unknown === 0 ? box : null;
}

export const BOX_COLUMNS = 'south, west, north, east';

/** Null where it is unknown, or the cell is empty. */
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

/** Around the known boxes of a finer level, with the number of unknown ones. */
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
