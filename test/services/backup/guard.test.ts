/** A process that serves a store finds out that it is being restored. */

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
    // A look at a store that is away hangs.
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
  const looks = () =>
    calls.filter(({ method, args }) => method === 'getMeta' && args[0] === 'restore').length;
  return { guard, state, notices, looks };
}

it('lets every call through, and looks once in a while however many calls there are', async () => {
  const { guard, state, looks } = await guarded();
  const owner = await seedOwner(guard);
  const before = looks();
  for (let call = 0; call < 20; call += 1) expect(await guard.findOwner(owner.id)).toEqual(owner);
  expect(looks()).toBe(before);
  state.now = CHECK_VALID_MS;
  await Promise.all(Array.from({ length: 20 }, () => guard.findOwner(owner.id)));
  expect(looks()).toBe(before + 1);
});

it('serves a store that came back, though an earlier look still hangs', async () => {
  const { guard, state } = await guarded();
  const owner = await seedOwner(guard);
  state.now = CHECK_VALID_MS;
  state.isAway = true;
  void guard.findOwner(owner.id);
  state.isAway = false;
  state.now += CHECK_VALID_MS;
  expect(await guard.findOwner(owner.id)).toEqual(owner);
});

it('refuses every call while a restore is under way, and serves what was restored', async () => {
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
  // A refusal does not count for a while: the store is served as soon as it is whole.
  expect(await guard.getMaps([map.id])).toEqual([map]);
  expect(await collect(guard.listMapsWithKeys())).toEqual([map]);
  expect(state.prepared).toBe(2);
  expect(notices.map(({ message }) => message)).toEqual([
    'The database is being restored from a backup; calls are refused.',
    'The database was restored from a backup.',
  ]);
});

it('finds a restore that began and ended between two calls', async () => {
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

it('refuses every call of a store that was restored and cannot be served, and says why once', async () => {
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

it('opens no store that is not whole', async () => {
  await storage.setMeta('restore', mark('a', null));
  await expect(guarded()).rejects.toThrow(UnfinishedRestoreError);
  await storage.setMeta('restore', mark('a', 'now'));
  await guarded();
  await storage.setMeta('copy', JSON.stringify({ source: 's', digest: null }));
  await expect(guarded()).rejects.toThrow(UnfinishedCopyError);
});

it('closes the store also while it is restored', async () => {
  const { guard } = await guarded();
  await storage.setMeta('restore', mark('a', null));
  await guard.close();
});
