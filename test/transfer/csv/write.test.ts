import fc from 'fast-check';

import { DELIMITERS } from '../../../src/transfer/csv/delimiter.ts';
import { formatRecord } from '../../../src/transfer/csv/format-record.ts';
import { cell, cellsOf, read } from './reading.ts';

describe('formatRecord', () => {
  it('writes any cells so that they are read back unchanged', async () => {
    // Blank rows are skipped, also above the header.
    const hasValue = (cells: readonly string[]) => cells.some((text) => text.trim() !== '');
    const record = fc.array(cell, { minLength: 3, maxLength: 3 }).filter(hasValue);
    const header = fc.uniqueArray(cell, { minLength: 3, maxLength: 3 }).filter(hasValue);
    await fc.assert(
      fc.asyncProperty(
        fc.array(record, { maxLength: 8 }),
        header,
        fc.constantFrom(...DELIMITERS),
        async (rows, columns, delimiter) => {
          const text = [columns, ...rows].map((cells) => formatRecord(cells, delimiter)).join('');
          const result = await read(text, undefined, { delimiter });
          expect(result).toMatchObject({ columns, delimiter, damage: null });
          expect(cellsOf(result)).toEqual(rows);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('writes a blank header, which is read as no header', async () => {
    const text = formatRecord(['', '\t', '\r\n'], ',');
    expect(text).toBe(',\t,"\r\n"\n');
    await expect(read(text)).rejects.toThrow('The file is empty; its first line must name the columns.');
  });

  it('writes a single empty cell as a line that is not empty', () => {
    expect(formatRecord([''], ',')).toBe('""\n');
  });

  it('quotes only when necessary, and leaves formulas unchanged', () => {
    expect(formatRecord(['=1+1', '', ' a ', '-2', '@x'], ',')).toBe('=1+1,, a ,-2,@x\n');
    expect(formatRecord(['a,b', 'c;d', '\ufeffe'], ';')).toBe('a,b;"c;d";"\ufeffe"\n');
    expect(formatRecord(['say "x"', 'two\nlines', 'two\rlines'], ',')).toBe(
      '"say ""x""","two\nlines","two\rlines"\n',
    );
  });
});
