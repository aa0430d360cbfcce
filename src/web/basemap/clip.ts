/** Cuts outlines to a tile. A canvas keeps coordinates in single precision, which does not hold a zoomed world. */

/** A square, its edges parallel to the axes. */
export interface Square {
  readonly minX: number;
  readonly minY: number;
  readonly maxX: number;
  readonly maxY: number;
}

type Points = readonly number[] | Float64Array;

/**
 * A ring cut to the square, by Sutherland and Hodgman. It may run along the square's edges, so the square must be larger
 * than what is seen of it.
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

/** Keeps what is on one side: axis 0 is x, 1 is y; side 1 keeps what is greater, -1 what is less. */
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

/** The parts of a line that may be in the square: whole segments, some of which end outside. */
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
