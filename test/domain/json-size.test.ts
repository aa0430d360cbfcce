/** The length of JSON, found out without writing it. */

import fc from 'fast-check';

import { exceedsJsonBytes, leastJsonBytes } from '../../src/domain/json-size.ts';
import { encodeJson, JsonText } from '../../src/domain/json-text.ts';

const anyText = fc.string({ unit: 'binary', maxLength: 40 });
const anyValue = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.jsonValue(),
    anyText,
    fc.jsonValue().map((value) => new JsonText(JSON.stringify(value))),
    fc.array(tie('value'), { maxLength: 5 }),
    fc.dictionary(anyText, tie('value'), { maxKeys: 5 }),
  ),
})).value;

describe('the length of JSON', () => {
  it('is exact to the byte, for any value', () => {
    fc.assert(
      fc.property(anyValue, (value) => {
        const bytes = Buffer.byteLength(encodeJson(value));
        expect([exceedsJsonBytes(value, bytes), exceedsJsonBytes(value, bytes - 1)]).toEqual([false, true]);
      }),
      { numRuns: 500 },
    );
  });

  it('counts a value once for each time it occurs', () => {
    const long = { text: 'x'.repeat(5_000) };
    const value = { a: long, b: long, c: [long, long] };
    const bytes = JSON.stringify(value).length;
    expect([exceedsJsonBytes(value, bytes), exceedsJsonBytes(value, bytes - 1)]).toEqual([false, true]);
  });

  it('is never less than the fast lower bound', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(leastJsonBytes(value)).toBeLessThanOrEqual(Buffer.byteLength(JSON.stringify(value)));
      }),
    );
  });
});
