import fc from 'fast-check';

import type { Delimiter } from '../../../src/transfer/csv/delimiter.ts';
import { formatRecord } from '../../../src/transfer/csv/format-record.ts';
import { cell, cellsOf, read } from './reading.ts';

const DELIMITERS: readonly Delimiter[] = [',', ';', '\t'];

describe('formatRecord', () => {
  it('writes what is read back as the same cells, whatever they hold', async () => {
    const record = fc.array(cell, { minLength: 3, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(record, { maxLength: 8 }),
        fc.uniqueArray(cell, { minLength: 3, maxLength: 3 }),
        fc.constantFrom(...DELIMITERS),
        async (rows, header, delimiter) => {
          // The header chooses the delimiter of a file, and a comma or a semicolon in it comes first.
          const columns = header.map((name) => name.replaceAll(/[,;\t]/g, ''));
          fc.pre(new Set(columns).size === 3);
          const text = [columns, ...rows].map((cells) => formatRecord(cells, delimiter)).join('');
          const result = await read(text);
          expect(result).toMatchObject({ columns, delimiter, damage: null });
          expect(cellsOf(result)).toEqual(rows);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('writes a single column so that no row becomes an empty line', async () => {
    const rows = [[''], ['x'], [' '], ['']];
    const text = [['a'], ...rows].map((cells) => formatRecord(cells, ',')).join('');
    expect(cellsOf(await read(text))).toEqual(rows);
  });

  it('quotes only when necessary, and leaves formulas unchanged', () => {
    expect(formatRecord(['=1+1', '', ' a ', '-2', '@x'], ',')).toBe('=1+1,, a ,-2,@x\n');
    expect(formatRecord(['a,b', 'c;d', '\ufeffe'], ';')).toBe('a,b;"c;d";"\ufeffe"\n');
    expect(formatRecord(['say "x"', 'two\nlines', 'two\rlines'], ',')).toBe(
      '"say ""x""","two\nlines","two\rlines"\n',
    );
  });
});
