/** The columns `lat` and `lng` of a table: coordinates of the row, and no properties of its location. */

import type { MapRecord } from '../../domain/map.ts';
import type { GivenPoint } from '../../domain/point.ts';
import { quote } from '../../domain/text.ts';
import { badUserInput } from '../../errors.ts';
import type { LocationInput } from '../locations.ts';

const COLUMNS = { latitude: 'lat', longitude: 'lng' } as const;
const NUMBER = /^[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$/;

/** Whether the columns are coordinates: a map that defines such fields means them as fields. */
export function hasCoordinateColumns({ fields }: MapRecord): boolean {
  const columns: readonly string[] = Object.values(COLUMNS);
  return !fields.some(({ name }) => columns.includes(name));
}

/**
 * A row as the input of a location: with the point that it names, or to be geocoded where both cells are empty.
 *
 * @throws ServiceError BAD_USER_INPUT where one stands alone or is no number; its range is checked with every point's
 */
export function toLocationInput(
  fields: Readonly<Record<string, string>>,
  hasCoordinates: boolean,
): LocationInput {
  if (!hasCoordinates) return { fields };
  const { [COLUMNS.latitude]: lat = '', [COLUMNS.longitude]: lng = '', ...rest } = fields;
  return { fields: rest, position: readPosition(lat.trim(), lng.trim()) };
}

function readPosition(lat: string, lng: string): GivenPoint | null {
  if (lat === '' && lng === '') return null;
  if (lat === '' || lng === '') {
    throw badUserInput(`lat and lng go together; ${lat === '' ? 'lat' : 'lng'} is empty.`);
  }
  return { latitude: readNumber(lat, 'lat'), longitude: readNumber(lng, 'lng') };
}

function readNumber(text: string, column: string): number {
  if (!NUMBER.test(text))
    throw badUserInput(`${column} must be a decimal number of degrees, not ${quote(text)}.`);
  return Number(text);
}
