/** Guarantees for concurrent writes (contract §3). */

import type { LocationRecord } from '../../../src/domain/location.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import {
  anInsert,
  append,
  idsOf,
  insertAll,
  insertOrders,
  listPage,
  locationOf,
  seedMap,
  walk,
} from './fixtures.ts';
import type { StorageTopic } from './harness.ts';

function expectDistinctPositions(locations: readonly LocationRecord[]): void {
  expect(new Set(idsOf(locations)).size).toBe(locations.length);
  expect(new Set(locations.map(({ sequence }) => sequence)).size).toBe(locations.length);
  expect(new Set(locations.map(({ order }) => order)).size).toBe(locations.length);
}

/** Concurrent chains of sequential appends. */
async function appendInChains(stores: readonly Storage[], mapId: string, length: number) {
  return Promise.all(
    stores.map(async (storage) => {
      const chain: LocationRecord[] = [];
      for (let link = 0; link < length; link += 1) chain.push(await append(storage, mapId));
      return chain;
    }),
  );
}

function expectAscending(listed: readonly string[], chain: readonly LocationRecord[]): void {
  const indexes = chain.map(({ id }) => listed.indexOf(id));
  expect(indexes).not.toContain(-1);
  expect(indexes).toEqual(indexes.toSorted((a, b) => a - b));
}

export const concurrency: StorageTopic = {
  name: 'concurrency',
  cases: [
    {
      name: '200 concurrent appends get distinct positions, and none is lost',
      async run({ storage }) {
        const map = await seedMap(storage);
        const appended = await Promise.all(Array.from({ length: 200 }, () => append(storage, map.id)));
        expectDistinctPositions(appended);
        const listed = await listPage(storage, map.id);
        expect(listed.map(({ order }) => order)).toEqual(
          Array.from({ length: 200 }, (_, i) => String(i + 1)),
        );
        expect(idsOf(listed).toSorted()).toEqual(idsOf(appended).toSorted());
        expect(await storage.countLocations(map.id)).toBe(200);
      },
    },
    {
      name: 'an append that starts after another’s response follows it',
      async run({ storage }) {
        const map = await seedMap(storage);
        const chains = await appendInChains(Array<Storage>(8).fill(storage), map.id, 12);
        const listed = idsOf(await listPage(storage, map.id));
        expect(listed).toHaveLength(96);
        for (const chain of chains) expectAscending(listed, chain);
      },
    },
    {
      name: 'the same holds while a text is last',
      async run({ storage }) {
        const map = await seedMap(storage);
        await insertOrders(storage, map.id, ['x']);
        const chains = await appendInChains(Array<Storage>(5).fill(storage), map.id, 8);
        const listed = await listPage(storage, map.id);
        expect(new Set(listed.map(({ order }) => order))).toEqual(new Set(['x']));
        expect(new Set(listed.map(({ sequence }) => sequence)).size).toBe(41);
        for (const chain of chains) expectAscending(idsOf(listed), chain);
      },
    },
    {
      name: 'concurrent appends to several maps count per map',
      async run({ storage }) {
        const maps = [await seedMap(storage), await seedMap(storage), await seedMap(storage)];
        await Promise.all(maps.flatMap(({ id }) => Array.from({ length: 20 }, () => append(storage, id))));
        for (const { id } of maps) {
          const orders = (await listPage(storage, id)).map(({ order }) => order);
          expect(orders).toEqual(Array.from({ length: 20 }, (_, index) => String(index + 1)));
        }
      },
    },
    {
      name: 'concurrent calls with several appends keep their given order',
      async run({ storage }) {
        const map = await seedMap(storage);
        const calls = await Promise.all(
          Array.from({ length: 10 }, () =>
            insertAll(
              storage,
              map.id,
              Array.from({ length: 10 }, () => anInsert(map.id)),
            ),
          ),
        );
        const listed = idsOf(await listPage(storage, map.id));
        expect(listed).toHaveLength(100);
        for (const outcomes of calls) {
          expectAscending(
            listed,
            outcomes.map((outcome) => locationOf(outcome)),
          );
        }
      },
    },
    {
      name: 'one of several concurrent deletions gets the location',
      async run({ storage }) {
        const map = await seedMap(storage);
        const location = await append(storage, map.id);
        const responses = await Promise.all(
          Array.from({ length: 20 }, () => storage.deleteLocation(map.id, location.id)),
        );
        expect(responses.filter(({ kind }) => kind === 'deleted')).toEqual([{ kind: 'deleted', location }]);
        expect(responses.filter(({ kind }) => kind === 'missing')).toHaveLength(19);
      },
    },
    {
      name: 'paging sees each unchanged location once during inserts and deletions',
      async run({ storage }) {
        for (const fromEnd of [false, true]) {
          const map = await seedMap(storage);
          const orders = Array.from({ length: 90 }, (_, index) => (index < 60 ? String(index % 20) : 'same'));
          const list = await insertOrders(storage, map.id, orders);
          const targets = list.filter((_, index) => index % 3 === 0);
          const stable = (await listPage(storage, map.id)).filter(({ id }) => !idsOf(targets).includes(id));
          const seen = await walk(storage, map.id, { limit: 7, fromEnd }, async () => {
            const victims = targets.splice(0, 3);
            await Promise.all([
              insertOrders(storage, map.id, ['-5', '7', '7.5', 'a', 'same', 'z']),
              ...victims.map(({ id }) => storage.deleteLocation(map.id, id)),
            ]);
          });
          expect(new Set(idsOf(seen)).size).toBe(seen.length);
          const stableIds = idsOf(stable);
          expect(idsOf(seen).filter((id) => stableIds.includes(id))).toEqual(stableIds);
        }
      },
    },
    {
      name: 'a map is deleted between appends, never within one',
      async run({ storage }) {
        const map = await seedMap(storage);
        const calls = Array.from({ length: 30 }, () =>
          storage.insertLocations(map.id, [anInsert(map.id)], 0),
        );
        const deletion = storage.updateMap(map.id, { isDeleted: true }, { evenIfDeleted: false });
        const more = Array.from({ length: 30 }, () => storage.insertLocations(map.id, [anInsert(map.id)], 0));
        const responses = await Promise.all([...calls, ...more]);
        await deletion;
        const stored = responses.filter(({ kind }) => kind === 'done').length;
        expect(responses.filter(({ kind }) => kind === 'map-deleted')).toHaveLength(60 - stored);
        await storage.updateMap(map.id, { isDeleted: false }, { evenIfDeleted: true });
        expect(await storage.countLocations(map.id)).toBe(stored);
      },
    },
    {
      name: 'concurrent appends through two openings of a store get distinct positions',
      needs: 'openAgain',
      async run({ storage, openAgain }) {
        const map = await seedMap(storage);
        const other = await openAgain();
        const chains = await appendInChains([storage, other, storage, other], map.id, 25);
        expectDistinctPositions(chains.flat());
        const listed = idsOf(await listPage(storage, map.id));
        expect(listed).toHaveLength(100);
        for (const chain of chains) expectAscending(listed, chain);
        expect(idsOf(await listPage(other, map.id))).toEqual(listed);
      },
    },
  ],
};
