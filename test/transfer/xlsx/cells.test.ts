/** Cells of a workbook as text. */

import { randomBytes } from 'node:crypto';

import { readCells, readWorkbook, row, workbookOf } from './workbooks.ts';

/** The texts of consecutive cells from column A. */
async function textsOf(cells: string, given = {}): Promise<readonly string[]> {
  const read = await readCells(cells, given);
  expect(read.problem).toBeNull();
  return read.cells;
}

describe('texts', () => {
  it('are shared, inline, or the result of a formula', async () => {
    const cells =
      '<c t="s"><v>1</v></c><c t="inlineStr"><is><t>inline</t></is></c><c t="str"><f>A1</f><v>made</v></c>';
    expect(await textsOf(cells, { strings: ['<t>zero</t>', '<t>one</t>'] })).toEqual([
      'one',
      'inline',
      'made',
      '',
      '',
      '',
      '',
    ]);
  });

  it('keep leading zeros, and are not converted', async () => {
    const strings = ['007', 'true', '=1+1', '1e5', '__proto__'].map((text) => `<t>${text}</t>`);
    const cells = strings.map((_, index) => `<c t="s"><v>${index}</v></c>`).join('');
    expect(await textsOf(cells, { strings })).toEqual(['007', 'true', '=1+1', '1e5', '__proto__', '', '']);
  });

  it('are joined from their runs, without phonetic text', async () => {
    const runs =
      '<r><rPr><b/></rPr><t>bold </t></r><r><t>東京</t></r><rPh sb="0" eb="2"><t>トウキョウ</t></rPh><phoneticPr fontId="1"/>';
    const cells = `<c t="s"><v>0</v></c><c t="inlineStr"><is>${runs.replace('bold ', 'in ')}</is></c>`;
    const preserved = runs.replaceAll('<t>', '<t xml:space="preserve">');
    expect(
      (await textsOf(cells.replaceAll('<t>', '<t xml:space="preserve">'), { strings: [preserved] })).slice(
        0,
        2,
      ),
    ).toEqual(['bold 東京', 'in 東京']);
  });

  it('keep white space around them if it is preserved', async () => {
    const strings = [
      '<t xml:space="preserve"> a\n </t>',
      '<t>\n  b c\n</t>',
      '<t/>',
      '<t xml:space="preserve"> </t>',
    ];
    const cells = strings.map((_, index) => `<c t="s"><v>${index}</v></c>`).join('');
    expect((await textsOf(cells, { strings })).slice(0, 4)).toEqual([' a\n ', 'b c', '', ' ']);
  });

  it('are unescaped', async () => {
    const strings = ['_x000D_\n_x0009_', '_x005F_x0041_', '_x41_ _X0041_ _x00G1_', '_xD83D__xDE00_'].map(
      (text) => `<t>${text}</t>`,
    );
    const cells = strings.map((_, index) => `<c t="s"><v>${index}</v></c>`).join('');
    expect((await textsOf(`${cells}<c t="str"><v>_x0041_</v></c>`, { strings })).slice(0, 5)).toEqual([
      '\r\n\t',
      '_x0041_',
      '_x41_ _X0041_ _x00G1_',
      '😀',
      'A',
    ]);
  });

  it('may contain CDATA and character references', async () => {
    const cells = '<c t="inlineStr"><is><t><![CDATA[<a>&]]> &amp; &#x1F600;&#65;</t></is></c>';
    expect((await textsOf(cells))[0]).toBe('<a>& & 😀A');
  });

  it('may be many, and long', async () => {
    // Characters of all UTF-8 lengths, hard to compress.
    const noise = randomBytes(300_000).toString('base64');
    const long = `${noise}ü€😀${noise}`;
    const strings = Array.from({ length: 30 }, (_, index) => (index % 3 === 0 ? long : `text ${index}`));
    const given = { strings: strings.map((text) => `<t>${text}</t>`) };
    const rows = strings.map((_, index) => `<row><c t="s"><v>${29 - index}</v></c></row>`).join('');
    const { rows: read } = await readWorkbook(
      workbookOf({ ...given, sheets: [{ rows: row(1, 'A') + rows }] }),
    );
    expect(read.map(({ cells }) => cells[0])).toEqual(strings.toReversed());
  });
});

describe('numbers', () => {
  const number = (value: string, style = 0) => `<c s="${style}"><v>${value}</v></c>`;

  it.each([
    ['1', '1'],
    ['-58.501721', '-58.501721'],
    ['0.30000000000000004', '0.30000000000000004'],
    ['52.520000000000003', '52.52'],
    ['1E-7', '0.0000001'],
    ['1.5e+21', '1500000000000000000000'],
    ['0007', '7'],
    [' 5 ', '5'],
    ['-0', '0'],
    ['.5', '0.5'],
    // More digits than Excel keeps: an id from another program.
    ['12345678901234567890', '12345678901234567890'],
  ])('are shortest decimals: %s', async (value, text) => {
    expect((await textsOf(number(value)))[0]).toBe(text);
  });

  it('ignore their number format, except for dates', async () => {
    const formats = ['0%', '00000', '0.00" days"', '#,##0.00 [$€-407]', '[Red]0;[Blue]-0', 49, 9, 11];
    const cells = formats
      .slice(0, 7)
      .map((_, index) => number('0.25', index + 1))
      .join('');
    expect(await textsOf(cells, { formats })).toEqual(Array<string>(7).fill('0.25'));
  });

  it('and booleans may be empty', async () => {
    expect(await textsOf('<c><v/></c><c t="b"><v></v></c><c/><c t="n"/><c t="s"/><c t="d"><v/></c>')).toEqual(
      Array<string>(7).fill(''),
    );
  });

  it('reject other text', async () => {
    for (const value of ['abc', '0x10', '1,5', 'Infinity', 'NaN', '1e999', '--1']) {
      expect((await readCells(number(value))).problem).toBe(
        `A2 contains ${JSON.stringify(value)}, which is not a number.`,
      );
    }
  });
});

it('reads booleans as true and false', async () => {
  const cells = ['1', '0', 'true', 'false'].map((value) => `<c t="b"><v>${value}</v></c>`).join('');
  expect((await textsOf(cells)).slice(0, 4)).toEqual(['true', 'false', 'true', 'false']);
  expect((await readCells('<c t="b"><v>yes</v></c>')).problem).toBe(
    'A2 contains "yes", which is neither true nor false.',
  );
});

describe('dates', () => {
  const formats = ['yyyy-mm-dd', 'dd/mm/yyyy hh:mm', 'h:mm AM/PM', '[h]:mm:ss', 14, 22, 20];
  const [DATE, DATE_TIME, TIME, DURATION] = [1, 2, 3, 4];
  const dates = async (style: number, values: readonly string[], given = {}) => {
    const cells = values.map((value) => `<c s="${style}"><v>${value}</v></c>`).join('');
    return (await textsOf(cells, { formats, ...given })).slice(0, values.length);
  };

  it('have no time if none is given', async () => {
    expect(await dates(DATE, ['45443', '1', '59', '61', '2958465'])).toEqual([
      '2024-05-31',
      '1900-01-01',
      '1900-02-28',
      '1900-03-01',
      '9999-12-31',
    ]);
  });

  it('have a time, even if the format hides it', async () => {
    expect(
      await dates(DATE_TIME, ['45443.572916666664', '45443', '45443.000011574074', '45443.50000578704']),
    ).toEqual(['2024-05-31T13:45:00', '2024-05-31T00:00:00', '2024-05-31T00:00:01', '2024-05-31T12:00:00.5']);
    expect(await dates(DATE, ['45443.5', '45443.9999999999'])).toEqual(['2024-05-31T12:00:00', '2024-06-01']);
    expect(await dates(TIME, ['45443.5'])).toEqual(['2024-05-31T12:00:00']);
  });

  it('are times without a day', async () => {
    expect(await dates(TIME, ['0.5', '0', '0.999988425925926', '0.25000578703703705'])).toEqual([
      '12:00:00',
      '00:00:00',
      '23:59:59',
      '06:00:00.5',
    ]);
    expect(await dates(DATE_TIME, ['0.5'])).toEqual(['12:00:00']);
  });

  it('are durations, which may be long or negative', async () => {
    expect(await dates(DURATION, ['1.5', '0.5', '-0.0625', '100'])).toEqual([
      '36:00:00',
      '12:00:00',
      '-01:30:00',
      '2400:00:00',
    ]);
  });

  it('may use the 1904 date system', async () => {
    const given = { workbookPr: '<workbookPr date1904="1"/>' };
    expect(await dates(DATE, ['43981', '0', '0.5'], given)).toEqual([
      '2024-05-31',
      '1904-01-01',
      '1904-01-01T12:00:00',
    ]);
    expect(await dates(TIME, ['0.5'], given)).toEqual(['12:00:00']);
    expect(await dates(DATE, ['45443'], { workbookPr: '<workbookPr date1904="false"/>' })).toEqual([
      '2024-05-31',
    ]);
  });

  it('may have built-in formats', async () => {
    expect(
      (
        await textsOf('<c s="5"><v>45443</v></c><c s="6"><v>45443.5</v></c><c s="7"><v>0.5</v></c>', {
          formats,
        })
      ).slice(0, 3),
    ).toEqual(['2024-05-31', '2024-05-31T12:00:00', '12:00:00']);
  });

  it('may be ISO 8601 text', async () => {
    const texts = [
      '2024-05-31',
      '2024-05-31T00:00:00',
      '2024-05-31T13:45:00.500',
      'T13:45',
      '2024-05-31T13:45:00Z',
    ];
    const cells = texts.map((text) => `<c t="d" s="1"><v>${text}</v></c>`).join('');
    expect((await textsOf(cells, { formats })).slice(0, 5)).toEqual([
      '2024-05-31',
      '2024-05-31',
      '2024-05-31T13:45:00.5',
      '13:45:00',
      '2024-05-31T13:45:00Z',
    ]);
    expect((await readCells('<c t="d"><v>31.5.2024</v></c>')).problem).toMatch(
      'A2 contains "31.5.2024", which is not a date.',
    );
  });

  it('out of range reject their row', async () => {
    for (const value of ['60', '-1', '2958466', '1e300']) {
      expect((await readCells(`<c s="1"><v>${value}</v></c>`, { formats })).problem).toBe(
        `A2 contains ${value} as a date, which is out of range.`,
      );
    }
  });
});

describe('formulas', () => {
  it('have their stored values', async () => {
    const cells =
      '<c><f>1+1</f><v>2</v></c><c t="str"><f>""</f><v></v></c><c t="b"><f>TRUE()</f><v>1</v></c>';
    expect((await textsOf(cells)).slice(0, 3)).toEqual(['2', '', 'true']);
  });

  it.each([
    '<c r="D2"><f>A1&amp;B1</f></c>',
    '<c r="D2"><f>A1&amp;B1</f><v/></c>',
    '<c r="D2"><f t="shared" si="0">A1&amp;B1</f><v></v></c>',
  ])('without a value reject their row: %s', async (cell) => {
    const { cells, problem } = await readCells(cell);
    expect(problem).toMatch(/^D2 is a formula without a value in the file; .*save it/);
    expect(cells[3]).toBe('=A1&B1');
  });
});

it('rejects a row with an error by its reference', async () => {
  const { cells, problem } = await readCells(
    '<c r="C2" t="s"><v>0</v></c><c r="D2" t="e"><f>A9</f><v>#REF!</v></c>',
    { strings: ['<t>x</t>'] },
  );
  expect(problem).toBe('D2: #REF!.');
  expect(cells).toEqual(['', '', 'x', '#REF!', '', '', '']);
});

it.each([
  ['<c t="s"><v>1</v></c>', 'A2 refers to the shared string "1", which the workbook does not have.'],
  ['<c t="s"><v>-1</v></c>', 'A2 refers to the shared string "-1", which the workbook does not have.'],
  ['<c t="x"><v>1</v></c>', 'A2 has the unknown type "x".'],
])('rejects a row with an invalid cell: %s', async (cell, problem) => {
  expect((await readCells(cell, { strings: ['<t>only</t>'] })).problem).toBe(problem);
});
