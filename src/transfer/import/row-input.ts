/** Turns the rows of a table into inputs of locations. */

import type { CsvRow } from '../csv/table.ts';
import type { JsonObject, JsonValue } from '../../domain/json.ts';
import { isJsonObject } from '../../domain/json.ts';
import type { OwnTable } from '../columns/own-table.ts';
import { OWN_COLUMN, readOwnTable } from '../columns/own-table.ts';
import type { MapRecord } from '../../domain/map.ts';
import { badUserInput } from '../../errors.ts';
import { settle } from '../../services/expected.ts';
import type { LocationInput } from '../../services/locations.ts';
import { findCoordinates } from '../columns/coordinate-columns.ts';
import { placeAt, readPoint } from '../columns/point.ts';
import type { ImportSource, RowOptions } from './source.ts';

/** What a row says of its location, whose id is not the row's to say. */
type RowInput = Omit<LocationInput, 'id' | 'idempotencyKey'>;

const EXTERNAL_ID = 'externalId';

/** A table whose first columns are exactly ours is one that was exported; any other one is somebody's own. */
export function createRowReader(
  columns: readonly string[],
  map: MapRecord,
  options: RowOptions = { isUpsert: false },
): Pick<ImportSource<CsvRow>, 'readRow' | 'isPlaced'> {
  const own = readOwnTable(columns);
  const { latitudeAt, read } = own === null ? theirReader(columns, map, options) : ownReader(own);
  return {
    readRow: ({ cells, problem }, id) =>
      problem === null ? settle(() => ({ ...read(cells), id })) : badUserInput(problem),
    isPlaced: ({ cells }) => (cells[latitudeAt] ?? '') !== '',
  };
}

interface RowReader {
  /** The index of the column that holds latitudes; -1 where there is none. */
  readonly latitudeAt: number;
  /** @throws ServiceError BAD_USER_INPUT */
  readonly read: (cells: readonly string[]) => RowInput;
}

/**
 * Every column becomes a field, and every cell stays a string, unchanged. Only the coordinates, and the external id of an
 * upsert, are no fields, unless the map defines fields of these names.
 */
function theirReader(columns: readonly string[], { fields }: MapRecord, { isUpsert }: RowOptions): RowReader {
  const defined = new Set(fields.map(({ name }) => name));
  const { latitudeAt, longitudeAt } = findCoordinates(columns, (name) => defined.has(name));
  const externalIdAt = isUpsert && !defined.has(EXTERNAL_ID) ? columns.indexOf(EXTERNAL_ID) : -1;
  const fieldColumns = [...columns.entries()].filter(
    ([index]) => ![latitudeAt, longitudeAt, externalIdAt].includes(index),
  );
  const names = { latitude: columns[latitudeAt] ?? 'lat', longitude: columns[longitudeAt] ?? 'lng' };
  const read = (cells: readonly string[]): RowInput => ({
    fields: readFields(fieldColumns, cells),
    position: readPoint(cells[latitudeAt] ?? '', cells[longitudeAt] ?? '', names),
    externalId: textOf(cells[externalIdAt]),
  });
  return { latitudeAt, read };
}

const OWN_NAMES = { latitude: 'lat', longitude: 'lng' };

function ownReader({ fields: columns, moreAt }: OwnTable): RowReader {
  const read = (cells: readonly string[]): RowInput => {
    const filled = columns.filter(([index]) => cells[index] !== '');
    const fields = readFields(filled, cells);
    for (const [key, value] of Object.entries(readMore(cells[moreAt] ?? ''))) set(fields, key, value);
    const point = readPoint(cells[OWN_COLUMN.lat] ?? '', cells[OWN_COLUMN.lng] ?? '', OWN_NAMES);
    return {
      fields,
      position: placeAt(point, textOf(cells[OWN_COLUMN.placeId])),
      order: textOf(cells[OWN_COLUMN.order]),
      isOrderKept: true,
      externalId: textOf(cells[OWN_COLUMN.externalId]),
    };
  };
  return { latitudeAt: OWN_COLUMN.lat, read };
}

/** @throws ServiceError BAD_USER_INPUT */
function readMore(cell: string): JsonObject {
  if (cell.trim() === '') return {};
  let value: unknown;
  try {
    value = JSON.parse(cell);
  } catch {
    // Said below.
  }
  if (!isJsonObject(value)) throw badUserInput('more must be a JSON object, or empty.');
  return value;
}

/** An empty cell is none. */
function textOf(cell: string | undefined): string | null {
  return cell === undefined || cell === '' ? null : cell;
}

/** A loop, since it runs for each of a million rows. */
function readFields(
  columns: readonly (readonly [index: number, name: string])[],
  cells: readonly string[],
): Record<string, JsonValue> {
  const fields: Record<string, JsonValue> = {};
  for (const [index, name] of columns) set(fields, name, cells[index] ?? '');
  return fields;
}

/** A key that is there already keeps its place. */
function set(fields: Record<string, JsonValue>, name: string, value: JsonValue): void {
  // Assigning to this name would change the object's prototype.
  if (name !== '__proto__') fields[name] = value;
  else Object.defineProperty(fields, name, { value, enumerable: true, configurable: true, writable: true });
}
