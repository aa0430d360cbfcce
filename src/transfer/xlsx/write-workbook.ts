/** Writes any table as a workbook (.xlsx), in Node and in browsers. */

import { MAX_CELL_LENGTH, MAX_ROWS } from './limits.ts';
import { packWorkbook } from './pack.ts';
import { rowXml, SHEET_END, sheetStart } from './sheet-xml.ts';
import { referenceOf } from './sheet.ts';

/** Rows are compressed in pieces of about so many characters. */
const PIECE = 256 * 1024;

/**
 * All cells are texts: one like `=1+1` is no formula, and `007` keeps its zeros.
 *
 * @throws RangeError for a text or a number of rows that a sheet has no room for
 */
export function writeWorkbook(
  columns: readonly string[],
  rows: Iterable<readonly string[]> | AsyncIterable<readonly string[]>,
): AsyncGenerator<Uint8Array, void, undefined> {
  return packWorkbook(sheetOf(columns, rows));
}

async function* sheetOf(
  columns: readonly string[],
  rows: Iterable<readonly string[]> | AsyncIterable<readonly string[]>,
): AsyncGenerator<Uint8Array, void, undefined> {
  const encoder = new TextEncoder();
  let number = 1;
  assertCells(columns, number);
  let xml = sheetStart(columns);
  for await (const cells of rows) {
    number += 1;
    if (number > MAX_ROWS) throw new RangeError(`A sheet has ${MAX_ROWS} rows, the header's included.`);
    assertCells(cells, number);
    xml += rowXml(cells);
    if (xml.length < PIECE) continue;
    yield encoder.encode(xml);
    xml = '';
  }
  yield encoder.encode(xml + SHEET_END);
}

function assertCells(cells: readonly string[], row: number): void {
  const column = cells.findIndex(({ length }) => length > MAX_CELL_LENGTH);
  if (column === -1) return;
  throw new RangeError(`${referenceOf(column, row)} would have over ${MAX_CELL_LENGTH} characters.`);
}
