/**
 * Compares random sequences of inserts, deletions and pages with a plain array, sorted by reference.ts, which does not
 * use order keys.
 */

import fc from 'fast-check';

import type { LocationRecord } from '../../../src/domain/location.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { idsOf, insertOrders, listPage, ordersOf, seedMap, startOf, walk } from './fixtures.ts';
import type { StorageTopic } from './harness.ts';
import {
  anyOrder,
  at,
  parseDecimal,
  referenceCompare,
  referenceNextWholeNumber,
  somewhere,
} from './reference.ts';

const RUNS = 40;

class Model {
  /** In list order. The stable sort keeps equals in order of creation. */
  list: LocationRecord[] = [];
  readonly deleted: LocationRecord[] = [];
  #largest: string | null = null;

  /** The order of an insert. */
  orderFor(order: string | null): string {
    if (order !== null) return order;
    const last = this.list.at(-1)?.order;
    return last !== undefined && parseDecimal(last) === null ? last : referenceNextWholeNumber(this.#largest);
  }

  add(order: string, location: LocationRecord): void {
    this.list = [...this.list, location].sort((a, b) => referenceCompare(a.order, b.order));
    if (parseDecimal(order) === null) return;
    if (this.#largest === null || referenceCompare(this.#largest, order) < 0) this.#largest = order;
  }

  remove(location: LocationRecord): void {
    this.list = this.list.filter(({ id }) => id !== location.id);
    this.deleted.push(location);
  }
}

interface Subject {
  readonly storage: Storage;
  readonly mapId: string;
  readonly model: Model;
}
type Step = (subject: Subject) => Promise<void>;

const insertStep = fc
  .array(fc.option(anyOrder, { freq: 2 }), { minLength: 1, maxLength: 6 })
  .map((orders): Step => async ({ storage, mapId, model }) => {
    const created = await insertOrders(storage, mapId, orders);
    for (const [index, order] of orders.entries()) {
      const expected = model.orderFor(order);
      expect(created[index]?.order).toBe(expected);
      model.add(expected, created[index]!);
    }
  });

const deleteStep = somewhere.map((where): Step => async ({ storage, mapId, model }) => {
  const location = at(model.list, where);
  if (location === undefined) return;
  expect(await storage.deleteLocation(mapId, location.id)).toEqual({ kind: 'deleted', location });
  model.remove(location);
});

const walkStep = fc
  .record({ limit: fc.integer({ min: 1, max: 9 }), fromEnd: fc.boolean() })
  .map((options): Step => async ({ storage, mapId, model }) => {
    expect(idsOf(await walk(storage, mapId, options))).toEqual(idsOf(model.list));
  });

/** A page between two positions, each of a present or a deleted location. */
const pageStep = fc
  .record({
    low: fc.option(somewhere),
    high: fc.option(somewhere),
    limit: fc.integer({ min: 1, max: 12 }),
    fromEnd: fc.boolean(),
  })
  .map(({ low, high, limit, fromEnd }): Step => async ({ storage, mapId, model }) => {
    const known = [...model.list, ...model.deleted];
    const after = low === null ? null : (at(known, low) ?? null);
    const before = high === null ? null : (at(known, high) ?? null);
    const range = model.list.filter(
      (location) =>
        (after === null || comparePositions(after, location) < 0) &&
        (before === null || comparePositions(location, before) < 0),
    );
    const page = await listPage(storage, mapId, { after, before, limit, fromEnd });
    expect(idsOf(page)).toEqual(idsOf(fromEnd ? range.slice(-limit) : range.slice(0, limit)));
    expect(await storage.hasLocations(mapId, { after, before })).toBe(range.length > 0);
  });

function comparePositions(a: LocationRecord, b: LocationRecord): number {
  return referenceCompare(a.order, b.order) || a.sequence - b.sequence;
}

const offsetStep = anyOrder.map((order): Step => async ({ storage, mapId, model }) => {
  const expected = model.list.filter((location) => referenceCompare(location.order, order) >= 0);
  const page = await listPage(storage, mapId, { after: startOf(order), limit: 5 });
  expect(ordersOf(page)).toEqual(ordersOf(expected.slice(0, 5)));
  expect(idsOf(page)).toEqual(idsOf(expected.slice(0, 5)));
});

const steps = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: insertStep },
    { weight: 3, arbitrary: deleteStep },
    { weight: 1, arbitrary: walkStep },
    { weight: 2, arbitrary: pageStep },
    { weight: 2, arbitrary: offsetStep },
  ),
  { minLength: 3, maxLength: 25 },
);

export const model: StorageTopic = {
  name: 'model',
  cases: [
    {
      name: 'any sequence of inserts, deletions and pages behaves like a sorted array',
      run: ({ storage }) =>
        fc.assert(
          fc.asyncProperty(steps, async (sequence) => {
            const map = await seedMap(storage);
            const subject: Subject = { storage, mapId: map.id, model: new Model() };
            for (const step of sequence) {
              await step(subject);
              expect(await storage.countLocations(map.id)).toBe(subject.model.list.length);
            }
            expect(await listPage(storage, map.id)).toEqual(subject.model.list);
          }),
          { numRuns: RUNS },
        ),
    },
  ],
};
