import fc from 'fast-check';

import { openCsv, withoutLastColumns } from '../../../src/transfer/csv/table.ts';
import { cell, cellsOf, inPieces, linesOf, quoteCell, read } from './reading.ts';

const countLineEnds = (text: string) => text.match(/\r\n|\r|\n/g)?.length ?? 0;

const table = fc.integer({ min: 2, max: 4 }).chain((width) =>
  fc.record({
    // A blank row is no header.
    columns: fc
      .uniqueArray(cell, { minLength: width, maxLength: width })
      .filter((cells) => cells.some((text) => text.trim() !== '')),
    rows: fc.array(
      fc
        .array(cell, { minLength: width, maxLength: width })
        .filter((cells) => cells.some((text) => text.trim() !== '')),
      { maxLength: 12 },
    ),
    lineEnd: fc.constantFrom('\n', '\r\n', '\r'),
    alwaysQuote: fc.boolean(),
    mark: fc.constantFrom('', '\ufeff'),
    endsWithLineEnd: fc.boolean(),
    sizes: fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 4 }),
  }),
);

describe('openCsv', () => {
  it('reads back any table, wherever the bytes are cut', async () => {
    await fc.assert(
      fc.asyncProperty(
        table,
        async ({ columns, rows, lineEnd, alwaysQuote, mark, endsWithLineEnd, sizes }) => {
          const lines = [columns, ...rows].map((cells) =>
            cells.map((text) => quoteCell(text, alwaysQuote)).join(','),
          );
          const text = lines.join(lineEnd) + (endsWithLineEnd ? lineEnd : '');
          const result = await read(mark + text, sizes, { delimiter: ',' });
          expect(result.damage).toBeNull();
          expect(result.columns).toEqual(columns);
          expect(cellsOf(result)).toEqual(rows);
          expect(result.rows.map(({ problem }) => problem)).toEqual(rows.map(() => null));
          const starts = lines.map((_, index) =>
            index === 0 ? 1 : 1 + countLineEnds(lines.slice(0, index).join(lineEnd) + lineEnd),
          );
          expect(linesOf(result)).toEqual(starts.slice(1));
        },
      ),
      { numRuns: 300 },
    );
  });

  const shapes: [name: string, text: string, cells: string[][], lines: number[]][] = [
    ['a header alone', 'a,b', [], []],
    ['a last line without an end', 'a,b\n1,2', [['1', '2']], [2]],
    [
      'LF, CRLF and CR in one file',
      'a,b\r\n1,2\n3,4\r5,6',
      [
        ['1', '2'],
        ['3', '4'],
        ['5', '6'],
      ],
      [2, 3, 4],
    ],
    [
      'empty lines anywhere',
      '\n\na,b\n\n1,2\r\n\r\n\r\n3,4\n\n',
      [
        ['1', '2'],
        ['3', '4'],
      ],
      [5, 8],
    ],
    [
      'lines of white space',
      'a,b\n1,2\n \t \n3,4\n',
      [
        ['1', '2'],
        ['3', '4'],
      ],
      [2, 4],
    ],
    ['lines of separators, which are no rows', 'a,b\n,\n1,2\n , \n', [['1', '2']], [3]],
    [
      'empty cells beyond the columns, which are left out',
      'a,b\n1,2,\n3,4,, \n',
      [
        ['1', '2'],
        ['3', '4'],
      ],
      [2, 3],
    ],
    ['a first line that names the delimiter', 'sep=;\r\na;b\r\n1,5;2\r\n', [['1,5', '2']], [3]],
    [
      'a CRLF within quotes, which is one line',
      'a,b\r\n"1\r\n1",2\r\n3,4',
      [
        ['1\r\n1', '2'],
        ['3', '4'],
      ],
      [2, 4],
    ],
    [
      'an empty line within quotes',
      'a,b\n"1\n\n1",2\n3,4',
      [
        ['1\n\n1', '2'],
        ['3', '4'],
      ],
      [2, 5],
    ],
    ['white space around cells, which stays', 'a,b\n 1 ,\t2\n', [[' 1 ', '\t2']], [2]],
    ['cells that look like formulas or numbers', 'a,b\n=1+1,007\n', [['=1+1', '007']], [2]],
    ['empty quoted cells', 'a,b\n"","x"\n', [['', 'x']], [2]],
    ['doubled quotes', 'a,b\n"say ""x""",""""\n', [['say "x"', '"']], [2]],
    ['a byte order mark within', 'a,b\n1,\ufeff2\n', [['1', '\ufeff2']], [2]],
  ];
  for (const [name, text, cells, lines] of shapes) {
    it(`reads ${name}`, async () => {
      for (const sizes of [[1], [2], [3], [1000]]) {
        const result = await read(text, sizes);
        expect(result.damage).toBeNull();
        expect(cellsOf(result)).toEqual(cells);
        expect(linesOf(result)).toEqual(lines);
      }
    });
  }

  it('counts the blank rows that it skips', async () => {
    const { rows, countBlankRows } = await openCsv(inPieces(Buffer.from('a,b\n,\n1,2\n \n , ,\n3,4\n')));
    for await (const row of rows) expect(row.problem).toBeNull();
    expect(countBlankRows()).toBe(3);
  });

  it('starts with the first row that is not blank', async () => {
    const table = await openCsv(inPieces(Buffer.from('\n;;\n ; ;\na;b;c\n1;2;3\n;;\n')));
    expect(table).toMatchObject({ columns: ['a', 'b', 'c'], delimiter: ';', first: { line: 5 } });
    for await (const row of table.rows) expect(row).toMatchObject({ line: 5, problem: null });
    expect(table.countBlankRows()).toBe(3);
  });

  it('keeps column names unchanged', async () => {
    const { columns } = await read('__proto__, constructor ,""\n1,2,3\n');
    expect(columns).toEqual(['__proto__', ' constructor ', '']);
  });

  it('reports a row with too few or too many cells, and continues', async () => {
    const { rows, damage } = await read('a,b\n1\n1,2,3\n1,2\n');
    expect(damage).toBeNull();
    expect(rows).toMatchObject([
      { line: 2, cells: ['1'], problem: { text: 'The row has 1 cell; the header names 2 columns.' } },
      { line: 3, cells: ['1', '2', '3'], problem: { text: expect.stringContaining('3 cells') } },
      { line: 4, cells: ['1', '2'], problem: null },
    ]);
  });

  const delimiters: [name: string, text: string, delimiter: string][] = [
    ['divides all records into equally many cells', 'a;b\n1,5;2\n1,5;"2;3"\n', ';'],
    ['gives the most cells of those that do', 'a|b|c\n1|2|3,4\n', '|'],
    ['gives the most cells, although another stands in each record once', 'a, b;c;d\n1, 2;3;4\n', ';'],
    ['stands in the header, where none does', 'a\tb\n1\n1\t2\t3\n', '\t'],
    ['is named by the first line, whatever divides the records', 'sep=|\na,b\n1,2\n', '|'],
    ['an export of ours has, whatever its fields are called', 'id,externalId,order,a;b;c;d;e\n', ','],
  ];
  for (const [name, text, delimiter] of delimiters) {
    it(`uses the delimiter that ${name}`, async () => {
      expect((await read(text, [3])).delimiter).toBe(delimiter);
    });
  }

  it('uses the delimiter that the caller names', async () => {
    expect(await read('a,b;c\n', [1], { delimiter: ';' })).toMatchObject({ columns: ['a,b', 'c'] });
  });

  it('refuses a first line that names an unknown delimiter', async () => {
    await expect(read('sep=x\naxb\n')).rejects.toThrow('The first line names the separator "x"');
  });

  it('uses semicolons or tabs only if the header has no comma', async () => {
    expect(await read('a;b\n1,5;2\n')).toMatchObject({ delimiter: ';', rows: [{ cells: ['1,5', '2'] }] });
    expect(await read('a\tb\n1\t2\n')).toMatchObject({ delimiter: '\t', rows: [{ cells: ['1', '2'] }] });
    expect(await read('"a,b";c\n1;2\n')).toMatchObject({ delimiter: ';', columns: ['a,b', 'c'] });
    expect(await read('"a\nb";c\n1;2\n')).toMatchObject({ delimiter: ';', columns: ['a\nb', 'c'] });
    expect(await read('"a"\n1;2\n')).toMatchObject({ delimiter: ',', rows: [{ cells: ['1;2'] }] });
    expect(await read('a;b,c\n1,2\n')).toMatchObject({ delimiter: ',', columns: ['a;b', 'c'] });
  });

  it('reads on demand, and closes its source', async () => {
    let given = 0;
    let released = false;
    const source = async function* () {
      try {
        yield Buffer.from('a,b\n');
        for (; given < 10_000; given += 1) yield Buffer.from('1,2\n'.repeat(100));
      } finally {
        released = true;
      }
    };
    const { rows } = await openCsv(source());
    let seen = 0;
    for await (const _row of rows) {
      seen += 1;
      if (seen === 1000) break;
    }
    expect(given).toBeLessThan(15);
    expect(released).toBe(true);
  });
});

describe('withoutLastColumns', () => {
  it('removes columns at the end, and keeps cells beyond them', async () => {
    const whole = await openCsv(inPieces(Buffer.from('a,b,line,code\n1,2,7,X\n1,2,7,X,3\n')));
    const { columns, rows } = withoutLastColumns(whole, 2);
    expect(columns).toEqual(['a', 'b']);
    const seen = [];
    for await (const row of rows) seen.push(row);
    expect(seen).toMatchObject([
      { line: 2, cells: ['1', '2'], problem: null },
      { line: 3, cells: ['1', '2', '3'], problem: expect.anything() },
    ]);
  });
});
