import type { LocationOrder } from '../../../src/domain/filter/location-order.ts';
import { placeOf, readPlace, sortValues } from '../../../src/domain/filter/location-order.ts';
import { UNSEEN } from '../../../src/domain/filter/members.ts';

const MAP = { id: 'map', createdAt: 0 };
const BY_NUMBER: LocationOrder = { by: 'property', property: 'n', direction: 'asc' };

describe('a place by a number', () => {
  it.each([
    ['above', '9'.repeat(400)],
    ['below', `-${'9'.repeat(400)}`],
  ])('comes back from a cursor as it was, where the number is %s all doubles', (_where, n) => {
    const valueOf = sortValues(BY_NUMBER, [{ name: 'n', type: 'number' }]);
    const key = {
      value: valueOf({ ...UNSEEN, properties: { n } }),
      map: MAP,
      sortKey: { orderKey: '1', sequence: 1 },
    };
    const inCursor = JSON.parse(JSON.stringify(placeOf(key))) as readonly unknown[];
    expect(readPlace(BY_NUMBER, inCursor)).toEqual(key);
  });
});
