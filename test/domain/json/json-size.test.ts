/** The length of JSON, computed without serializing it. */

import fc from 'fast-check';

import { JsonMeasure, leastJsonBytes } from '../../../src/domain/json/json-size.ts';
import { encodeJson, JsonText } from '../../../src/domain/json/json-text.ts';
import { anyCharacter } from '../../support/any-character.ts';
import { propertyRuns } from '../../support/scope.ts';

const anyText = fc.string({ unit: anyCharacter, maxLength: 40 });
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

/**
 * Measures with a limit one byte too low, then with the exact one: a partial result must not be reused as the total.
 */
function measureTwice(value: unknown, bytes: number) {
  const measure = new JsonMeasure();
  return [measure.bytesOf(value, bytes - 1), measure.bytesOf(value, bytes)];
}

describe('the length of JSON', () => {
  it('is exact to the byte, for any value', () => {
    fc.assert(
      fc.property(anyValue, (value) => {
        const bytes = Buffer.byteLength(encodeJson(value));
        expect(measureTwice(value, bytes)).toEqual([null, bytes]);
      }),
      { numRuns: propertyRuns(500) },
    );
  });

  it('is computed without a limit, too', () => {
    expect(new JsonMeasure().bytesOf(['ä'], Infinity)).toBe(6);
  });

  it('does not reuse the partial count of a value that exceeded a limit', () => {
    const value = [{ a: 'x'.repeat(3_000), b: 'x'.repeat(3_000) }];
    const measure = new JsonMeasure();
    expect(measure.bytesOf(value, 4_000)).toBeNull();
    expect(measure.bytesOf(value, 10_000)).toBe(JSON.stringify(value).length);
  });

  it('counts a value each time it occurs', () => {
    const long = { text: 'x'.repeat(5_000) };
    const value = { a: long, b: long, c: [long, long] };
    const bytes = JSON.stringify(value).length;
    expect(measureTwice(value, bytes)).toEqual([null, bytes]);
  });

  it('is never less than the fast lower bound', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(leastJsonBytes(value)).toBeLessThanOrEqual(Buffer.byteLength(JSON.stringify(value)));
      }),
    );
  });
});
