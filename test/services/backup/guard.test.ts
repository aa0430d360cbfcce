/** A serving process notices that its store is being restored. */

import { guardStorage, CHECK_VALID_MS } from '../../../src/services/backup/guard.ts';
import { UnfinishedCopyError, UnfinishedRestoreError } from '../../../src/services/store/store-marks.ts';
import { openStorage } from '../../../src/storage/open.ts';
import type { Storage, StorageNotice } from '../../../src/storage/storage.ts';
import { collect, expectUnavailable, seedMap, seedOwner } from '../../contract/storage/fixtures.ts';
import { proxyStorage } from '../../support/storage-proxy.ts';

const mark = (id: string, completedAt: string | null) =>
  JSON.stringify({ id, beat: 0, revokedLists: 0, completedAt });

let storage: Storage;
beforeEach(async () => void (storage = await openStorage('sqlite::memory:', { timeoutMs: 1_000 })));
afterEach(() => storage.close());

async function guarded(prepare: () => Promise<void> = () => Promise.resolve()) {
  const state = { now: 0, prepared: 0, isAway: false };
  const notices: StorageNotice[] = [];
  const { storage: counted, calls } = proxyStorage(storage, {
    // A check of an unavailable store hangs.
    before: ({ method }) => (state.isAway && method === 'getMeta' ? new Promise(() => {}) : undefined),
  });
  const guard = await guardStorage(counted, {
    prepare: async () => {
      state.prepared += 1;
      await prepare();
    },
    onNotice: (notice) => notices.push(notice),
    clock: () => state.now,
  });
  const checks = () =>
    calls.filter(({ method, args }) => method === 'getMeta' && args[0] === 'restore').length;
  return { guard, state, notices, checks };
}

it('lets every call through, and checks at intervals however many calls there are', async () => {
  const { guard, state, checks } = await guarded();
  const owner = await seedOwner(guard);
  const before = checks();
  for (let call = 0; call < 20; call += 1) expect(await guard.findOwner(owner.id)).toEqual(owner);
  expect(checks()).toBe(before);
  state.now = CHECK_VALID_MS;
  await Promise.all(Array.from({ length: 20 }, () => guard.findOwner(owner.id)));
  expect(checks()).toBe(before + 1);
});

it('serves a store that is available again while an earlier check still hangs', async () => {
  const { guard, state } = await guarded();
  const owner = await seedOwner(guard);
  state.now = CHECK_VALID_MS;
  state.isAway = true;
  void guard.findOwner(owner.id);
  state.isAway = false;
  state.now += CHECK_VALID_MS;
  expect(await guard.findOwner(owner.id)).toEqual(owner);
});

it('refuses every call during a restore, and serves the restored store', async () => {
  const { guard, state, notices } = await guarded();
  const map = await seedMap(guard, { providerMapApiKey: 'k' });
  await storage.setMeta('restore', mark('a', null));
  state.now = CHECK_VALID_MS;
  await expectUnavailable(guard.ping());
  await expectUnavailable(guard.getMaps([map.id]));
  await expectUnavailable(collect(guard.listMapsWithKeys()));
  await expectUnavailable(collect(guard.dump(0)));
  await expectUnavailable(collect(guard.snapshot(0)));
  await expectUnavailable(guard.updateMap(map.id, { name: 'x' }, { evenIfDeleted: true }));
  await storage.setMeta('restore', mark('a', 'now'));
  // A refusal is not cached: the store is served as soon as it is complete.
  expect(await guard.getMaps([map.id])).toEqual([map]);
  expect(await collect(guard.listMapsWithKeys())).toEqual([map]);
  expect(state.prepared).toBe(2);
  expect(notices.map(({ message }) => message)).toEqual([
    'The database is being restored from a backup; calls are refused.',
    'The database was restored from a backup.',
  ]);
});

it('detects a restore that began and ended between two calls', async () => {
  const { guard, state } = await guarded();
  await guard.ping();
  await storage.setMeta('restore', mark('a', 'now'));
  state.now = CHECK_VALID_MS;
  await guard.ping();
  expect(state.prepared).toBe(2);
  state.now += CHECK_VALID_MS;
  await guard.ping();
  expect(state.prepared).toBe(2);
});

it('refuses every call to a restored store that cannot be served, and logs the reason once', async () => {
  let reason: string | null = null;
  const { guard, notices } = await guarded(() =>
    reason === null ? Promise.resolve() : Promise.reject(new Error(reason)),
  );
  await storage.setMeta('restore', mark('a', 'now'));
  reason = 'SECRET_KEY is another.';
  await expectUnavailable(guard.ping());
  await expectUnavailable(guard.ping());
  expect(notices).toEqual([{ level: 'error', message: expect.stringContaining('SECRET_KEY is another.') }]);
  reason = null;
  await guard.ping();
});

it('refuses to open an incomplete store', async () => {
  await storage.setMeta('restore', mark('a', null));
  await expect(guarded()).rejects.toThrow(UnfinishedRestoreError);
  await storage.setMeta('restore', mark('a', 'now'));
  await guarded();
  await storage.setMeta('copy', JSON.stringify({ source: 's', digest: null }));
  await expect(guarded()).rejects.toThrow(UnfinishedCopyError);
});

it('closes the store during a restore', async () => {
  const { guard } = await guarded();
  await storage.setMeta('restore', mark('a', null));
  await guard.close();
});
