import fc from 'fast-check';

import type { CsvRow } from '../../src/csv/table.ts';
import { CsvDamage, CsvHeaderError, openCsv, withoutLastColumns } from '../../src/csv/table.ts';

interface Read {
  readonly columns: readonly string[];
  readonly delimiter: string;
  readonly rows: CsvRow[];
  readonly damage: CsvDamage | null;
}

/** Hands the bytes out in pieces of the given sizes, again and again. */
async function* inPieces(bytes: Buffer, sizes: readonly number[] = [bytes.length || 1]) {
  for (let start = 0, turn = 0; start < bytes.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1;
    yield bytes.subarray(start, start + size);
    start += size;
  }
}

async function read(input: string | Buffer, sizes?: readonly number[]): Promise<Read> {
  const { columns, delimiter, rows: reading } = await openCsv(inPieces(Buffer.from(input), sizes));
  const rows: CsvRow[] = [];
  try {
    for await (const row of reading) rows.push(row);
  } catch (error) {
    if (error instanceof CsvDamage) return { columns, delimiter, rows, damage: error };
    throw error;
  }
  return { columns, delimiter, rows, damage: null };
}

const cellsOf = ({ rows }: Read) => rows.map(({ cells }) => cells);
const linesOf = ({ rows }: Read) => rows.map(({ line }) => line);

function quoteCell(cell: string, always: boolean): string {
  return always || /[",\r\n\ufeff]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

const countLineEnds = (text: string) => text.match(/\r\n|\r|\n/g)?.length ?? 0;

/** Letters that mean something to a parser come often, and every other character (but NUL) comes too. */
const cell = fc
  .string({
    unit: fc.oneof(
      {
        weight: 2,
        arbitrary: fc.constantFrom('"', ',', '\n', '\r', '\r\n', ' ', ';', '\t', '\ufeff', '€', '😀'),
      },
      { weight: 1, arbitrary: fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }) },
    ),
    maxLength: 8,
  })
  .map((text) => text.replaceAll('\0', ''));

const table = fc.integer({ min: 2, max: 4 }).chain((width) =>
  fc.record({
    columns: fc.uniqueArray(cell, { minLength: width, maxLength: width }),
    rows: fc.array(fc.array(cell, { minLength: width, maxLength: width }), { maxLength: 12 }),
    lineEnd: fc.constantFrom('\n', '\r\n', '\r'),
    alwaysQuote: fc.boolean(),
    mark: fc.constantFrom('', '\ufeff'),
    endsWithLineEnd: fc.boolean(),
    sizes: fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 4 }),
  }),
);

describe('openCsv', () => {
  it('reads back what any table was written as, wherever the bytes are cut', async () => {
    await fc.assert(
      fc.asyncProperty(
        table,
        async ({ columns, rows, lineEnd, alwaysQuote, mark, endsWithLineEnd, sizes }) => {
          const lines = [columns, ...rows].map((cells) =>
            cells.map((text) => quoteCell(text, alwaysQuote)).join(','),
          );
          const text = lines.join(lineEnd) + (endsWithLineEnd ? lineEnd : '');
          const result = await read(mark + text, sizes);
          expect(result.damage).toBeNull();
          expect(result.columns).toEqual(columns);
          expect(cellsOf(result)).toEqual(rows);
          expect(result.rows.map(({ fields }) => fields)).toEqual(
            rows.map((cells) => Object.fromEntries(columns.map((column, index) => [column, cells[index]]))),
          );
          const starts = lines.map((_, index) =>
            index === 0 ? 1 : 1 + countLineEnds(lines.slice(0, index).join(lineEnd) + lineEnd),
          );
          expect(linesOf(result)).toEqual(starts.slice(1));
        },
      ),
      { numRuns: 300 },
    );
  });

  it('gives every row before the damage, whatever the damage and the cuts, and its line', async () => {
    const damages = ['x,a"b', '"a"b,x', 'x,"never closed', 'x,\0', 'x,\xff', 'x,\xc3'];
    await fc.assert(
      fc.asyncProperty(
        fc.nat(30),
        fc.constantFrom(...damages),
        fc.constantFrom('\n', '\r\n', '\r'),
        fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 3 }),
        async (before, damage, lineEnd, sizes) => {
          const rows = Array.from({ length: before + 1 }, (_, index) => [
            `Name ${index}`,
            'two\nlines, "quoted"',
          ]);
          const good = rows.map((cells) => cells.map((text) => quoteCell(text, false)).join(','));
          const text = ['Name,Address', ...good, damage, 'after,it', ''].join(lineEnd);
          const result = await read(Buffer.from(text, 'latin1'), sizes);
          expect(cellsOf(result)).toEqual(rows);
          expect(result.damage?.line).toBe(2 + 2 * rows.length);
        },
      ),
      { numRuns: 200 },
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
    [
      'lines of separators, which are rows',
      'a,b\n,\n1,2',
      [
        ['', ''],
        ['1', '2'],
      ],
      [2, 3],
    ],
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
    ['empty quoted cells', 'a,b\n"",""\n', [['', '']], [2]],
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

  it('takes a line of white space for a row where there is only one column', async () => {
    expect(cellsOf(await read('a\n \n'))).toEqual([[' ']]);
  });

  it('keeps column names as they are, and any name as data', async () => {
    const { columns, rows } = await read('__proto__, constructor ,""\n1,2,3\n');
    expect(columns).toEqual(['__proto__', ' constructor ', '']);
    expect(Object.entries(rows[0]?.fields ?? {})).toEqual([
      ['__proto__', '1'],
      [' constructor ', '2'],
      ['', '3'],
    ]);
  });

  it('gives a row of too few or too many cells without fields, and goes on', async () => {
    const { rows, damage } = await read('a,b\n1\n1,2,3\n1,2\n');
    expect(damage).toBeNull();
    expect(rows).toMatchObject([
      { line: 2, cells: ['1'], fields: null, problem: 'The row has 1 cell; the header names 2 columns.' },
      { line: 3, cells: ['1', '2', '3'], fields: null, problem: expect.stringContaining('3 cells') },
      { line: 4, fields: { a: '1', b: '2' } },
    ]);
  });

  it('takes semicolons or tabs for separators only where the header holds no comma', async () => {
    expect(await read('a;b\n1,5;2\n')).toMatchObject({ delimiter: ';', rows: [{ cells: ['1,5', '2'] }] });
    expect(await read('a\tb\n1\t2\n')).toMatchObject({ delimiter: '\t', rows: [{ cells: ['1', '2'] }] });
    expect(await read('"a,b";c\n1;2\n')).toMatchObject({ delimiter: ';', columns: ['a,b', 'c'] });
    expect(await read('a;b,c\n1,2\n')).toMatchObject({ delimiter: ',', columns: ['a;b', 'c'] });
  });

  const unreadable: [name: string, bytes: Buffer, message: string][] = [
    ['an empty file', Buffer.from(''), 'The file is empty'],
    ['a file of empty lines', Buffer.from('\ufeff\r\n\n'), 'The file is empty'],
    ['a header with a name twice', Buffer.from('a,b,a\n'), 'the column "a" twice'],
    ['a header with a quote astray', Buffer.from('a,b"\n1,2\n'), 'The header is damaged: line 1'],
    ['UTF-16 with a byte order mark', Buffer.from('\ufeffa,b\n1,2\n', 'utf16le'), 'it is UTF-16'],
    ['UTF-16 without one', Buffer.from('a,b\n1,2\n', 'utf16le'), 'line 1: it holds a NUL byte'],
    ['bytes', Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10]), 'The file is not text: line 1'],
    ['another encoding in the first row', Buffer.from('a,b\n\xe9,2\n', 'latin1'), 'not text: line 2'],
    ['a character cut off by the end of the header', Buffer.from('a,\xc3', 'latin1'), 'not text: line 1'],
  ];
  for (const [name, bytes, message] of unreadable) {
    it(`refuses ${name}`, async () => {
      for (const sizes of [[1], [7], [1000]]) {
        const failure: unknown = await read(bytes, sizes).catch((error: unknown) => error);
        expect(failure).toBeInstanceOf(CsvHeaderError);
        expect((failure as Error).message).toContain(message);
      }
    });
  }

  it('says why a file is damaged', async () => {
    const reasonOf = async (rest: string) =>
      (await read(Buffer.from(`a,b\n1,2\n${rest}`, 'latin1'))).damage?.reason;
    expect(await reasonOf('"1"1,2')).toContain('without being doubled');
    expect(await reasonOf('1"1,2')).toContain('a quote stands within a cell');
    expect(await reasonOf('"1,2')).toContain('never closed');
    expect(await reasonOf('1,\0')).toContain('NUL');
    expect(await reasonOf('1,\xff')).toContain('not UTF-8');
  });

  it('names the line of a byte that is no text, also in a cell of many lines', async () => {
    const result = await read(Buffer.from('a,b\n1,2\n"x\ny\n\xff",2\n', 'latin1'));
    expect(cellsOf(result)).toEqual([['1', '2']]);
    expect(result.damage?.line).toBe(5);
  });

  it('ends a record that grows without end as damage, instead of holding it', async () => {
    let given = 0;
    const endless = async function* (line: string) {
      yield Buffer.from('a,b\n1,2\n3,"');
      for (; given < 1000; given += 1) yield Buffer.from(line.repeat(1024));
    };
    for (const line of ['0123456789abcdef', '0123456789abcde\n']) {
      given = 0;
      const { rows } = await openCsv(endless(line));
      const seen: CsvRow[] = [];
      const failure: unknown = await (async () => {
        for await (const row of rows) seen.push(row);
      })().catch((error: unknown) => error);
      expect(failure).toMatchObject({ line: 3, reason: expect.stringContaining('over 1048576 bytes') });
      expect(seen).toHaveLength(1);
      expect(given).toBeLessThan(100);
    }
  });

  it('takes a source that fails on the way for damage, after the rows before it', async () => {
    const failing = async function* () {
      yield Buffer.from('a,b\n1,2\n3,4\n5');
      throw new Error('EIO: i/o error');
    };
    const { rows } = await openCsv(failing());
    const seen: string[] = [];
    await expect(
      (async () => {
        for await (const { cells } of rows) seen.push(cells.join());
      })(),
    ).rejects.toMatchObject({ line: 4, reason: expect.stringContaining('EIO') });
    expect(seen).toEqual(['1,2', '3,4']);
  });

  it('reads no further ahead than it is asked to, and lets go of its source', async () => {
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
  it('leaves out columns at the end, and keeps cells beyond them', async () => {
    const whole = await openCsv(inPieces(Buffer.from('a,b,line,code\n1,2,7,X\n1,2,7,X,3\n')));
    const { columns, rows } = withoutLastColumns(whole, 2);
    expect(columns).toEqual(['a', 'b']);
    const seen = [];
    for await (const row of rows) seen.push(row);
    expect(seen).toMatchObject([
      { line: 2, fields: { a: '1', b: '2' } },
      { line: 3, cells: ['1', '2', '3'], fields: null },
    ]);
  });
});
