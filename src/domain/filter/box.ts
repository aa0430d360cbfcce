/** Boxes of latitudes and longitudes. */

import { badUserInput } from '../../errors.ts';
import { assertDegrees } from '../point.ts';
import type { Point } from './distance.ts';

/** Degrees, edges inside. A box whose west is greater than its east crosses the antimeridian. */
export interface Box {
  readonly south: number;
  readonly west: number;
  readonly north: number;
  readonly east: number;
}

/**
 * @param label how the message names the input, e.g. `filter.bbox`
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
