/** The revision of a map's list changes with the list. */

import type { Storage } from '../../../src/storage/storage.ts';
import { anInsert, anUpdate, append, collect, insertOrders, NOW, seedMap, updateOne } from './fixtures.ts';
import type { StorageTopic } from './harness.ts';

/** The revision once the store has finished its work for earlier writes. */
async function settledRevision(storage: Storage, mapId: string): Promise<string> {
  let last = await storage.listRevision(mapId);
  for (let again = 0; again < 1_000; again += 1) {
    const next = await storage.listRevision(mapId);
    if (next === last && again > 0) return next;
    last = next;
  }
  throw new Error('The revision keeps changing without a write.');
}

/**
 * Fails if `work` changes the revision. Work that a store finishes after a response may change it once.
 *
 * @returns the revision, before and after
 */
async function expectToStay(storage: Storage, mapId: string, work: () => Promise<unknown>): Promise<string> {
  for (let again = 0; ; again += 1) {
    const before = await settledRevision(storage, mapId);
    await work();
    const after = await settledRevision(storage, mapId);
    if (again === 3) expect(after).toBe(before);
    if (after === before) return after;
  }
}

export const revisions: StorageTopic = {
  name: 'revisions',
  cases: [
    {
      name: 'changes with every write to the list, and never repeats',
      async run({ storage }) {
        const { id } = await seedMap(storage);
        const seen = [await storage.listRevision(id)];
        const changed = async (work: () => Promise<unknown>) => {
          const before = await storage.listRevision(id);
          await work();
          const after = await storage.listRevision(id);
          expect(after).not.toBe(before);
          expect(seen).not.toContain(after);
          seen.push(before, after);
        };
        await changed(() => append(storage, id));
        await changed(() => insertOrders(storage, id, ['5', 'x', null]));
        const [first, second] = await storage.listLocations(id, {
          limit: 2,
          fromEnd: false,
          after: null,
          before: null,
        });
        let last = first!;
        const values = [{ name: 'New' }, { latitude: 1.5 }, { properties: { Name: 'x', Address: 'y' } }];
        for (const value of [...values, { externalId: 'e' }, { externalId: null }]) {
          await changed(async () => {
            const updated = await updateOne(storage, id, anUpdate(last, value));
            if (updated.kind === 'updated') last = updated.location;
          });
        }
        await changed(() => updateOne(storage, id, anUpdate(last, {}, '7')));
        await changed(() => updateOne(storage, id, anUpdate(second!, { name: 'Other' })));
        await changed(() => storage.deleteLocation(id, second!.id));
        // As many locations as before, none of them ever updated.
        await changed(async () => {
          await storage.deleteLocations(id, [last.id]);
          await append(storage, id);
        });
      },
    },
    {
      name: 'stays without writes and on writes to other maps, and is empty for an unknown map',
      async run({ storage }) {
        const map = await seedMap(storage);
        const other = await seedMap(storage, { ownerId: map.ownerId });
        await insertOrders(storage, map.id, ['1', '2']);
        await expectToStay(storage, map.id, async () => {
          await append(storage, other.id);
          await storage.updateMap(other.id, { name: 'x' }, { evenIfDeleted: false });
          await storage.deleteLocation(map.id, `${map.id}_000000000000`);
        });
        expect(await storage.listRevision('abcdefghjkmnpqrs')).toBe('');
      },
    },
    {
      name: 'is the same for every opening of the store',
      needs: 'openAgain',
      async run({ storage, openAgain }) {
        const map = await seedMap(storage);
        await append(storage, map.id);
        const other = await openAgain();
        let seenByOther = '';
        const revision = await expectToStay(storage, map.id, async () => {
          seenByOther = await settledRevision(other, map.id);
        });
        expect(seenByOther).toBe(revision);
        await storage.insertLocations(map.id, [anInsert(map.id)], NOW);
        expect(await other.listRevision(map.id)).not.toBe(revision);
      },
    },
    {
      name: 'changes when the map is loaded again',
      async run({ storage }) {
        const { id } = await seedMap(storage);
        await append(storage, id);
        const before = await settledRevision(storage, id);
        const items = await collect(storage.dump(0));
        await storage.removeAll([]);
        await storage.load(items);
        expect(await storage.listRevision(id)).not.toBe(before);
      },
    },
  ],
};
