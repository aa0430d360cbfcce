/** Distances on the globe, computed only here, so that all stores find the same locations near a point. */

export interface Point {
  /** Degrees, WGS 84. */
  readonly latitude: number;
  readonly longitude: number;
}

/** Mean radius of the earth in metres (IUGG). */
export const EARTH_RADIUS = 6_371_008.8;
const RADIANS = Math.PI / 180;

/** Metres: half the length of the equator, rounded up. */
export const MAX_RADIUS = 20_037_509;

/** Haversine distance in metres, rounded to millimetres. */
export function distanceBetween(a: Point, b: Point): number {
  const northward = Math.sin(((b.latitude - a.latitude) * RADIANS) / 2);
  const eastward = Math.sin(((b.longitude - a.longitude) * RADIANS) / 2);
  const h =
    northward * northward +
    Math.cos(a.latitude * RADIANS) * Math.cos(b.latitude * RADIANS) * eastward * eastward;
  const metres = 2 * EARTH_RADIUS * Math.asin(Math.min(1, Math.sqrt(h)));
  return Math.round(metres * 1000) / 1000;
}
