/** Sets of sequence numbers as ranges, compared with plain sets. */

import fc from 'fast-check';

import type { SequenceRange } from '../../../../src/storage/mongodb/writes/sequence-ranges.ts';
import {
  isWithin,
  mergeRanges,
  subtractRanges,
} from '../../../../src/storage/mongodb/writes/sequence-ranges.ts';

const MOST = 30;
const ALL = Array.from({ length: MOST }, (_, index) => index + 1);

const someRanges = fc
  .array(fc.tuple(fc.integer({ min: 1, max: MOST }), fc.integer({ min: 0, max: 5 })), { maxLength: 8 })
  .map((pairs) => pairs.map(([from, more]) => ({ from, to: Math.min(MOST, from + more) })));

function membersOf(ranges: readonly SequenceRange[]): readonly number[] {
  return ALL.filter((sequence) => isWithin(ranges, sequence));
}

/** Ascending, with at least one number between two ranges that is in neither. */
function expectMerged(ranges: readonly SequenceRange[]): void {
  for (const [index, { from, to }] of ranges.entries()) {
    expect(from).toBeLessThanOrEqual(to);
    expect(from).toBeGreaterThan((ranges[index - 1]?.to ?? -1) + 1);
  }
}

describe('ranges of sequence numbers', () => {
  it('merged, have the same numbers in the fewest ranges', () => {
    fc.assert(
      fc.property(someRanges, (ranges) => {
        const merged = mergeRanges(ranges);
        expect(membersOf(merged)).toEqual(membersOf(ranges));
        expectMerged(merged);
      }),
    );
  });

  it('subtracted, have the numbers of the first that are not in the second', () => {
    fc.assert(
      fc.property(someRanges, someRanges, (ranges, taken) => {
        const left = subtractRanges(mergeRanges(ranges), mergeRanges(taken));
        expect(membersOf(left)).toEqual(membersOf(ranges).filter((sequence) => !isWithin(taken, sequence)));
        expectMerged(left);
      }),
    );
  });
});
