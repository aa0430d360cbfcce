/** Writes a table as a workbook (.xlsx), in Node.js and in browsers. */

import { MAX_CELL_LENGTH, MAX_ROWS } from './limits.ts';
import { packWorkbook } from './pack.ts';
import { rowXml, SHEET_END, sheetStart } from './sheet-xml.ts';
import { referenceOf } from './sheet.ts';

/** Approximate characters per piece of rows. */
const PIECE = 256 * 1024;

/**
 * All cells are strings: `=1+1` is no formula, and `007` keeps its zeros.
 *
 * @throws RangeError for a string or a number of rows over the limits of a sheet
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
    if (number > MAX_ROWS)
      throw new RangeError(`A sheet has at most ${MAX_ROWS} rows, including the header.`);
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
  throw new RangeError(`${referenceOf(column, row)} would exceed ${MAX_CELL_LENGTH} characters.`);
}
