/** Converts cells to text. */

import { toPlainDecimal } from '../../domain/coordinates.ts';
import { quote } from '../../domain/text.ts';
import { dateText, isoDateText } from './dates.ts';
import { unescapeText } from './rich-text.ts';
import type { RawCell } from './sheet.ts';
import type { CellContext } from './workbook.ts';

export interface CellText {
  readonly text: string;
  /** Why the value cannot be stored; completes a sentence that starts with the cell. Null if it can. */
  readonly problem: string | null;
}

export function textOfCell(cell: RawCell, context: CellContext): CellText {
  const { type, value, formula } = cell;
  if (formula !== null && isWithoutValue(cell)) {
    const problem =
      'is a formula without a value in the file; open the file in Excel or LibreOffice and save it';
    return { text: `=${formula}`, problem };
  }
  if (value === null) return valid('');
  switch (type) {
    case 's':
      return sharedText(value, context);
    case 'str':
    case 'inlineStr':
      return valid(unescapeText(value));
    case 'b':
      return booleanText(value.trim());
    case 'e':
      return { text: value, problem: value };
    case 'd':
      return isoText(value.trim(), cell, context);
    case 'n':
      return numberText(value.trim(), cell, context);
    default:
      return { text: value, problem: `has the unknown type ${quote(type)}` };
  }
}

/** The value of a string may be empty. */
function isWithoutValue({ type, value }: RawCell): boolean {
  return value === null || (value === '' && type !== 'str' && type !== 'inlineStr');
}

function valid(text: string): CellText {
  return { text, problem: null };
}

function sharedText(value: string, { strings }: CellContext): CellText {
  const index = value.trim();
  if (index === '') return valid('');
  const text = /^\d+$/.test(index) ? strings.get(Number(index)) : undefined;
  if (text !== undefined) return valid(unescapeText(text));
  return {
    text: value,
    problem: `refers to the shared string ${quote(value)}, which the workbook does not have`,
  };
}

function booleanText(value: string): CellText {
  if (value === '1' || value === 'true') return valid('true');
  if (value === '0' || value === 'false') return valid('false');
  return value === ''
    ? valid('')
    : { text: value, problem: `contains ${quote(value)}, which is neither true nor false` };
}

function isoText(value: string, { style }: RawCell, { kinds }: CellContext): CellText {
  if (value === '') return valid('');
  const text = isoDateText(value, kinds[style] ?? 'number');
  return text === null
    ? { text: value, problem: `contains ${quote(value)}, which is not a date` }
    : valid(text);
}

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
const WHOLE_NUMBER = /^-?[1-9]\d*$/;

function numberText(value: string, { style }: RawCell, { kinds, is1904 }: CellContext): CellText {
  if (value === '') return valid('');
  const number = NUMBER.test(value) ? Number(value) : Number.NaN;
  if (!Number.isFinite(number)) {
    return { text: value, problem: `contains ${quote(value)}, which is not a number` };
  }
  const kind = kinds[style] ?? 'number';
  if (kind === 'number') {
    // Other programs write more digits than Excel keeps, which may be an id.
    const isExact = Number.isSafeInteger(number) || !WHOLE_NUMBER.test(value);
    return valid(isExact ? toPlainDecimal(number) : value);
  }
  const text = dateText(number, kind, is1904);
  return text === null
    ? { text: value, problem: `contains ${value} as a date, which is out of range` }
    : valid(text);
}
