/** Writes a map as CSV (RFC 4180). Values that do not fit in cells are JSON in the last column, `more`. */

import { formatRecord } from './format-record.ts';
import { exportCells, publicLine } from '../columns/export-cells.ts';
import { EXPORT_COLUMN, exportColumns } from '../columns/export-table.ts';
import { decimalOf } from '../../domain/list/order.ts';
import type { ExportWriter, LineSource, WriterOptions } from '../writer.ts';

const BYTE_ORDER_MARK = '\ufeff';
const LINE_END = '\r\n';
/** A spreadsheet reads a cell that starts like this as a formula, unless it has an apostrophe in front. */
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
    head: isForSpreadsheet ? BYTE_ORDER_MARK + lineOf(escapeFormulas(columns, NONE)) : lineOf(columns),
    lead: '',
    tail: '',
    lineOf: (source) => {
      const location = isPublic ? publicLine(source, defined) : source;
      const { cells: values, more } = exportCells(location, fields, defined);
      const cells = [...values.map(String), more];
      return lineOf(isForSpreadsheet ? escapeFormulas(cells, numbersOf(location)) : cells);
    },
  };
}

const NONE: ReadonlySet<number> = new Set();
const POINT: ReadonlySet<number> = new Set([EXPORT_COLUMN.lat, EXPORT_COLUMN.lng]);
const POINT_AND_ORDER: ReadonlySet<number> = new Set([...POINT, EXPORT_COLUMN.order]);

/** The cells that are numbers: `-1` is no formula. */
function numbersOf({ order }: LineSource): ReadonlySet<number> {
  return decimalOf(order) === null ? POINT : POINT_AND_ORDER;
}

function escapeFormulas(cells: readonly string[], keptAt: ReadonlySet<number>): readonly string[] {
  return cells.map((cell, index) => (FORMULA.test(cell) && !keptAt.has(index) ? `'${cell}` : cell));
}
