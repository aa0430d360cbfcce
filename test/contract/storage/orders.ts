/** The order of a map's list (contract §3). */

import type { Storage } from '../../../src/storage/storage.ts';
import {
  anInsert,
  idsOf,
  insertAll,
  insertOrders,
  listOrders,
  listPage,
  locationOf,
  NOW,
  seedMap,
  shuffled,
} from './fixtures.ts';
import type { StorageTopic } from './harness.ts';

/** Stores the orders in several shuffled sequences, each in a new map, and expects the given list. */
async function expectOrder(storage: Storage, ascending: readonly string[]): Promise<void> {
  const sequences = [[...ascending].reverse(), shuffled(ascending, 7), shuffled(ascending, 8)];
  for (const sequence of sequences) {
    const map = await seedMap(storage);
    await insertOrders(storage, map.id, sequence);
    expect(await listOrders(storage, map.id)).toEqual(ascending);
  }
}

const nines = '9'.repeat(256);

export const orders: StorageTopic = {
  name: 'orders',
  cases: [
    {
      name: 'decimal numbers sort by value, negative ones before zero',
      run: ({ storage }) =>
        expectOrder(storage, [
          '-10',
          '-9.5',
          '-9',
          '-1',
          '-0.5',
          '0',
          '0.25',
          '1',
          '1.5',
          '2',
          '9',
          '10',
          '100',
        ]),
    },
    {
      name: 'decimal numbers sort exactly, beyond the digits of a double',
      run: ({ storage }) =>
        expectOrder(storage, [
          '-9007199254740993.1',
          '-9007199254740993',
          '-9007199254740992',
          '0.1',
          '0.1000000000000000055',
          '0.10000000000000001',
          '9007199254740992',
          '9007199254740992.5',
          '9007199254740993',
          '9007199254740994',
        ]),
    },
    {
      name: 'decimal numbers of 256 characters sort exactly',
      run: ({ storage }) =>
        expectOrder(storage, [
          `-${'9'.repeat(255)}`,
          `-${'9'.repeat(254)}8`,
          `-1.${'0'.repeat(252)}1`,
          '-1',
          `-0.${'0'.repeat(251)}1`,
          `-0.${'0'.repeat(252)}1`,
          '0',
          `0.${'0'.repeat(253)}1`,
          `0.${'0'.repeat(253)}2`,
          `0.${'0'.repeat(252)}1`,
          '1',
          `1.${'0'.repeat(253)}1`,
          `1.${'0'.repeat(253)}2`,
          `${'9'.repeat(255)}8`,
          nines,
        ]),
    },
    {
      name: 'spellings of one number are equal, and listed in order of creation',
      async run({ storage }) {
        const map = await seedMap(storage);
        await insertOrders(storage, map.id, ['007', '7', '7.0', '0007.000', '7.00']);
        await insertOrders(storage, map.id, ['0', '-0', '0.00', '-0.0', '00']);
        await insertOrders(storage, map.id, ['-1.50', '-1.5', '-01.5']);
        expect(await listOrders(storage, map.id)).toEqual([
          ...['-1.50', '-1.5', '-01.5'],
          ...['0', '-0', '0.00', '-0.0', '00'],
          ...['007', '7', '7.0', '0007.000', '7.00'],
        ]);
      },
    },
    {
      name: 'every text comes after every number, also one that looks like a number',
      run: ({ storage }) =>
        expectOrder(storage, [
          '-5',
          '5',
          nines,
          ' 1',
          '!',
          '+1',
          '-',
          '--1',
          '-.5',
          '.5',
          '0x10',
          '1 ',
          '1,5',
          '1.',
          '1.2.3',
          '1e3',
          'Infinity',
          'NaN',
          '\u0661',
        ]),
    },
    {
      name: 'texts sort by code point, not by UTF-16 unit, letter case or language',
      run: ({ storage }) =>
        expectOrder(storage, [
          'A',
          'Z',
          'a',
          'a ',
          'a!',
          'aa',
          'b',
          'e',
          'e\u0301',
          'f',
          'z',
          'ä',
          'é',
          '中',
          '\ue000',
          '\ue000a',
          '\ufffd',
          '\uffff',
          '\u{10000}',
          '\u{1f600}',
          '\u{1f600}a',
          '\u{10ffff}',
        ]),
    },
    {
      name: 'texts with a special meaning for a database are plain texts',
      run: ({ storage }) =>
        expectOrder(storage, [
          '"',
          '$gt',
          '$where',
          '%',
          "'; DROP TABLE maps; --",
          '[1]',
          '\\',
          '_',
          'a.b',
          '{}',
        ]),
    },
    {
      name: 'texts of 256 code points are compared to the last one',
      run: ({ storage }) => {
        const face = '\u{1f600}'.repeat(255);
        return expectOrder(storage, [face, `${face}a`, `${face}\ufffd`, `${face}\u{1f600}`]);
      },
    },
    {
      name: 'equal orders are listed in order of creation, whatever their ids and times',
      async run({ storage }) {
        const map = await seedMap(storage);
        const outcomes = await insertAll(
          storage,
          map.id,
          Array.from({ length: 60 }, (_, index) =>
            anInsert(map.id, {
              order: index % 2 === 0 ? '5' : 'x',
              location: { id: `${map.id}_${String(999 - index).padStart(12, '0')}`, createdAt: NOW - index },
            }),
          ),
        );
        const created = outcomes.map((outcome) => locationOf(outcome));
        const expected = ['5', 'x'].flatMap((order) =>
          created.filter((location) => location.order === order),
        );
        expect(idsOf(await listPage(storage, map.id))).toEqual(idsOf(expected));
      },
    },
    {
      name: 'equal orders of several calls are listed in order of creation',
      async run({ storage }) {
        const map = await seedMap(storage);
        const created: string[] = [];
        for (let call = 0; call < 12; call += 1) {
          created.push(...idsOf(await insertOrders(storage, map.id, ['1', '1.0'])));
        }
        expect(idsOf(await listPage(storage, map.id))).toEqual(created);
      },
    },
    {
      name: 'an order is returned as the caller wrote it',
      async run({ storage }) {
        const map = await seedMap(storage);
        const written = ['007', '-0', '1.50', 'a', '\u{1f600}', "'"];
        const created = await insertOrders(storage, map.id, written);
        expect(created.map(({ order }) => order)).toEqual(written);
        const found = await storage.getLocations(map.id, idsOf(created));
        expect(found.map((location) => location?.order)).toEqual(written);
      },
    },
  ],
};
