/** Points that callers provide in place of geocoding. */

import { badUserInput } from '../errors.ts';
import { toPlainDecimal } from './coordinates.ts';
import { assertStorable, countCodePoints, isBlank } from './text.ts';

export interface GivenPoint {
  /** Degrees, -90 to 90, WGS 84. */
  readonly latitude: number;
  /** Degrees, -180 to 180, WGS 84. */
  readonly longitude: number;
  /** The caller's own identifier. */
  readonly placeId?: string | null;
}

/** A point with an identifier: the caller's, or one derived from the coordinates. */
export interface LocatedPoint {
  readonly latitude: number;
  readonly longitude: number;
  readonly placeId: string;
}

const MAX_PLACE_ID_LENGTH = 512;

/** @throws ServiceError BAD_USER_INPUT for coordinates out of range, or an invalid identifier */
export function locatePoint({ latitude, longitude, placeId = null }: GivenPoint): LocatedPoint {
  assertDegrees(latitude, 90, 'latitude');
  assertDegrees(longitude, 180, 'longitude');
  if (placeId !== null) assertPlaceId(placeId);
  // Adding zero turns -0 into 0.
  const [lat, lng] = [latitude + 0, longitude + 0];
  return {
    latitude: lat,
    longitude: lng,
    placeId: placeId ?? `point:${toPlainDecimal(lat)},${toPlainDecimal(lng)}`,
  };
}

/** @throws ServiceError BAD_USER_INPUT */
export function assertDegrees(degrees: number, limit: number, label: string): void {
  if (Math.abs(degrees) <= limit) return;
  throw badUserInput(`${label} must be a number of degrees from -${limit} to ${limit}.`);
}

function assertPlaceId(placeId: string): void {
  if (isBlank(placeId) || countCodePoints(placeId) > MAX_PLACE_ID_LENGTH) {
    throw badUserInput(`placeId must be 1 to ${MAX_PLACE_ID_LENGTH} characters and not blank.`);
  }
  assertStorable(placeId, 'placeId');
}
