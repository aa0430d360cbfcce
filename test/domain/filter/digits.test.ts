/** The digits from tables equal those of `toString`. */

import fc from 'fast-check';

import { base36Of, hexOf } from '../../../src/domain/filter/digits.ts';
import { propertyRuns } from '../../support/scope.ts';

const EDGES = [
  0,
  1,
  35,
  36,
  36 ** 2 - 1,
  36 ** 2,
  36 ** 4,
  36 ** 6 - 1,
  36 ** 6,
  2 ** 31 - 1,
  2 ** 31,
  2 ** 32 - 1,
];

function expectDigits(value: number): void {
  expect(base36Of(value)).toBe(value.toString(36).padStart(7, '0'));
  expect(hexOf(value)).toBe(value.toString(16).padStart(8, '0'));
  expect([base36Of(value | 0), hexOf(value | 0)]).toEqual([base36Of(value), hexOf(value)]);
}

it('are right at the edges', () => {
  for (const value of EDGES) expectDigits(value);
});

it('are right for any 32 bits, with or without a sign', () => {
  fc.assert(fc.property(fc.integer({ min: 0, max: 2 ** 32 - 1 }), expectDigits), {
    numRuns: propertyRuns(5_000),
  });
});
