/** Reads the rows and cells in the XML of a sheet. */

import { columnLetters } from '../table.ts';
import { MAX_COLUMNS, MAX_ROWS } from './limits.ts';
import { MAX_TEXT, RichText } from './rich-text.ts';
import type { Attributes, XmlHandler } from './xml.ts';
import { readXml, XmlDamage } from './xml.ts';

export interface RawCell {
  /** From 0. */
  readonly column: number;
  /** `s`, `str`, `inlineStr`, `b`, `e`, `d` or `n`, the default. */
  readonly type: string;
  /** Index of its style. */
  readonly style: number;
  readonly formula: string | null;
  /** The content of `v`, or the inline text; null for neither. */
  readonly value: string | null;
}

export interface RawRow {
  /** From 1. */
  readonly number: number;
  /** In column order, with gaps. */
  readonly cells: readonly RawCell[];
}

/** @throws XmlDamage, TextDamage, ArchiveDamage after all rows before the damage */
export async function* readSheet(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<RawRow, void, undefined> {
  const parser = new SheetParser();
  const reading = readXml(chunks, parser);
  try {
    for (;;) {
      const next = await reading.next().catch((error: unknown) => ({ error }));
      yield* parser.take();
      if ('error' in next) throw next.error;
      if (next.done) return;
    }
  } finally {
    await reading.return();
  }
}

/** Depths of elements; the root `worksheet` is 1. */
const DEPTH = { data: 2, row: 3, cell: 4, content: 5 };

class SheetParser implements XmlHandler {
  #rows: RawRow[] = [];
  #isData = false;
  /** Number of the open row, or of the last one. */
  #number = 0;
  #cells: RawCell[] | null = null;
  #cell: OpenCell | null = null;

  take(): RawRow[] {
    const rows = this.#rows;
    this.#rows = [];
    return rows;
  }

  readonly open = (name: string, attributes: Attributes, depth: number): void => {
    if (depth > DEPTH.cell) this.#cell?.open(name, attributes, depth);
    else if (depth === DEPTH.data) this.#isData = name === 'sheetData';
    else if (depth === DEPTH.row && this.#isData && name === 'row') this.#beginRow(attributes);
    else if (depth === DEPTH.cell && this.#cells !== null && name === 'c') this.#beginCell(attributes);
  };

  readonly text = (piece: string): void => this.#cell?.add(piece);

  readonly close = (_: string, depth: number): void => {
    if (depth > DEPTH.cell) this.#cell?.close(depth);
    else if (depth === DEPTH.cell && this.#cell !== null) {
      this.#cells?.push(this.#cell.toRaw());
      this.#cell = null;
    } else if (depth === DEPTH.row && this.#cells !== null) {
      this.#rows.push({ number: this.#number, cells: this.#cells });
      this.#cells = null;
    }
  };

  #beginRow({ r }: Attributes): void {
    const number = r === undefined ? this.#number + 1 : Number(r);
    if (!Number.isSafeInteger(number) || number < 1 || number > MAX_ROWS) {
      throw new XmlDamage(`a row has the number ${r ?? number}; a sheet has rows 1 to ${MAX_ROWS}`);
    }
    if (number <= this.#number) throw new XmlDamage(`row ${number} follows row ${this.#number}`);
    this.#number = number;
    this.#cells = [];
  }

  #beginCell({ r, t = 'n', s = '0' }: Attributes): void {
    const last = this.#cells?.at(-1)?.column ?? -1;
    const column = r === undefined ? last + 1 : columnOf(r);
    if (column === null || column >= MAX_COLUMNS) {
      throw new XmlDamage(
        `a cell has the reference ${r ?? '(none)'}; a sheet has columns A to ${columnLetters(MAX_COLUMNS - 1)}`,
      );
    }
    if (column <= last) {
      throw new XmlDamage(
        `cell ${referenceOf(column, this.#number)} follows ${referenceOf(last, this.#number)}`,
      );
    }
    this.#cell = new OpenCell(column, t, Number(s));
  }
}

/** A cell being read. */
class OpenCell {
  readonly #column: number;
  readonly #type: string;
  readonly #style: number;
  #formula: string | null = null;
  #value: string | null = null;
  #inline: RichText | null = null;
  /** The part that text belongs to. */
  #part: 'formula' | 'value' | 'inline' | null = null;

  constructor(column: number, type: string, style: number) {
    this.#column = column;
    this.#type = type;
    this.#style = style;
  }

  open(name: string, attributes: Attributes, depth: number): void {
    if (depth > DEPTH.content) {
      this.#inline?.open(name, attributes, depth);
      return;
    }
    if (name === 'v') [this.#part, this.#value] = ['value', ''];
    else if (name === 'f') [this.#part, this.#formula] = ['formula', ''];
    else if (name === 'is') [this.#part, this.#inline] = ['inline', new RichText(depth)];
    else this.#part = null;
  }

  /** @throws XmlDamage for a text that is too long */
  add(piece: string): void {
    if (this.#part === 'inline') this.#inline?.add(piece);
    else if (this.#part === 'value') this.#value = bounded(this.#value + piece);
    else if (this.#part === 'formula') this.#formula = bounded(this.#formula + piece);
  }

  close(depth: number): void {
    if (depth > DEPTH.content) this.#inline?.close(depth);
    else this.#part = null;
  }

  toRaw(): RawCell {
    return {
      column: this.#column,
      type: this.#type,
      style: this.#style,
      formula: this.#formula,
      value: this.#inline?.raw ?? this.#value,
    };
  }
}

function bounded(text: string): string {
  if (text.length > MAX_TEXT) throw new XmlDamage(`a cell has over ${MAX_TEXT} characters`);
  return text;
}

export function referenceOf(column: number, row: number): string {
  return columnLetters(column) + row;
}

/** The column of a reference such as `D17`; null if it is invalid. */
function columnOf(reference: string): number | null {
  let column = 0;
  let index = 0;
  for (; index < reference.length; index += 1) {
    const letter = reference.charCodeAt(index) | 0x20;
    if (letter < 97 || letter > 122) break;
    column = column * 26 + letter - 96;
    if (column > MAX_COLUMNS) return null;
  }
  return index === 0 ? null : column - 1;
}
