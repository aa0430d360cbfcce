/** Pages picked from items in any order, compared with a reference that sorts and slices. */

import fc from 'fast-check';

import type { PageRequest } from '../../../src/domain/paging/paging.ts';
import { PagePicker } from '../../../src/domain/paging/page-picker.ts';
import { propertyRuns } from '../../support/scope.ts';

const sorting = { sortValuesOf: (item: number) => item, compare: (a: number, b: number) => b - a };

function pick(items: readonly number[], page: PageRequest<number>) {
  const picker = new PagePicker<number, number>(page, sorting);
  for (const item of items) picker.add(item);
  return picker.pick();
}

describe('a picked page', () => {
  it('is the slice of the sorted list, and shows whether there is more on either side', () => {
    const bound = fc.option(fc.integer({ min: -1, max: 61 }));
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.nat(60), { maxLength: 60 }),
        fc.record({
          limit: fc.integer({ min: 1, max: 9 }),
          fromEnd: fc.boolean(),
          after: bound,
          before: bound,
        }),
        (items, page) => {
          const { limit, fromEnd, after, before } = page;
          const sorted = items.toSorted((a, b) => b - a);
          const range = sorted.filter(
            (item) => (after === null || item < after) && (before === null || item > before),
          );
          const expected = fromEnd ? range.slice(-limit) : range.slice(0, limit);
          const picked = pick(items, page);
          expect(picked.items).toEqual(expected);
          expect(picked.totalCount).toBe(items.length);
          expect(picked.next !== null).toBe(range.length > limit);
          const start = expected[0] ?? after;
          const end = expected.at(-1) ?? before;
          expect(picked.isMoreBefore).toBe(start !== null && sorted.some((item) => item > start));
          expect(picked.isMoreAfter).toBe(end !== null && sorted.some((item) => item < end));
        },
      ),
      { numRuns: propertyRuns(3_000) },
    );
  });

  it('of nothing is empty', () => {
    const page = { limit: 3, fromEnd: false, after: 5, before: null };
    expect(pick([], page)).toEqual({
      items: [],
      count: 0,
      first: null,
      last: null,
      next: null,
      totalCount: 0,
      isMoreBefore: false,
      isMoreAfter: false,
    });
  });
});
