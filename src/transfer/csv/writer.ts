/** A whole map as CSV (RFC 4180). What a cell cannot say stands as JSON in the last column, `more`. */

import { formatRecord } from './format-record.ts';
import { exportCells, publicLine } from '../columns/export-cells.ts';
import { EXPORT_COLUMN, exportColumns } from '../columns/export-table.ts';
import { decimalOf } from '../../domain/list/order.ts';
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
  const columns = exportColumns(fields);
  return {
    kind: 'lines',
    head: isForSpreadsheet ? BYTE_ORDER_MARK + lineOf(withoutFormulas(columns, NONE)) : lineOf(columns),
    lead: '',
    tail: '',
    lineOf: (source) => {
      const location = isPublic ? publicLine(source, defined) : source;
      const { cells: values, more } = exportCells(location, fields, defined);
      const cells = [...values.map(String), more];
      return lineOf(isForSpreadsheet ? withoutFormulas(cells, numbersOf(location)) : cells);
    },
  };
}

const NONE: ReadonlySet<number> = new Set();
const POINT: ReadonlySet<number> = new Set([EXPORT_COLUMN.lat, EXPORT_COLUMN.lng]);
const POINT_AND_ORDER: ReadonlySet<number> = new Set([...POINT, EXPORT_COLUMN.order]);

/** The cells of a line that are numbers to a spreadsheet, as they should be: `-1` is no formula. */
function numbersOf({ order }: LineSource): ReadonlySet<number> {
  return decimalOf(order) === null ? POINT : POINT_AND_ORDER;
}

function withoutFormulas(cells: readonly string[], keptAt: ReadonlySet<number>): readonly string[] {
  return cells.map((cell, index) => (FORMULA.test(cell) && !keptAt.has(index) ? `'${cell}` : cell));
}
