import type { LocationOrder } from '../../../src/domain/filter/location-order.ts';
import {
  compareSearchKeys,
  sortValuesOf,
  readSortValues,
  sortValues,
} from '../../../src/domain/filter/location-order.ts';
import { UNSEEN } from '../../../src/domain/filter/members.ts';

const MAP = { id: 'map', createdAt: 0 };
const BY_NUMBER: LocationOrder = { by: 'property', property: 'n', direction: 'asc' };

describe('sort values of a number', () => {
  it.each([
    ['above', '9'.repeat(400)],
    ['below', `-${'9'.repeat(400)}`],
  ])('survive a round trip through a cursor, when the number is %s all doubles', (_where, n) => {
    const valueOf = sortValues(BY_NUMBER, [{ name: 'n', type: 'number' }]);
    const key = {
      value: valueOf({ ...UNSEEN, properties: { n } }),
      map: MAP,
      sortKey: { orderKey: '1', sequence: 1 },
    };
    const inCursor = JSON.parse(JSON.stringify(sortValuesOf(key))) as readonly unknown[];
    expect(readSortValues(BY_NUMBER, inCursor)).toEqual(key);
  });
});

it('sorts a number above all doubles after the largest double, and one below all before the smallest', () => {
  const valueOf = sortValues(BY_NUMBER, [{ name: 'n', type: 'number' }]);
  const keys = ['9'.repeat(400), Number.MAX_VALUE, 1, -Number.MAX_VALUE, `-${'9'.repeat(400)}`].map(
    (n, sequence) => ({
      value: valueOf({ ...UNSEEN, properties: { n } }),
      map: MAP,
      sortKey: { orderKey: '1', sequence },
    }),
  );
  const sorted = (direction: 'asc' | 'desc') =>
    keys.toSorted(compareSearchKeys({ ...BY_NUMBER, direction })).map(({ sortKey }) => sortKey.sequence);
  expect(sorted('asc')).toEqual([4, 3, 2, 1, 0]);
  expect(sorted('desc')).toEqual([0, 1, 2, 3, 4]);
});
