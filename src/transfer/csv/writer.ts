/** A whole map as CSV (RFC 4180). What a cell cannot say stands as JSON in the last column, `more`. */

import { formatRecord } from './format-record.ts';
import type { JsonObject, JsonValue } from '../../domain/json.ts';
import { OWN_COLUMN, tableColumns } from '../columns/own-table.ts';
import { decimalOf } from '../../domain/order.ts';
import { publicJson } from '../../domain/public-view.ts';
import type { ExportWriter, LineSource, WriterOptions } from '../writer.ts';

const BYTE_ORDER_MARK = '\ufeff';
const LINE_END = '\r\n';
/** A spreadsheet takes a cell that begins so for a formula, unless an apostrophe stands before it. */
const FORMULA = /^[=+\-@\t\r]/;

export function csvWriter({
  fields,
  isForSpreadsheet,
  isPublic = false,
  delimiter = ',',
}: WriterOptions): ExportWriter {
  const defined = new Set(fields);
  const lineOf = (cells: readonly string[]) => formatRecord(cells, delimiter, LINE_END);
  const columns = tableColumns(fields);
  return {
    kind: 'lines',
    head: isForSpreadsheet ? BYTE_ORDER_MARK + lineOf(withoutFormulas(columns, NONE)) : lineOf(columns),
    lead: '',
    tail: '',
    lineOf: (source) => {
      const location = isPublic ? publicLine(source, defined) : source;
      const cells = toCells(location, fields, defined);
      return lineOf(isForSpreadsheet ? withoutFormulas(cells, numbersOf(location)) : cells);
    },
  };
}

function publicLine(source: LineSource, names: ReadonlySet<string>): LineSource {
  return { ...source, externalId: null, properties: publicJson(source.properties, names) };
}

const NONE: ReadonlySet<number> = new Set();
const POINT: ReadonlySet<number> = new Set([OWN_COLUMN.lat, OWN_COLUMN.lng]);
const POINT_AND_ORDER: ReadonlySet<number> = new Set([...POINT, OWN_COLUMN.order]);

/** The cells of a line that are numbers to a spreadsheet, as they should be: `-1` is no formula. */
function numbersOf({ order }: LineSource): ReadonlySet<number> {
  return decimalOf(order) === null ? POINT : POINT_AND_ORDER;
}

function withoutFormulas(cells: readonly string[], keptAt: ReadonlySet<number>): readonly string[] {
  return cells.map((cell, index) => (FORMULA.test(cell) && !keptAt.has(index) ? `'${cell}` : cell));
}

function toCells(
  { id, externalId, order, lat, lng, placeId, properties }: LineSource,
  fields: readonly string[],
  defined: ReadonlySet<string>,
): readonly string[] {
  const values = JSON.parse(properties) as JsonObject;
  const cells = [id, externalId ?? '', order, lat, lng, placeId];
  let said = 0;
  for (const name of fields) {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    cells.push(cellOf(value));
    if (isSaidByCell(value)) said += 1;
  }
  // Of nearly every location the cells say all.
  cells.push(said === Object.keys(values).length ? '' : moreOf(values, defined));
  return cells;
}

function cellOf(value: JsonValue | undefined): string {
  return typeof value === 'object' || value === undefined ? '' : String(value);
}

/** An empty cell is an absent field, and every other one a string. */
function isSaidByCell(value: JsonValue | undefined): boolean {
  return typeof value === 'string' && value !== '';
}

/** What the cells do not say, as an object's JSON, whatever its keys are called. */
function moreOf(values: JsonObject, defined: ReadonlySet<string>): string {
  const more = Object.entries(values).filter(([key, value]) => !defined.has(key) || !isSaidByCell(value));
  return `{${more.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`).join(',')}}`;
}
