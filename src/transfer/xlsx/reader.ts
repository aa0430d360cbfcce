/** Reads one sheet of a workbook (.xlsx) as a table. */

import { quote } from '../../domain/text.ts';
import type { ByteSource, OpenFile, ReadOptions } from '../reader.ts';
import { countAddedColumns, workbookRejections } from '../rejected-rows.ts';
import type { TableRow } from '../table.ts';
import { assertHeader, blankRowsNote, cellsOfRow, columnLetters, TableHeaderError } from '../table.ts';
import type { Message } from '../message.ts';
import { message, untranslated } from '../message.ts';
import { FileDamage, UnreadableFileError } from '../text/damage.ts';
import { startingWith } from '../text/peek.ts';
import type { ZipArchive } from '../zip/reader.ts';
import { MAX_EXPANDED_BYTES, openZip } from '../zip/reader.ts';
import type { CellText } from './cells.ts';
import { textOfCell } from './cells.ts';
import { WorkbookPackage } from './package.ts';
import type { RawRow } from './sheet.ts';
import { readSheet, referenceOf } from './sheet.ts';
import type { CellContext, Sheet, Workbook } from './workbook.ts';
import { readWorkbook, sheetNamed } from './workbook.ts';
import { isDamage } from './xml.ts';

/** @throws UnreadableFileError */
export async function openXlsx(source: ByteSource, options: ReadOptions): Promise<OpenFile<TableRow>> {
  const maxExpandedBytes = options.maxExpandedBytes ?? MAX_EXPANDED_BYTES;
  const archive = await openZip(source, { maxExpandedBytes });
  try {
    const workbook = await readWorkbook(new WorkbookPackage(archive));
    const table = await openTable(workbook, options.sheet ?? null, maxExpandedBytes);
    const sheets = workbook.sheets.filter(({ isVisible }) => isVisible).map(({ name }) => name);
    return { ...toOpenFile(source, options, archive, table), sheets, sheet: table.sheet };
  } catch (error) {
    await archive.close();
    throw error;
  }
}

interface SheetRow {
  readonly number: number;
  readonly cells: readonly SheetCell[];
}

interface SheetCell extends CellText {
  readonly column: number;
}

interface SheetTable {
  /** The name of the sheet. */
  readonly sheet: string;
  readonly columns: readonly string[];
  /** The number of the header row. */
  readonly header: number;
  /** The first row after the header; null if there is none, or it is damaged. */
  readonly first: SheetRow | null;
  /** Without blank rows. @throws FileDamage after all rows before the damage */
  readonly rows: AsyncGenerator<SheetRow, void, undefined>;
  readonly size: ExpandedSize;
  readonly close: () => Promise<void>;
}

/** Opens the named sheet, or the first visible one with a header. @throws UnreadableFileError */
async function openTable(workbook: Workbook, name: string | null, maxBytes: number): Promise<SheetTable> {
  const { sheets } = workbook;
  const candidates = name === null ? sheets.filter(({ isVisible }) => isVisible) : [sheetNamed(sheets, name)];
  for (const sheet of candidates) {
    const table = await openSheet(sheet, workbook, new ExpandedSize(maxBytes));
    if (table !== null) return table;
  }
  throw new TableHeaderError([
    name === null
      ? message(
          'emptySheets',
          'All visible sheets of the workbook are empty; the first row of a sheet must name the columns.',
        )
      : message('emptySheet', 'The sheet is empty; its first row must name the columns.'),
  ]);
}

/** Null for an empty sheet. */
async function openSheet(sheet: Sheet, workbook: Workbook, size: ExpandedSize): Promise<SheetTable | null> {
  const rows = readRows(workbook, sheet, size);
  try {
    const header = await rows.next();
    if (header.done) return null;
    const columns = columnsOf(header.value);
    const first = await rows.next().catch((error: unknown) => error as Error);
    if (first instanceof UnreadableFileError) throw first;
    return {
      sheet: sheet.name,
      columns,
      header: header.value.number,
      first: first instanceof Error || first.done ? null : first.value,
      rows: startingWith(first, rows),
      size,
      close: async () => {
        await rows.return();
      },
    };
  } catch (error) {
    await rows.return();
    if (!(error instanceof FileDamage)) throw error;
    const { detail: reason } = error;
    const text = `The sheet ${quote(sheet.name)} is damaged: ${reason.text}.`;
    throw new TableHeaderError([message('sheetDamaged', text, { sheet: sheet.name, reason })]);
  }
}

/** @throws TableHeaderError */
function columnsOf({ number, cells }: SheetRow): readonly string[] {
  const columns: string[] = [];
  for (const { column, text, problem } of cells) {
    if (problem !== null) {
      throw new TableHeaderError(`The header cannot be read: ${problemOf(column, number, problem)}.`);
    }
    while (columns.length < column) columns.push('');
    columns.push(text);
  }
  while (columns.at(-1)?.trim() === '') columns.pop();
  assertHeader(columns);
  return columns;
}

function problemOf(column: number, row: number, problem: string): string {
  const reference = referenceOf(column, row);
  return problem.startsWith('#') ? `${reference}: ${problem}` : `${reference} ${problem}`;
}

/** Per row. */
const MAX_ROW_CHARACTERS = 16 * 1024 * 1024;

/**
 * Limits the size of a sheet with shared strings copied into cells and gaps filled, which may be a thousand times that of
 * its XML.
 */
class ExpandedSize {
  readonly #limit: number;
  #count = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get count(): number {
    return this.#count;
  }

  /** @throws FileDamage */
  add(count: number, row: number): void {
    this.#count += count;
    if (this.#count > this.#limit) {
      throw new FileDamage(row, `the cells of the sheet exceed ${this.#limit} bytes (IMPORT_MAX_EXPANDED)`);
    }
  }
}

/** Skips blank rows. @throws FileDamage, UnreadableFileError */
async function* readRows(
  { parts, context }: Workbook,
  { path }: Sheet,
  size: ExpandedSize,
): AsyncGenerator<SheetRow, void, undefined> {
  let number = 0;
  try {
    for await (const raw of readSheet(parts.open(path))) {
      const row = toSheetRow(raw, context, size);
      number = raw.number;
      if (row.cells.some(({ text, problem }) => problem !== null || text.trim() !== '')) yield row;
    }
  } catch (error) {
    throw isDamage(error) ? new FileDamage(number + 1, error.message) : error;
  }
}

/** Drops empty cells. @throws FileDamage */
function toSheetRow({ number, cells: raw }: RawRow, context: CellContext, size: ExpandedSize): SheetRow {
  const cells: SheetCell[] = [];
  let length = 0;
  for (const cell of raw) {
    const { text, problem } = textOfCell(cell, context);
    length += text.length;
    if (length > MAX_ROW_CHARACTERS) {
      throw new FileDamage(number, `the row has over ${MAX_ROW_CHARACTERS} characters`);
    }
    if (problem !== null || text !== '') cells.push({ column: cell.column, text, problem });
  }
  size.add(length, number);
  return { number, cells };
}

function toOpenFile(
  { name }: ByteSource,
  { fields }: ReadOptions,
  archive: ZipArchive,
  table: SheetTable,
): OpenFile<TableRow> {
  const first = table.first === null ? null : { cells: cellTexts(table.first, table.columns.length) };
  const added = countAddedColumns(name, table.columns, first, fields);
  const columns = table.columns.slice(0, table.columns.length - added);
  let blankRows = 0;
  async function* tableRows(): AsyncGenerator<TableRow, void, undefined> {
    let last = table.header;
    for await (const row of table.rows) {
      blankRows += row.number - last - 1;
      last = row.number;
      table.size.add(table.columns.length, row.number);
      yield toTableRow(row, table.columns.length, added, table.size.count);
    }
  }
  const rows = tableRows();
  return {
    columns,
    unit: 'row',
    rows,
    valuesOf: cellsOfRow,
    contentOf: ({ cells }) => ({ cells }),
    rejections: workbookRejections(columns, fields),
    notes: () => blankRowsNote(blankRows),
    close: async () => {
      await rows.return();
      // Returning a generator that never started does not return the one it wraps.
      await table.close();
      await archive.close();
    },
  };
}

/** @param added number of last columns to drop */
function toTableRow(row: SheetRow, width: number, added: number, end: number): TableRow {
  const own = width - added;
  const beyond = row.cells.filter(({ column, text }) => column >= width && text.trim() !== '');
  // Kept, so that a rejected row shows all its values.
  const cells = [...cellTexts(row, width).slice(0, own), ...beyond.map(({ text }) => text)];
  return { line: row.number, cells, end, problem: problemOfRow(row, width, added) };
}

/** Null for a valid row. */
function problemOfRow({ number, cells }: SheetRow, width: number, added: number): Message | null {
  for (const { column, problem } of cells) {
    const isAdded = column < width && column >= width - added;
    if (problem !== null && !isAdded) return untranslated(`${problemOf(column, number, problem)}.`);
  }
  const outside = cells.find(({ column, text }) => column >= width && text.trim() !== '');
  if (outside === undefined) return null;
  const reference = referenceOf(outside.column, number);
  const column = columnLetters(width - 1);
  const text = `${reference} has a value, but the header ends at column ${column}.`;
  return message('beyondHeader', text, { cell: reference, column });
}

/** Fills gaps, and drops cells beyond the columns. */
function cellTexts({ cells }: SheetRow, width: number): readonly string[] {
  const texts = new Array<string>(width).fill('');
  for (const { column, text } of cells) if (column < width) texts[column] = text;
  return texts;
}
