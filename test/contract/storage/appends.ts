/** The position of a location without an order (contract §3). */

import { append, idsOf, insertOrders, listOrders, listPage, ordersOf, seedMap, startOf } from './fixtures.ts';
import type { StorageTopic } from './harness.ts';

/** A used order, and the order of the next append. */
const NEXT: readonly (readonly [used: string, next: string])[] = [
  ['0', '1'],
  ['-0', '1'],
  ['007', '8'],
  ['1.5', '2'],
  ['9.99', '10'],
  ['2.0', '3'],
  ['0.0000001', '1'],
  ['-2.5', '-2'],
  ['-2', '-1'],
  ['-3.0', '-2'],
  ['-0.5', '0'],
  ['-1', '0'],
  ['9007199254740993', '9007199254740994'],
  ['9007199254740993.5', '9007199254740994'],
  ['-9007199254740993.5', '-9007199254740993'],
  [`${'9'.repeat(60)}.5`, `1${'0'.repeat(60)}`],
];

export const appends: StorageTopic = {
  name: 'appends',
  cases: [
    {
      name: 'a new map counts from 1',
      async run({ storage }) {
        const map = await seedMap(storage);
        for (const expected of ['1', '2', '3']) expect((await append(storage, map.id)).order).toBe(expected);
        expect(await listOrders(storage, map.id)).toEqual(['1', '2', '3']);
      },
    },
    {
      name: 'an append gets the next whole number after the largest',
      async run({ storage }) {
        for (const [used, next] of NEXT) {
          const map = await seedMap(storage);
          await insertOrders(storage, map.id, [used]);
          expect([used, (await append(storage, map.id)).order]).toEqual([used, next]);
        }
      },
    },
    {
      name: 'the largest number counts, not the newest',
      async run({ storage }) {
        const map = await seedMap(storage);
        await insertOrders(storage, map.id, ['10', '3', '9.5', '-4']);
        expect((await append(storage, map.id)).order).toBe('11');
        expect((await append(storage, map.id)).order).toBe('12');
      },
    },
    {
      name: 'the largest number ever used counts, also after its deletion',
      async run({ storage }) {
        const map = await seedMap(storage);
        const [, large] = await insertOrders(storage, map.id, ['1', '41.5']);
        await storage.deleteLocation(map.id, large!.id);
        const appended = await append(storage, map.id);
        expect(appended.order).toBe('42');
        await storage.deleteLocation(map.id, appended.id);
        expect((await append(storage, map.id)).order).toBe('43');
      },
    },
    {
      name: 'an emptied map continues its numbers and its sequences',
      async run({ storage }) {
        const map = await seedMap(storage);
        const created = await insertOrders(storage, map.id, [null, null, null]);
        for (const { id } of created) await storage.deleteLocation(map.id, id);
        expect(await listPage(storage, map.id)).toEqual([]);
        const next = await append(storage, map.id);
        expect(next.order).toBe('4');
        expect(next.sequence).toBeGreaterThan(created[2]!.sequence);
      },
    },
    {
      name: 'while a text is last, an append gets that text',
      async run({ storage }) {
        const map = await seedMap(storage);
        await insertOrders(storage, map.id, ['5', 'b', 'a']);
        const first = await append(storage, map.id);
        const second = await append(storage, map.id);
        expect([first.order, second.order]).toEqual(['b', 'b']);
        expect(await listOrders(storage, map.id)).toEqual(['5', 'a', 'b', 'b', 'b']);
        expect(idsOf((await listPage(storage, map.id)).slice(-2))).toEqual(idsOf([first, second]));
      },
    },
    {
      name: 'an append gets the last text by code point',
      async run({ storage }) {
        const map = await seedMap(storage);
        await insertOrders(storage, map.id, ['\u{1f600}', '\ufffd', '\ue000']);
        expect((await append(storage, map.id)).order).toBe('\u{1f600}');
      },
    },
    {
      name: 'after the last text is deleted, the previous text counts, then the numbers again',
      async run({ storage }) {
        const map = await seedMap(storage);
        const [, a, b] = await insertOrders(storage, map.id, ['5', 'a', 'b']);
        await storage.deleteLocation(map.id, b!.id);
        const appended = await append(storage, map.id);
        expect(appended.order).toBe('a');
        // A number used while a text is last counts too.
        await insertOrders(storage, map.id, ['8.5', '7']);
        for (const id of idsOf([a!, appended])) await storage.deleteLocation(map.id, id);
        expect((await append(storage, map.id)).order).toBe('9');
      },
    },
    {
      name: 'appends of one call follow its other items, in the given order',
      async run({ storage }) {
        const map = await seedMap(storage);
        const orders = [null, '10', null, '2.5', null, 'x', null, '99', null, null];
        const created = await insertOrders(storage, map.id, orders);
        expect(ordersOf(created)).toEqual(['1', '10', '11', '2.5', '12', 'x', 'x', '99', 'x', 'x']);
        expect(created.map(({ sequence }) => sequence)).toEqual(
          created.map(({ sequence }) => sequence).sort((a, b) => a - b),
        );
      },
    },
    {
      name: 'the number after 256 nines has 257 digits, and counting continues from it',
      async run({ storage }) {
        const map = await seedMap(storage);
        await insertOrders(storage, map.id, ['9'.repeat(256), '8']);
        const expected = [`1${'0'.repeat(256)}`, `1${'0'.repeat(255)}1`, `1${'0'.repeat(255)}2`];
        const appended = [];
        for (const _ of expected) appended.push(await append(storage, map.id));
        expect(ordersOf(appended)).toEqual(expected);
        expect(await listOrders(storage, map.id)).toEqual(['8', '9'.repeat(256), ...expected]);
        const page = await listPage(storage, map.id, { after: startOf(expected[1]!) });
        expect(ordersOf(page)).toEqual(expected.slice(1));
      },
    },
    {
      name: 'each map counts for itself',
      async run({ storage }) {
        const [one, two] = [await seedMap(storage), await seedMap(storage)];
        await insertOrders(storage, one.id, ['100', 'x']);
        expect((await append(storage, two.id)).order).toBe('1');
        expect((await append(storage, one.id)).order).toBe('x');
      },
    },
    {
      name: 'sequences count every location ever stored in the map',
      async run({ storage }) {
        const map = await seedMap(storage);
        let largest = 0;
        for (let round = 0; round < 5; round += 1) {
          const created = await insertOrders(storage, map.id, ['9', null, 'x', '-1']);
          for (const { sequence, id } of created) {
            expect(sequence).toBeGreaterThan(largest);
            expect(Number.isSafeInteger(sequence)).toBe(true);
            largest = sequence;
            await storage.deleteLocation(map.id, id);
          }
        }
      },
    },
  ],
};
