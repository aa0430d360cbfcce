/** Clusters of a map's viewport (capabilities §11): the grid, and what stands in its cells. */

import type { Box } from './filter/box.ts';
import { CELL_BITS, positionOf } from './filter/cell.ts';
import type { Point } from './filter/distance.ts';

export const MAX_ZOOM = 22;

/** Cells of one answer that hold locations. */
export const MAX_CLUSTERS = 2_000;

/** The cells that a box touches, at one zoom. */
export interface ClusterGrid {
  /** Cells along each side of the world are 2 to the power of this. */
  readonly bits: number;
  /** Rows, inclusive. */
  readonly top: number;
  readonly bottom: number;
  /** The first column, and how many there are from it eastwards, across the antimeridian where need be. */
  readonly left: number;
  readonly columns: number;
}

/** What stands in a cell. Latitudes and longitudes are sums, degrees. */
export interface ClusterSums {
  readonly column: number;
  readonly row: number;
  readonly count: number;
  readonly latitudes: number;
  readonly longitudes: number;
  /** The smallest box around the locations; its west is never greater than its east. */
  readonly box: Box;
}

/** @param zoom a whole number from 0 to {@link MAX_ZOOM} */
export function gridOf({ south, west, north, east }: Box, zoom: number): ClusterGrid {
  const bits = zoom + 2;
  const side = 2 ** bits;
  const first = cellAt({ latitude: north, longitude: west }, bits);
  const last = cellAt({ latitude: south, longitude: east }, bits);
  const isAroundTheWorld = west > east && first.column === last.column;
  return {
    bits,
    top: first.row,
    bottom: last.row,
    left: first.column,
    columns: isAroundTheWorld ? side : ((last.column - first.column + side) % side) + 1,
  };
}

/** A cell of 2 to the power of `bits` along each side. */
export function cellAt(point: Point, bits: number): { readonly column: number; readonly row: number } {
  const { column, row } = positionOf(point);
  return { column: column >> (CELL_BITS - bits), row: row >> (CELL_BITS - bits) };
}

export function isWithinGrid(
  grid: ClusterGrid,
  { column, row }: { readonly column: number; readonly row: number },
): boolean {
  return row >= grid.top && row <= grid.bottom && columnsFromLeft(grid, column) < grid.columns;
}

/** From north to south, then eastwards from the grid's left. */
export function inReadingOrder(grid: ClusterGrid): (a: ClusterSums, b: ClusterSums) => number {
  return (a, b) => a.row - b.row || columnsFromLeft(grid, a.column) - columnsFromLeft(grid, b.column);
}

function columnsFromLeft({ left, bits }: ClusterGrid, column: number): number {
  return (column - left + 2 ** bits) % 2 ** bits;
}
