/** Copying a store into another: when it starts, refusals, and detected changes. */

import type { CopyProgress } from '../../../src/services/store/copy.ts';
import { copyStore } from '../../../src/services/store/copy.ts';
import { COPY_MARK, isUnfinished } from '../../../src/services/store/store-marks.ts';
import { openStorage } from '../../../src/storage/open.ts';
import type { Storage, StoredItem } from '../../../src/storage/storage.ts';
import { anAccount } from '../../contract/storage/accounts.ts';
import {
  append,
  aToken,
  aWebhook,
  collect,
  insertOrders,
  listPage,
  seedMap,
  seedOwner,
} from '../../contract/storage/fixtures.ts';

const open = () => openStorage('sqlite::memory:', { timeoutMs: 1000 });

async function withStores(work: (source: Storage, target: Storage) => Promise<void>): Promise<void> {
  const [source, target] = [await open(), await open()];
  try {
    await work(source, target);
  } finally {
    await source.close();
    await target.close();
  }
}

const isUnfinishedCopy = async (storage: Storage) => isUnfinished(await storage.getMeta(COPY_MARK), 'digest');

/** The content of a store, without its identity and the copy mark. */
async function contentOf(storage: Storage): Promise<readonly StoredItem[]> {
  const items = await collect(storage.dump(0));
  return items.filter((item) => item.kind !== 'meta' || !['store-id', 'copy'].includes(item.key));
}

describe('copying a store', () => {
  it('makes the target equal to the source', async () => {
    await withStores(async (source, target) => {
      const map = await seedMap(source);
      await insertOrders(source, map.id, ['2', null, 'x']);
      await source.setMetaIfAbsent('secret-key-check', 'sealed');
      expect(await copyStore(source, target)).toEqual({ kind: 'copied', counts: { maps: 1, locations: 3 } });
      expect(await contentOf(target)).toEqual(await contentOf(source));
      expect(await isUnfinishedCopy(target)).toBe(false);
    });
  });

  it('copies an empty store too', async () => {
    await withStores(async (source, target) => {
      expect((await copyStore(source, target)).kind).toBe('copied');
    });
  });

  it('changes nothing on its own complete copy', async () => {
    await withStores(async (source, target) => {
      await append(source, (await seedMap(source)).id);
      await copyStore(source, target);
      const before = await collect(target.dump(0));
      expect(await copyStore(source, target)).toEqual({
        kind: 'unchanged',
        counts: { maps: 1, locations: 1 },
      });
      expect(await collect(target.dump(0))).toEqual(before);
    });
  });

  it('copies names and last uses of tokens; a later use does not count as a change', async () => {
    await withStores(async (source, target) => {
      const { ownerId } = await seedMap(source);
      const token = aToken(ownerId, { name: 'laptop', lastUsedAt: 5 });
      await source.insertToken(token);
      expect((await copyStore(source, target)).kind).toBe('copied');
      expect((await target.listTokens())[0]).toMatchObject({ name: 'laptop', lastUsedAt: 5 });
      await source.saveTokenUses([{ tokenId: token.id, usedAt: 6 }], 0);
      await target.saveTokenUses([{ tokenId: token.id, usedAt: 7 }], 0);
      expect((await copyStore(source, target)).kind).toBe('unchanged');
    });
  });

  it('copies display names and disabled accounts, and notices when they change', async () => {
    await withStores(async (source, target) => {
      const { id } = await seedOwner(source);
      await source.insertAccount(anAccount(id, { isDisabled: true }));
      await source.setDisplayName(id, 'Anna');
      expect((await copyStore(source, target)).kind).toBe('copied');
      expect((await target.findOwner(id))?.displayName).toBe('Anna');
      expect((await target.findAccount(id))?.isDisabled).toBe(true);
      expect((await copyStore(source, target)).kind).toBe('unchanged');
      await source.setDisplayName(id, 'Ben');
      expect((await copyStore(source, target)).kind).toBe('copied');
      expect((await target.findOwner(id))?.displayName).toBe('Ben');
    });
  });

  it('copies webhooks with their stored secrets; a later delivery does not count as a change', async () => {
    await withStores(async (source, target) => {
      const { id: mapId } = await seedMap(source);
      const webhook = aWebhook(mapId, { secret: 'aes-256-gcm:sealed', isEnabled: false, version: 4 });
      await source.insertWebhook(webhook, 1);
      expect((await copyStore(source, target)).kind).toBe('copied');
      expect(await target.listWebhooks(mapId)).toEqual([webhook]);
      const delivery = { ...webhook.delivery, failures: 1, lastError: 'no response' };
      await source.updateWebhook(mapId, webhook.id, { delivery }, null);
      expect((await copyStore(source, target)).kind).toBe('unchanged');
      await target.updateWebhook(mapId, webhook.id, { delivery }, null);
      await target.updateWebhook(mapId, webhook.id, { delivery }, null);
      expect((await copyStore(source, target)).kind).toBe('unchanged');
      await source.updateWebhook(mapId, webhook.id, { isEnabled: true }, null);
      expect((await copyStore(source, target)).kind).toBe('copied');
      expect(await target.listWebhooks(mapId)).toEqual(await source.listWebhooks(mapId));
    });
  });

  it('restarts on the target of an interrupted copy, which is not served until then', async () => {
    await withStores(async (source, target) => {
      const map = await seedMap(source);
      await insertOrders(
        source,
        map.id,
        Array.from({ length: 1200 }, () => null),
      );
      let loads = 0;
      const failing: Storage = {
        ...target,
        load: (items) => ((loads += 1) === 2 ? Promise.reject(new Error('cut')) : target.load(items)),
      };
      await expect(copyStore(source, failing)).rejects.toThrow('cut');
      expect(await isUnfinishedCopy(target)).toBe(true);
      expect((await copyStore(source, target)).kind).toBe('copied');
      expect(await contentOf(target)).toEqual(await contentOf(source));
      expect(await isUnfinishedCopy(target)).toBe(false);
    });
  });

  it('refuses a target with other data and leaves it unchanged', async () => {
    await withStores(async (source, target) => {
      await seedMap(source);
      await seedMap(target, { name: 'own' });
      const before = await collect(target.dump(0));
      expect((await copyStore(source, target)).kind).toBe('refused');
      expect(await collect(target.dump(0))).toEqual(before);
    });
  });

  it('refuses a target that changed since its copy, whatever was written', async () => {
    const writes: Record<string, (target: Storage, mapId: string) => Promise<unknown>> = {
      'a location': (target, mapId) => append(target, mapId),
      'a location that was deleted again': async (target, mapId) =>
        target.deleteLocation(mapId, (await append(target, mapId)).id),
      'a name': (target, mapId) => target.updateMap(mapId, { name: 'new' }, { evenIfDeleted: false }),
      'a webhook': (target, mapId) => target.insertWebhook(aWebhook(mapId), 1),
      'an owner': (target) => target.findOrCreateOwner({ id: 'o', name: 'o', createdAt: 1 }),
    };
    for (const [what, write] of Object.entries(writes)) {
      await withStores(async (source, target) => {
        const map = await seedMap(source);
        await copyStore(source, target);
        await write(target, map.id);
        const before = await collect(target.dump(0));
        expect([what, (await copyStore(source, target)).kind]).toEqual([what, 'refused']);
        expect(await collect(target.dump(0))).toEqual(before);
      });
    }
  });

  it('refuses the copy of another store and the source itself', async () => {
    await withStores(async (source, target) => {
      await seedMap(source);
      await copyStore(source, target);
      const other = await open();
      await seedMap(other);
      expect((await copyStore(other, target)).kind).toBe('refused');
      expect((await copyStore(source, source)).kind).toBe('refused');
      await other.close();
    });
  });

  it('accepts an empty target, even if it was a copy of another store', async () => {
    await withStores(async (source, target) => {
      const other = await open();
      await copyStore(other, target);
      await append(source, (await seedMap(source)).id);
      expect((await copyStore(source, target)).kind).toBe('copied');
      await other.close();
    });
  });

  it('copies again when only the source changed', async () => {
    await withStores(async (source, target) => {
      const map = await seedMap(source);
      await copyStore(source, target);
      await append(source, map.id);
      expect(await copyStore(source, target)).toEqual({ kind: 'copied', counts: { maps: 1, locations: 1 } });
      expect(await listPage(target, map.id)).toEqual(await listPage(source, map.id));
    });
  });

  it('names the maps that changed meanwhile and leaves the copy unfinished', async () => {
    for (const write of [
      append,
      (storage: Storage, mapId: string) => storage.insertWebhook(aWebhook(mapId), 1),
    ]) {
      await withStores(async (source, target) => {
        const [quiet, busy] = [await seedMap(source), await seedMap(source)];
        let phase = 'copying';
        const written: Storage = {
          ...source,
          async *dump(expiringAfter) {
            if (phase === 'comparing') await write(source, busy.id);
            yield* source.dump(expiringAfter);
          },
        };
        const onProgress = (progress: CopyProgress) => ({ phase } = progress);
        const result = await copyStore(written, target, { onProgress });
        expect(result).toEqual({ kind: 'differs', mapIds: [busy.id], alsoOutsideMaps: false });
        expect(result).not.toMatchObject({ mapIds: [quiet.id] });
        expect(await isUnfinishedCopy(target)).toBe(true);
        expect((await copyStore(source, target)).kind).toBe('copied');
      });
    }
  });

  it('detects a target that did not store the data', async () => {
    await withStores(async (source, target) => {
      const map = await seedMap(source);
      await insertOrders(source, map.id, ['1', '2']);
      const losing: Storage = {
        ...target,
        load: (items) =>
          target.load(items.filter((item) => item.kind !== 'location' || item.location.order !== '2')),
      };
      expect(await copyStore(source, losing)).toEqual({
        kind: 'differs',
        mapIds: [map.id],
        alsoOutsideMaps: false,
      });
    });
  });
});
