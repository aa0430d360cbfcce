/** Clips outlines to a tile. The single precision of a canvas is not enough for a zoomed world. */

/** An axis-aligned square. */
export interface Square {
  readonly minX: number;
  readonly minY: number;
  readonly maxX: number;
  readonly maxY: number;
}

type Points = readonly number[] | Float64Array;

/**
 * Clips a ring with the Sutherland–Hodgman algorithm. The result may run along the edges of the square, so the square must
 * be larger than the visible area.
 *
 * @param points x, y, x, y …
 */
export function clipRing(points: Points, { minX, minY, maxX, maxY }: Square): Points {
  let ring = points;
  ring = clipHalf(ring, 0, minX, 1);
  ring = clipHalf(ring, 0, maxX, -1);
  ring = clipHalf(ring, 1, minY, 1);
  return clipHalf(ring, 1, maxY, -1);
}

/** Clips at one edge: axis 0 is x, 1 is y; side 1 keeps greater values, -1 lesser ones. */
function clipHalf(points: Points, axis: 0 | 1, edge: number, side: 1 | -1): number[] {
  const kept: number[] = [];
  const { length } = points;
  if (length === 0) return kept;
  let [fromX, fromY] = [at(points, length - 2), at(points, length - 1)];
  let wasInside = (axis === 0 ? fromX : fromY) * side >= edge * side;
  for (let index = 0; index < length; index += 2) {
    const [x, y] = [at(points, index), at(points, index + 1)];
    const isInside = (axis === 0 ? x : y) * side >= edge * side;
    if (isInside !== wasInside) {
      const share = axis === 0 ? (edge - fromX) / (x - fromX) : (edge - fromY) / (y - fromY);
      if (axis === 0) kept.push(edge, fromY + share * (y - fromY));
      else kept.push(fromX + share * (x - fromX), edge);
    }
    if (isInside) kept.push(x, y);
    [fromX, fromY, wasInside] = [x, y, isInside];
  }
  return kept;
}

/** The segments of a line that may be in the square, unclipped, as connected parts. */
export function clipLine(points: Points, { minX, minY, maxX, maxY }: Square): readonly number[][] {
  const parts: number[][] = [];
  let part: number[] | null = null;
  for (let index = 2; index < points.length; index += 2) {
    const [fromX, fromY] = [at(points, index - 2), at(points, index - 1)];
    const [x, y] = [at(points, index), at(points, index + 1)];
    const isAway =
      (fromX < minX && x < minX) ||
      (fromX > maxX && x > maxX) ||
      (fromY < minY && y < minY) ||
      (fromY > maxY && y > maxY);
    if (isAway) {
      part = null;
      continue;
    }
    if (part === null) parts.push((part = [fromX, fromY]));
    part.push(x, y);
  }
  return parts;
}

function at(points: Points, index: number): number {
  return points[index] ?? 0;
}
