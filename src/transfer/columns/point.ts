/** The point of a row, as its file says it. */

import type { GivenPoint } from '../../domain/point.ts';
import { locatePoint } from '../../domain/point.ts';
import { quote } from '../../domain/text.ts';
import { badUserInput } from '../../errors.ts';

const NUMBER = /^[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$/;

/** Names of the two, for messages. */
export interface PointNames {
  readonly latitude: string;
  readonly longitude: string;
}

/**
 * @returns null when both texts are empty: then the row's address is geocoded
 * @throws ServiceError BAD_USER_INPUT when one of the texts is empty or is not a number. The range is checked later
 */
export function readPoint(
  latitude: string,
  longitude: string,
  names: PointNames,
): Pick<GivenPoint, 'latitude' | 'longitude'> | null {
  const [lat, lng] = [latitude.trim(), longitude.trim()];
  if (lat === '' && lng === '') return null;
  if (lat === '' || lng === '') {
    const { latitude: first, longitude: second } = names;
    throw badUserInput(`${first} and ${second} go together; ${lat === '' ? first : second} is empty.`);
  }
  return { latitude: readNumber(lat, names.latitude), longitude: readNumber(lng, names.longitude) };
}

function readNumber(text: string, name: string): number {
  if (!NUMBER.test(text))
    throw badUserInput(`${name} must be a decimal number of degrees, not ${quote(text)}.`);
  return Number(text);
}

/** That of a point of many digits is longer than one that a caller may give. */
function defaultPlaceId({ latitude, longitude }: Pick<GivenPoint, 'latitude' | 'longitude'>): string {
  return locatePoint({ latitude, longitude }).placeId;
}

/** @throws ServiceError BAD_USER_INPUT for the identifier of a place that has no point */
export function placeAt(
  point: Pick<GivenPoint, 'latitude' | 'longitude'> | null,
  placeId: string | null,
): GivenPoint | null {
  if (point !== null) return { ...point, placeId: placeId === defaultPlaceId(point) ? null : placeId };
  if (placeId === null) return null;
  throw badUserInput('placeId belongs to a point, and there is none.');
}
