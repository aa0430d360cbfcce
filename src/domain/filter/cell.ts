/**
 * The world as a square of 2^26 by 2^26 Web Mercator cells, numbered along a Z-order curve. Neighbours mostly have similar
 * numbers, so a box is a few ranges of numbers in an ordered index. A cell of a lower zoom is one range.
 */

import type { Point } from './distance.ts';

/** The square has 2^26 cells along each side. Cell numbers have twice as many bits, exact in a double. */
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

/** Cells include their north and west edges. Points beyond the square are in its outermost cells. */
export function positionOf({ latitude, longitude }: Point): CellPosition {
  return { column: toIndex(((longitude + 180) / 360) * SIDE), row: toIndex(rowOf(latitude)) };
}

/** Counted from the equator: counted from the pole, points next to the equator would be rounded into the wrong row. */
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

/** Interleaves the bits of row and column, the row's first. */
export function numberOf(column: number, row: number): number {
  const high = spread(column >>> HALF_BITS) + 2 * spread(row >>> HALF_BITS);
  const low = spread(column & HALF_MASK) + 2 * spread(row & HALF_MASK);
  return high * 2 ** CELL_BITS + low;
}

/** Inserts a zero before each of 13 bits. */
function spread(bits: number): number {
  let value = bits;
  value = (value | (value << 8)) & 0x00ff00ff;
  value = (value | (value << 4)) & 0x0f0f0f0f;
  value = (value | (value << 2)) & 0x33333333;
  return (value | (value << 1)) & 0x55555555;
}

/** The inverse of {@link numberOf}. */
export function positionOfNumber(number: number): CellPosition {
  const [high, low] = [Math.floor(number / 2 ** CELL_BITS), number % 2 ** CELL_BITS];
  return {
    column: gather(high) * 2 ** HALF_BITS + gather(low),
    row: gather(high >> 1) * 2 ** HALF_BITS + gather(low >> 1),
  };
}

/** The inverse of {@link spread}. */
function gather(bits: number): number {
  let value = bits & 0x55555555;
  value = (value | (value >> 1)) & 0x33333333;
  value = (value | (value >> 2)) & 0x0f0f0f0f;
  value = (value | (value >> 4)) & 0x00ff00ff;
  return (value | (value >> 8)) & 0x0000ffff;
}
