/** Writes a map as a workbook of one sheet, with the columns of the CSV export. */

import { exportCells, publicLine } from '../columns/export-cells.ts';
import { EXPORT_COLUMN, exportColumns } from '../columns/export-table.ts';
import type { ExportWriter, WriterOptions } from '../writer.ts';
import { MAX_CELL_LENGTH } from './limits.ts';
import { isShortestDecimal, rowXml, SHEET_END, sheetStart } from './sheet-xml.ts';

const NUMERIC: readonly number[] = [EXPORT_COLUMN.order, EXPORT_COLUMN.lat, EXPORT_COLUMN.lng];

/** Writes the XML of the sheet without row numbers, for `pack`. */
export function xlsxWriter({ fields, isPublic = false, moreColumns = 1 }: WriterOptions): ExportWriter {
  const defined = new Set(fields);
  const columns = exportColumns(fields, moreColumns);
  return {
    kind: 'lines',
    head: sheetStart(columns),
    lead: '',
    tail: SHEET_END,
    lineOf: (source) => {
      const location = isPublic ? publicLine(source, defined) : source;
      const { cells, more } = exportCells(location, fields, defined, MAX_CELL_LENGTH);
      const all = [...cells, ...cellsOfMore(more)];
      if (all.length > columns.length) {
        throw new Error(`The location ${source.id} outgrew the columns of the export while it was running.`);
      }
      for (const index of NUMERIC) {
        const cell = all[index];
        if (typeof cell === 'string' && isShortestDecimal(cell)) all[index] = Number(cell);
      }
      return rowXml(all);
    },
  };
}

/** Splits `more` into cells of the maximum length, between characters. */
function cellsOfMore(more: string): readonly string[] {
  const cells: string[] = [];
  for (let start = 0; start < more.length;) {
    const isPairCut = /[\ud800-\udbff]/.test(more[start + MAX_CELL_LENGTH - 1] ?? '');
    const end = start + MAX_CELL_LENGTH - (isPairCut ? 1 : 0);
    cells.push(more.slice(start, end));
    start = end;
  }
  return cells;
}

/**
 * The number of columns that `more` needs.
 *
 * @param lines the properties of each location as a line of JSON. Chunks end at line ends
 */
export async function countMoreColumns(
  { fields, isPublic = false }: WriterOptions,
  lines: AsyncIterable<Uint8Array>,
): Promise<number> {
  const defined = new Set(fields);
  let most = 1;
  for await (const properties of longLines(lines)) {
    const line = { ...NO_LOCATION, properties };
    const { more } = exportCells(
      isPublic ? publicLine(line, defined) : line,
      fields,
      defined,
      MAX_CELL_LENGTH,
    );
    most = Math.max(most, cellsOfMore(more).length);
  }
  return most;
}

const NO_LOCATION = { id: '', externalId: null, order: '', lat: '', lng: '', placeId: '', name: '' };
const LF = 10;

/** Lines that may exceed a cell. */
async function* longLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, undefined> {
  for await (const chunk of chunks) {
    for (let start = 0; start < chunk.length;) {
      const next = chunk.indexOf(LF, start);
      const end = next === -1 ? chunk.length : next;
      if (end - start > MAX_CELL_LENGTH) yield new TextDecoder().decode(chunk.subarray(start, end));
      start = end + 1;
    }
  }
}
