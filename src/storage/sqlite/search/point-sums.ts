/** Adds up points. */

import type { Box } from '../../../domain/filter/box.ts';
import { around } from '../../../domain/filter/box.ts';

/** Latitudes and longitudes are sums, degrees. */
export interface PointSums {
  count: number;
  latitudes: number;
  longitudes: number;
  /** The smallest around the points. */
  box: Box;
}

/** Holds no point, and takes any. */
export const NO_BOX: Box = { south: Infinity, west: Infinity, north: -Infinity, east: -Infinity };

/** Whether the box would be smaller without some of what the other one is around. */
export function isOnEdge(box: Box, other: Box): boolean {
  return (
    other.south <= box.south || other.west <= box.west || other.north >= box.north || other.east >= box.east
  );
}

/** Adds to a cell's sums. */
export function addTo<K>(sums: Map<K, PointSums>, key: K, added: PointSums): void {
  const known = sums.get(key);
  if (known === undefined) {
    sums.set(key, { ...added });
    return;
  }
  known.count += added.count;
  known.latitudes += added.latitudes;
  known.longitudes += added.longitudes;
  known.box = around(known.box, added.box);
}
