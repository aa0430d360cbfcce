import fc from 'fast-check';

import { coarseRanges } from '../../../../src/storage/mongodb/search/queries.ts';

const range = (first: number, last: number) => ({ first, last });

describe('too many ranges of cells', () => {
  it('are merged across the smallest gaps', () => {
    const ranges = [range(0, 1), range(10, 11), range(13, 14), range(90, 91), range(95, 99)];
    expect(coarseRanges(ranges, 5)).toEqual(ranges);
    expect(coarseRanges(ranges, 3)).toEqual([range(0, 1), range(10, 14), range(90, 99)]);
    expect(coarseRanges(ranges, 1)).toEqual([range(0, 99)]);
  });

  it('cover the original ranges, with at most the requested number', () => {
    const steps = fc.array(fc.tuple(fc.integer({ min: 2, max: 1e9 }), fc.integer({ min: 0, max: 1e9 })));
    fc.assert(
      fc.property(steps, fc.integer({ min: 1, max: 10 }), (list, limit) => {
        let at = 0;
        const ranges = list.map(([gap, length]) => {
          const first = at + gap;
          at = first + length;
          return range(first, at);
        });
        const coarse = coarseRanges(ranges, limit);
        expect(coarse.length).toBeLessThanOrEqual(limit);
        for (const { first, last } of ranges) {
          expect(coarse.some((each) => each.first <= first && last <= each.last)).toBe(true);
        }
        for (const [index, { first, last }] of coarse.entries()) {
          expect(first).toBeLessThanOrEqual(last);
          expect(first).toBeGreaterThan(coarse[index - 1]?.last ?? -1);
        }
      }),
    );
  });
});
