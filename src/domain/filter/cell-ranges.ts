/** Ranges of cell numbers that cover a box or a circle, and a little more. */

import type { ClusterGrid } from '../clusters.ts';
import type { Box } from './box.ts';
import type { CellRange } from './cell.ts';
import { CELL_BITS, numberOf, positionOf } from './cell.ts';
import type { Circle } from './location-filter.ts';
import { EARTH_RADIUS } from './distance.ts';

/** Approximate squares along the edges of a box. More are more precise, but give more ranges. */
const PERIMETER_SQUARES = 32;

/** Columns and rows, inclusive. */
interface Rectangle {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Ascending and disjoint. */
export function rangesOfBox(box: Box): readonly CellRange[] {
  return mergeRanges(rectanglesOf(box).flatMap(rangesOfRectangle));
}

/** As {@link rangesOfBox}, for the cells of a grid. */
export function rangesOfGrid({ bits, top, bottom, left, columns }: ClusterGrid): readonly CellRange[] {
  const size = 2 ** (CELL_BITS - bits);
  const side = 2 ** bits;
  const spans =
    left + columns <= side
      ? [[left, left + columns - 1] as const]
      : [[left, side - 1] as const, [0, left + columns - 1 - side] as const];
  const rectangles = spans.map(([from, to]) => ({
    left: from * size,
    right: (to + 1) * size - 1,
    top: top * size,
    bottom: (bottom + 1) * size - 1,
  }));
  return mergeRanges(rectangles.flatMap(rangesOfRectangle));
}

/** Ascending and disjoint. */
export function mergeRanges(ranges: readonly CellRange[]): readonly CellRange[] {
  const merged: CellRange[] = [];
  for (const range of ranges.toSorted((a, b) => a.first - b.first)) {
    const last = merged.at(-1);
    if (last === undefined || range.first > last.last + 1) merged.push(range);
    else merged[merged.length - 1] = { first: last.first, last: Math.max(last.last, range.last) };
  }
  return merged;
}

function rectanglesOf({ south, west, north, east }: Box): readonly Rectangle[] {
  const { row: top } = positionOf({ latitude: north, longitude: 0 });
  const { row: bottom } = positionOf({ latitude: south, longitude: 0 });
  const columnOf = (longitude: number) => positionOf({ latitude: 0, longitude }).column;
  const spans = west <= east ? [[west, east] as const] : [[west, 180] as const, [-180, east] as const];
  return spans.map(([from, to]) => ({ left: columnOf(from), right: columnOf(to), top, bottom }));
}

/** Recursively divides squares that touch the rectangle into quarters. */
function rangesOfRectangle(rectangle: Rectangle): readonly CellRange[] {
  const { left, right, top, bottom } = rectangle;
  const perimeter = 2 * (right - left + 1) + 2 * (bottom - top + 1);
  const smallest = 2 ** Math.max(0, Math.ceil(Math.log2(perimeter / PERIMETER_SQUARES)));
  const ranges: CellRange[] = [];
  const collect = (column: number, row: number, size: number): void => {
    if (column > right || column + size <= left || row > bottom || row + size <= top) return;
    const isInside = column >= left && column + size - 1 <= right && row >= top && row + size - 1 <= bottom;
    if (isInside || size <= smallest) {
      const first = numberOf(column, row);
      ranges.push({ first, last: first + size * size - 1 });
      return;
    }
    const half = size / 2;
    collect(column, row, half);
    collect(column + half, row, half);
    collect(column, row + half, half);
    collect(column + half, row + half, half);
  };
  // The smallest square around the rectangle: its columns share their leading bits, and so do its rows.
  const size = 2 ** (32 - Math.clz32((left ^ right) | (top ^ bottom)));
  collect(left - (left % size), top - (top % size), size);
  return ranges;
}

const DEGREES = 180 / Math.PI;
/** Degrees that exceed all rounding errors: half a millimetre of distances, far less of arithmetic. */
const MARGIN = 1e-7;

/** A box around the circle. */
export function boxOfCircle({ center, radius }: Circle): Box {
  const angle = radius / EARTH_RADIUS + MARGIN / DEGREES;
  const south = center.latitude - angle * DEGREES;
  const north = center.latitude + angle * DEGREES;
  // A circle around a pole covers every longitude.
  if (south <= -90 || north >= 90) {
    return { south: Math.max(-90, south), north: Math.min(90, north), west: -180, east: 180 };
  }
  const width =
    Math.asin(Math.min(1, Math.sin(angle) / Math.cos(center.latitude / DEGREES))) * DEGREES + MARGIN;
  if (width >= 180) return { south, north, west: -180, east: 180 };
  return { south, north, west: wrap(center.longitude - width), east: wrap(center.longitude + width) };
}

function wrap(longitude: number): number {
  if (longitude < -180) return longitude + 360;
  return longitude > 180 ? longitude - 360 : longitude;
}
