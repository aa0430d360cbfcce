/** Restoring a backup: refusals, interruptions and repairs. */

import type { LocationRecord } from '../../../src/domain/location.ts';
import { setTimeout as delay } from 'node:timers/promises';

import { restoreBackup } from '../../../src/services/backup/restore.ts';
import { assertComplete, UnfinishedRestoreError } from '../../../src/services/store/store-marks.ts';
import { copyStore } from '../../../src/services/store/copy.ts';
import { openStorage } from '../../../src/storage/open.ts';
import type { Storage, StoredItem } from '../../../src/storage/storage.ts';
import { anAccount } from '../../contract/storage/accounts.ts';
import {
  append,
  aToken,
  collect,
  insertOne,
  insertOrders,
  listPage,
  NOW,
  seedMap,
  seedOwner,
} from '../../contract/storage/fixtures.ts';
import {
  ALONE,
  backupOf,
  check,
  contentOf,
  ended,
  linesOfBackup,
  restoreTo,
  seedEverything,
} from './fixtures.ts';

let source: Storage;
let target: Storage;
beforeEach(async () => {
  const open = () => openStorage('sqlite::memory:', { timeoutMs: 1_000 });
  [source, target] = [await open(), await open()];
});
afterEach(() => Promise.all([source.close(), target.close()]));

/** The target, with a connection that fails at the n-th batch. */
function cutAt(batch: number): Storage {
  let loads = 0;
  return {
    ...target,
    load: (items) => ((loads += 1) === batch ? Promise.reject(new Error('cut')) : target.load(items)),
  };
}

async function mapIdsOf(storage: Storage): Promise<readonly string[]> {
  const items = await collect(storage.dump(0));
  return items.flatMap((item) => (item.kind === 'map' ? [item.map.id] : []));
}

async function seedMany(): Promise<void> {
  const map = await seedMap(source);
  await insertOrders(
    source,
    map.id,
    Array.from({ length: 1_200 }, () => null),
  );
}

it('leaves a refused store unchanged', async () => {
  await seedEverything(source);
  await seedMap(target, { name: 'own' });
  const before = await collect(target.dump(0));
  const result = await restoreTo(target, await backupOf(source));
  expect(result).toEqual({ kind: 'refused', reason: expect.stringContaining('--replace') });
  expect(await collect(target.dump(0))).toEqual(before);
});

/** What the format's first versions did not have. */
const PLAIN_MAP = {
  ...{ geocoding: null, language: null, timeZone: null },
  ...{ theme: null, logo: null, categories: [] },
};

it('restores a backup of version 2, which had no areas, labels, marks and settings of pages', async () => {
  await seedEverything(source);
  const [header, ...lines] = await linesOfBackup(source);
  const isOld = (line: string) => !line.includes('"kind":"logo"');
  const withoutNew = (line: string) => {
    const item = JSON.parse(line) as Record<
      string,
      { geocoding?: object; location?: { geocoding?: object } }
    >;
    const { map } = item;
    if (map !== undefined) for (const name of Object.keys(PLAIN_MAP)) Reflect.deleteProperty(map, name);
    for (const location of [item['location'], item['record']?.location]) {
      if (location?.geocoding === undefined) continue;
      const { provider, precision } = location.geocoding as LocationRecord['geocoding'];
      location.geocoding = { provider, precision };
    }
    return JSON.stringify(item);
  };
  const earlier = [
    header!.replace('"version":4', '"version":2'),
    ...lines.slice(0, -1).filter(isOld).map(withoutNew),
  ];
  expect(earlier.join('')).not.toMatch(/"version":4,"program"|isChecked|countries/);
  expect((await restoreTo(target, ended(earlier, { maps: 2, locations: 8 }))).kind).toBe('restored');
  const plain = { label: null, isAmbiguous: false, isChecked: false };
  const old = (await contentOf(source)).filter(({ kind }) => kind !== 'logo');
  const expected = old.map((item) => {
    if (item.kind === 'map') return { ...item, map: { ...item.map, ...PLAIN_MAP } };
    if (item.kind === 'location') return { ...item, location: withGeocoding(item.location, plain) };
    if (item.kind !== 'idempotency') return item;
    return { ...item, record: { ...item.record, location: withGeocoding(item.record.location, plain) } };
  });
  expect(await contentOf(target)).toEqual(expected);
});

function withGeocoding(
  location: LocationRecord,
  changes: Partial<LocationRecord['geocoding']>,
): LocationRecord {
  return { ...location, geocoding: { ...location.geocoding, ...changes } };
}

it('restores a backup of version 1, which had no webhooks', async () => {
  await seedEverything(source);
  for (const mapId of await mapIdsOf(source)) {
    for (const { id } of await source.listWebhooks(mapId)) await source.deleteWebhook(mapId, id);
  }
  const [header, ...lines] = await linesOfBackup(source);
  const earlier = header!.replace('"version":4', '"version":1');
  expect(earlier).not.toBe(header);
  const file = ended([earlier, ...lines.slice(0, -1)], { maps: 2, locations: 8 });
  expect((await restoreTo(target, file)).kind).toBe('restored');
  expect(await contentOf(target)).toEqual(await contentOf(source));
});

it('restores webhooks from a backup without secrets, and leaves them enabled', async () => {
  const { map } = await seedEverything(source);
  const [webhook] = await source.listWebhooks(map.id);
  await restoreTo(target, await backupOf(source, { withoutSecrets: true }));
  expect(webhook).toMatchObject({ isEnabled: true, secret: 'plain:whsec_current' });
  expect(await target.listWebhooks(map.id)).toEqual([{ ...webhook, secret: null, formerSecret: null }]);
});

it('restores an empty store, and replaces a store by an empty backup', async () => {
  const file = await backupOf(source);
  expect((await restoreTo(target, file)).kind).toBe('restored');
  expect(await target.isEmpty()).toBe(true);
  await assertComplete(target);
});

it('keeps tokens revoked that are revoked in the store or in the backup', async () => {
  const owner = await seedOwner(source);
  for (const id of ['both', 'ours', 'theirs', 'neither']) {
    await source.insertToken(aToken(owner.id, { id }));
  }
  await restoreTo(target, await backupOf(source));
  await source.revokeToken('both', NOW + 1);
  await source.revokeToken('theirs', NOW + 2);
  await target.revokeToken('both', NOW + 3);
  await target.revokeToken('ours', NOW + 4);
  await target.insertToken(aToken(owner.id, { id: 'unknown', revokedAt: NOW }));
  await restoreTo(target, await backupOf(source), { replace: true });
  const tokens = await target.listTokens();
  expect(Object.fromEntries(tokens.map(({ id, revokedAt }) => [id, revokedAt]))).toEqual({
    both: NOW + 1,
    ours: NOW + 4,
    theirs: NOW + 2,
    neither: null,
  });
});

describe('an account that is disabled in the store', () => {
  const seedAccount = async (storage: Storage, id: string, isDisabled = false) => {
    const owner = { id, name: `name of ${id}`, createdAt: NOW };
    await storage.findOrCreateOwner(owner);
    await storage.insertAccount(anAccount(id, { isDisabled, createdAt: 7 }));
  };
  const disabledIn = async (storage: Storage) =>
    (await storage.listAccounts()).filter(({ isDisabled }) => isDisabled).map(({ ownerId }) => ownerId);

  it('stays disabled, as one that is disabled in the backup does', async () => {
    for (const id of ['both', 'neither', 'ours', 'theirs']) await seedAccount(source, id);
    await restoreTo(target, await backupOf(source));
    for (const id of ['both', 'theirs']) await source.updateAccount(id, { isDisabled: true });
    for (const id of ['both', 'ours']) await target.updateAccount(id, { isDisabled: true });
    await restoreTo(target, await backupOf(source), { replace: true });
    expect(await disabledIn(target)).toEqual(['both', 'ours', 'theirs']);
    expect(await target.findAccount('ours')).toEqual(anAccount('ours', { isDisabled: true, createdAt: 7 }));
  });

  it('stays disabled if the backup lacks it, so that its person cannot sign up again', async () => {
    await seedAccount(source, 'someone');
    const file = await backupOf(source);
    await seedAccount(target, 'unknown', true);
    await seedAccount(target, 'enabled');
    await restoreTo(target, file, { replace: true });
    expect((await target.listOwners()).map(({ name }) => name)).toEqual([
      'name of someone',
      'name of unknown',
    ]);
    expect(await target.findAccount('unknown')).toEqual(
      anAccount('unknown', { passwordHash: null, isDisabled: true, createdAt: 7 }),
    );
  });

  it('stays disabled under its name if the backup has another owner of that name', async () => {
    await source.findOrCreateOwner({ id: 'other', name: 'name of ours', createdAt: NOW });
    await seedAccount(target, 'ours', true);
    await restoreTo(target, await backupOf(source), { replace: true });
    expect(await disabledIn(target)).toEqual(['other']);
    expect(await target.findOwner('ours')).toBeNull();
  });

  it('stays disabled, however often the restore is interrupted', async () => {
    await seedAccount(source, 'someone');
    await seedMany();
    const file = await backupOf(source);
    await restoreTo(target, file);
    await target.updateAccount('someone', { isDisabled: true });
    await expect(restoreTo(cutAt(1), file, { replace: true })).rejects.toThrow('cut');
    expect(await target.listAccounts()).toEqual([]);
    await expect(restoreTo(cutAt(2), file)).rejects.toThrow('cut');
    const unreachable = { ...target, updateAccount: () => Promise.reject(new Error('cut')) };
    await expect(restoreTo(unreachable, file)).rejects.toThrow('cut');
    await expect(assertComplete(target)).rejects.toThrow(UnfinishedRestoreError);
    await restoreTo(target, file);
    await assertComplete(target);
    expect(await disabledIn(target)).toEqual(['someone']);
    const meta = (await collect(target.dump(0))).flatMap((item) => (item.kind === 'meta' ? [item.key] : []));
    expect(meta.filter((key) => /disabled|revoked/.test(key))).toEqual([]);
  });
});

describe('an interrupted restore', () => {
  it('leaves a store that is not served until the next restore completes it', async () => {
    await seedMany();
    const file = await backupOf(source);
    await expect(restoreTo(cutAt(2), file)).rejects.toThrow('cut');
    await expect(assertComplete(target)).rejects.toThrow(UnfinishedRestoreError);
    expect((await copyStore(target, source)).kind).toBe('refused');
    expect((await copyStore(source, target)).kind).toBe('refused');
    expect((await restoreTo(target, file)).kind).toBe('restored');
    await assertComplete(target);
    expect(await contentOf(target)).toEqual(await contentOf(source));
  });

  it('loses no revocation, however often it is interrupted', async () => {
    const owner = await seedOwner(source);
    await source.insertToken(aToken(owner.id, { id: 'token' }));
    await seedMany();
    const file = await backupOf(source);
    await restoreTo(target, file);
    await target.revokeToken('token', NOW + 5);
    await expect(restoreTo(cutAt(1), file, { replace: true })).rejects.toThrow('cut');
    expect(await target.listTokens()).toEqual([]);
    await expect(restoreTo(cutAt(2), file)).rejects.toThrow('cut');
    await restoreTo(target, file);
    expect(await target.listTokens()).toMatchObject([{ id: 'token', revokedAt: NOW + 5 }]);
    expect(await contentOf(target)).toEqual(
      (await contentOf(source)).map((item) =>
        item.kind === 'token' ? { ...item, token: { ...item.token, revokedAt: NOW + 5 } } : item,
      ),
    );
  });

  it('does not start when the file changed since its check', async () => {
    await seedMany();
    const checked = await check(await backupOf(source));
    await append(source, (await seedMap(source)).id);
    const other = await check(await backupOf(source));
    await expect(restoreBackup({ ...checked, open: other.open }, target, ALONE)).rejects.toThrow(
      'was changed while it was read',
    );
    await expect(assertComplete(target)).rejects.toThrow(UnfinishedRestoreError);
  });
});

describe('two restores of one store', () => {
  it('do not both run: one that sees the other at work is refused', async () => {
    await seedMany();
    const file = await backupOf(source);
    let second: ReturnType<typeof restoreTo> | undefined;
    const slow: Storage = {
      ...target,
      async load(items) {
        await target.load(items);
        second ??= restoreTo(target, file, { noticeMs: 400 });
        // The second one starts while this one is at work.
        await delay(50);
      },
    };
    await restoreTo(slow, file, { noticeMs: 8 });
    expect(await second).toEqual({ kind: 'refused', reason: expect.stringContaining('under way') });
    expect(await contentOf(target)).toEqual(await contentOf(source));
  });

  it('do not both run: the first stops when the second has taken over the store', async () => {
    await seedMany();
    const file = await backupOf(source);
    let isTaken = false;
    const taken: Storage = {
      ...target,
      async load(items) {
        await target.load(items);
        if (isTaken) return;
        isTaken = true;
        // The second one sees no heartbeat, since the first waits here.
        expect((await restoreTo(target, file)).kind).toBe('restored');
      },
    };
    await expect(restoreTo(taken, file)).rejects.toThrow('Another restore of the same store');
    await assertComplete(target);
    expect(await contentOf(target)).toEqual(await contentOf(source));
  });
});

/** A store whose snapshot is not atomic: `after` writes while it is read. */
function writtenMeanwhile(after: (item: StoredItem) => Promise<void>): Storage {
  return {
    ...source,
    async *snapshot(expiringAfter) {
      for await (const item of source.dump(expiringAfter)) {
        yield item;
        await after(item);
      }
    },
  };
}

describe('a backup of a store that changes meanwhile is consistent', () => {
  it('when owners, maps and tokens are created', async () => {
    await seedOwner(source, 'old');
    let isDone = false;
    const storage = writtenMeanwhile(async ({ kind }) => {
      if (kind !== 'owner' || isDone) return;
      isDone = true;
      const owner = await seedOwner(source, 'new');
      // Sorts after every random id.
      await seedMap(source, { id: 'z'.repeat(16), ownerId: owner.id, name: 'new' });
    });
    // The new map's owner sorts before the owners already read.
    const file = await backupOf({
      ...storage,
      async *snapshot(expiringAfter) {
        const late: StoredItem[] = [];
        for await (const item of storage.snapshot(expiringAfter)) {
          if (item.kind === 'owner' && item.owner.name === 'new') continue;
          if (item.kind === 'token') late.push(item);
          else yield item;
        }
        const [owner] = await source.listOwners();
        const token = aToken(owner!.id, { id: 'of a later map', mapId: 'y'.repeat(16) });
        yield { kind: 'token', token };
      },
    });
    await restoreTo(target, file);
    expect((await target.listOwners()).map(({ name }) => name)).toEqual(['new', 'old']);
    expect(await target.getMaps(['z'.repeat(16)])).toMatchObject([{ name: 'new' }]);
    expect(await target.listTokens()).toEqual([]);
  });

  it('when locations are added or moved beyond the end of their map', async () => {
    const map = await seedMap(source);
    await insertOrders(source, map.id, ['1', '2']);
    const storage = writtenMeanwhile(async ({ kind }) => {
      if (kind === 'map') await insertOrders(source, map.id, ['77']);
    });
    await restoreTo(target, await backupOf(storage));
    const next = await append(target, map.id);
    expect([next.order, next.sequence]).toEqual(['78', 4]);
    expect((await listPage(target, map.id)).map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4]);
  });

  it('when an external id moves from one location to another', async () => {
    const map = await seedMap(source);
    for (const externalId of ['a', 'b', 'c']) await insertOne(source, map.id, { location: { externalId } });
    const twice: Storage = {
      ...source,
      async *snapshot(expiringAfter) {
        for await (const item of source.snapshot(expiringAfter)) {
          const isLast = item.kind === 'location' && item.location.externalId === 'c';
          yield isLast ? { ...item, location: { ...item.location, externalId: 'a' } } : item;
        }
      },
    };
    const result = await restoreTo(target, await backupOf(twice));
    expect(result).toMatchObject({ counts: { locations: 3 }, withoutExternalId: 1 });
    expect((await listPage(target, map.id)).map(({ externalId }) => externalId)).toEqual(['a', 'b', null]);
  });
});
