/** Tables over the limits of a sheet. */

import { writeWorkbook } from '../../../src/transfer/xlsx/write-workbook.ts';

async function write(...given: Parameters<typeof writeWorkbook>): Promise<void> {
  for await (const _ of writeWorkbook(...given));
}

it('refuses a string that is longer than a cell', async () => {
  await write(['A', 'B'], [['x'.repeat(32_767), '']]);
  const written = write(
    ['A', 'B'],
    [
      ['', ''],
      ['', 'x'.repeat(32_768)],
    ],
  );
  await expect(written).rejects.toThrow(RangeError);
  await expect(written).rejects.toThrow('B3 would exceed 32767 characters.');
});

it('refuses more rows than a sheet can have', async () => {
  const rows = (count: number) =>
    (function* () {
      for (let index = 0; index < count; index += 1) yield [''];
    })();
  await write(['A'], rows(1_048_575));
  await expect(write(['A'], rows(1_048_576))).rejects.toThrow('A sheet has at most 1048576 rows');
});
