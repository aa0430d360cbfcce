/** The end of a map's list, compared with a plain model that sorts all orders. */

import fc from 'fast-check';

import { addAllToList, addToList, EMPTY_LIST } from '../../../src/domain/list/list-end.ts';
import { encodeOrder } from '../../../src/domain/list/order.ts';
import {
  anyOrder,
  parseDecimal,
  referenceCompare,
  referenceNextWholeNumber,
} from '../../contract/storage/reference.ts';

const NEW_LIST = { ...EMPTY_LIST, lastText: null };
const wantedOrders = fc.array(fc.option(anyOrder, { freq: 2 }), { maxLength: 30 });

/** The contract's rule, applied literally to all orders in the list. */
function modelAppend(list: readonly string[]): string {
  const last = [...list].sort(referenceCompare).at(-1);
  if (last !== undefined && parseDecimal(last) === null) return last;
  const numbers = list.filter((order) => parseDecimal(order) !== null).sort(referenceCompare);
  return referenceNextWholeNumber(numbers.at(-1) ?? null);
}

describe('the end of a list', () => {
  it('assigns the orders that the contract requires, for any list', () => {
    fc.assert(
      fc.property(wantedOrders, (wanted) => {
        const list: string[] = [];
        const { added, end } = addAllToList(NEW_LIST, wanted);
        for (const [index, order] of wanted.entries()) {
          const expected = order ?? modelAppend(list);
          list.push(expected);
          expect(added[index]).toEqual({
            order: expected,
            orderKey: encodeOrder(expected),
            sequence: index + 1,
          });
        }
        expect(end.lastSequence).toBe(wanted.length);
        const numbers = list.filter((order) => parseDecimal(order) !== null).sort(referenceCompare);
        const [largest] = numbers.slice(-1);
        if (largest === undefined) expect(end.largestNumber).toBeNull();
        else expect(referenceCompare(end.largestNumber!, largest)).toBe(0);
        const last = [...list].sort(referenceCompare).at(-1);
        expect(end.lastText).toBe(last !== undefined && parseDecimal(last) === null ? last : null);
      }),
    );
  });

  it('is the same for locations added together or one by one', () => {
    fc.assert(
      fc.property(wantedOrders, fc.nat(30), (wanted, cut) => {
        const first = addAllToList(NEW_LIST, wanted.slice(0, cut));
        const second = addAllToList(first.end, wanted.slice(cut));
        const together = addAllToList(NEW_LIST, wanted);
        expect([...first.added, ...second.added]).toEqual(together.added);
        expect(second.end).toEqual(together.end);
      }),
    );
  });

  it('does not go back when locations are deleted', () => {
    const end = { lastSequence: 12, largestNumber: '41.5', lastText: null };
    expect(addToList(end, null)).toEqual({
      added: { order: '42', orderKey: encodeOrder('42'), sequence: 13 },
      end: { lastSequence: 13, largestNumber: '42', lastText: null },
    });
  });

  it('is a text while a text is last, and then keeps the largest number', () => {
    const end = { lastSequence: 2, largestNumber: '7', lastText: 'm' };
    expect(addToList(end, null).added.order).toBe('m');
    expect(addToList(end, null).end).toEqual({ lastSequence: 3, largestNumber: '7', lastText: 'm' });
    expect(addToList(end, 'a').end.lastText).toBe('m');
    expect(addToList(end, 'z').end.lastText).toBe('z');
    expect(addToList(end, '9').end).toEqual({ lastSequence: 3, largestNumber: '9', lastText: 'm' });
  });
});
