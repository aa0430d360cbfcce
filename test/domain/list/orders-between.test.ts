import fc from 'fast-check';

import { assertOrder } from '../../../src/domain/list/order.ts';
import { MAX_CHOSEN_LENGTH, ordersBetween } from '../../../src/domain/list/orders-between.ts';
import { anyOrder, parseDecimal, referenceCompare } from '../../contract/storage/reference.ts';
import { propertyRuns } from '../../support/scope.ts';

const RUNS = propertyRuns(1500);

const between = (low: string | null, high: string | null, count = 1, largestNumber: string | null = null) =>
  ordersBetween({ low, high, largestNumber }, count);
const nines = (count: number) => '9'.repeat(count);

describe('orders between two', () => {
  it.each<[string | null, string | null, number, readonly string[]]>([
    ['1', '2', 1, ['1.5']],
    ['1', '3', 1, ['2']],
    ['1', '10', 2, ['4', '8']],
    ['-1', '0', 1, ['-0.5']],
    ['-2', '2', 3, ['-1', '0', '1']],
    ['1.9', '2', 1, ['1.95']],
    ['007', '8.0', 1, ['7.5']],
    ['1', 'a', 2, ['2', '3']],
    ['-1.5', 'a', 1, ['-1']],
    [null, '5', 2, ['3', '4']],
    [null, '4.5', 1, ['4']],
    [null, '-4.5', 1, ['-5']],
    [null, 'a', 2, ['1', '2']],
    ['a', 'b', 1, ['aV']],
    ['a', 'c', 1, ['b']],
    ['a', null, 2, ['b', 'c']],
    ['z', null, 1, ['{']],
    ['1', null, 2, ['2', '3']],
    [null, null, 2, ['1', '2']],
  ])('%j and %j, %i of them: %j', (low, high, count, expected) => {
    expect(between(low, high, count)).toEqual(expected);
  });

  it('follow the largest number ever used, at the end of the list', () => {
    expect(between('3', null, 2, '41.5')).toEqual(['42', '43']);
    expect(between(null, null, 1, '7')).toEqual(['8']);
    // After the last order if the next number would be too long.
    expect(between('3', null, 1, nines(64))).toEqual(['4']);
    const almost = `${nines(63)}8`;
    expect(between('3', null, 1, almost)).toEqual([nines(64)]);
    expect(between('3', null, 2, almost)).toEqual(['4', '5']);
  });

  it.each<[string | null, string | null]>([
    ['1', '1'],
    ['1', '1.0'],
    ['a', 'a'],
    ['a', 'a '],
    [`0.${'0'.repeat(80)}1`, `0.${'0'.repeat(80)}2`],
    [nines(70), null],
    [null, `-${nines(70)}`],
    ['\u{10ffff}'.repeat(64), null],
  ])('do not exist between %j and %j', (low, high) => {
    expect(between(low, high)).toBeNull();
  });

  it('sort into the gap, ascend, and are short and valid', () => {
    const end = fc.option(anyOrder, { nil: null });
    const near = anyOrder.chain((order) =>
      fc
        .tuple(
          fc.constant(order),
          fc.string({ unit: fc.constantFrom('0', '9', ' ', 'a', '.'), maxLength: 3 }),
        )
        .map(([low, more]) => [low, low + more] as const),
    );
    const gaps = fc.oneof(fc.tuple(end, end), near);
    let found = 0;
    fc.assert(
      fc.property(gaps, fc.integer({ min: 1, max: 40 }), ([a, b], count) => {
        const isUp = a === null || b === null || referenceCompare(a, b) <= 0;
        const [low, high] = isUp ? [a, b] : [b, a];
        const orders = between(low, high, count);
        if (orders === null) return;
        found += 1;
        expect(orders).toHaveLength(count);
        const all = [low, ...orders, high].filter((order) => order !== null);
        for (const [index, order] of orders.entries()) {
          assertOrder(order, `orders[${index}]`);
          expect([...order].length).toBeLessThanOrEqual(MAX_CHOSEN_LENGTH);
        }
        for (let index = 1; index < all.length; index += 1) {
          expect([all, referenceCompare(all[index - 1] ?? '', all[index] ?? '')]).toEqual([all, -1]);
        }
        // Decimals next to a number, texts between texts.
        const isTextual = low !== null && parseDecimal(low) === null;
        expect(orders.map((order) => parseDecimal(order) === null)).toEqual(orders.map(() => isTextual));
      }),
      { numRuns: RUNS },
    );
    expect(found).toBeGreaterThan(RUNS / 5);
  });

  it.each<[string, string]>([
    ['1', '2'],
    ['a', 'b'],
  ])('%j and %j: a hundred successive ones fit, always before the second', (first, high) => {
    let low = first;
    for (let count = 0; count < 100; count += 1) {
      const [next] = between(low, high) ?? [];
      expect(next).toBeDefined();
      low = next ?? '';
    }
  });

  it('stay short after ten thousand successive ones at the end', () => {
    let last = 'a';
    for (let count = 0; count < 10_000; count += 1) last = between(last, null)?.[0] ?? '';
    expect([...last]).toHaveLength(1);
  });
});
