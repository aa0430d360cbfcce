/** Moving locations (capabilities §9): the resulting positions, and the writes they take. */

import { setImmediate as pause } from 'node:timers/promises';

import type { MovePosition } from '../../../src/domain/list/move-plan.ts';
import { encodeOrder } from '../../../src/domain/list/order.ts';
import type { LocationRecord } from '../../../src/domain/location.ts';
import type { MoveOutcome, Storage } from '../../../src/storage/storage.ts';
import {
  anUpdate,
  append,
  idsOf,
  insertOne,
  insertOrders,
  listOrders,
  listPage,
  locationOf,
  move,
  movedOf,
  NOW,
  ordersOf,
  seedMap,
  updatedOf,
  updateOne,
  walk,
} from './fixtures.ts';
import type { StorageTopic } from './harness.ts';

/** Moves into one gap. docs/decisions/0011-moving-locations.md measures ten thousand. */
const MANY = 150;

const START = { kind: 'start' } as const;
const END = { kind: 'end' } as const;
const before = ({ id }: { readonly id: string }): MovePosition => ({ kind: 'before', id });
const after = ({ id }: { readonly id: string }): MovePosition => ({ kind: 'after', id });

async function seedList(storage: Storage, orders: readonly (string | null)[]) {
  const map = await seedMap(storage);
  return { mapId: map.id, list: await insertOrders(storage, map.id, orders) };
}

/** The number of writes since the locations were created. */
function countWrites(list: readonly LocationRecord[]): number {
  return list.reduce((sum, { version }) => sum + version - 1, 0);
}

/** Expects the locations in both lists to have the same sequence. */
function expectSameSequence(
  some: readonly LocationRecord[],
  others: readonly LocationRecord[],
  except: readonly string[],
): void {
  const left = (list: readonly LocationRecord[]) => idsOf(list).filter((id) => !except.includes(id));
  expect(left(some)).toEqual(left(others));
}

export const moves: StorageTopic = {
  name: 'moves',
  cases: [
    {
      name: 'locations move before or after another, to the start or to the end, together and in the given order',
      async run({ storage }) {
        const targets = [
          [(list: readonly LocationRecord[]) => before(list[1]!), [0, 4, 2, 1, 3]],
          [(list: readonly LocationRecord[]) => after(list[1]!), [0, 1, 4, 2, 3]],
          [() => START, [4, 2, 0, 1, 3]],
          [() => END, [0, 1, 3, 4, 2]],
        ] as const;
        for (const orders of [
          ['1', '2', '3', '4', '5'],
          ['a', 'b', 'c', 'd', 'e'],
          ['-1', '0.5', '7', 'a', 'b'],
          ['5', '5', '5', '5', '5'],
          ['x', 'x', 'x', 'x', 'x'],
        ]) {
          for (const [position, expected] of targets) {
            const { mapId, list } = await seedList(storage, orders);
            const moved = movedOf(await move(storage, mapId, [list[4]!, list[2]!], position(list)));
            expect(idsOf(moved)).toEqual([list[4]!.id, list[2]!.id]);
            const listed = await listPage(storage, mapId);
            expect(idsOf(listed)).toEqual(expected.map((index) => list[index]!.id));
            expect(await listPage(storage, mapId, { fromEnd: true })).toEqual(listed);
            for (const location of moved) expect(listed).toContainEqual(location);
          }
        }
      },
    },
    {
      name: 'a moved location has the next version and the time of the move, and is otherwise unchanged',
      async run({ storage }) {
        const { mapId, list } = await seedList(storage, ['1', '2', '3']);
        const [location] = movedOf(await move(storage, mapId, [list[2]!], before(list[1]!)));
        expect(location).toEqual({
          ...list[2]!,
          order: '1.5',
          orderKey: encodeOrder('1.5'),
          version: 2,
          updatedAt: NOW + 5,
        });
        expect(await storage.getLocations(mapId, idsOf(list))).toEqual([list[0], list[1], location]);
        expect(await storage.countLocations(mapId)).toBe(3);
      },
    },
    {
      name: 'a move does not set the time of an update back',
      async run({ storage }) {
        const { mapId, list } = await seedList(storage, ['1', '2']);
        const late = { ...anUpdate(list[0]!, { name: 'new' }), updatedAt: NOW + 1_000 };
        await updateOne(storage, mapId, late);
        const [location] = movedOf(await move(storage, mapId, [list[0]!], END));
        expect(location).toMatchObject({ name: 'new', version: 3, updatedAt: NOW + 1_000 });
      },
    },
    {
      name: 'a move without effect writes nothing, whatever the orders are',
      async run({ storage }) {
        const long = `0.${'0'.repeat(100)}1`;
        const { mapId } = await seedList(storage, [long, '1', '1', 'a', 'a']);
        const [a, b, c, d, e] = (await listPage(storage, mapId)) as [
          LocationRecord,
          LocationRecord,
          LocationRecord,
          LocationRecord,
          LocationRecord,
        ];
        for (const [some, position] of [
          [[a, b], START],
          [[a, b], before(c)],
          [[b, c, d], after(a)],
          [[d, e], END],
          [[e], after(d)],
          [[a, b, c, d, e], START],
          [[a, b, c, d, e], END],
        ] as const) {
          expect(movedOf(await move(storage, mapId, some, position))).toEqual(some);
        }
        expect(await listPage(storage, mapId)).toEqual([a, b, c, d, e]);
      },
    },
    {
      name: 'a chosen order is a decimal between numbers, a text between texts, and a number before a text',
      async run({ storage }) {
        const { mapId, list } = await seedList(storage, ['1', '2', 'a', 'b', '900']);
        const last = list[4]!;
        const orderAt = async (position: MovePosition) =>
          movedOf(await move(storage, mapId, [last], position))[0]!.order;
        expect(await orderAt(after(list[0]!))).toBe('1.5');
        expect(await orderAt(before(list[2]!))).toMatch(/^[0-9]+(\.[0-9]+)?$/);
        expect(await orderAt(before(list[3]!))).toMatch(/^a./);
        expect(await orderAt(START)).toMatch(/^-?[0-9]+$/);
        expect(await orderAt(END)).toBe('c');
      },
    },
    {
      name: 'at the end, the order is the next whole number after the largest ever used',
      async run({ storage }) {
        const { mapId, list } = await seedList(storage, ['1', '2', '41.5']);
        await storage.deleteLocation(mapId, list[2]!.id);
        expect(ordersOf(movedOf(await move(storage, mapId, [list[1]!, list[0]!], END)))).toEqual([
          '42',
          '43',
        ]);
        expect((await append(storage, mapId)).order).toBe('44');
      },
    },
    {
      name: 'at the end, the order follows the last one when the next whole number would be too long',
      async run({ storage }) {
        const { mapId, list } = await seedList(storage, ['1', '2', '9'.repeat(64)]);
        await storage.deleteLocation(mapId, list[2]!.id);
        expect(ordersOf(movedOf(await move(storage, mapId, [list[0]!], END)))).toEqual(['3']);
        expect((await append(storage, mapId)).order).toBe(`1${'0'.repeat(64)}`);
      },
    },
    {
      name: 'the order of a move counts as used, also a text that is last',
      async run({ storage }) {
        const { mapId, list } = await seedList(storage, ['1', '2', '3']);
        const [moved] = movedOf(await move(storage, mapId, [list[0]!], END));
        await storage.deleteLocation(mapId, moved!.id);
        expect((await append(storage, mapId)).order).toBe('5');
        const texts = await seedList(storage, ['1', 'a']);
        const [text] = movedOf(await move(storage, texts.mapId, [texts.list[0]!], END));
        expect((await append(storage, texts.mapId)).order).toBe(text!.order);
      },
    },
    {
      name: 'among equal orders, the shorter side is renumbered once; the others are not written',
      async run({ storage }) {
        const { mapId, list } = await seedList(storage, [...Array<string>(40).fill('5'), '9']);
        await move(storage, mapId, [list[40]!], before(list[6]!));
        const first = await listPage(storage, mapId);
        expect(idsOf(first)).toEqual(idsOf([...list.slice(0, 6), list[40]!, ...list.slice(6, 40)]));
        expect(countWrites(first)).toBe(7);
        expect(first.filter(({ order }) => order === '5')).toHaveLength(34);
        await move(storage, mapId, [list[39]!], before(list[6]!));
        expect(countWrites(await listPage(storage, mapId))).toBe(8);
      },
    },
    {
      name: 'a renumbered neighbour has its next version and the time of the move',
      async run({ storage }) {
        const { mapId, list } = await seedList(storage, ['5', '5', '5', '9']);
        await move(storage, mapId, [list[3]!], after(list[0]!));
        const [first] = await storage.getLocations(mapId, [list[0]!.id]);
        expect(first).toEqual({
          ...list[0]!,
          order: first!.order,
          orderKey: encodeOrder(first!.order),
          version: 2,
          updatedAt: NOW + 5,
        });
        expect(first!.order).not.toBe('5');
      },
    },
    {
      name: 'repeated moves into a gap never fill it, and renumber few neighbours',
      async run({ storage }) {
        for (const orders of [
          ['1', '2', '3', '4', '5', '6', '7', '8'],
          ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'],
        ]) {
          const { mapId, list } = await seedList(storage, orders);
          const target = list[4]!;
          const others = list.filter((location) => location !== target);
          let earlier = await listPage(storage, mapId);
          for (let count = 0; count < MANY; count += 1) {
            const some = others[count % others.length]!;
            const position = count % 3 === 0 ? after(target) : before(target);
            const [moved] = movedOf(await move(storage, mapId, [some], position));
            expect([...moved!.order].length).toBeLessThanOrEqual(64);
            const listed = await listPage(storage, mapId);
            const at = idsOf(listed).indexOf(target.id);
            expect(listed[position.kind === 'after' ? at + 1 : at - 1]).toEqual(moved);
            expectSameSequence(listed, earlier, [some.id]);
            earlier = listed;
          }
          expect(countWrites(earlier) / MANY).toBeLessThan(10);
        }
      },
    },
    {
      name: 'when no short order fits, a neighbour with a long order is renumbered',
      async run({ storage }) {
        for (const [low, high] of [
          [`0.${'0'.repeat(80)}1`, `0.${'0'.repeat(80)}2`],
          [`${'a'.repeat(70)}b`, `${'a'.repeat(70)}c`],
        ]) {
          const { mapId, list } = await seedList(storage, [low!, high!, 'z']);
          const [moved] = movedOf(await move(storage, mapId, [list[2]!], after(list[0]!)));
          expect([...moved!.order].length).toBeLessThanOrEqual(64);
          expect(idsOf(await listPage(storage, mapId))).toEqual(idsOf([list[0]!, list[2]!, list[1]!]));
        }
      },
    },
    {
      name: 'with an unknown id or target nothing moves, and the outcome names it',
      async run({ storage }) {
        const { mapId, list } = await seedList(storage, ['1', '2', '3']);
        const foreign = await append(storage, (await seedMap(storage)).id);
        await storage.deleteLocation(mapId, list[0]!.id);
        for (const missing of [list[0]!, foreign]) {
          const response: MoveOutcome = { kind: 'missing', id: missing.id };
          expect(await move(storage, mapId, [list[2]!, missing], START)).toEqual(response);
          expect(await move(storage, mapId, [list[2]!], before(missing))).toEqual(response);
        }
        expect(await listPage(storage, mapId)).toEqual([list[1], list[2]]);
        expect(await listOrders(storage, foreign.mapId)).toEqual(['1']);
      },
    },
    {
      name: 'nothing is moved in a missing or deleted map',
      async run({ storage }) {
        const { mapId, list } = await seedList(storage, ['1', '2']);
        expect(await move(storage, 'nosuchmapnosuch1', [list[0]!], END)).toEqual({ kind: 'map-missing' });
        await storage.updateMap(mapId, { isDeleted: true }, { evenIfDeleted: true });
        expect(await move(storage, mapId, [list[0]!], END)).toEqual({ kind: 'map-deleted' });
        expect(await listPage(storage, mapId)).toEqual(list);
        await storage.updateMap(mapId, { isDeleted: false }, { evenIfDeleted: true });
        expect((await move(storage, mapId, [list[0]!], END)).kind).toBe('moved');
      },
    },
    {
      name: 'a thousand locations move within the timeout of a call',
      async run({ storage }) {
        const { mapId, list } = await seedList(storage, Array<null>(1_000).fill(null));
        const more = await insertOrders(storage, mapId, [null, null]);
        const reversed = list.toReversed();
        expect(idsOf(movedOf(await move(storage, mapId, reversed, before(more[1]!))))).toEqual(
          idsOf(reversed),
        );
        const listed = await listPage(storage, mapId);
        expect(idsOf(listed)).toEqual(idsOf([more[0]!, ...reversed, more[1]!]));
        expect(countWrites(listed)).toBe(1_000);
      },
    },
    {
      name: 'a moved location keeps its external id, and its key replays the first version',
      async run({ storage }) {
        const { mapId, list } = await seedList(storage, ['1', '2']);
        const keyed = locationOf(
          await insertOne(storage, mapId, { key: 'key', location: { externalId: 'e' } }),
        );
        const [moved] = movedOf(await move(storage, mapId, [keyed], before(list[0]!)));
        expect(await storage.findLocationsByExternalIds(mapId, ['e'])).toEqual([moved]);
        expect(await insertOne(storage, mapId, { key: 'key' })).toEqual({
          kind: 'replayed',
          location: keyed,
        });
        expect((await storage.deleteLocation(mapId, keyed.id)).kind).toBe('deleted');
        expect(await storage.countLocations(mapId)).toBe(2);
      },
    },
    {
      name: 'an update based on the version before a move is not applied',
      async run({ storage }) {
        const { mapId, list } = await seedList(storage, ['1', '2']);
        const [moved] = movedOf(await move(storage, mapId, [list[0]!], END));
        const late = anUpdate(list[0]!, { name: 'late' }, '9');
        expect(await updateOne(storage, mapId, late)).toEqual({ kind: 'changed', location: moved });
        updatedOf(await updateOne(storage, mapId, anUpdate(moved!, { name: 'new' })));
        expect(await listOrders(storage, mapId)).toEqual(['2', '3']);
      },
    },
    {
      name: 'a page read before a move shows it when read again',
      async run({ storage }) {
        const { mapId, list } = await seedList(storage, ['1', '2', '3']);
        await listPage(storage, mapId);
        await move(storage, mapId, [list[0]!], END);
        expect(idsOf(await listPage(storage, mapId))).toEqual(idsOf([list[1]!, list[2]!, list[0]!]));
      },
    },
    {
      name: 'concurrent moves are all applied without loss',
      async run({ storage }) {
        const { mapId, list } = await seedList(storage, Array<string>(30).fill('5'));
        const responses = await Promise.all(
          list.map((location, index) =>
            move(storage, mapId, [location], index % 2 === 0 ? START : before(list[(index + 7) % 30]!)),
          ),
        );
        expect(new Set(responses.map(({ kind }) => kind))).toEqual(new Set(['moved']));
        const listed = await listPage(storage, mapId);
        expect(idsOf(listed).toSorted()).toEqual(idsOf(list).toSorted());
        expect(await walk(storage, mapId, { limit: 7, fromEnd: false })).toEqual(listed);
        expect(await walk(storage, mapId, { limit: 7, fromEnd: true })).toEqual(listed);
      },
    },
    {
      name: 'moves during appends, updates and deletions lose nothing',
      async run({ storage }) {
        const { mapId, list } = await seedList(storage, Array<null>(24).fill(null));
        const [movers, renamed, targets] = [list.slice(0, 8), list.slice(8, 16), list.slice(16)];
        const rename = async (location: LocationRecord) => {
          let current = location;
          for (;;) {
            const outcome = await updateOne(storage, mapId, anUpdate(current, { name: 'renamed' }));
            if (outcome.kind !== 'changed') return updatedOf(outcome);
            current = outcome.location;
          }
        };
        const [appended, moved] = await Promise.all([
          Promise.all(Array.from({ length: 8 }, () => append(storage, mapId))),
          Promise.all(
            movers.map((location, index) =>
              move(storage, mapId, [location, renamed[index]!], index % 2 === 0 ? END : START),
            ),
          ),
          Promise.all(renamed.map(rename)),
          Promise.all(targets.map(({ id }) => storage.deleteLocation(mapId, id))),
        ]);
        expect(new Set(moved.map(({ kind }) => kind))).toEqual(new Set(['moved']));
        const listed = await listPage(storage, mapId);
        expect(idsOf(listed).toSorted()).toEqual(idsOf([...movers, ...renamed, ...appended]).toSorted());
        expect(await storage.countLocations(mapId)).toBe(24);
        for (const { id } of renamed) {
          expect(listed.find((location) => location.id === id)?.name).toBe('renamed');
        }
        // Each pair moved in one call and stays together.
        for (const [index, { id }] of movers.entries()) {
          const at = idsOf(listed).indexOf(id);
          expect(listed[at + 1]?.id).toBe(renamed[index]!.id);
        }
        // Appends stay in the sequence of their numbers.
        expect(new Set(idsOf(appended)).size).toBe(8);
      },
    },
    {
      name: 'paging sees each location once that is neither moved nor renumbered meanwhile',
      async run({ storage }) {
        for (const fromEnd of [false, true]) {
          const { mapId, list } = await seedList(
            storage,
            Array.from({ length: 90 }, (_, index) => String(index)),
          );
          const movers = list.filter((_, index) => index % 4 === 0);
          let turn = 0;
          const seen = await walk(storage, mapId, { limit: 7, fromEnd }, async () => {
            const some = movers[turn % movers.length]!;
            const target = list[(turn * 17 + 1) % 90]!;
            turn += 1;
            await move(storage, mapId, [some], turn % 2 === 0 ? before(target) : after(target));
          });
          const written = (await listPage(storage, mapId)).filter(({ version }) => version > 1);
          const stable = idsOf(list).filter((id) => !idsOf(written).includes(id));
          expect(idsOf(seen).filter((id) => stable.includes(id))).toEqual(stable);
          expect(stable.length).toBeGreaterThan(60);
        }
      },
    },
    {
      name: 'no page shows a partial move',
      async run({ storage }) {
        const { mapId, list } = await seedList(storage, Array<null>(20).fill(null));
        const pair = [list[3]!, list[11]!];
        await move(storage, mapId, pair, END);
        const moving = { isUnderWay: true };
        const made = (async () => {
          for (let count = 0; count < 15; count += 1) {
            await move(storage, mapId, pair, count % 2 === 0 ? START : END);
          }
          moving.isUnderWay = false;
        })();
        while (moving.isUnderWay) {
          // Reading a page does not yield to other work.
          await pause();
          const ids = idsOf(await listPage(storage, mapId));
          expect(ids).toHaveLength(20);
          expect(ids.indexOf(pair[1]!.id)).toBe(ids.indexOf(pair[0]!.id) + 1);
        }
        await made;
      },
    },
    {
      name: 'moves through two openings of the store are applied one after the other',
      needs: 'openAgain',
      async run({ storage, openAgain }) {
        const { mapId, list } = await seedList(storage, Array<string>(24).fill('x'));
        const other = await openAgain();
        const responses = await Promise.all(
          Array.from({ length: 24 }, (_, index) =>
            move(
              index % 2 === 0 ? storage : other,
              mapId,
              [list[index]!, list[(index + 5) % 24]!],
              index % 3 === 0 ? END : after(list[(index + 9) % 24]!),
            ),
          ),
        );
        expect(new Set(responses.map(({ kind }) => kind))).toEqual(new Set(['moved']));
        const listed = await listPage(other, mapId);
        expect(idsOf(listed).toSorted()).toEqual(idsOf(list).toSorted());
        expect(await listPage(storage, mapId)).toEqual(listed);
      },
    },
    {
      name: 'moves persist when the store is closed and opened',
      needs: 'reopen',
      async run({ storage, reopen }) {
        const { mapId, list } = await seedList(storage, ['1', '1', '2', 'a']);
        await move(storage, mapId, [list[3]!, list[2]!], after(list[0]!));
        const listed = await listPage(storage, mapId);
        expect(await listPage(await reopen(), mapId)).toEqual(listed);
      },
    },
    {
      name: 'nothing moves when too many neighbours would be renumbered',
      async run({ storage }) {
        const map = await seedMap(storage);
        const list: LocationRecord[] = [];
        for (let count = 0; count < 21; count += 1) {
          list.push(...(await insertOrders(storage, map.id, Array<string>(1_000).fill('5'))));
        }
        const last = await append(storage, map.id);
        expect(await move(storage, map.id, [last], before(list[10_500]!))).toEqual({
          kind: 'too-many-neighbours',
        });
        expect(await storage.getLocations(map.id, [last.id])).toEqual([last]);
        // Its former order leads back to its former position.
        const inMidst = list[10_500]!;
        await move(storage, map.id, [inMidst], END);
        expect(ordersOf(movedOf(await move(storage, map.id, [inMidst], before(list[10_501]!))))).toEqual([
          '5',
        ]);
      },
    },
  ],
};
