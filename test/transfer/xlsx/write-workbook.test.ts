/** A table that a sheet has no room for is refused, naming what is too much. */

import { writeWorkbook } from '../../../src/transfer/xlsx/write-workbook.ts';

async function write(...given: Parameters<typeof writeWorkbook>): Promise<void> {
  for await (const _ of writeWorkbook(...given));
}

it('refuses a text that is longer than a cell', async () => {
  await write(['A', 'B'], [['x'.repeat(32_767), '']]);
  const written = write(
    ['A', 'B'],
    [
      ['', ''],
      ['', 'x'.repeat(32_768)],
    ],
  );
  await expect(written).rejects.toThrow(RangeError);
  await expect(written).rejects.toThrow('B3 would have over 32767 characters.');
});

it('refuses more rows than a sheet has', async () => {
  const rows = (count: number) =>
    (function* () {
      for (let index = 0; index < count; index += 1) yield [''];
    })();
  await write(['A'], rows(1_048_575));
  await expect(write(['A'], rows(1_048_576))).rejects.toThrow('A sheet has 1048576 rows');
});
