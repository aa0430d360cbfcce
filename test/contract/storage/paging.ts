/** Pages of a map's list, and its counts. */

import type { PageRequest } from '../../../src/domain/paging/paging.ts';
import type { SortKey } from '../../../src/domain/list/sort-key.ts';
import { idsOf, insertOrders, listPage, ordersOf, seedMap, startOf, walk } from './fixtures.ts';
import type { StorageTopic } from './harness.ts';

/** Ten orders with ties, in list order. */
const LIST = ['-1', '1', '2', '2', '2.0', '3', 'a', 'a', 'b', 'c'];

type Range = Partial<PageRequest<SortKey>>;

export const paging: StorageTopic = {
  name: 'paging',
  cases: [
    {
      name: 'a page holds the first or the last of the list, ascending either way',
      async run({ storage }) {
        const map = await seedMap(storage);
        const ids = idsOf(await insertOrders(storage, map.id, LIST));
        for (let limit = 1; limit <= LIST.length + 2; limit += 1) {
          expect(idsOf(await listPage(storage, map.id, { limit }))).toEqual(ids.slice(0, limit));
          const fromEnd = await listPage(storage, map.id, { limit, fromEnd: true });
          expect(idsOf(fromEnd)).toEqual(ids.slice(-limit));
        }
      },
    },
    {
      name: 'bounds exclude their location, in every combination',
      async run({ storage }) {
        const map = await seedMap(storage);
        const list = await insertOrders(storage, map.id, LIST);
        const ids = idsOf(list);
        const bounds = [null, ...list];
        for (const [low, after] of bounds.entries()) {
          for (const [high, before] of bounds.entries()) {
            const between = ids.slice(low, before === null ? undefined : high - 1);
            const expected = high > 0 && high <= low ? [] : between;
            const range: Range = { after, before };
            expect(idsOf(await listPage(storage, map.id, range))).toEqual(expected);
            expect(idsOf(await listPage(storage, map.id, { ...range, limit: 3 }))).toEqual(
              expected.slice(0, 3),
            );
            expect(idsOf(await listPage(storage, map.id, { ...range, limit: 3, fromEnd: true }))).toEqual(
              expected.slice(-3),
            );
            expect(await storage.hasLocations(map.id, { after, before })).toBe(expected.length > 0);
          }
        }
      },
    },
    {
      name: 'each location is found by the number of locations before or after it',
      async run({ storage }) {
        const map = await seedMap(storage);
        const other = await seedMap(storage);
        await insertOrders(storage, other.id, LIST);
        const list = await insertOrders(storage, map.id, LIST);
        const at = (skipped: number, fromEnd: boolean) => storage.locationAt(map.id, { skipped, fromEnd });
        const indexes = [...list.keys()];
        expect(await Promise.all(indexes.map((skipped) => at(skipped, false)))).toEqual(list);
        expect(await Promise.all(indexes.map((skipped) => at(skipped, true)))).toEqual(list.toReversed());
        for (const fromEnd of [false, true]) expect(await at(list.length, fromEnd)).toBeNull();
        await storage.deleteLocation(map.id, list[3]!.id);
        expect(await at(3, false)).toEqual(list[4]);
        expect(await at(list.length - 1, false)).toBeNull();
      },
    },
    {
      name: 'a page starts at an existing order with its first location',
      async run({ storage }) {
        const map = await seedMap(storage);
        const ids = idsOf(await insertOrders(storage, map.id, LIST));
        const from = async (order: string) =>
          idsOf(await listPage(storage, map.id, { after: startOf(order) }));
        expect(await from('2')).toEqual(ids.slice(2));
        expect(await from('02.00')).toEqual(ids.slice(2));
        expect(await from('a')).toEqual(ids.slice(6));
        expect(await from('-1')).toEqual(ids);
        expect(await from('c')).toEqual(ids.slice(9));
      },
    },
    {
      name: 'a page starts at a missing order with the next location',
      async run({ storage }) {
        const map = await seedMap(storage);
        const ids = idsOf(await insertOrders(storage, map.id, LIST));
        const from = async (order: string) =>
          idsOf(await listPage(storage, map.id, { after: startOf(order) }));
        expect(await from('-99')).toEqual(ids);
        expect(await from('1.5')).toEqual(ids.slice(2));
        expect(await from('9'.repeat(256))).toEqual(ids.slice(6));
        expect(await from(`1${'0'.repeat(256)}`)).toEqual(ids.slice(6));
        expect(await from('aa')).toEqual(ids.slice(8));
        expect(await from('d')).toEqual([]);
      },
    },
    {
      name: 'a page can end before an order',
      async run({ storage }) {
        const map = await seedMap(storage);
        const ids = idsOf(await insertOrders(storage, map.id, LIST));
        const page = await listPage(storage, map.id, { before: startOf('2'), fromEnd: true, limit: 5 });
        expect(idsOf(page)).toEqual(ids.slice(0, 2));
        const middle = await listPage(storage, map.id, { after: startOf('2'), before: startOf('a') });
        expect(idsOf(middle)).toEqual(ids.slice(2, 6));
      },
    },
    {
      name: 'positions outlive their locations',
      async run({ storage }) {
        const map = await seedMap(storage);
        const list = await insertOrders(storage, map.id, LIST);
        const [after, before] = [list[3]!, list[7]!];
        await storage.deleteLocation(map.id, after.id);
        await storage.deleteLocation(map.id, before.id);
        const ids = idsOf(list);
        expect(idsOf(await listPage(storage, map.id, { after, before }))).toEqual(ids.slice(4, 7));
        expect(idsOf(await listPage(storage, map.id, { after }))).toEqual([
          ...ids.slice(4, 7),
          ...ids.slice(8),
        ]);
        const fromEnd = await listPage(storage, map.id, { before, fromEnd: true, limit: 4 });
        expect(idsOf(fromEnd)).toEqual([ids[2], ...ids.slice(4, 7)]);
      },
    },
    {
      name: 'pages of any size visit every location once, from either end',
      async run({ storage }) {
        const map = await seedMap(storage);
        const ids = idsOf(await insertOrders(storage, map.id, LIST));
        for (const limit of [1, 2, 3, 5, 9, 10, 11, 100]) {
          for (const fromEnd of [false, true]) {
            expect(idsOf(await walk(storage, map.id, { limit, fromEnd }))).toEqual(ids);
          }
        }
      },
    },
    {
      name: 'thousands of equal orders are visited once each, in order of creation',
      async run({ storage }) {
        const map = await seedMap(storage);
        const created: string[] = [];
        for (let call = 0; call < 5; call += 1) {
          created.push(...idsOf(await insertOrders(storage, map.id, Array<string>(500).fill('7'))));
        }
        expect(idsOf(await walk(storage, map.id, { limit: 100, fromEnd: false }))).toEqual(created);
        expect(idsOf(await walk(storage, map.id, { limit: 99, fromEnd: true }))).toEqual(created);
        expect(await storage.countLocations(map.id)).toBe(created.length);
      },
    },
    {
      name: 'maps never mix, also when their ids share a prefix',
      async run({ storage }) {
        const ids = ['aaaaaaaaaaaaaaaa', 'aaaaaaaaaaaaaaab', 'aaaaaaaaaaaaaaa0', 'aaaaaaaaaaaaaaaz'];
        const created = new Map<string, readonly string[]>();
        for (const id of ids) await seedMap(storage, { id });
        for (const [index, id] of ids.entries()) {
          const listed = await insertOrders(storage, id, ['1', '2', 'x', ...Array<null>(index).fill(null)]);
          created.set(id, idsOf(listed));
        }
        for (const [id, expected] of created) {
          expect(idsOf(await listPage(storage, id))).toEqual(expected);
          expect(idsOf(await walk(storage, id, { limit: 2, fromEnd: true }))).toEqual(expected);
          expect(await storage.countLocations(id)).toBe(expected.length);
        }
      },
    },
    {
      name: 'a position of one map bounds another by value',
      async run({ storage }) {
        const [one, two] = [await seedMap(storage), await seedMap(storage)];
        const [, middle] = await insertOrders(storage, one.id, ['1', '2', '3']);
        const list = await insertOrders(storage, two.id, ['1', '2', '3']);
        const after = { orderKey: middle!.orderKey, sequence: middle!.sequence };
        expect(idsOf(await listPage(storage, two.id, { after }))).toEqual([list[2]!.id]);
      },
    },
    {
      name: 'an empty or unknown map has an empty list',
      async run({ storage }) {
        const map = await seedMap(storage);
        for (const id of [map.id, 'zzzzzzzzzzzzzzzz', '']) {
          expect(await listPage(storage, id)).toEqual([]);
          expect(await listPage(storage, id, { fromEnd: true, limit: 3 })).toEqual([]);
          expect(await storage.hasLocations(id, { after: null, before: null })).toBe(false);
          expect(await storage.countLocations(id)).toBe(0);
          expect(await storage.locationAt(id, { skipped: 0, fromEnd: false })).toBeNull();
        }
      },
    },
    {
      name: 'hasMore is correct after, before and between positions',
      async run({ storage }) {
        const map = await seedMap(storage);
        const list = await insertOrders(storage, map.id, ['1', '2', '2', '3']);
        const has = (after: SortKey | null, before: SortKey | null) =>
          storage.hasLocations(map.id, { after, before });
        expect(await has(null, null)).toBe(true);
        expect(await has(list[3]!, null)).toBe(false);
        expect(await has(list[2]!, null)).toBe(true);
        expect(await has(null, list[0]!)).toBe(false);
        expect(await has(null, list[1]!)).toBe(true);
        expect(await has(list[0]!, list[1]!)).toBe(false);
        expect(await has(list[0]!, list[2]!)).toBe(true);
        expect(await has(startOf('3'), null)).toBe(true);
        expect(await has(startOf('3.1'), null)).toBe(false);
        await storage.deleteLocation(map.id, list[3]!.id);
        expect(await has(list[2]!, null)).toBe(false);
      },
    },
    {
      name: 'a count follows inserts and deletions',
      async run({ storage }) {
        const map = await seedMap(storage);
        expect(await storage.countLocations(map.id)).toBe(0);
        const list = await insertOrders(storage, map.id, [null, null, '1', 'x', 'x']);
        expect(await storage.countLocations(map.id)).toBe(5);
        await storage.deleteLocation(map.id, list[1]!.id);
        expect(await storage.countLocations(map.id)).toBe(4);
        expect(ordersOf(await listPage(storage, map.id))).toHaveLength(4);
      },
    },
  ],
};
