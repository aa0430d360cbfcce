/** Webhooks of maps, and the lease of the process that delivers them. */

import type { Storage, StoredItem } from '../../../src/storage/storage.ts';
import type { WebhookDelivery, WebhookRecord, WebhookUpdateOutcome } from '../../../src/storage/webhooks.ts';
import {
  aWebhook,
  collect,
  DAY,
  idsOf,
  insertOne,
  NOW,
  seedMap,
  seedOwner,
  SETTLED_WITHIN_MS,
} from './fixtures.ts';
import type { StorageTopic } from './harness.ts';
import { until } from '../../support/until.ts';

/** Above the number that any case stores. */
const MANY = 100;
/** Longer than any case runs. */
const LONG_MS = 10 * 60_000;
const SHORT_MS = 200;

/** Stores a webhook; the map must accept it. */
async function insert(
  storage: Storage,
  mapId: string,
  overrides: Partial<WebhookRecord> = {},
): Promise<WebhookRecord> {
  const webhook = aWebhook(mapId, overrides);
  expect(await storage.insertWebhook(webhook, MANY)).toEqual({ kind: 'inserted' });
  return webhook;
}

/** The webhook after an update that must succeed. */
function updatedOf(outcome: WebhookUpdateOutcome): WebhookRecord {
  if (outcome.kind !== 'updated') throw new Error(`updateWebhook returned ${outcome.kind}`);
  return outcome.webhook;
}

/** Reads all page by page. */
async function walk(storage: Storage, limit: number, enabledOnly: boolean): Promise<readonly string[]> {
  const ids: string[] = [];
  for (;;) {
    const page = await storage.pageWebhooks({ limit, after: ids.at(-1) ?? null, enabledOnly });
    expect(page.length).toBeLessThanOrEqual(limit);
    ids.push(...idsOf(page));
    expect(ids.length).toBeLessThanOrEqual(MANY);
    if (page.length < limit) return ids;
  }
}

const webhooksOf = (items: readonly StoredItem[]) =>
  items.flatMap((item) => (item.kind === 'webhook' ? [item.webhook] : []));

const FAILING: WebhookDelivery = {
  place: { number: 2 ** 40, stamp: 'Abc9' },
  failures: 3,
  failingSince: NOW + 1,
  nextAttemptAt: NOW + 2,
  lastAttemptAt: NOW + 3,
  lastStatus: 503,
  lastError: 'It\'s $where {"$gt": 1} 😀',
};

export const webhooks: StorageTopic = {
  name: 'webhooks',
  cases: [
    {
      name: 'a webhook is returned as stored, with all optional values or none',
      async run({ storage }) {
        const { id } = await seedMap(storage);
        const full = await insert(storage, id, {
          id: 'b',
          url: 'https://example.com/ü?a=$b&{"$ne":1}#.x',
          events: ['deleted', 'created', 'moved', 'updated'],
          isEnabled: false,
          formerSecret: { secret: '$secret', until: NOW + DAY },
          version: 7,
          delivery: FAILING,
        });
        const bare = await insert(storage, id, { id: 'a', secret: null, events: ['moved'] });
        expect(await storage.listWebhooks(id)).toEqual([bare, full]);
        expect(bare.delivery).toEqual({
          place: { number: 0, stamp: '0' },
          failures: 0,
          failingSince: null,
          nextAttemptAt: null,
          lastAttemptAt: null,
          lastStatus: null,
          lastError: null,
        });
      },
    },
    {
      name: 'only a map’s own webhooks are listed, by time of creation and then by id',
      async run({ storage }) {
        const { id: ownerId } = await seedOwner(storage);
        const [one, two] = [await seedMap(storage, { ownerId }), await seedMap(storage, { ownerId })];
        for (const [id, createdAt] of [
          ['d', 1],
          ['c', 3],
          ['b', 2],
          ['a', 3],
          ['e', 2],
        ] as const) {
          await insert(storage, id === 'd' ? two.id : one.id, { id, createdAt: NOW + createdAt });
        }
        expect(idsOf(await storage.listWebhooks(one.id))).toEqual(['b', 'e', 'a', 'c']);
        expect(idsOf(await storage.listWebhooks(two.id))).toEqual(['d']);
        for (const unknown of ['none', '', one.id.slice(1)]) {
          expect(await storage.listWebhooks(unknown)).toEqual([]);
        }
      },
    },
    {
      name: 'a webhook of a missing or deleted map is not stored; existing ones of a deleted map stay',
      async run({ storage }) {
        const map = await seedMap(storage);
        expect(await storage.insertWebhook(aWebhook('none'), MANY)).toEqual({ kind: 'map-missing' });
        const webhook = await insert(storage, map.id);
        await storage.updateMap(map.id, { isDeleted: true }, { evenIfDeleted: false });
        expect(await storage.insertWebhook(aWebhook(map.id), MANY)).toEqual({ kind: 'map-deleted' });
        // The map is checked before the limit.
        expect(await storage.insertWebhook(aWebhook(map.id), 1)).toEqual({ kind: 'map-deleted' });
        expect(await storage.listWebhooks(map.id)).toEqual([webhook]);
        expect(await storage.pageWebhooks({ limit: 9, after: null, enabledOnly: true })).toEqual([webhook]);
        const patch = { isEnabled: false };
        const updated = updatedOf(await storage.updateWebhook(map.id, webhook.id, patch, null));
        expect(await storage.listWebhooks(map.id)).toEqual([updated]);
        expect(await storage.deleteWebhook(map.id, webhook.id)).toBe(true);
        expect(await storage.listWebhooks(map.id)).toEqual([]);
      },
    },
    {
      name: 'a map accepts webhooks up to the limit of each call; a deletion makes room',
      async run({ storage }) {
        const { id: ownerId } = await seedOwner(storage);
        const [one, two] = [await seedMap(storage, { ownerId }), await seedMap(storage, { ownerId })];
        const put = async (id: string, most: number, mapId = one.id) =>
          (await storage.insertWebhook(aWebhook(mapId, { id }), most)).kind;
        expect(await put('a', 0)).toBe('too-many');
        for (const id of ['a', 'b', 'c', 'd']) expect(await put(id, 4)).toBe('inserted');
        expect(await put('e', 4)).toBe('too-many');
        // Each map has its own count.
        expect(await put('f', 1, two.id)).toBe('inserted');
        expect(await storage.deleteWebhook(one.id, 'b')).toBe(true);
        expect(await put('e', 4)).toBe('inserted');
        expect(await put('g', 4)).toBe('too-many');
        expect(await put('g', 5)).toBe('inserted');
        // A smaller limit leaves existing webhooks.
        for (const id of ['a', 'c', 'd']) {
          expect(await put('h', 2)).toBe('too-many');
          await storage.deleteWebhook(one.id, id);
        }
        expect(idsOf(await storage.listWebhooks(one.id))).toEqual(['e', 'g']);
        expect(await put('h', 2)).toBe('too-many');
        expect(await put('h', 3)).toBe('inserted');
      },
    },
    {
      name: 'of twenty concurrent webhooks a map accepts up to its limit',
      async run({ storage }) {
        const { id } = await seedMap(storage);
        const put = () =>
          Promise.all(Array.from({ length: 20 }, () => storage.insertWebhook(aWebhook(id), 5)));
        const inserted = (await put()).filter(({ kind }) => kind === 'inserted');
        expect(inserted).toHaveLength(5);
        const before = await storage.listWebhooks(id);
        expect(before).toHaveLength(5);
        // Concurrent deletions and inserts: the limit holds, and none is lost.
        const [outcomes, removed] = await Promise.all([
          put(),
          Promise.all(before.slice(0, 3).map((each) => storage.deleteWebhook(id, each.id))),
        ]);
        expect(removed).toEqual([true, true, true]);
        const added = outcomes.filter(({ kind }) => kind === 'inserted').length;
        expect(added).toBeLessThanOrEqual(3);
        expect(await storage.listWebhooks(id)).toHaveLength(2 + added);
      },
    },
    {
      name: 'two openings of a store share the limit of a map',
      needs: 'openAgain',
      async run({ storage, openAgain }) {
        const { id } = await seedMap(storage);
        const stores = [storage, await openAgain()];
        const outcomes = await Promise.all(
          Array.from({ length: 20 }, (_, index) => stores[index % 2]!.insertWebhook(aWebhook(id), 3)),
        );
        expect(outcomes.filter(({ kind }) => kind === 'inserted')).toHaveLength(3);
        expect(outcomes.filter(({ kind }) => kind === 'too-many')).toHaveLength(17);
        expect(await storage.listWebhooks(id)).toHaveLength(3);
      },
    },
    {
      name: 'an id is stored once, also when the map has room',
      async run({ storage }) {
        const { id: ownerId } = await seedOwner(storage);
        const [one, two] = [await seedMap(storage, { ownerId }), await seedMap(storage, { ownerId })];
        const first = await insert(storage, one.id, { id: 'same' });
        for (const mapId of [one.id, two.id]) {
          const twin = storage.insertWebhook(aWebhook(mapId, { id: 'same', url: 'https://other' }), MANY);
          await expect(twin).rejects.toBeDefined();
        }
        expect(await storage.listWebhooks(one.id)).toEqual([first]);
        expect(await storage.listWebhooks(two.id)).toEqual([]);
      },
    },
    {
      name: 'an update changes only the named members, and the version',
      async run({ storage }) {
        const { id: mapId } = await seedMap(storage);
        const other = await insert(storage, mapId, { id: 'other', createdAt: NOW - 1 });
        let webhook = await insert(storage, mapId, { id: 'one' });
        const versions = [webhook.version];
        for (const patch of [
          { url: 'https://other.example/' },
          { events: ['moved', 'created'] as const },
          { isEnabled: false },
          { secret: 'another', formerSecret: { secret: 'sealed', until: NOW + DAY } },
          { formerSecret: null },
          { secret: null },
          { delivery: FAILING },
          { delivery: { ...aWebhook(mapId).delivery, place: { number: 9, stamp: 'x' } } },
          { isEnabled: true, url: undefined },
          {},
        ]) {
          const updated = updatedOf(await storage.updateWebhook(mapId, 'one', patch, webhook.version));
          const defined = Object.entries(patch).filter(([, value]) => value !== undefined);
          expect(updated).toEqual({
            ...webhook,
            ...Object.fromEntries(defined),
            version: updated.version,
          });
          expect(versions).not.toContain(updated.version);
          versions.push(updated.version);
          expect(await storage.listWebhooks(mapId)).toEqual([other, updated]);
          webhook = updated;
        }
      },
    },
    {
      name: 'an update of another version changes nothing and returns the current webhook; one of any version is applied',
      async run({ storage }) {
        const { id: mapId } = await seedMap(storage);
        const first = await insert(storage, mapId);
        const { id } = first;
        const second = updatedOf(await storage.updateWebhook(mapId, id, { url: 'https://second' }, null));
        const late = await storage.updateWebhook(mapId, id, { isEnabled: false }, first.version);
        expect(late).toEqual({ kind: 'changed', webhook: second });
        expect(await storage.listWebhooks(mapId)).toEqual([second]);
        const third = updatedOf(await storage.updateWebhook(mapId, id, { isEnabled: false }, null));
        expect(third).toEqual({ ...second, isEnabled: false, version: third.version });
        const fourth = await storage.updateWebhook(mapId, id, { isEnabled: true }, third.version);
        expect(fourth.kind).toBe('updated');
      },
    },
    {
      name: 'of concurrent updates of one version, one is applied, and the others return its result',
      async run({ storage }) {
        const { id: mapId } = await seedMap(storage);
        const { id, version } = await insert(storage, mapId);
        const outcomes = await Promise.all(
          Array.from({ length: 20 }, (_, index) =>
            storage.updateWebhook(mapId, id, { url: `https://example.com/${index}` }, version),
          ),
        );
        const [made, ...more] = outcomes.filter(({ kind }) => kind === 'updated');
        expect(more).toEqual([]);
        const { webhook } = made as { webhook: WebhookRecord };
        expect(await storage.listWebhooks(mapId)).toEqual([webhook]);
        const refused = outcomes.filter(({ kind }) => kind !== 'updated');
        expect(refused).toEqual(refused.map(() => ({ kind: 'changed', webhook })));
      },
    },
    {
      name: 'concurrent updates of any version lose nothing',
      async run({ storage }) {
        const { id: mapId } = await seedMap(storage);
        const { id } = await insert(storage, mapId);
        const patches = [
          { url: 'https://changed' },
          { events: ['deleted'] as const },
          { isEnabled: false },
          { secret: 'changed' },
          { formerSecret: { secret: 'former', until: NOW } },
          { delivery: FAILING },
        ];
        const outcomes = await Promise.all(
          patches.map((patch) => storage.updateWebhook(mapId, id, patch, null)),
        );
        const versions = outcomes.map((outcome) => updatedOf(outcome).version);
        expect(new Set(versions).size).toBe(patches.length);
        const [webhook] = await storage.listWebhooks(mapId);
        expect(webhook).toMatchObject(Object.assign({}, ...patches) as object);
        expect(webhook!.version).toBe(Math.max(...versions));
      },
    },
    {
      name: 'an unknown or foreign webhook is neither updated nor deleted',
      async run({ storage }) {
        const { id: ownerId } = await seedOwner(storage);
        const [one, two] = [await seedMap(storage, { ownerId }), await seedMap(storage, { ownerId })];
        const webhook = await insert(storage, one.id);
        for (const [mapId, id] of [
          [two.id, webhook.id],
          ['none', webhook.id],
          [one.id, 'none'],
          [one.id, ''],
          [one.id, '$ne'],
        ] as const) {
          for (const version of [null, 1]) {
            const outcome = await storage.updateWebhook(mapId, id, { isEnabled: false }, version);
            expect(outcome).toEqual({ kind: 'missing' });
          }
          expect(await storage.deleteWebhook(mapId, id)).toBe(false);
        }
        expect(await storage.listWebhooks(one.id)).toEqual([webhook]);
        expect(await storage.listWebhooks(two.id)).toEqual([]);
      },
    },
    {
      name: 'of concurrent deletions, one succeeds',
      async run({ storage }) {
        const { id: mapId } = await seedMap(storage);
        const [one, two] = [await insert(storage, mapId), await insert(storage, mapId)];
        const responses = await Promise.all(
          Array.from({ length: 10 }, () => storage.deleteWebhook(mapId, one.id)),
        );
        expect(responses.filter(Boolean)).toHaveLength(1);
        expect(await storage.deleteWebhook(mapId, one.id)).toBe(false);
        expect(await storage.listWebhooks(mapId)).toEqual([two]);
        const outcome = await storage.updateWebhook(mapId, one.id, { isEnabled: false }, null);
        expect(outcome).toEqual({ kind: 'missing' });
        expect(await walk(storage, 9, false)).toEqual([two.id]);
      },
    },
    {
      name: 'all webhooks, or the enabled ones, are paged by id, once each',
      async run({ storage }) {
        const { id: ownerId } = await seedOwner(storage);
        const one = await seedMap(storage, { ownerId });
        const two = await seedMap(storage, { ownerId });
        expect(await walk(storage, 3, false)).toEqual([]);
        const ids = Array.from({ length: 12 }, (_, index) => `webhook_${String.fromCharCode(97 + index)}`);
        for (const index of ids.keys()) {
          const place = (index * 5) % 12;
          await insert(storage, place % 2 === 0 ? one.id : two.id, {
            id: ids[place]!,
            createdAt: NOW - index,
            isEnabled: place % 3 !== 0,
          });
        }
        await storage.updateMap(two.id, { isDeleted: true }, { evenIfDeleted: false });
        const enabled = ids.filter((_, index) => index % 3 !== 0);
        for (const limit of [1, 2, 5, 12, 13]) {
          expect(await walk(storage, limit, false)).toEqual(ids);
          expect(await walk(storage, limit, true)).toEqual(enabled);
        }
        const page = await storage.pageWebhooks({ limit: 1, after: null, enabledOnly: true });
        expect(page).toEqual((await storage.listWebhooks(two.id)).filter(({ id }) => id === enabled[0]));
        await storage.updateWebhook(two.id, ids[1]!, { isEnabled: false }, null);
        await storage.updateWebhook(one.id, ids[0]!, { isEnabled: true }, null);
        const after = [ids[0]!, ...enabled].filter((id) => id !== ids[1]);
        expect(await walk(storage, 4, true)).toEqual(after);
      },
    },
    {
      name: 'a dump and a snapshot have webhooks after the other records of their map, by id',
      async run({ storage }) {
        const { id: ownerId } = await seedOwner(storage);
        const [one, two] = ['1'.repeat(16), '2'.repeat(16)] as const;
        for (const id of [two, one]) await seedMap(storage, { id, ownerId });
        await insertOne(storage, one, { key: 'key' });
        await insert(storage, one, { id: 'b', createdAt: 1, delivery: FAILING, version: 4 });
        await insert(storage, one, { id: 'c', createdAt: 0, isEnabled: false });
        await insert(storage, one, {
          ...{ id: 'a', createdAt: 2, secret: null },
          formerSecret: { secret: 'former', until: NOW },
        });
        await insert(storage, two, { id: 'd' });
        await storage.updateMap(two, { isDeleted: true }, { evenIfDeleted: false });
        const stored = [...(await storage.listWebhooks(one)), ...(await storage.listWebhooks(two))];
        const byId = stored.toSorted((a, b) => (a.id < b.id ? -1 : 1));
        for (const items of [await collect(storage.dump(NOW)), await collect(storage.snapshot(NOW))]) {
          expect(items.map(({ kind }) => kind)).toEqual([
            ...['owner', 'map', 'location', 'idempotency', 'webhook', 'webhook', 'webhook'],
            ...['map', 'webhook'],
          ]);
          expect(webhooksOf(items)).toEqual(byId);
        }
      },
    },
    {
      name: 'a loaded dump, also in pieces, behaves like the dumped store',
      async run({ storage }) {
        const { id } = await seedMap(storage);
        for (const name of ['a', 'b', 'c', 'd'])
          await insert(storage, id, { id: name, version: 3, delivery: FAILING });
        const items = await collect(storage.dump(NOW));
        await storage.removeAll([]);
        expect(await storage.pageWebhooks({ limit: 9, after: null, enabledOnly: false })).toEqual([]);
        expect(await storage.listWebhooks(id)).toEqual([]);
        // The map with its first webhook, then the others.
        for (const piece of [items.slice(0, 3), items.slice(3, 5), items.slice(5)]) {
          await storage.load(piece);
        }
        expect(await collect(storage.dump(NOW))).toEqual(items);
        expect(await storage.insertWebhook(aWebhook(id), 4)).toEqual({ kind: 'too-many' });
        expect(await storage.deleteWebhook(id, 'b')).toBe(true);
        expect(await storage.insertWebhook(aWebhook(id), 4)).toEqual({ kind: 'inserted' });
        const updated = await storage.updateWebhook(id, 'a', { isEnabled: false }, 3);
        expect(updated.kind).toBe('updated');
      },
    },
    {
      name: 'webhooks persist when the store is reopened',
      needs: 'reopen',
      async run({ storage, reopen }) {
        const { id } = await seedMap(storage);
        const { version } = await insert(storage, id, { id: 'a' });
        await insert(storage, id, { id: 'b', delivery: FAILING });
        await insert(storage, id, { id: 'c' });
        await storage.updateWebhook(id, 'a', { url: 'https://changed' }, version);
        await storage.deleteWebhook(id, 'c');
        expect(await storage.holdLease('lease', 'one', LONG_MS)).toBe(true);
        const before = await storage.listWebhooks(id);
        const again = await reopen();
        expect(before).toHaveLength(2);
        expect(await again.listWebhooks(id)).toEqual(before);
        expect(await again.insertWebhook(aWebhook(id), 2)).toEqual({ kind: 'too-many' });
        expect(await again.holdLease('lease', 'two', LONG_MS)).toBe(false);
        expect(await again.holdLease('lease', 'one', LONG_MS)).toBe(true);
      },
    },
    {
      name: 'a lease has one holder, who can renew it, until it is dropped',
      async run({ storage }) {
        expect(await storage.holdLease('lease', 'one', LONG_MS)).toBe(true);
        expect(await storage.holdLease('lease', 'two', LONG_MS)).toBe(false);
        expect(await storage.holdLease('lease', 'one', LONG_MS)).toBe(true);
        // No other holder can drop it, and each name is a separate lease.
        await storage.dropLease('lease', 'two');
        await storage.dropLease('other', 'one');
        expect(await storage.holdLease('lease', 'two', LONG_MS)).toBe(false);
        expect(await storage.holdLease('other', 'two', LONG_MS)).toBe(true);
        await storage.dropLease('lease', 'one');
        expect(await storage.holdLease('lease', 'two', LONG_MS)).toBe(true);
        expect(await storage.holdLease('lease', 'one', LONG_MS)).toBe(false);
        expect(await storage.holdLease('other', 'one', LONG_MS)).toBe(false);
      },
    },
    {
      name: 'a lease expires when its duration has passed since it was last taken',
      async run({ storage }) {
        // A lease of the same duration taken before the reference one has expired when that has.
        expect(await storage.holdLease('kept', 'one', SHORT_MS)).toBe(true);
        expect(await storage.holdLease('left', 'one', LONG_MS)).toBe(true);
        expect(await storage.holdLease('left', 'one', SHORT_MS)).toBe(true);
        expect(await storage.holdLease('kept', 'one', LONG_MS)).toBe(true);
        expect(await storage.holdLease('clock', 'one', SHORT_MS)).toBe(true);
        await until(() => storage.holdLease('clock', 'two', LONG_MS), 'the lease', SETTLED_WITHIN_MS);
        expect(await storage.holdLease('left', 'two', LONG_MS)).toBe(true);
        expect(await storage.holdLease('kept', 'two', LONG_MS)).toBe(false);
        expect(await storage.holdLease('clock', 'one', LONG_MS)).toBe(false);
      },
    },
    {
      name: 'of concurrent requests for a free or expired lease, one gets it',
      async run({ storage }) {
        const holders = Array.from({ length: 20 }, (_, index) => `holder ${index}`);
        const want = async (name: string) => {
          const responses = await Promise.all(
            holders.map((holder) => storage.holdLease(name, holder, LONG_MS)),
          );
          return holders.filter((_, index) => responses[index]);
        };
        expect(await want('new')).toHaveLength(1);
        expect(await storage.holdLease('held', 'another', SHORT_MS)).toBe(true);
        let later: readonly string[] = [];
        await until(async () => (later = await want('held')).length > 0, 'what was held', SETTLED_WITHIN_MS);
        expect(later).toHaveLength(1);
      },
    },
    {
      name: 'a lease is not content: copies lack it, and neither emptying the store nor maintenance ends it',
      async run({ storage }) {
        expect(await storage.holdLease('lease', 'one', LONG_MS)).toBe(true);
        expect(await collect(storage.dump(0))).toEqual([]);
        expect(await storage.isEmpty()).toBe(true);
        expect(await storage.removeExpired(Date.now() + DAY)).toBe(0);
        await storage.removeAll([]);
        expect(await storage.holdLease('lease', 'two', LONG_MS)).toBe(false);
        expect(await storage.holdLease('lease', 'one', LONG_MS)).toBe(true);
      },
    },
    {
      name: 'two openings of a store see the same leases and webhooks',
      needs: 'openAgain',
      async run({ storage, openAgain }) {
        const { id } = await seedMap(storage);
        const other = await openAgain();
        expect(await storage.holdLease('lease', 'one', LONG_MS)).toBe(true);
        expect(await other.holdLease('lease', 'two', LONG_MS)).toBe(false);
        const webhook = await insert(other, id);
        expect(await storage.listWebhooks(id)).toEqual([webhook]);
        const patch = { delivery: FAILING };
        const updated = updatedOf(await storage.updateWebhook(id, webhook.id, patch, webhook.version));
        expect((await other.updateWebhook(id, webhook.id, {}, webhook.version)).kind).toBe('changed');
        expect(await other.listWebhooks(id)).toEqual([updated]);
        await other.deleteWebhook(id, webhook.id);
        expect(await storage.listWebhooks(id)).toEqual([]);
        await storage.dropLease('lease', 'one');
        expect(await other.holdLease('lease', 'two', LONG_MS)).toBe(true);
      },
    },
  ],
};
