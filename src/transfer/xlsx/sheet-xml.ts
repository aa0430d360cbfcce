/** The XML of a sheet, its rows one after another. Their numbers are put in where they are known. */

import { toPlainDecimal } from '../../domain/coordinates.ts';
import { columnLetters } from '../table.ts';
import { escapeText } from './escape.ts';

/** Bold: the number of its style in the workbook. */
const HEADER_STYLE = 1;

const NAMESPACE = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
export const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
export const SHEET_END = '</sheetData></worksheet>';

/** The header stays where it is when the rows are scrolled. */
export function sheetStart(columns: readonly string[]): string {
  return (
    `${DECLARATION}<worksheet xmlns="${NAMESPACE}"><sheetViews><sheetView workbookViewId="0">` +
    '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetData>' +
    rowXml(columns, HEADER_STYLE)
  );
}

/** Empty cells are left out. Texts are never formulas. */
export function rowXml(cells: readonly (string | number | boolean)[], style = 0): string {
  let xml = ROW_START;
  for (let index = 0; index < cells.length; index += 1) {
    const cell = cells[index] ?? '';
    if (cell !== '')
      xml += `<c r="${columnLetters(index)}"${style === 0 ? '' : ` s="${style}"`}${contentXml(cell)}</c>`;
  }
  return `${xml}</row>`;
}

/** Whether a text is a number's shortest decimal: a workbook that has the number has the text, too. */
export function isShortestDecimal(text: string): boolean {
  return DECIMAL.test(text) && toPlainDecimal(Number(text)) === text;
}

const DECIMAL = /^-?\d+(\.\d+)?$/;

/** The rest of the tag, and what is in the cell. */
function contentXml(cell: string | number | boolean): string {
  if (typeof cell === 'boolean') return ` t="b"><v>${cell ? 1 : 0}</v>`;
  if (typeof cell === 'number') return `><v>${cell}</v>`;
  const space = SPACE_AROUND.test(cell) ? ' xml:space="preserve"' : '';
  return ` t="inlineStr"><is><t${space}>${escapeText(cell)}</t></is>`;
}

const SPACE_AROUND = /^[ \t\n]|[ \t\n]$/;

/** Of a row that has no number yet. No text of a cell holds it, since its markup is escaped. */
export const ROW_START = '<row r="">';
/** Where a number goes: behind these. */
const NUMBERED = /<row r="|<c r="[A-Z]+/g;

/** Puts the numbers into rows that follow each other. */
export class RowNumbers {
  #number = 0;

  /** That of the last row. */
  get last(): number {
    return this.#number;
  }

  /** @param xml of whole rows */
  putInto(xml: string): string {
    return xml.replace(NUMBERED, (start) => {
      if (start.startsWith('<row')) this.#number += 1;
      return start + this.#number;
    });
  }
}
