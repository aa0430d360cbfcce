/** Bounding boxes in latitude and longitude. */

import { badUserInput } from '../../errors.ts';
import { assertDegrees } from '../point.ts';
import type { Point } from './distance.ts';

/** Degrees, inclusive. A box whose west is greater than its east crosses the antimeridian. */
export interface Box {
  readonly south: number;
  readonly west: number;
  readonly north: number;
  readonly east: number;
}

/**
 * @param label name in error messages, e.g. `filter.bbox`
 * @throws ServiceError BAD_USER_INPUT
 */
export function assertBox({ south, north, west, east }: Box, label: string): void {
  assertDegrees(south, 90, `${label}.south`);
  assertDegrees(north, 90, `${label}.north`);
  assertDegrees(west, 180, `${label}.west`);
  assertDegrees(east, 180, `${label}.east`);
  if (south > north) throw badUserInput(`${label}.south must not be greater than ${label}.north.`);
}

export function boxContains({ south, west, north, east }: Box, { latitude, longitude }: Point): boolean {
  if (latitude < south || latitude > north) return false;
  return west <= east ? longitude >= west && longitude <= east : longitude >= west || longitude <= east;
}

/** The box of one point. */
export function boxOf({ latitude, longitude }: Point): Box {
  return { south: latitude, west: longitude, north: latitude, east: longitude };
}

/** The smallest box around both; never crosses the antimeridian. */
export function around(a: Box, b: Box): Box {
  return {
    south: Math.min(a.south, b.south),
    west: Math.min(a.west, b.west),
    north: Math.max(a.north, b.north),
    east: Math.max(a.east, b.east),
  };
}
