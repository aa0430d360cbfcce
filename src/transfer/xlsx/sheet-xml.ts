/** Writes the XML of a sheet. Rows are numbered when packed, because batches do not know their position. */

import { toPlainDecimal } from '../../domain/coordinates.ts';
import { columnLetters } from '../table.ts';
/** The style of the header in the workbook: bold. */
const HEADER_STYLE = 1;

const NAMESPACE = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
export const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
export const SHEET_END = '</sheetData></worksheet>';

/** Includes the header, which stays visible when scrolling. */
export function sheetStart(columns: readonly string[]): string {
  return (
    `${DECLARATION}<worksheet xmlns="${NAMESPACE}"><sheetViews><sheetView workbookViewId="0">` +
    '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetData>' +
    rowXml(columns, HEADER_STYLE)
  );
}

/** Omits empty cells. Strings are never formulas. */
export function rowXml(cells: readonly (string | number | boolean)[], style = 0): string {
  let xml = ROW_START;
  for (let index = 0; index < cells.length; index += 1) {
    const cell = cells[index] ?? '';
    if (cell !== '')
      xml += `<c r="${columnLetters(index)}"${style === 0 ? '' : ` s="${style}"`}${contentXml(cell)}</c>`;
  }
  return `${xml}</row>`;
}

/** True if the text is the shortest decimal of a number, so that writing the number keeps the text. */
export function isShortestDecimal(text: string): boolean {
  return DECIMAL.test(text) && toPlainDecimal(Number(text)) === text;
}

const DECIMAL = /^-?\d+(\.\d+)?$/;

/** The rest of the start tag, and the content of the cell. */
function contentXml(cell: string | number | boolean): string {
  if (typeof cell === 'boolean') return ` t="b"><v>${cell ? 1 : 0}</v>`;
  if (typeof cell === 'number') return `><v>${cell}</v>`;
  const space = SPACE_AROUND.test(cell) ? ' xml:space="preserve"' : '';
  return ` t="inlineStr"><is><t${space}>${escapeText(cell)}</t></is>`;
}

const SPACE_AROUND = /^[ \t\n]|[ \t\n]$/;

/** The start of a row without a number. Cells cannot contain it, because their markup is escaped. */
export const ROW_START = '<row r="">';
/** The number goes after each match. */
const NUMBERED = /<row r="|<c r="[A-Z]+/g;

/** Numbers consecutive rows. */
export class RowNumbers {
  #number = 0;

  /** The number of the last row. */
  get last(): number {
    return this.#number;
  }

  /** @param xml whole rows */
  putInto(xml: string): string {
    return xml.replace(NUMBERED, (start) => {
      if (start.startsWith('<row')) this.#number += 1;
      return start + this.#number;
    });
  }
}

/** Characters that XML forbids or normalises, for a character class. */
const FORBIDDEN = '\\u0000-\\u0008\\u000b-\\u001f\\ufffe\\uffff';
const LONE_SURROGATE = '[\\ud800-\\udbff](?![\\udc00-\\udfff])|(?<![\\ud800-\\udbff])[\\udc00-\\udfff]';
/** An underscore that would be read as the start of an escape. */
const FALSE_ESCAPE = `_(?=x[0-9A-Fa-f]{4}[_${FORBIDDEN}\\ud800-\\udfff])`;
const SPECIAL = new RegExp(`[&<>"${FORBIDDEN}]|${LONE_SURROGATE}|${FALSE_ESCAPE}`, 'g');

const MARKUP: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** `unescapeText` reverses it. */
export function escapeText(text: string): string {
  return text.replace(SPECIAL, (character) => MARKUP[character] ?? escaped(character));
}

function escaped(character: string): string {
  return `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`;
}
