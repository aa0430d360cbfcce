/** A persistent store keeps its data when closed and opened. */

import {
  append,
  aToken,
  collect,
  insertOne,
  insertOrders,
  listPage,
  locationOf,
  NOW,
  seedMap,
  seedOwner,
} from './fixtures.ts';
import type { StorageTopic } from './harness.ts';

export const reopening: StorageTopic = {
  name: 'reopening',
  cases: [
    {
      name: 'owners, tokens, maps, locations and values persist',
      needs: 'reopen',
      async run({ storage, reopen }) {
        const owner = await seedOwner(storage);
        const map = await seedMap(storage, { ownerId: owner.id, geocodingApiKey: 'sealed' });
        const token = aToken(owner.id, { mapId: map.id });
        await storage.insertToken(token);
        await storage.setMetaIfAbsent('key', 'value');
        const list = await insertOrders(storage, map.id, ['-1', '2', '2.0', 'x']);

        const again = await reopen();
        expect(await again.isEmpty()).toBe(false);
        expect(await again.findOwner(owner.id)).toEqual(owner);
        expect(await again.findTokenByHash(token.hash)).toEqual({ ...token, ownerName: owner.name });
        expect(await again.getMaps([map.id])).toEqual([map]);
        expect(await collect(again.listMapsWithKeys())).toEqual([map]);
        expect(await again.getMeta('key')).toBe('value');
        expect(await again.setMetaIfAbsent('key', 'other')).toBe(false);
        expect(await listPage(again, map.id)).toEqual(list);
      },
    },
    {
      name: 'the largest number and the sequence continue, also after deletions',
      needs: 'reopen',
      async run({ storage, reopen }) {
        const map = await seedMap(storage);
        const list = await insertOrders(storage, map.id, [null, '41.5', '3']);
        for (const { id } of list) await storage.deleteLocation(map.id, id);
        const again = await reopen();
        const next = await append(again, map.id);
        expect(next.order).toBe('42');
        expect(next.sequence).toBeGreaterThan(list[2]!.sequence);
      },
    },
    {
      name: 'idempotency keys persist, also of deleted locations',
      needs: 'reopen',
      async run({ storage, reopen }) {
        const map = await seedMap(storage);
        const kept = locationOf(await insertOne(storage, map.id, { key: 'kept' }));
        const deleted = locationOf(await insertOne(storage, map.id, { key: 'deleted' }));
        await storage.deleteLocation(map.id, deleted.id);
        const again = await reopen();
        expect(locationOf(await insertOne(again, map.id, { key: 'kept' }), 'replayed')).toEqual(kept);
        expect(locationOf(await insertOne(again, map.id, { key: 'deleted' }), 'replayed')).toEqual(deleted);
        const other = await insertOne(again, map.id, { key: 'kept', digest: 'other' });
        expect(other).toEqual({ kind: 'conflict' });
        expect(await listPage(again, map.id)).toEqual([kept]);
      },
    },
    {
      name: 'updates, deletions and revocations persist',
      needs: 'reopen',
      async run({ storage, reopen }) {
        const map = await seedMap(storage, { providerMapApiKey: 'p' });
        const token = aToken(map.ownerId);
        await storage.insertToken(token);
        await storage.revokeToken(token.id, NOW + 1);
        const [removed, kept] = await insertOrders(storage, map.id, ['1', '2']);
        await storage.deleteLocation(map.id, removed!.id);
        const patch = { isDeleted: true, providerMapApiKey: null, name: 'x' };
        await storage.updateMap(map.id, patch, { evenIfDeleted: false });
        const again = await reopen();
        expect(await again.getMaps([map.id])).toEqual([{ ...map, ...patch }]);
        expect((await again.findTokenByHash(token.hash))?.revokedAt).toBe(NOW + 1);
        await again.updateMap(map.id, { isDeleted: false }, { evenIfDeleted: true });
        expect(await listPage(again, map.id)).toEqual([kept]);
        expect(await again.deleteLocation(map.id, removed!.id)).toEqual({ kind: 'missing' });
      },
    },
  ],
};
