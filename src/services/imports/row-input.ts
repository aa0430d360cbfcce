/** Turns the rows of a table into inputs of locations. */

import type { CsvRow } from '../../csv/table.ts';
import type { MapRecord } from '../../domain/map.ts';
import type { GivenPoint } from '../../domain/point.ts';
import { quote } from '../../domain/text.ts';
import type { ServiceError } from '../../errors.ts';
import { badUserInput } from '../../errors.ts';
import { settle } from '../expected.ts';
import type { LocationInput } from '../locations.ts';

/** The location's input, or why the row cannot be one. With an id, the location gets that id. */
export type RowReader = (row: CsvRow, id: string | undefined) => LocationInput | ServiceError;

const LATITUDE = 'lat';
const LONGITUDE = 'lng';
const NUMBER = /^[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$/;

/**
 * Every column becomes a field, and every cell stays a string, unchanged. Only the columns `lat` and `lng` are the
 * row's coordinates instead of fields, unless the map defines fields of these names.
 */
export function createRowReader(columns: readonly string[], map: MapRecord): RowReader {
  const definesThem = map.fields.some(({ name }) => name === LATITUDE || name === LONGITUDE);
  const latitudeAt = definesThem ? -1 : columns.indexOf(LATITUDE);
  const longitudeAt = definesThem ? -1 : columns.indexOf(LONGITUDE);
  const fieldColumns = [...columns.entries()].filter(
    ([index]) => index !== latitudeAt && index !== longitudeAt,
  );
  return ({ cells, problem }, id) => {
    if (problem !== null) return badUserInput(problem);
    return settle(() => ({
      id,
      fields: readFields(fieldColumns, cells),
      position: readPoint(cells[latitudeAt] ?? '', cells[longitudeAt] ?? ''),
    }));
  };
}

/** A loop, since it runs for each of a million rows. */
function readFields(
  columns: readonly (readonly [index: number, name: string])[],
  cells: readonly string[],
): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const [index, name] of columns) {
    const value = cells[index] ?? '';
    // Assigning to this name would change the object's prototype.
    if (name !== '__proto__') fields[name] = value;
    else Object.defineProperty(fields, name, { value, enumerable: true, configurable: true, writable: true });
  }
  return fields;
}

/**
 * @returns null when both cells are empty: then the row's address is geocoded
 * @throws ServiceError BAD_USER_INPUT when one of the cells is empty or is not a number. The range is checked later
 */
function readPoint(latitude: string, longitude: string): GivenPoint | null {
  const [lat, lng] = [latitude.trim(), longitude.trim()];
  if (lat === '' && lng === '') return null;
  if (lat === '' || lng === '') {
    throw badUserInput(
      `${LATITUDE} and ${LONGITUDE} go together; ${lat === '' ? LATITUDE : LONGITUDE} is empty.`,
    );
  }
  return { latitude: readNumber(lat, LATITUDE), longitude: readNumber(lng, LONGITUDE) };
}

function readNumber(text: string, column: string): number {
  if (!NUMBER.test(text))
    throw badUserInput(`${column} must be a decimal number of degrees, not ${quote(text)}.`);
  return Number(text);
}
