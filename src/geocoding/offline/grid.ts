/** The towns by cells of one degree, to find the nearest one to a point. */

import type { Point } from '../../domain/filter/distance.ts';
import { distanceBetween } from '../../domain/filter/distance.ts';
import type { Offsets, ReadBytes } from './format.ts';
import { GRID_BYTES, GRID_CELLS } from './format.ts';

const ROWS = 180;
const COLUMNS = 360;
/** Positions within a cell: about 2 metres apart. */
const STEPS = 0x1_0000;
/** Metres of a degree of latitude, rounded down. */
const METRES_PER_DEGREE = 110_000;

export function writeGrid(bytes: Buffer, { gridDirectory, grid }: Offsets, towns: readonly Point[]): void {
  const cells = towns.map(cellOf);
  const order = Uint32Array.from(towns.keys()).sort((a, b) => (cells[a] ?? 0) - (cells[b] ?? 0) || a - b);
  let index = 0;
  for (let cell = 0; cell <= GRID_CELLS; cell += 1) {
    while (index < order.length && (cells[order[index] ?? 0] ?? 0) < cell) index += 1;
    bytes.writeUInt32LE(index, gridDirectory + cell * 4);
  }
  for (const [at, town] of order.entries()) {
    const { latitude = 0, longitude = 0 } = towns[town] ?? {};
    const offset = grid + at * GRID_BYTES;
    bytes.writeUInt32LE(town, offset);
    bytes.writeUInt16LE(stepOf(latitude + 90, ROWS), offset + 4);
    bytes.writeUInt16LE(stepOf(longitude + 180, COLUMNS), offset + 6);
  }
}

function cellOf({ latitude, longitude }: Point): number {
  return indexOf(latitude + 90, ROWS) * COLUMNS + indexOf(longitude + 180, COLUMNS);
}

function indexOf(degrees: number, count: number): number {
  return Math.min(count - 1, Math.max(0, Math.floor(degrees)));
}

function stepOf(degrees: number, count: number): number {
  return Math.min(STEPS - 1, Math.floor((degrees - indexOf(degrees, count)) * STEPS));
}

/** @returns the number of the nearest town and about its distance in metres; null if there is none within `metres` */
export function nearestTown(
  read: ReadBytes,
  offsets: Offsets,
  point: Point,
  metres: number,
): { readonly town: number; readonly distance: number } | null {
  let nearest: { town: number; distance: number } | null = null;
  for (const [first, last] of rangesAround(point, metres)) {
    const directory = read(offsets.gridDirectory + first * 4, (last - first + 2) * 4);
    const ends = Array.from({ length: last - first + 2 }, (_, index) => directory.readUInt32LE(index * 4));
    const [start = 0] = ends;
    const bytes = read(offsets.grid + start * GRID_BYTES, ((ends.at(-1) ?? start) - start) * GRID_BYTES);
    // Only the directory says in which cell a town is.
    let at = 0;
    for (const [index, end] of ends.slice(1).entries()) {
      for (; at < end - start; at += 1) {
        const town = townAt(bytes, at * GRID_BYTES, first + index);
        const distance = distanceBetween(point, town);
        if (distance <= (nearest?.distance ?? metres)) nearest = { town: town.number, distance };
      }
    }
  }
  return nearest;
}

function townAt(bytes: Buffer, offset: number, cell: number) {
  const south = Math.floor(cell / COLUMNS) - 90;
  const west = (cell % COLUMNS) - 180;
  return {
    number: bytes.readUInt32LE(offset),
    latitude: south + (bytes.readUInt16LE(offset + 4) + 0.5) / STEPS,
    longitude: west + (bytes.readUInt16LE(offset + 6) + 0.5) / STEPS,
  };
}

/** Ranges of consecutive cells that hold everything within a distance, one or two for each row. */
function* rangesAround({ latitude, longitude }: Point, metres: number): Iterable<readonly [number, number]> {
  const reach = metres / METRES_PER_DEGREE;
  const farthest = Math.min(90, Math.abs(latitude) + reach);
  const wide = farthest > 89 ? 180 : Math.min(180, reach / Math.cos((farthest * Math.PI) / 180));
  const [west, east] = [Math.floor(longitude - wide + 180), Math.floor(longitude + wide + 180)];
  const rows = [indexOf(latitude - reach + 90, ROWS), indexOf(latitude + reach + 90, ROWS)] as const;
  for (let row = rows[0]; row <= rows[1]; row += 1) {
    const start = row * COLUMNS;
    if (east - west >= COLUMNS - 1) {
      yield [start, start + COLUMNS - 1];
    } else if (west < 0) {
      yield [start, start + east];
      yield [start + west + COLUMNS, start + COLUMNS - 1];
    } else if (east >= COLUMNS) {
      yield [start + west, start + COLUMNS - 1];
      yield [start, start + east - COLUMNS];
    } else {
      yield [start + west, start + east];
    }
  }
}
