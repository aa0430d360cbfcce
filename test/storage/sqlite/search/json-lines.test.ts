/** Arrays of JSON lines. */

import fc from 'fast-check';

import { linesOf, listOf } from '../../../../src/storage/sqlite/search/json-scan.ts';

describe('an array of lines', () => {
  it('has the selected lines in the order of selection', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(fc.jsonValue(), { minLength: 1 }), { minLength: 1, maxLength: 3 }),
        fc.array(fc.nat()),
        fc.boolean(),
        (texts, chosen, areAll) => {
          const values = texts.flat();
          const lines = texts.flatMap((each) =>
            linesOf(Buffer.from(each.map((value) => JSON.stringify(value)).join('\n'))),
          );
          expect(lines).toHaveLength(values.length);
          const positions = areAll ? [...values.keys()] : chosen.map((position) => position % values.length);
          const list = Buffer.from(listOf(positions.map((position) => lines[position]!))).toString();
          expect(list).toBe(JSON.stringify(positions.map((position) => values[position])));
        },
      ),
    );
  });

  it('is empty without a selection', () => {
    expect(Buffer.from(listOf([])).toString()).toBe('[]');
  });
});
