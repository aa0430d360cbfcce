/** The arguments of a connection (contract §7). */

import fc from 'fast-check';

import type { PagingArguments } from '../../../src/domain/paging/paging.ts';
import { MAX_PAGE_SIZE, readPageRequest } from '../../../src/domain/paging/paging.ts';
import { badUserInput } from '../../../src/errors.ts';
import { expectRefused } from '../refused.ts';

const read = (arguments_: PagingArguments) =>
  readPageRequest(arguments_, (cursor, label) => `${label} ${cursor}`);

describe('the arguments of a page', () => {
  it('default to the first 100; null counts as absent', () => {
    const expected = { limit: 100, fromEnd: false, after: null, before: null };
    expect(MAX_PAGE_SIZE).toBe(100);
    expect(read({})).toEqual(expected);
    expect(read({ first: null, last: null, after: null, before: null })).toEqual(expected);
    expect(read({ first: undefined, last: undefined, after: undefined, before: undefined })).toEqual(
      expected,
    );
  });

  it('set a size from the start or from the end', () => {
    expect(read({ first: 7, last: null })).toMatchObject({ limit: 7, fromEnd: false });
    expect(read({ last: 7 })).toMatchObject({ limit: 7, fromEnd: true });
  });

  it('accept a size of 1 to 100, and nothing else', () => {
    for (const size of [1, 2, 99, 100]) {
      expect(read({ first: size }).limit).toBe(size);
      expect(read({ last: size }).limit).toBe(size);
    }
    const never = fc.oneof(
      fc.constantFrom(0, -0, -1, 101, 1.5, NaN, Infinity, 2 ** 31, 100.00000000000001),
      fc.double().filter((size) => !(Number.isInteger(size) && size >= 1 && size <= 100)),
    );
    fc.assert(
      fc.property(never, (size) => {
        expectRefused(() => read({ first: size }), /^first must be a whole number from 1 to 100/);
        expectRefused(() => read({ last: size }), /^last must be a whole number from 1 to 100/);
      }),
    );
  });

  it('accept only one of first and last', () => {
    expectRefused(() => read({ first: 1, last: 1 }), /^first and last/);
  });

  it('name the cursor argument in errors, also for an empty cursor', () => {
    expect(read({ after: 'x', before: 'y', last: 3 })).toEqual({
      limit: 3,
      fromEnd: true,
      after: 'after x',
      before: 'before y',
    });
    expect(read({ after: '' }).after).toBe('after ');
    const refuse = (_: string, label: string): string => {
      throw badUserInput(`${label} is wrong`);
    };
    expectRefused(() => readPageRequest({ before: '' }, refuse), /^before is wrong/);
  });
});
