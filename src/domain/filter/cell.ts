/**
 * The world as a square of 2^26 by 2^26 cells in Web Mercator, numbered along a Z-shaped curve. A cell's number sorts near
 * those of its neighbours, so a box is a few ranges of numbers, which any ordered index finds. A cell of every zoom of a
 * map is one range.
 */

import type { Point } from './distance.ts';

/** Cells along each side are 2 to the power of this. A number has twice as many bits, which a double holds exactly. */
export const CELL_BITS = 26;

const SIDE = 2 ** CELL_BITS;
const HALF = SIDE / 2;
const HALF_BITS = CELL_BITS / 2;
const HALF_MASK = 2 ** HALF_BITS - 1;

/** Column 0 is at 180° west, row 0 at the northern edge. */
export interface CellPosition {
  readonly column: number;
  readonly row: number;
}

/** Cell numbers, both inclusive. */
export interface CellRange {
  readonly first: number;
  readonly last: number;
}

/** A cell holds its north and west edges. What is beyond the edges of the square is in its outermost cells. */
export function positionOf({ latitude, longitude }: Point): CellPosition {
  return { column: toIndex(((longitude + 180) / 360) * SIDE), row: toIndex(rowOf(latitude)) };
}

/** Counted from the equator: from the pole, what is next to the equator would be rounded onto it, and into the row below. */
function rowOf(latitude: number): number {
  const sine = Math.sin((Math.abs(latitude) * Math.PI) / 180);
  const rows = (Math.atanh(sine) / Math.PI) * HALF;
  return latitude > 0 ? HALF - Math.max(1, Math.ceil(rows)) : HALF + Math.floor(rows);
}

function toIndex(cells: number): number {
  return Math.min(SIDE - 1, Math.max(0, Math.floor(cells)));
}

export function cellOf(point: Point): number {
  const { column, row } = positionOf(point);
  return numberOf(column, row);
}

/** The row's bits and the column's in turn, the row's first. */
export function numberOf(column: number, row: number): number {
  const high = spread(column >>> HALF_BITS) + 2 * spread(row >>> HALF_BITS);
  const low = spread(column & HALF_MASK) + 2 * spread(row & HALF_MASK);
  return high * 2 ** CELL_BITS + low;
}

/** Puts a zero before each of 13 bits. */
function spread(bits: number): number {
  let value = bits;
  value = (value | (value << 8)) & 0x00ff00ff;
  value = (value | (value << 4)) & 0x0f0f0f0f;
  value = (value | (value << 2)) & 0x33333333;
  return (value | (value << 1)) & 0x55555555;
}

/** The column and the row of a number, as {@link numberOf} made it. */
export function positionOfNumber(number: number): CellPosition {
  const [high, low] = [Math.floor(number / 2 ** CELL_BITS), number % 2 ** CELL_BITS];
  return {
    column: gather(high) * 2 ** HALF_BITS + gather(low),
    row: gather(high >> 1) * 2 ** HALF_BITS + gather(low >> 1),
  };
}

/** The 13 bits that {@link spread} put apart. */
function gather(bits: number): number {
  let value = bits & 0x55555555;
  value = (value | (value >> 1)) & 0x33333333;
  value = (value | (value >> 2)) & 0x0f0f0f0f;
  value = (value | (value >> 4)) & 0x00ff00ff;
  return (value | (value >> 8)) & 0x0000ffff;
}
