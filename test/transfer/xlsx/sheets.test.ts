/** Selection of the sheet, and its rows and columns. */

import { detectFormat } from '../../../src/transfer/detect.ts';
import { openImport } from '../../../src/transfer/open-import.ts';
import { UnreadableFileError } from '../../../src/transfer/text/damage.ts';
import { fileOf, pipeOf, zipOf } from '../../support/zip.ts';
import type { GivenSheet } from './workbooks.ts';
import {
  partsOf,
  readWorkbook,
  relationship,
  relationships,
  row,
  sheetXml,
  workbookOf,
} from './workbooks.ts';

const readSheets = (...sheets: readonly GivenSheet[]) => readWorkbook(workbookOf({ sheets }));
const one = (rows: string) => readSheets({ rows });
const TABLE = row(1, 'Name', 'City') + row(2, 'a', 'b');

describe('the sheet', () => {
  it('is the first visible one that is not empty', async () => {
    const { columns, rows } = await readSheets(
      { rows: row(1, 'Hidden'), state: 'hidden' },
      { rows: row(1, 'Hidden'), state: 'veryHidden' },
      { rows: '' },
      {
        rows: '<row r="1"><c r="A1" s="1"/></row><row r="2"><c r="A2" t="inlineStr"><is><t> </t></is></c></row>',
      },
      { rows: TABLE, state: 'visible' },
      { rows: row(1, 'Last') },
    );
    expect(columns).toEqual(['Name', 'City']);
    expect(rows).toEqual([{ line: 2, cells: ['a', 'b'], end: 12, problem: null }]);
  });

  it('is the named one, even if it is hidden', async () => {
    const file = workbookOf({
      sheets: [
        { name: 'First', rows: row(1, 'F') },
        { name: 'Übersicht &amp; Co', rows: row(1, 'Ü') },
        { name: 'Hidden', rows: row(1, 'H'), state: 'hidden' },
      ],
    });
    const columnsOf = async (sheet: string) => (await readWorkbook(file, { sheet })).columns;
    expect(await columnsOf('Übersicht & Co')).toEqual(['Ü']);
    expect(await columnsOf('ÜBERSICHT & CO')).toEqual(['Ü']);
    expect(await columnsOf('U\u0308bersicht & Co')).toEqual(['Ü']);
    expect(await columnsOf('Hidden')).toEqual(['H']);
    await expect(columnsOf('Second')).rejects.toThrow(
      'The workbook has no sheet "Second"; it has "First", "Übersicht & Co".',
    );
  });

  it('is refused if the named one is empty', async () => {
    const file = workbookOf({
      sheets: [
        { name: 'A', rows: '' },
        { name: 'B', rows: TABLE },
      ],
    });
    await expect(readWorkbook(file, { sheet: 'A' })).rejects.toThrow('The sheet is empty');
  });

  it('is required: an empty workbook is refused', async () => {
    await expect(readSheets({ rows: '' }, { rows: TABLE, state: 'hidden' })).rejects.toThrow(
      'All visible sheets of the workbook are empty',
    );
  });

  it('is not a chart', async () => {
    const parts = partsOf({ sheets: [{ rows: TABLE }] });
    const rels = relationships(
      relationship('rId1', 'chartsheet', 'chartsheets/sheet1.xml'),
      relationship('rId2', 'worksheet', 'worksheets/sheet1.xml'),
    );
    const workbook = parts['xl/workbook.xml']?.replace(
      '<sheets>',
      '<sheets><sheet name="Chart" sheetId="9" r:id="rId1"/>',
    );
    const file = workbookOf({
      sheets: [{ rows: TABLE }],
      parts: {
        'xl/workbook.xml': workbook?.replace('sheetId="1" r:id="rId1"', 'sheetId="1" r:id="rId2"') ?? null,
        'xl/_rels/workbook.xml.rels': rels,
        'xl/chartsheets/sheet1.xml': '<chartsheet/>',
      },
    });
    expect((await readWorkbook(file)).columns).toEqual(['Name', 'City']);
  });
});

describe('the table', () => {
  it('has the header in the first row that is not blank, and rows numbered as in the sheet', async () => {
    const { columns, rows, notes } = await one(
      '<row r="1"/><row r="3"><c r="B3" t="inlineStr"><is><t>Name</t></is></c><c r="D3" t="inlineStr"><is><t>City</t></is></c><c r="F3" s="1"/></row>' +
        '<row r="4"/><row r="7"><c r="B7"><v>1</v></c></row><row r="9"><c r="A9"><v>2</v></c><c r="D9"><v>3</v></c></row><row r="10"><c r="A10"/></row>',
    );
    expect(columns).toEqual(['', 'Name', '', 'City']);
    expect(rows.map(({ line, cells, problem }) => [line, cells, problem])).toEqual([
      [7, ['', '1', '', ''], null],
      [9, ['2', '', '', '3'], null],
    ]);
    expect(notes).toEqual(['4 blank rows were skipped.']);
  });

  it('may omit references, which then continue from the cell before', async () => {
    const { columns, rows } = await one(
      '<row><c><v>1</v></c><c t="str"><v>B</v></c></row><row r="5"><c/><c><v>5</v></c></row><row><c r="B6"><v>6</v></c></row>',
    );
    expect(columns).toEqual(['1', 'B']);
    expect(rows.map(({ line, cells }) => [line, cells])).toEqual([
      [5, ['', '5']],
      [6, ['', '6']],
    ]);
  });

  it('has a merged value only in its first cell', async () => {
    const xml = sheetXml(
      '<row r="1"><c r="A1" t="str"><v>a</v></c><c r="B1" t="str"><v>b</v></c></row><row r="2"><c r="A2" t="str"><v>both</v></c><c r="B2"/></row>',
    ).replace('</worksheet>', '<mergeCells count="1"><mergeCell ref="A2:B2"/></mergeCells></worksheet>');
    expect((await one(xml)).rows.map(({ cells }) => cells)).toEqual([['both', '']]);
  });

  it('refuses a duplicate column name, but accepts several columns without a name', async () => {
    await expect(one(row(1, 'A', 'A'))).rejects.toThrow('names the column "A" twice');
    expect((await one(row(1, '', '', 'C'))).columns).toEqual(['', '', 'C']);
  });

  it('refuses a header that cannot be read', async () => {
    await expect(
      one('<row r="2"><c r="A2" t="str"><v>a</v></c><c r="B2" t="e"><v>#N/A</v></c></row>'),
    ).rejects.toThrow('The header cannot be read: B2: #N/A.');
    await expect(one('<row r="2"><c r="A2"><f>A9</f></c></row>')).rejects.toThrow('A2 is a formula');
  });

  it('rejects a row with a value beyond the header, and ignores blank cells there', async () => {
    const { rows } = await one(row(1, 'A', 'B') + row(2, '1', '2', '', ' ') + row(3, '1', '', '', 'x'));
    expect(rows.map(({ cells, problem }) => [cells, problem])).toEqual([
      [['1', '2'], null],
      [['1', '', 'x'], 'D3 has a value, but the header ends at column B.'],
    ]);
  });

  it('may have the maximum size of a sheet', async () => {
    const { columns, rows } = await one(
      `<row r="1"><c r="XFD1" t="str"><v>last</v></c></row><row r="1048576"><c r="xfd1048576"><v>1</v></c></row>`,
    );
    expect(columns).toHaveLength(16_384);
    expect(rows.map(({ line, cells }) => [line, cells.at(-1)])).toEqual([[1_048_576, '1']]);
  });

  it('ignores columns that an earlier import added', async () => {
    const rows =
      row(1, 'Name', 'line', 'code', 'reason') + row(2, 'a', '7', 'BAD_USER_INPUT', 'why', 'x') + row(3, 'b');
    const read = await one(rows);
    expect(read.columns).toEqual(['Name']);
    expect(read.rows.map(({ cells, problem }) => [cells, problem])).toEqual([
      [['a', 'x'], 'E2 has a value, but the header ends at column D.'],
      [['b'], null],
    ]);
    // Original columns with the same names.
    expect(
      (await one(row(1, 'Name', 'line', 'code', 'reason') + row(2, 'a', 'x', 'y', 'z'))).columns,
    ).toHaveLength(4);
  });
});

describe('a workbook', () => {
  it('may have absolute paths, prefixes, other folders and other cases', async () => {
    const main = 'http://purl.oclc.org/ooxml/spreadsheetml/main';
    const related = 'http://purl.oclc.org/ooxml/officeDocument/relationships';
    const relation = (id: string, type: string, target: string) =>
      `<p:Relationship Id="${id}" Type="${related}/${type}" Target="${target}"/>`;
    const all = (...each: string[]) => `<p:Relationships xmlns:p="x">${each.join('')}</p:Relationships>`;
    const file = zipOf(
      Object.entries({
        '_rels/.rels': all(relation('a', 'officeDocument', '/data/Book.xml')),
        'data/book.xml': `<x:workbook xmlns:x="${main}" xmlns:rel="${related}"><x:sheets><x:sheet name="S" sheetId="1" rel:id="a"/></x:sheets></x:workbook>`,
        'data/_rels/Book.xml.rels': all(
          relation('a', 'worksheet', '../Sheets/./One.xml'),
          relation('b', 'sharedStrings', '/texts.xml'),
          relation('c', 'styles', 'none.xml'),
        ),
        'sheets\\one.xml': `<x:worksheet xmlns:x="${main}"><x:sheetData><x:row r="1"><x:c r="A1" t="s"><x:v>0</x:v></x:c></x:row><x:row r="2"><x:c r="A2"><x:v>2</x:v></x:c></x:row></x:sheetData></x:worksheet>`,
        'texts.xml': `<x:sst xmlns:x="${main}"><x:si><x:t>Name</x:t></x:si></x:sst>`,
      }).map(([name, content]) => ({ name, content })),
    );
    const { columns, rows } = await readWorkbook(file);
    expect([columns, rows.map(({ cells }) => cells)]).toEqual([['Name'], [['2']]]);
  });

  it('may be UTF-16, or UTF-8 with a byte order mark', async () => {
    const xml = `<?xml version="1.0" encoding="UTF-16"?>${sheetXml(row(1, 'Näme😀')).replace(/^<\?.*\?>/, '')}`;
    for (const bytes of [
      Buffer.from(`\ufeff${xml}`, 'utf16le'),
      Buffer.from(`\ufeff${xml.replace('UTF-16', 'UTF-8')}`),
    ]) {
      const file = workbookOf({ sheets: [{ rows: '' }], bytes: { 'xl/worksheets/sheet1.xml': bytes } });
      expect((await readWorkbook(file)).columns).toEqual(['Näme😀']);
    }
  });

  it('may lack styles, shared strings, or the style of a cell', async () => {
    const file = workbookOf({
      sheets: [{ rows: `${row(1, 'A')}<row r="2"><c r="A2" s="99"><v>45443</v></c></row>` }],
      parts: { 'xl/styles.xml': null },
    });
    expect((await readWorkbook(file)).rows[0]?.cells).toEqual(['45443']);
  });

  it('is recognized by its content, whatever its name, also through a pipe', async () => {
    const file = workbookOf({ sheets: [{ rows: TABLE }] });
    for (const source of [fileOf(file, 'museums.csv'), pipeOf([file.subarray(0, 1), file.subarray(1)])]) {
      const { format } = await detectFormat(source);
      expect(format).toBe('xlsx');
    }
    const opened = await openImport(pipeOf([file]), []);
    const lines = [];
    for await (const { line } of opened.rows) lines.push(line);
    await opened.close();
    expect([opened.format, opened.unit, opened.rejections.extension, lines]).toEqual([
      'xlsx',
      'row',
      'csv',
      [2],
    ]);
  });

  it('is not recognized by its name alone', async () => {
    const { format } = await detectFormat(fileOf(Buffer.from('Name,City\na,b\n'), 'museums.xlsx'));
    expect(format).toBe('csv');
  });

  it.each([
    ['an old workbook', Buffer.from('d0cf11e0a1b11ae1', 'hex'), /\.xls\) or an encrypted file/],
    ['.xlsb', zipOf([{ name: 'xl/workbook.bin', content: '' }]), /binary workbook \(\.xlsb\)/],
    [
      '.ods',
      zipOf([
        { name: 'mimetype', content: '' },
        { name: 'content.xml', content: '' },
      ]),
      /OpenDocument/,
    ],
    ['.docx', zipOf([{ name: 'word/document.xml', content: '' }]), /text document/],
    ['Numbers', zipOf([{ name: 'Index/Document.iwa', content: '' }]), /Apple Numbers/],
    ['another archive', zipOf([{ name: 'a.txt', content: '' }]), /zip archive of another kind/],
    ['a cut archive', workbookOf({ sheets: [{ rows: TABLE }] }).subarray(0, 900), /damaged or truncated/],
  ])('is refused with advice if it is another kind of file: %s', async (_, bytes, message) => {
    const detected = detectFormat(fileOf(bytes, 'x.xlsx'));
    await expect(detected).rejects.toThrow(UnreadableFileError);
    await expect(detected).rejects.toThrow(message);
  });

  it.each([
    ['xl/workbook.xml', 'The workbook has no part xl/workbook.xml.'],
    ['xl/worksheets/sheet1.xml', 'The workbook has no part xl/worksheets/sheet1.xml.'],
  ])('is refused if a part is missing: %s', async (part, message) => {
    const file = workbookOf({ sheets: [{ rows: TABLE }], parts: { [part]: null } });
    await expect(readWorkbook(file)).rejects.toThrow(message);
  });
});
