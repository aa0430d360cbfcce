/** A whole map as CSV (RFC 4180). What a cell cannot say stands as JSON in the last column, `more`. */

import { formatRecords } from '../../csv/write.ts';
import { toPlainDecimal } from '../../domain/coordinates.ts';
import type { JsonValue } from '../../domain/json.ts';
import { OWN_COLUMN, tableColumns } from '../../domain/location-table.ts';
import type { LocationRecord } from '../../domain/location.ts';
import type { MapRecord } from '../../domain/map.ts';
import { decimalOf } from '../../domain/order.ts';
import type { MapWriter } from './writer.ts';

const BYTE_ORDER_MARK = '\ufeff';
/** A spreadsheet takes a cell that begins so for a formula, unless an apostrophe stands before it. */
const FORMULA = /^[=+\-@\t\r]/;

export interface CsvOptions {
  /** For a person's spreadsheet instead of a program. */
  readonly isForSpreadsheet: boolean;
}

export function csvWriter({ fields }: MapRecord, { isForSpreadsheet }: CsvOptions): MapWriter {
  const names = fields.map(({ name }) => name);
  const write = (
    rows: readonly (readonly string[])[],
    keptAt: (cells: readonly string[]) => ReadonlySet<number>,
  ) =>
    formatRecords(
      isForSpreadsheet ? rows.map((cells) => withoutFormulas(cells, keptAt(cells))) : rows,
      '\r\n',
    );
  const header = write([tableColumns(names)], () => NONE);
  return {
    head: isForSpreadsheet ? BYTE_ORDER_MARK + header : header,
    separator: '',
    tail: '',
    read: async (storage, mapId, page) => {
      const locations = await storage.listLocations(mapId, page);
      return {
        text: Buffer.from(
          write(
            locations.map((location) => toCells(location, names)),
            numbersOf,
          ),
        ),
        count: locations.length,
        last: locations.at(-1) ?? null,
      };
    },
  };
}

const NONE: ReadonlySet<number> = new Set();
const POINT: ReadonlySet<number> = new Set([OWN_COLUMN.lat, OWN_COLUMN.lng]);
const POINT_AND_ORDER: ReadonlySet<number> = new Set([...POINT, OWN_COLUMN.order]);

/** The cells of a row that are numbers to a spreadsheet, as they should be: `-1` is no formula. */
function numbersOf(cells: readonly string[]): ReadonlySet<number> {
  return decimalOf(cells[OWN_COLUMN.order] ?? '') === null ? POINT : POINT_AND_ORDER;
}

function withoutFormulas(cells: readonly string[], keptAt: ReadonlySet<number>): readonly string[] {
  return cells.map((cell, index) => (FORMULA.test(cell) && !keptAt.has(index) ? `'${cell}` : cell));
}

function toCells(location: LocationRecord, names: readonly string[]): readonly string[] {
  const { id, externalId, order, latitude, longitude, placeId, properties } = location;
  const cells = names.map((name) => (Object.hasOwn(properties, name) ? cellOf(properties[name]) : ''));
  const defined = new Set(names);
  const more = Object.entries(properties).filter(([key, value]) => !defined.has(key) || !isSaidByCell(value));
  return [
    ...[id, externalId ?? '', order, toPlainDecimal(latitude), toPlainDecimal(longitude), placeId],
    ...cells,
    more.length === 0 ? '' : jsonOf(more),
  ];
}

function cellOf(value: JsonValue | undefined): string {
  return typeof value === 'object' || value === undefined ? '' : String(value);
}

/** An empty cell is an absent field, and every other one a string. */
function isSaidByCell(value: JsonValue): boolean {
  return typeof value === 'string' && value !== '';
}

/** An object's JSON, whatever its keys are called. */
function jsonOf(entries: readonly (readonly [string, JsonValue])[]): string {
  return `{${entries.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`).join(',')}}`;
}
