/** Files that cannot be read, at all or to their end. */

import fc from 'fast-check';

import type { TableRow } from '../../../src/transfer/table.ts';
import { openCsv } from '../../../src/transfer/csv/table.ts';
import { TableHeaderError } from '../../../src/transfer/table.ts';
import { cellsOf, quoteCell, read } from './reading.ts';

describe('a damaged CSV file', () => {
  it('yields every row before the damage, and the damaged line, for any damage and any chunks', async () => {
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

  const unreadable: [name: string, bytes: Buffer, message: string][] = [
    ['an empty file', Buffer.from(''), 'The file is empty'],
    ['a file of empty lines', Buffer.from('\ufeff\r\n\n'), 'The file is empty'],
    ['a header with a name twice', Buffer.from('a,b,a\n'), 'the column "a" twice'],
    ['a header with a quote astray', Buffer.from('a,b"\n1,2\n'), 'The header is damaged: line 1'],
    ['UTF-16 with a byte order mark', Buffer.from('\ufeffa,b\n1,2\n', 'utf16le'), 'it is UTF-16'],
    ['UTF-16 without one', Buffer.from('a,b\n1,2\n', 'utf16le'), 'line 1: it contains a NUL byte'],
    ['bytes', Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10]), 'The file is not text: line 1'],
    ['another encoding in the first row', Buffer.from('a,b\n\xe9,2\n', 'latin1'), 'not text: line 2'],
    ['a character cut off by the end of the header', Buffer.from('a,\xc3', 'latin1'), 'not text: line 1'],
  ];
  for (const [name, bytes, message] of unreadable) {
    it(`refuses ${name}`, async () => {
      for (const sizes of [[1], [7], [1000]]) {
        const failure: unknown = await read(bytes, sizes).catch((error: unknown) => error);
        expect(failure).toBeInstanceOf(TableHeaderError);
        expect((failure as Error).message).toContain(message);
      }
    });
  }

  it('says why a file is damaged', async () => {
    const reasonOf = async (rest: string) =>
      (await read(Buffer.from(`a,b\n1,2\n${rest}`, 'latin1'))).damage?.reason;
    expect(await reasonOf('"1"1,2')).toContain('is not doubled');
    expect(await reasonOf('1"1,2')).toContain('a cell contains a quote');
    expect(await reasonOf('"1,2')).toContain('never closed');
    expect(await reasonOf('1,\0')).toContain('NUL');
    expect(await reasonOf('1,\xff')).toContain('not UTF-8');
  });

  it('names the line of an invalid byte, also in a cell of many lines', async () => {
    const result = await read(Buffer.from('a,b\n1,2\n"x\ny\n\xff",2\n', 'latin1'));
    expect(cellsOf(result)).toEqual([['1', '2']]);
    expect(result.damage?.line).toBe(5);
  });

  it('reports an endless record as damage, instead of buffering it', async () => {
    let given = 0;
    const endless = async function* (line: string) {
      yield Buffer.from('a,b\n1,2\n3,"');
      for (; given < 1000; given += 1) yield Buffer.from(line.repeat(1024));
    };
    for (const line of ['0123456789abcdef', '0123456789abcde\n']) {
      given = 0;
      const { rows } = await openCsv(endless(line));
      const seen: TableRow[] = [];
      const failure: unknown = await (async () => {
        for await (const row of rows) seen.push(row);
      })().catch((error: unknown) => error);
      expect(failure).toMatchObject({ line: 3, reason: expect.stringContaining('over 1048576 bytes') });
      expect(seen).toHaveLength(1);
      expect(given).toBeLessThan(100);
    }
  });

  it('reports a source that fails as damage, after the rows before it', async () => {
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
});
