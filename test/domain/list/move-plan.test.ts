/** Moves, compared with a plain list. */

import fc from 'fast-check';

import type { Listed, Move, ReadingPages } from '../../../src/domain/list/move-plan.ts';
import { planMove } from '../../../src/domain/list/move-plan.ts';
import { compareOrderKeys, encodeOrder, largerNumber } from '../../../src/domain/list/order.ts';
import type { PageRequest } from '../../../src/domain/paging/paging.ts';
import type { SortKey } from '../../../src/domain/list/sort-key.ts';
import { propertyRuns } from '../../support/scope.ts';

const item = (order: string, sequence: number): Listed => ({
  id: `i${sequence}`,
  order,
  orderKey: encodeOrder(order),
  sequence,
});
const compare = (a: SortKey, b: SortKey) =>
  compareOrderKeys(a.orderKey, b.orderKey) || a.sequence - b.sequence;
const sorted = (items: readonly Listed[]) => items.toSorted(compare);
const idsOf = (items: readonly Listed[]) => items.map(({ id }) => id);

/** A map's list; executes moves as a store does. */
class List {
  items: readonly Listed[];
  largest: string | null = null;
  writes = 0;
  longest = 0;
  moves = 0;
  /** Rows read. */
  rows = 0;

  constructor(orders: readonly string[]) {
    this.items = sorted(orders.map((order, index) => item(order, index + 1)));
    for (const order of orders) this.largest = largerNumber(this.largest, order);
  }

  /**
   * @param at how many of the unmoved locations precede the moved ones afterwards
   * @returns false if the move is refused
   */
  move(ids: readonly string[], at: number): boolean {
    const byId = new Map(this.items.map((each) => [each.id, each]));
    const others = this.items.filter(({ id }) => !ids.includes(id));
    // Tries each way to express the position in turn.
    const place = waysTo(others, at)[(this.moves += 1) % 2]!;
    const plan = this.#read(
      planMove({ moved: ids.map((id) => byId.get(id)!), largestNumber: this.largest, ...place }),
    );
    if (plan === null) return false;
    const orders = new Map(plan.map(({ location, order }) => [location.id, order]));
    expect(orders.size).toBe(plan.length);
    for (const order of orders.values()) {
      expect([...order].length).toBeLessThanOrEqual(64);
      this.longest = Math.max(this.longest, [...order].length);
      this.largest = largerNumber(this.largest, order);
    }
    this.writes += plan.length;
    this.items = sorted(this.items.map((each) => item(orders.get(each.id) ?? each.order, each.sequence)));
    const expected = [...idsOf(others.slice(0, at)), ...ids, ...idsOf(others.slice(at))];
    expect(idsOf(this.items)).toEqual(expected);
    return true;
  }

  #read<R>(reading: ReadingPages<Listed, R>): R {
    let step = reading.next();
    while (!step.done) {
      this.rows += step.value.limit;
      step = reading.next(this.#page(step.value));
    }
    return step.value;
  }

  #page({ after, before, limit, fromEnd }: PageRequest<SortKey>): readonly Listed[] {
    const range = this.items.filter(
      (each) =>
        (after === null || compare(each, after) > 0) && (before === null || compare(each, before) < 0),
    );
    return fromEnd ? range.slice(-limit) : range.slice(0, limit);
  }
}

/** The anchors of capabilities §9 that put the moved locations after this many unmoved ones. */
function waysTo(others: readonly Listed[], at: number): readonly Pick<Move<Listed>, 'kind' | 'target'>[] {
  const [low, high] = [others[at - 1], others[at]];
  return [
    low === undefined ? { kind: 'start', target: null } : { kind: 'after', target: low },
    high === undefined ? { kind: 'end', target: null } : { kind: 'before', target: high },
  ];
}

const NUMBERS = Array.from({ length: 20 }, (_, index) => String(index + 1));

describe('a move', () => {
  it.each<[string, readonly string[], readonly string[], number, readonly string[]]>([
    ['between numbers gives a decimal', ['1', '2', '3'], ['i3'], 1, ['1', '1.5', '2']],
    ['to the end gives the next whole number', ['1', '2', '7'], ['i1'], 2, ['2', '7', '8']],
    ['to the start gives a whole number below', ['1', '2', '7'], ['i3'], 0, ['0', '1', '2']],
    ['of several keeps them together', ['1', '2', '3', '4'], ['i4', 'i1'], 1, ['2', '2.3', '2.7', '3']],
    ['between texts gives a text', ['a', 'b', 'c'], ['i3'], 1, ['a', 'aV', 'b']],
    ['between a number and a text gives a number', ['1', 'a', 'b'], ['i3'], 1, ['1', '2', 'a']],
    ['after a last text gives a later one', ['1', 'a'], ['i1'], 1, ['a', 'b']],
  ])('%s', (_what, orders, ids, at, expected) => {
    const list = new List(orders);
    list.move(ids, at);
    expect(list.items.map(({ order }) => order)).toEqual(expected);
  });

  it('among equal orders renumbers the shorter side, and leaves the longer one unchanged', () => {
    const list = new List([...Array.from({ length: 10 }, () => '5'), '9']);
    list.move(['i11'], 3);
    expect(list.writes).toBe(4);
    expect(list.items.filter(({ order }) => order === '5')).toHaveLength(7);
    const late = new List([...Array.from({ length: 10 }, () => '5'), '9']);
    late.move(['i11'], 8);
    expect(late.writes).toBe(3);
  });

  it('that would renumber more than 10,000 neighbours is refused', () => {
    const list = new List([...Array.from({ length: 20_004 }, () => '5'), '9']);
    expect(list.move(['i20005'], 10_002)).toBe(false);
  });

  it('back to the position of creation among equal orders takes their order, however many share it', () => {
    const list = new List(Array.from({ length: 30_000 }, () => '5'));
    list.move(['i15000'], 29_999);
    list.move(['i15000'], 14_999);
    expect(list.writes).toBe(2);
  });

  it('changes nothing if the positions are as requested already, whatever the orders', () => {
    const list = new List(['1', '1', `0.${'0'.repeat(80)}1`, 'a', 'a']);
    expect(idsOf(list.items)).toEqual(['i3', 'i1', 'i2', 'i4', 'i5']);
    list.move(['i3', 'i1'], 0);
    list.move(['i1', 'i2', 'i4'], 1);
    list.move(['i4', 'i5'], 3);
    list.move(['i3', 'i1', 'i2', 'i4', 'i5'], 0);
    expect(list.writes).toBe(0);
    // Adjacent, but in another sequence: the first of them keeps its order.
    list.move(['i2', 'i1'], 1);
    expect(list.writes).toBe(1);
  });

  it('takes the position of a target that was deleted meanwhile', () => {
    const [a, b, c] = ['1', '2', '3'].map((order, index) => item(order, index + 1));
    const move = { moved: [a!], kind: 'after', target: b!, isTargetGone: true, largestNumber: '3' } as const;
    const reading = planMove(move);
    expect(reading.next().value).toMatchObject({ before: b, fromEnd: true });
    expect(reading.next([a!]).value).toMatchObject({ after: b, fromEnd: false });
    expect(reading.next([c!])).toEqual({ done: true, value: [] });
  });

  it('reads few rows of a large list', () => {
    const list = new List(Array.from({ length: 3_000 }, (_, index) => String(index)));
    list.move(['i7'], 1_500);
    list.move(['i8', 'i9'], 0);
    list.move(['i10'], 2_999);
    expect(list.rows).toBeLessThan(100);
  });

  it('never exhausts a gap, however often it is used, and renumbers few neighbours', () => {
    const list = new List(NUMBERS);
    for (let count = 0; count < 10_000; count += 1) {
      const gap = list.items.findIndex(({ id }) => id === 'i10');
      // Always moves the least recently moved one to just before the same location.
      const id = list.items[gap > 5 ? 0 : list.items.length - 1]!.id;
      list.move(
        [id],
        list.items.filter((each) => each.id !== id).findIndex((each) => each.id === 'i10'),
      );
    }
    console.log(`${list.writes / 10_000} locations written per move, ${list.longest} characters at most`);
    expect(list.writes / 10_000).toBeLessThan(10);
  });

  it('never exhausts a gap that is used from both sides', () => {
    const list = new List(NUMBERS);
    for (let count = 0; count < 3_000; count += 1) {
      const id = list.items[count % 2 === 0 ? 0 : list.items.length - 1]!.id;
      list.move([id], 10);
    }
    expect(list.writes / 3_000).toBeLessThan(10);
  });

  it('puts the moved locations at the requested position, for any orders, and keeps the others in place', () => {
    const order = fc.oneof(
      fc.constantFrom(
        '1',
        '1.0',
        '2',
        '-1',
        '0.5',
        'a',
        'a ',
        'b',
        'z',
        '1.a',
        `0.${'0'.repeat(70)}1`,
        '9'.repeat(64),
      ),
      fc.constantFrom('\u{10ffff}'.repeat(64), ' ', '9'.repeat(70), `${'a'.repeat(64)}b`, 'a'.repeat(64)),
    );
    const moves = fc.array(fc.tuple(fc.array(fc.nat(), { minLength: 1, maxLength: 4 }), fc.nat()), {
      minLength: 1,
      maxLength: 12,
    });
    fc.assert(
      fc.property(fc.array(order, { minLength: 2, maxLength: 12 }), moves, (orders, asked) => {
        const list = new List(orders);
        for (const [picked, place] of asked) {
          const ids = [...new Set(picked.map((index) => `i${(index % orders.length) + 1}`))];
          list.move(ids, place % (orders.length - ids.length + 1));
        }
      }),
      { numRuns: propertyRuns(1500) },
    );
  });
});
