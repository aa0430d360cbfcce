/** Packs the XML of a sheet into a workbook (.xlsx). */

import { writeZip } from '../zip/writer.ts';
import { MAX_ROWS } from './limits.ts';
import { DECLARATION, ROW_START, RowNumbers } from './sheet-xml.ts';

const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const DOCUMENT = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const SHEET = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const CONTENT = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

const TYPES =
  `${DECLARATION}<Types xmlns="${PACKAGE}/content-types">` +
  '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
  '<Default Extension="xml" ContentType="application/xml"/>' +
  `<Override PartName="/xl/workbook.xml" ContentType="${CONTENT}.sheet.main+xml"/>` +
  `<Override PartName="/xl/worksheets/sheet1.xml" ContentType="${CONTENT}.worksheet+xml"/>` +
  `<Override PartName="/xl/styles.xml" ContentType="${CONTENT}.styles+xml"/></Types>`;

const PACKAGE_RELATIONSHIPS =
  `${DECLARATION}<Relationships xmlns="${PACKAGE}/relationships">` +
  `<Relationship Id="rId1" Type="${DOCUMENT}/officeDocument" Target="xl/workbook.xml"/></Relationships>`;

const WORKBOOK =
  `${DECLARATION}<workbook xmlns="${SHEET}" xmlns:r="${DOCUMENT}">` +
  '<sheets><sheet name="Locations" sheetId="1" r:id="rId1"/></sheets></workbook>';

const WORKBOOK_RELATIONSHIPS =
  `${DECLARATION}<Relationships xmlns="${PACKAGE}/relationships">` +
  `<Relationship Id="rId1" Type="${DOCUMENT}/worksheet" Target="worksheets/sheet1.xml"/>` +
  `<Relationship Id="rId2" Type="${DOCUMENT}/styles" Target="styles.xml"/></Relationships>`;

/** Style 0 is plain, style 1 bold. */
const STYLES =
  `${DECLARATION}<styleSheet xmlns="${SHEET}"><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font>` +
  '<font><b/><sz val="11"/><name val="Calibri"/></font></fonts>' +
  '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>' +
  '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
  '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
  '<cellXfs count="2"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>' +
  '<xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/></cellXfs>' +
  '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>';

/**
 * @param sheet the XML of the sheet in UTF-8, cut between rows. The rows are numbered here
 * @throws Error for more rows than a sheet can have
 */
export function packWorkbook(sheet: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  return writeZip([
    { name: '[Content_Types].xml', content: TYPES },
    { name: '_rels/.rels', content: PACKAGE_RELATIONSHIPS },
    { name: 'xl/workbook.xml', content: WORKBOOK },
    { name: 'xl/_rels/workbook.xml.rels', content: WORKBOOK_RELATIONSHIPS },
    { name: 'xl/styles.xml', content: STYLES },
    { name: 'xl/worksheets/sheet1.xml', content: numbered(sheet) },
  ]);
}

/** Bytes numbered at once, so that the event loop is blocked for a few milliseconds at most. */
const PIECE = 64 * 1024;

async function* numbered(sheet: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  const numbers = new RowNumbers();
  const [decoder, encoder] = [new TextDecoder(), new TextEncoder()];
  for await (const chunk of sheet) {
    const xml = decoder.decode(chunk);
    for (let start = 0; start < xml.length;) {
      const next = xml.indexOf(ROW_START, start + PIECE);
      const end = next === -1 ? xml.length : next;
      yield encoder.encode(numbers.putInto(xml.slice(start, end)));
      start = end;
    }
    if (numbers.last > MAX_ROWS) throw new Error(`The sheet would exceed ${MAX_ROWS} rows.`);
  }
}
