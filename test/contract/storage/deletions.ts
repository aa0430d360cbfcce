/** Bulk deletion of locations. */

import { append, idsOf, insertOne, insertOrders, listPage, locationOf, seedMap } from './fixtures.ts';
import type { StorageTopic } from './harness.ts';

export const deletions: StorageTopic = {
  name: 'deletions',
  cases: [
    {
      name: 'existing locations are removed and returned once, in the given order; the others stay',
      async run({ storage }) {
        const map = await seedMap(storage);
        const [a, b, c, d] = idsOf(await insertOrders(storage, map.id, ['1', '2', '3', 'x'])) as string[];
        const foreign = await append(storage, (await seedMap(storage)).id);
        const ids = [d!, 'none', a!, d!, foreign.id, c!];
        expect(await storage.deleteLocations(map.id, ids)).toEqual({ kind: 'done', deletedIds: [d, a, c] });
        expect(idsOf(await listPage(storage, map.id))).toEqual([b]);
        expect(await storage.countLocations(map.id)).toBe(1);
        expect(await storage.getLocations(foreign.mapId, [foreign.id])).toEqual([foreign]);
        expect(await storage.deleteLocations(map.id, ids)).toEqual({ kind: 'done', deletedIds: [] });
        expect(await storage.deleteLocations(map.id, [])).toEqual({ kind: 'done', deletedIds: [] });
      },
    },
    {
      name: 'of concurrent calls, one returns each location',
      async run({ storage }) {
        const map = await seedMap(storage);
        const ids = idsOf(
          await insertOrders(
            storage,
            map.id,
            Array.from({ length: 30 }, () => null),
          ),
        );
        const calls = await Promise.all(
          [ids, ids.toReversed(), ids].map((some) => storage.deleteLocations(map.id, some)),
        );
        const deleted = calls.flatMap((call) => (call.kind === 'done' ? call.deletedIds : []));
        expect(deleted.toSorted()).toEqual([...ids].toSorted());
        expect(await listPage(storage, map.id)).toEqual([]);
        expect(await storage.countLocations(map.id)).toBe(0);
      },
    },
    {
      name: 'locations with a key or an external id are removed for good',
      async run({ storage }) {
        const map = await seedMap(storage);
        const keyed = locationOf(
          await insertOne(storage, map.id, { key: 'key', location: { externalId: 'a' } }),
        );
        expect(await storage.deleteLocations(map.id, [keyed.id])).toEqual({
          kind: 'done',
          deletedIds: [keyed.id],
        });
        expect(await insertOne(storage, map.id, { key: 'key' })).toEqual({
          kind: 'replayed',
          location: keyed,
        });
        expect(await listPage(storage, map.id)).toEqual([]);
        expect(await storage.findLocationsByExternalIds(map.id, ['a'])).toEqual([null]);
        expect((await insertOne(storage, map.id, { location: { externalId: 'a' } })).kind).toBe('inserted');
      },
    },
    {
      name: 'a thousand are removed within the timeout of a call',
      async run({ storage }) {
        const map = await seedMap(storage);
        const ids = idsOf(
          await insertOrders(
            storage,
            map.id,
            Array.from({ length: 1_000 }, () => null),
          ),
        );
        const result = await storage.deleteLocations(map.id, ids);
        expect(result).toEqual({ kind: 'done', deletedIds: ids });
        expect(await storage.countLocations(map.id)).toBe(0);
      },
    },
    {
      name: 'nothing is removed from a missing or deleted map',
      async run({ storage }) {
        const map = await seedMap(storage);
        const { id } = await append(storage, map.id);
        expect(await storage.deleteLocations('nosuchmapnosuch1', [id])).toEqual({ kind: 'map-missing' });
        await storage.updateMap(map.id, { isDeleted: true }, { evenIfDeleted: true });
        expect(await storage.deleteLocations(map.id, [id])).toEqual({ kind: 'map-deleted' });
        expect(await listPage(storage, map.id)).toHaveLength(1);
      },
    },
  ],
};
