/** Reads the list of sheets, the shared strings and the styles of a workbook. */

import { quote } from '../../domain/text.ts';
import { UnreadableFileError } from '../text/damage.ts';
import type { NumberKind } from './number-format.ts';
import { kindOfBuiltIn, kindOfCode } from './number-format.ts';
import type { Relationship, WorkbookPackage } from './package.ts';
import { prefixedAttribute } from './package.ts';
import { unescapeText } from './rich-text.ts';
import { SharedStrings, sharedStringsHandler } from './shared-strings.ts';
import type { Attributes } from './xml.ts';

export interface Workbook {
  readonly parts: WorkbookPackage;
  /** Sheets with cells, in order. */
  readonly sheets: readonly Sheet[];
  readonly context: CellContext;
}

export interface Sheet {
  readonly name: string;
  readonly path: string;
  readonly isVisible: boolean;
}

/** What cells refer to. */
export interface CellContext {
  /** True for the 1904 date system. */
  readonly is1904: boolean;
  readonly strings: SharedStrings;
  /** The kind of numbers of each style. */
  readonly kinds: readonly NumberKind[];
}

/** Above Excel's limits. */
const MAX_SHEETS = 10_000;
const MAX_STYLES = 100_000;

/** @throws UnreadableFileError */
export async function readWorkbook(parts: WorkbookPackage): Promise<Workbook> {
  const main = [...(await parts.relationshipsOf('')).values()].find(({ type }) => type === 'officeDocument');
  const path = main?.path ?? 'xl/workbook.xml';
  const relationships = await parts.relationshipsOf(path);
  const { listed, is1904 } = await readSheetList(parts, path);
  const pathOf = (type: string) =>
    [...relationships.values()].find((each) => each.type === type && parts.has(each.path))?.path;
  const strings = new SharedStrings();
  const stringsPath = pathOf('sharedStrings');
  if (stringsPath !== undefined) await parts.read(stringsPath, sharedStringsHandler(strings));
  const stylesPath = pathOf('styles');
  const kinds = stylesPath === undefined ? [] : await readKinds(parts, stylesPath);
  return {
    parts,
    sheets: listed.flatMap((sheet) => toSheet(sheet, relationships)),
    context: { is1904, strings, kinds },
  };
}

/** @throws UnreadableFileError */
export function sheetNamed(sheets: readonly Sheet[], name: string): Sheet {
  const key = (text: string) => text.normalize('NFC').toLowerCase();
  const sheet =
    sheets.find((each) => each.name === name) ?? sheets.find((each) => key(each.name) === key(name));
  if (sheet !== undefined) return sheet;
  const names = sheets.filter(({ isVisible }) => isVisible).map((each) => quote(each.name));
  const listed = names.length === 0 ? 'it has no visible sheet' : `it has ${names.slice(0, 50).join(', ')}`;
  throw new UnreadableFileError(`The workbook has no sheet ${quote(name)}; ${listed}.`);
}

interface ListedSheet extends Pick<Sheet, 'name' | 'isVisible'> {
  readonly relationship: string;
}

async function readSheetList(parts: WorkbookPackage, path: string) {
  const listed: ListedSheet[] = [];
  let is1904 = false;
  await parts.read(path, {
    open: (name, attributes, depth) => {
      if (name === 'workbookPr' && depth === 2) is1904 = isTrue(attributes['date1904']);
      if (name !== 'sheet' || depth !== 3) return;
      if (listed.length === MAX_SHEETS)
        throw new UnreadableFileError(`The workbook has over ${MAX_SHEETS} sheets.`);
      listed.push(toListed(attributes));
    },
  });
  return { listed, is1904 };
}

function toListed(attributes: Attributes): ListedSheet {
  const { name = '', state = 'visible' } = attributes;
  const relationship = prefixedAttribute(attributes, 'id') ?? '';
  return { name: unescapeText(name), isVisible: state === 'visible', relationship };
}

/** Skips sheets without cells, such as charts. */
function toSheet(
  { name, isVisible, relationship }: ListedSheet,
  relationships: ReadonlyMap<string, Relationship>,
): readonly Sheet[] {
  const found = relationships.get(relationship);
  return found?.type === 'worksheet' ? [{ name, isVisible, path: found.path }] : [];
}

async function readKinds(parts: WorkbookPackage, path: string): Promise<readonly NumberKind[]> {
  const codes = new Map<string, NumberKind>();
  const kinds: NumberKind[] = [];
  let isCells = false;
  await parts.read(path, {
    open: (name, attributes, depth) => {
      if (depth === 2) isCells = name === 'cellXfs';
      const { numFmtId: id = '0', formatCode: code = '' } = attributes;
      if (name === 'numFmt' && depth === 3) codes.set(id, kindOfCode(code));
      if (name === 'xf' && depth === 3 && isCells) kinds.push(codes.get(id) ?? kindOfBuiltIn(Number(id)));
      if (codes.size + kinds.length > MAX_STYLES) {
        throw new UnreadableFileError(`The workbook has over ${MAX_STYLES} styles.`);
      }
    },
  });
  return kinds;
}

function isTrue(value: string | undefined): boolean {
  return value === '1' || value === 'true';
}
