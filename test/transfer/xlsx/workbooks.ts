/** Builds workbooks byte by byte, and reads them. */

import type { FieldDefinition } from '../../../src/domain/map.ts';
import type { ByteSource, OpenFile, ReadOptions } from '../../../src/transfer/reader.ts';
import type { TableRow } from '../../../src/transfer/table.ts';
import { FileDamage } from '../../../src/transfer/text/damage.ts';
import { openXlsx } from '../../../src/transfer/xlsx/reader.ts';
import { fileOf, zipOf } from '../../support/zip.ts';

export interface GivenSheet {
  readonly name?: string;
  readonly state?: string;
  /** The content of its sheetData, or all of its XML. */
  readonly rows: string;
}

export interface GivenWorkbook {
  readonly sheets: readonly GivenSheet[];
  /** Shared strings, with their markup: `<t>a</t>`. */
  readonly strings?: readonly string[];
  /** Codes of number formats, for the styles 1, 2 and so on. */
  readonly formats?: readonly (string | number)[];
  readonly workbookPr?: string;
  /** Adds or replaces parts of the archive. */
  readonly parts?: Readonly<Record<string, string | null>>;
  /** As `parts`, with binary content. */
  readonly bytes?: Readonly<Record<string, Uint8Array>>;
}

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONSHIPS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006/relationships';

export function partsOf({
  sheets,
  strings,
  formats = [],
  workbookPr = '',
  parts = {},
}: GivenWorkbook): Record<string, string | null> {
  const listed = sheets.map(
    ({ name = `Sheet${sheets.length}`, state }, index) =>
      `<sheet name="${name}" sheetId="${index + 1}"${state === undefined ? '' : ` state="${state}"`} r:id="rId${index + 1}"/>`,
  );
  const related = sheets.map((_, index) =>
    relationship(`rId${index + 1}`, 'worksheet', `worksheets/sheet${index + 1}.xml`),
  );
  const codes = formats.map((code, index) =>
    typeof code === 'number'
      ? ''
      : `<numFmt numFmtId="${200 + index}" formatCode="${code.replaceAll('"', '&quot;')}"/>`,
  );
  const styles = formats.map(
    (code, index) => `<xf numFmtId="${typeof code === 'number' ? code : 200 + index}"/>`,
  );
  return {
    '[Content_Types].xml': '<Types/>',
    '_rels/.rels': relationships(relationship('rId1', 'officeDocument', 'xl/workbook.xml')),
    'xl/workbook.xml': `<workbook xmlns="${MAIN}" xmlns:r="${RELATIONSHIPS}">${workbookPr}<sheets>${listed.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relationships(
      ...related,
      relationship('strings', 'sharedStrings', 'sharedStrings.xml'),
      relationship('styles', 'styles', 'styles.xml'),
    ),
    'xl/sharedStrings.xml':
      strings === undefined
        ? null
        : `<sst xmlns="${MAIN}">${strings.map((text) => `<si>${text}</si>`).join('')}</sst>`,
    'xl/styles.xml': `<styleSheet xmlns="${MAIN}"><numFmts>${codes.join('')}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/>${styles.join('')}</cellXfs></styleSheet>`,
    ...Object.fromEntries(
      sheets.map(({ rows }, index) => [`xl/worksheets/sheet${index + 1}.xml`, sheetXml(rows)]),
    ),
    ...parts,
  };
}

export function workbookOf(given: GivenWorkbook): Buffer {
  const parts: Record<string, string | Uint8Array | null> = { ...partsOf(given), ...given.bytes };
  return zipOf(
    Object.entries(parts).flatMap(([name, content]) => (content === null ? [] : [{ name, content }])),
  );
}

export function sheetXml(rows: string): string {
  if (rows.startsWith('<?xml')) return rows;
  return `<?xml version="1.0"?><worksheet xmlns="${MAIN}"><sheetData>${rows}</sheetData></worksheet>`;
}

export function relationships(...each: readonly string[]): string {
  return `<Relationships xmlns="${PACKAGE}">${each.join('')}</Relationships>`;
}

export function relationship(id: string, type: string, target: string): string {
  return `<Relationship Id="${id}" Type="${RELATIONSHIPS}/${type}" Target="${target}"/>`;
}

/** A row of strings from column A. */
export function row(number: number, ...texts: readonly string[]): string {
  const cells = texts.map((text) => `<c t="inlineStr"><is><t xml:space="preserve">${text}</t></is></c>`);
  return `<row r="${number}">${cells.join('')}</row>`;
}

export interface ReadRow extends Omit<TableRow, 'problem'> {
  /** Its text. */
  readonly problem: string | null;
}

export interface Read {
  readonly columns: readonly string[];
  readonly rows: readonly ReadRow[];
  readonly damage: FileDamage | null;
  readonly notes: readonly string[];
}

export async function readWorkbook(
  file: Buffer | ByteSource,
  options: Partial<ReadOptions> & { readonly name?: string } = {},
): Promise<Read> {
  const { name = 'file.xlsx', fields = [] as FieldDefinition[] } = options;
  const source = Buffer.isBuffer(file) ? fileOf(file, name) : file;
  const opened: OpenFile<TableRow> = await openXlsx(source, { ...options, fields });
  const rows: ReadRow[] = [];
  let damage: FileDamage | null = null;
  try {
    for await (const each of opened.rows) rows.push({ ...each, problem: each.problem?.text ?? null });
  } catch (error) {
    if (!(error instanceof FileDamage)) throw error;
    damage = error;
  } finally {
    await opened.close();
  }
  return { columns: opened.columns ?? [], rows, damage, notes: opened.notes().map(({ text }) => text) };
}

/** The cells of the first row after the header, and its problem. */
export async function readCells(
  cells: string,
  given: Partial<GivenWorkbook> = {},
): Promise<{ readonly cells: readonly string[]; readonly problem: string | null }> {
  const header = row(1, 'A', 'B', 'C', 'D', 'E', 'F', 'G', 'H');
  const { rows, damage } = await readWorkbook(
    workbookOf({
      ...given,
      sheets: [{ rows: `${header}<row r="2">${cells}<c r="H2" t="b"><v>1</v></c></row>` }],
    }),
  );
  if (damage !== null) throw damage;
  const [first] = rows;
  if (first === undefined) throw new Error('There is no row.');
  return { cells: first.cells.slice(0, -1), problem: first.problem };
}
