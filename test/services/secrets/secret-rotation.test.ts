/** Rotation of SECRET_KEY on both stores: what is sealed again, interruptions, and starts meanwhile. */

import { join } from 'node:path';

import { SECRET_KEY_CHECK } from '../../../src/services/secrets/secret-key-marks.ts';
import { prepareSecrets, rotateSecrets } from '../../../src/services/secrets/secret-rotation.ts';
import { createSecrets, SecretKeyError } from '../../../src/services/secrets/secrets.ts';
import { openStorage } from '../../../src/storage/open.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { aWebhook, collect, NOW, seedMap, seedOwner } from '../../contract/storage/fixtures.ts';
import { temporaryFolder } from '../../storage/sqlite/temporary.ts';
import { NO_MONGODB, ownDatabase, testServer } from '../../support/mongodb-server.ts';
import { describeUnless } from '../../support/skip.ts';

const [FORMER, NEW] = ['f'.repeat(32), 'n'.repeat(32)];
const former = createSecrets(FORMER);
const both = createSecrets(NEW, FORMER);
const only = createSecrets(NEW);
/** More maps than a batch. */
const MAPS = 600;

const server = await testServer();
const folder = temporaryFolder();
const STORES: Record<string, () => string> = {
  SQLite: () => `sqlite:${join(folder, `${Math.random()}.db`)}`,
  MongoDB: () => ownDatabase(server!),
};

for (const [name, urlOf] of Object.entries(STORES)) {
  describeUnless(name === 'MongoDB' && server === null && NO_MONGODB, `the new SECRET_KEY on ${name}`, () => {
    let storage: Storage;
    let ids: readonly string[];

    beforeEach(async () => {
      storage = await openStorage(urlOf(), { timeoutMs: 30_000 });
      await prepareSecrets(storage, former);
      const { id: ownerId } = await seedOwner(storage);
      const maps = await Promise.all(
        Array.from({ length: MAPS }, (_, index) =>
          seedMap(storage, {
            ownerId,
            isDeleted: index % 3 === 0,
            providerMapApiKey: index % 2 === 0 ? former.seal(`provider ${index}`) : null,
            geocodingApiKey: former.seal(`geocoding ${index}`),
          }),
        ),
      );
      ids = maps.map(({ id }) => id);
      // The first belongs to a deleted map.
      for (const webhook of [
        aWebhook(ids[0]!, { id: 'webhook_1', secret: former.seal('one'), isEnabled: false }),
        aWebhook(ids[1]!, {
          id: 'webhook_2',
          secret: former.seal('two'),
          formerSecret: { secret: former.seal('before'), until: NOW },
        }),
        aWebhook(ids[2]!, { id: 'webhook_3', secret: null }),
      ]) {
        await storage.load([{ kind: 'webhook', webhook }]);
      }
    });
    afterEach(() => storage.close());

    /** The maps' decrypted keys. */
    async function keys(secrets = both): Promise<readonly (string | null)[]> {
      const maps = await storage.getMaps(ids);
      const webhooks = await storage.pageWebhooks({ limit: 9, after: null, enabledOnly: false });
      return [
        ...maps.flatMap((map) => [map!.providerMapApiKey, map!.geocodingApiKey]),
        ...webhooks.flatMap(({ secret, formerSecret }) => [secret, formerSecret?.secret ?? null]),
      ].map((key) => key && secrets.open(key));
    }

    const EXPECTED = [
      ...Array.from({ length: MAPS }, (_, index) => [
        index % 2 === 0 ? `provider ${index}` : null,
        `geocoding ${index}`,
      ]).flat(),
      ...['one', null, 'two', 'before', null, null],
    ];
    const COUNT = MAPS * 1.5 + 3;
    const READABLE = { unreadable: [], unreadableWebhooks: [] };

    it('opens everything after the rotation, and the former key nothing', async () => {
      await prepareSecrets(storage, both);
      expect(await rotateSecrets(storage, both)).toEqual({ changed: COUNT, ...READABLE });
      expect(await keys(only)).toEqual(EXPECTED);
      for await (const map of storage.listMapsWithKeys()) {
        expect(() => former.open(map.geocodingApiKey!)).toThrow(SecretKeyError);
      }
      await prepareSecrets(storage, only);
      await expect(prepareSecrets(storage, former)).rejects.toThrow('SECRET_KEY is not the one');
      expect(await rotateSecrets(storage, only)).toEqual({ changed: 0, ...READABLE });
    });

    it('and the former key together open the store at any moment of an interrupted rotation, which resumes', async () => {
      await prepareSecrets(storage, both);
      // Each run fails at its next write, until no write is left.
      let runs = 0;
      const writes = ['changeMapKeys', 'updateWebhook', 'setMeta'] as const;
      for (let isDone = false; !isDone; runs += 1) {
        let left = 1;
        const killed = { ...storage };
        for (const write of writes) {
          killed[write] = (...args: never[]) => {
            left -= 1;
            if (left < 0) throw new Error('killed');
            return (storage[write] as (...args: never[]) => never)(...args);
          };
        }
        isDone = await rotateSecrets(killed, both).then(
          () => true,
          () => false,
        );
        expect(await keys()).toEqual(EXPECTED);
        await prepareSecrets(storage, both);
        if (!isDone) await expect(prepareSecrets(storage, only)).rejects.toThrow('SECRET_KEY_FALLBACK');
      }
      expect(runs).toBeGreaterThan(2);
      await prepareSecrets(storage, only);
    });

    it('keeps concurrent writes of a server, sealed again', async () => {
      await prepareSecrets(storage, both);
      const [first, second] = ids;
      let isFirst = true;
      let isDelivered = false;
      const delivery = { ...aWebhook(first!).delivery, failures: 3 };
      const serving: Storage = {
        ...storage,
        async changeMapKeys(changes) {
          if (isFirst) {
            isFirst = false;
            const change = (id: string, key: string | null) =>
              storage.updateMap(id, { geocodingApiKey: key }, { evenIfDeleted: true });
            await change(first!, former.seal('changed'));
            await change(second!, null);
          }
          return storage.changeMapKeys(changes);
        },
        async updateWebhook(mapId, id, ...rest) {
          // Concurrent writes win: a delivery to one webhook, a new secret for the other.
          if (id === 'webhook_1' && !isDelivered) {
            isDelivered = true;
            await storage.updateWebhook(mapId, id, { delivery }, null);
            await storage.updateWebhook(ids[1]!, 'webhook_2', { secret: former.seal('new') }, null);
          }
          return storage.updateWebhook(mapId, id, ...rest);
        },
      };
      const { unreadable, unreadableWebhooks } = await rotateSecrets(serving, both);
      expect([unreadable, unreadableWebhooks]).toEqual([[], []]);
      const [delivered] = await storage.listWebhooks(ids[0]!);
      expect([only.open(delivered!.secret!), delivered!.delivery]).toEqual(['one', delivery]);
      const [another] = await storage.listWebhooks(ids[1]!);
      expect(only.open(another!.secret!)).toBe('new');
      expect(another!.formerSecret!.until).toBe(NOW);
      expect(only.open(another!.formerSecret!.secret)).toBe('before');
      const [one, two] = await storage.getMaps([first!, second!]);
      expect(only.open(one!.geocodingApiKey!)).toBe('changed');
      expect(two!.geocodingApiKey).toBeNull();
    });

    it('keeps requiring both while a key opens with neither, and names its map', async () => {
      await prepareSecrets(storage, both);
      const foreign = createSecrets('x'.repeat(32)).seal('another');
      await storage.updateMap(ids[7]!, { geocodingApiKey: foreign }, { evenIfDeleted: true });
      expect(await rotateSecrets(storage, both)).toEqual({
        changed: COUNT - 1,
        unreadable: [ids[7]],
        unreadableWebhooks: [],
      });
      await expect(prepareSecrets(storage, only)).rejects.toThrow('SECRET_KEY_FALLBACK');
      await prepareSecrets(storage, both);
      await storage.updateMap(ids[7]!, { geocodingApiKey: both.seal('anew') }, { evenIfDeleted: true });
      expect(await rotateSecrets(storage, both)).toEqual({ changed: 0, ...READABLE });
      await prepareSecrets(storage, only);
    });

    it('keeps requiring both while a webhook’s secret opens with neither, and names the webhook', async () => {
      await prepareSecrets(storage, both);
      const foreign = { secret: createSecrets('x'.repeat(32)).seal('another'), until: NOW };
      await storage.updateWebhook(ids[1]!, 'webhook_2', { formerSecret: foreign }, null);
      expect(await rotateSecrets(storage, both)).toEqual({
        changed: COUNT - 1,
        unreadable: [],
        unreadableWebhooks: ['webhook_2'],
      });
      expect((await storage.listWebhooks(ids[1]!))[0]!.formerSecret).toEqual(foreign);
      await expect(prepareSecrets(storage, only)).rejects.toThrow('SECRET_KEY_FALLBACK');
      await storage.updateWebhook(ids[1]!, 'webhook_2', { formerSecret: null }, null);
      expect(await rotateSecrets(storage, both)).toEqual({ changed: 0, ...READABLE });
      await prepareSecrets(storage, only);
    });

    it('seals plain keys and webhook secrets at the next start', async () => {
      const patch = { secret: 'plain:open', formerSecret: { secret: 'plain:before', until: NOW } };
      await storage.updateWebhook(ids[2]!, 'webhook_3', patch, null);
      let isDelivered = false;
      const delivery = { ...aWebhook(ids[2]!).delivery, failures: 3 };
      const serving: Storage = {
        ...storage,
        async updateWebhook(mapId, id, ...rest) {
          if (!isDelivered) await storage.updateWebhook(mapId, id, { delivery }, null);
          isDelivered = true;
          return storage.updateWebhook(mapId, id, ...rest);
        },
      };
      await prepareSecrets(serving, former);
      const [webhook] = await storage.listWebhooks(ids[2]!);
      expect(webhook!.delivery).toEqual(delivery);
      const stored = [webhook!.secret!, webhook!.formerSecret!.secret];
      for (const each of stored) expect(each).toMatch(/^aes-256-gcm:/);
      expect(stored.map((each) => former.open(each))).toEqual(['open', 'before']);
      expect(webhook!.formerSecret!.until).toBe(NOW);
    });

    it('can first be the fallback of processes that still encrypt with the former key', async () => {
      const prepared = createSecrets(FORMER, NEW);
      await prepareSecrets(storage, prepared);
      // Nothing is sealed with the new key yet.
      await prepareSecrets(storage, former);
      await prepareSecrets(storage, both);
      await prepareSecrets(storage, prepared);
      await expect(prepareSecrets(storage, former)).rejects.toThrow('SECRET_KEY_FALLBACK');
      const key = both.seal('new');
      expect([prepared.open(key), both.open(prepared.seal('old'))]).toEqual(['new', 'old']);
    });

    it('is refused when neither key is the store’s, and changes nothing', async () => {
      const before = await collect(storage.dump(0));
      const wrong = createSecrets('x'.repeat(32), 'y'.repeat(32));
      await expect(prepareSecrets(storage, wrong)).rejects.toThrow('SECRET_KEY is not the one');
      expect(await collect(storage.dump(0))).toEqual(before);
      expect(before).toContainEqual(expect.objectContaining({ kind: 'meta', key: SECRET_KEY_CHECK }));
    });
  });
}
