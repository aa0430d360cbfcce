/**
 * Compares random sequences of moves, inserts, order updates and deletions with a plain list. The list defines the
 * positions of moves; reference.ts sorts the rest.
 */

import fc from 'fast-check';

import type { MovePosition } from '../../../src/domain/list/move-plan.ts';
import type { LocationRecord } from '../../../src/domain/location.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import {
  anUpdate,
  idsOf,
  insertOrders,
  listPage,
  move,
  movedOf,
  seedMap,
  updatedOf,
  updateOne,
  walk,
} from './fixtures.ts';
import type { StorageTopic } from './harness.ts';
import {
  anyOrder,
  at,
  parseDecimal,
  referenceCompare,
  referenceNextWholeNumber,
  somewhere,
} from './reference.ts';

const RUNS = 30;

class Model {
  readonly storage: Storage;
  readonly mapId: string;
  list: readonly LocationRecord[] = [];
  #largest: string | null = null;

  constructor(storage: Storage, mapId: string) {
    this.storage = storage;
    this.mapId = mapId;
  }

  /** The order of an insert. */
  orderFor(order: string | null): string {
    if (order !== null) return order;
    const last = this.list.at(-1)?.order;
    return last !== undefined && parseDecimal(last) === null ? last : referenceNextWholeNumber(this.#largest);
  }

  /** Adds locations, or replaces those with their ids. */
  put(locations: readonly LocationRecord[]): void {
    const others = this.without(idsOf(locations));
    this.list = [...others, ...locations].sort(
      (a, b) => referenceCompare(a.order, b.order) || a.sequence - b.sequence,
    );
    for (const { order } of locations) {
      if (parseDecimal(order) === null) continue;
      if (this.#largest === null || referenceCompare(this.#largest, order) < 0) this.#largest = order;
    }
  }

  without(ids: readonly string[]): readonly LocationRecord[] {
    return this.list.filter(({ id }) => !ids.includes(id));
  }
}

type Step = (model: Model) => Promise<void>;

/** A few values, so that many are equal, and long ones. */
const order = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('1', '1.0', '2', '2.5', 'a', 'b', '') },
  { weight: 2, arbitrary: anyOrder },
);

const insertStep = fc
  .array(
    order.map((some) => (some === '' ? null : some)),
    { minLength: 1, maxLength: 5 },
  )
  .map((orders): Step => async (model) => {
    for (const [index, created] of (await insertOrders(model.storage, model.mapId, orders)).entries()) {
      expect(created.order).toBe(model.orderFor(orders[index] ?? null));
      model.put([created]);
    }
  });

const updateStep = fc.tuple(somewhere, anyOrder).map(([where, wanted]): Step => async (model) => {
  const location = at(model.list, where);
  if (location === undefined) return;
  const update = anUpdate(location, { name: 'changed' }, wanted);
  model.put([updatedOf(await updateOne(model.storage, model.mapId, update))]);
});

const deleteStep = somewhere.map((where): Step => async (model) => {
  const location = at(model.list, where);
  if (location === undefined) return;
  expect(await model.storage.deleteLocation(model.mapId, location.id)).toEqual({ kind: 'deleted', location });
  model.list = model.without([location.id]);
});

const walkStep = fc
  .record({ limit: fc.integer({ min: 1, max: 9 }), fromEnd: fc.boolean() })
  .map((options): Step => async (model) => {
    expect(await walk(model.storage, model.mapId, options)).toEqual(model.list);
  });

/** The target of a move: the nearest location that is not moved. */
function positionOf(
  others: readonly LocationRecord[],
  index: number,
  says: 'before' | 'after',
): MovePosition {
  const target = says === 'after' ? others[index - 1] : others[index];
  if (target === undefined) return { kind: says === 'after' ? 'start' : 'end' };
  return { kind: says, id: target.id };
}

const moveStep = fc
  .record({
    picked: fc.array(somewhere, { minLength: 1, maxLength: 4 }),
    where: fc.double({ min: 0, max: 1, noNaN: true }),
    says: fc.constantFrom('before' as const, 'after' as const),
  })
  .map(({ picked, where, says }): Step => async (model) => {
    const some = [...new Set(picked.flatMap((fraction) => at(model.list, fraction) ?? []))];
    if (some.length === 0) return;
    const others = model.without(idsOf(some));
    const index = Math.floor(where * others.length);
    const position = positionOf(others, index, says);
    const moved = movedOf(await move(model.storage, model.mapId, some, position));
    expect(idsOf(moved)).toEqual(idsOf(some));

    const expected = [...others.slice(0, index), ...some, ...others.slice(index)];
    const listed = await listPage(model.storage, model.mapId);
    expect(idsOf(listed)).toEqual(idsOf(expected));
    const isSame = idsOf(expected).join() === idsOf(model.list).join();
    for (const [position, location] of listed.entries()) {
      const before = expected[position]!;
      const isWritten = location.order !== before.order;
      if (isSame) expect(location).toEqual(before);
      if (isWritten) expect([...location.order].length).toBeLessThanOrEqual(64);
      const { order: _order, orderKey: _orderKey, version, updatedAt: _updatedAt, ...rest } = location;
      expect(before).toMatchObject(rest);
      expect(version).toBe(before.version + Number(isWritten));
    }
    for (const location of moved) expect(listed).toContainEqual(location);
    model.put(listed);
    expect(idsOf(model.list)).toEqual(idsOf(expected));
  });

const steps = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: insertStep },
    { weight: 6, arbitrary: moveStep },
    { weight: 2, arbitrary: updateStep },
    { weight: 2, arbitrary: deleteStep },
    { weight: 1, arbitrary: walkStep },
  ),
  { minLength: 3, maxLength: 25 },
);

export const movesModel: StorageTopic = {
  name: 'moves against a model',
  cases: [
    {
      name: 'any sequence of moves, inserts, updates and deletions behaves like a plain list',
      run: ({ storage }) =>
        fc.assert(
          fc.asyncProperty(steps, async (sequence) => {
            const model = new Model(storage, (await seedMap(storage)).id);
            for (const step of sequence) await step(model);
            expect(await listPage(storage, model.mapId)).toEqual(model.list);
            expect(await storage.countLocations(model.mapId)).toBe(model.list.length);
          }),
          { numRuns: RUNS },
        ),
    },
  ],
};
