/** The text of coordinates at /v0. */

import fc from 'fast-check';

import { toPlainDecimal } from '../../src/domain/coordinates.ts';
import { propertyRuns } from '../support/scope.ts';

const anyDouble = fc.double({ noNaN: true, noDefaultInfinity: true });
const anyDegrees = fc.double({ min: -180, max: 180, noNaN: true });
const anyTiny = fc.double({ min: -1e-5, max: 1e-5, noNaN: true });
const any = fc.oneof(anyDouble, anyDegrees, anyTiny);
const RUNS = { numRuns: propertyRuns(5000) };

describe('a coordinate', () => {
  it('is a plain decimal, without an exponent or needless zeros', () => {
    fc.assert(
      fc.property(any, (degrees) => {
        expect(toPlainDecimal(degrees)).toMatch(/^(?:-?(?:0|[1-9][0-9]*)(?:\.[0-9]*[1-9])?)$/);
      }),
      RUNS,
    );
  });

  it('reads back as the same double', () => {
    // Both zeros have the same text.
    fc.assert(
      fc.property(any, (degrees) => expect(Number(toPlainDecimal(degrees)) === degrees).toBe(true)),
      RUNS,
    );
  });

  it('has the fewest digits that read back as the same double', () => {
    fc.assert(
      fc.property(
        any.filter((degrees) => degrees !== 0),
        (degrees) => {
          const digits = toPlainDecimal(degrees)
            .replace(/[-.]/g, '')
            .replace(/^0+/, '')
            .replace(/0+$/, '').length;
          if (digits > 1) expect(Number(degrees.toPrecision(digits - 1))).not.toBe(degrees);
        },
      ),
      RUNS,
    );
  });

  it('is written as the contract says', () => {
    const expected: readonly (readonly [number, string])[] = [
      [64.1466, '64.1466'],
      [1e-7, '0.0000001'],
      [-1e-7, '-0.0000001'],
      [1.5e-10, '0.00000000015'],
      [-21.9426, '-21.9426'],
      [0, '0'],
      [-0, '0'],
      [90, '90'],
      [0.1 + 0.2, '0.30000000000000004'],
      [5e-324, `0.${'0'.repeat(323)}5`],
      [1e21, `1${'0'.repeat(21)}`],
      [-1.25e22, `-125${'0'.repeat(20)}`],
      [Number.MAX_VALUE, `17976931348623157${'0'.repeat(292)}`],
    ];
    for (const [degrees, text] of expected) expect(toPlainDecimal(degrees)).toBe(text);
  });
});
