/** Workbooks from other programs, and ours in other programs. */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { JsonObject } from '../../../src/domain/json/json.ts';
import { operatorFor } from '../../../src/services/operator.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { openStorage } from '../../../src/storage/open.ts';
import { createExportService } from '../../../src/transfer/export/exports.ts';
import { writeWorkbook } from '../../../src/transfer/xlsx/write-workbook.ts';
import { anInsert, seedMap, seedOwner } from '../../contract/storage/fixtures.ts';
import {
  convertWithLibreOffice,
  runPython,
  skipWithoutLibreOffice,
  skipWithoutOpenpyxl,
} from '../../support/peers.ts';
import { describeUnless, itUnless } from '../../support/skip.ts';
import { readWorkbook } from './workbooks.ts';

const folder = mkdtempSync(join(tmpdir(), 'workbooks-'));
const path = join(folder, 'file.xlsx');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A table with all kinds of cells, written by a script that takes the class of workbook. */
const WRITE = `
import sys, datetime, openpyxl
from openpyxl.styles import Font
mode, path = sys.argv[1:]
book = openpyxl.Workbook(write_only=(mode == 'stream'))
if mode != 'stream':
    book.active.title = 'Empty'
    hidden = book.create_sheet('Hidden')
    hidden['A1'] = 'hidden'
    hidden.sheet_state = 'hidden'
if mode == '1904':
    book.epoch = openpyxl.utils.datetime.CALENDAR_MAC_1904
if mode == 'iso':
    book.iso_dates = True
sheet = book.create_sheet('Data')
sheet.append(['Text', 'Number', 'Percent', 'Date', 'Date and time', 'Time', 'Duration', 'Bool', 'Formula', 'Unicode'])
percent = openpyxl.cell.WriteOnlyCell(sheet, value=0.25)
percent.number_format = '0 %'
sheet.append(['007', 52.52, percent, datetime.date(2024, 5, 31), datetime.datetime(2024, 5, 31, 13, 45),
  datetime.time(13, 45), datetime.timedelta(hours=36), True, '=1+1', ' Zürich\\n東京 😀 & <b> '])
sheet.append(['=no formula' if mode == 'stream' else 'x', -1e-7, None, None, None, None, None, False, None, '_x0041_'])
book.save(path)
`;
const NO_VALUE =
  'I2 is a formula without a value in the file; open the file in Excel or LibreOffice and save it.';

describeUnless(skipWithoutOpenpyxl(), 'a workbook that openpyxl has written', () => {
  const FIRST = [
    ...['007', '52.52', '0.25', '2024-05-31', '2024-05-31T13:45:00', '13:45:00', '36:00:00', 'true'],
    ...['=1+1', ' Zürich\n東京 😀 & <b> '],
  ];

  it.each(['plain', '1904', 'stream'])('is read as it was written: %s', async (mode) => {
    runPython(WRITE, mode, path);
    const { columns, rows, damage } = await readWorkbook(readFileSync(path));
    expect([columns.length, columns[4], damage]).toEqual([10, 'Date and time', null]);
    expect(rows.map(({ line }) => line)).toEqual([2, 3]);
    expect(rows[0]).toMatchObject({ cells: FIRST, problem: NO_VALUE });
    expect(rows[1]?.cells.slice(1)).toEqual(
      ['-0.0000001', '', '', '', '', '', 'false', '', mode === 'stream' ? expect.any(String) : '_x0041_'].map(
        // openpyxl does not escape text that looks like an escape.
        (cell) => (cell === '_x0041_' ? 'A' : cell),
      ),
    );
  });

  it('is read as it was written with dates as text', async () => {
    runPython(WRITE, 'iso', path);
    const { rows } = await readWorkbook(readFileSync(path));
    expect(rows[0]?.cells.slice(3, 6)).toEqual(['2024-05-31', '2024-05-31T13:45:00', '13:45:00']);
  });

  itUnless(
    skipWithoutLibreOffice(),
    'and LibreOffice has saved again has the values of its formulas',
    async () => {
      runPython(WRITE, 'plain', path);
      const saved = convertWithLibreOffice(readFileSync(path), 'xlsx', 'xlsx');
      const { columns, rows } = await readWorkbook(saved);
      expect(columns[8]).toBe('Formula');
      expect(rows.map(({ problem }) => problem)).toEqual([null, null]);
      expect(rows[0]?.cells).toEqual(FIRST.with(8, '2'));
    },
  );
});

describeUnless(skipWithoutLibreOffice(), 'a workbook that LibreOffice has written', () => {
  it('is read like the CSV that it was converted from', async () => {
    const csv =
      'Name,Zip,Lat,Date,Note\r\nLouvre,07500,48.8606,2024-05-31,"two\nlines, ""quoted"""\r\nPrado,x,-3.6921,2023-01-02,ü\r\n';
    const { columns, rows } = await readWorkbook(convertWithLibreOffice(Buffer.from(csv), 'csv', 'xlsx'));
    expect(columns).toEqual(['Name', 'Zip', 'Lat', 'Date', 'Note']);
    expect(rows.map(({ cells }) => cells)).toEqual([
      // LibreOffice converts the zip code to a number.
      ['Louvre', '7500', '48.8606', '2024-05-31', 'two\nlines, "quoted"'],
      ['Prado', 'x', '-3.6921', '2023-01-02', 'ü'],
    ]);
  });
});

/** The rows of the first sheet as JSON: type, reference and value of each cell. */
const READ = `
import sys, json, openpyxl
book = openpyxl.load_workbook(sys.argv[1])
sheet = book.worksheets[0]
print(json.dumps({'sheets': book.sheetnames, 'frozen': sheet.freeze_panes, 'bold': sheet['A1'].font.b,
  'rows': [[[cell.data_type, cell.value] for cell in row] for row in sheet.iter_rows()]}))
`;

interface ReadBack {
  readonly sheets: readonly string[];
  readonly frozen: string;
  readonly bold: boolean;
  readonly rows: readonly (readonly (readonly [type: string, value: string | number | boolean | null])[])[];
}

describe('an exported workbook', () => {
  let storage: Storage;
  let bytes: Buffer;
  const LONG = 'ü'.repeat(40_000);
  const FIELDS = ['Name', 'Text', 'Number', 'Open', 'more 2'];
  const PROPERTIES: readonly JsonObject[] = [
    { Name: 'A & B <c> "d"', Text: '=1+1', Number: -1.5, Open: true },
    { Name: ' lead', Text: LONG, Number: 1e21, Open: false, other: { deep: [null] } },
    { Name: 'two\nlines\ttab', Text: '007', 'more 2': 'own' },
  ];

  beforeAll(async () => {
    storage = await openStorage('sqlite::memory:', { timeoutMs: 5000 });
    const owner = await seedOwner(storage);
    const fields = FIELDS.map((name) => ({ name, type: 'text' as const }));
    const map = await seedMap(storage, { ownerId: owner.id, fields });
    const orders = ['1', '2.0', 'x'];
    const inserts = PROPERTIES.map((properties, index) =>
      anInsert(map.id, {
        order: orders[index],
        location: {
          properties,
          latitude: index / 7,
          longitude: -1e-7 * index,
          externalId: index === 0 ? 'e' : null,
          placeId: '@p',
        },
      }),
    );
    await storage.insertLocations(map.id, inserts, 0);
    const scope = { caller: operatorFor(owner) };
    const request = { mapId: map.id, format: 'xlsx' as const, isForSpreadsheet: false };
    const pieces = [];
    for await (const piece of (await createExportService(storage, {}).openExport(scope, request)).read())
      pieces.push(piece);
    bytes = Buffer.concat(pieces);
    writeFileSync(path, bytes);
  });
  afterAll(() => storage.close());

  const MORE = JSON.stringify({ Text: LONG, Number: 1e21, Open: false, other: { deep: [null] } });

  itUnless(skipWithoutOpenpyxl(), 'is what openpyxl reads, cell by cell', () => {
    const { sheets, frozen, bold, rows } = JSON.parse(runPython(READ, path)) as ReadBack;
    expect([sheets, frozen, bold]).toEqual([['Locations'], 'A2', true]);
    const [header, ...all] = rows.map((cells) => cells.map(([, value]) => value));
    expect(header).toEqual([
      'id',
      'externalId',
      'order',
      'lat',
      'lng',
      'placeId',
      ...FIELDS,
      'more',
      '$more 2',
    ]);
    expect(all.map((cells) => cells.slice(1))).toEqual([
      ['e', 1, 0, 0, '@p', 'A & B <c> "d"', '=1+1', -1.5, true, null, '{"Number":-1.5,"Open":true}', null],
      [
        null,
        '2.0',
        1 / 7,
        -1e-7,
        '@p',
        ' lead',
        null,
        1e21,
        false,
        null,
        MORE.slice(0, 32_767),
        MORE.slice(32_767),
      ],
      [null, 'x', 2 / 7, -2e-7, '@p', 'two\nlines\ttab', '007', null, null, 'own', null, null],
    ]);
    // No string is a formula.
    expect(rows.flat().filter(([type]) => type === 'f')).toEqual([]);
  });

  itUnless(skipWithoutLibreOffice(), 'is what LibreOffice reads', () => {
    const lines = convertWithLibreOffice(bytes, 'xlsx', 'csv').toString();
    expect(lines).toMatch(
      /^id,externalId,order,lat,lng,placeId,Name,Text,Number,Open,more 2,more,\$more 2\n/,
    );
    expect(lines).toMatch(/,e,1,0,0,@p,"A & B <c> ""d""",=1\+1,-1.5,TRUE,,/);
    expect(lines).toContain('"two\nlines\ttab",007');
  });

  it('is read by our reader', async () => {
    const { columns, rows } = await readWorkbook(bytes);
    expect(columns.slice(-2)).toEqual(['more', '$more 2']);
    expect(rows.map(({ cells }) => cells.slice(2, 4))).toEqual([
      ['1', '0'],
      ['2.0', String(1 / 7)],
      ['x', String(2 / 7)],
    ]);
    expect(JSON.parse(`${rows[1]?.cells.at(-2)}${rows[1]?.cells.at(-1)}`)).toEqual(JSON.parse(MORE));
  });

  itUnless(skipWithoutOpenpyxl(), 'may be any table: its cells are texts', async () => {
    const rows = [
      ['007', '=1+1', ''],
      ['', '-', 'é\u0001'],
    ];
    const pieces = [];
    for await (const piece of writeWorkbook(['a', ' b', 'c'], rows)) pieces.push(piece);
    writeFileSync(path, Buffer.concat(pieces));
    const read = JSON.parse(runPython(READ, path)) as ReadBack;
    expect(read.rows).toEqual([
      [
        ['s', 'a'],
        ['s', ' b'],
        ['s', 'c'],
      ].map(([, value]) => [expect.any(String), value]),
      [
        [expect.any(String), '007'],
        [expect.any(String), '=1+1'],
        ['n', null],
      ],
      [
        ['n', null],
        [expect.any(String), '-'],
        [expect.any(String), expect.stringMatching(/^é/)],
      ],
    ]);
    const again = await readWorkbook(Buffer.concat(pieces));
    expect([again.columns, again.rows.map(({ cells }) => cells)]).toEqual([['a', ' b', 'c'], rows]);
  });
});
