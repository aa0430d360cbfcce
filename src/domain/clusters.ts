/** Clusters of a map's viewport (capabilities §11): the grid and its cells. */

import type { Box } from './filter/box.ts';
import { CELL_BITS, positionOf } from './filter/cell.ts';
import type { Point } from './filter/distance.ts';

export const MAX_ZOOM = 22;

/** Maximum clusters of a response. */
export const MAX_CLUSTERS = 2_000;

/** The cells that a box touches, at one zoom. */
export interface ClusterGrid {
  /** The world has 2^bits cells along each side. */
  readonly bits: number;
  /** Rows, inclusive. */
  readonly top: number;
  readonly bottom: number;
  /** The first column, and the number of columns eastwards from it, possibly across the antimeridian. */
  readonly left: number;
  readonly columns: number;
}

/** The locations of a cell. Latitudes and longitudes are sums in degrees. */
export interface ClusterSums {
  readonly column: number;
  readonly row: number;
  readonly count: number;
  readonly latitudes: number;
  readonly longitudes: number;
  /** The bounding box of the locations; never crosses the antimeridian. */
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

/** The cell of a point in a grid of 2^bits cells along each side. */
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
