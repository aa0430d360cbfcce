/** A database file that is deleted or replaced while it is open. */

import { copyFileSync, existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { createTemplate } from '../../../src/domain/location-template.ts';
import { openSqliteStorage } from '../../../src/storage/sqlite/sqlite-storage.ts';
import type { Storage, StorageNotice } from '../../../src/storage/storage.ts';
import { append, aToken, expectUnavailable, listPage, seedMap } from '../../contract/storage/fixtures.ts';
import { temporaryFolder } from './temporary.ts';

/** The contract's. */
const NOTICED_WITHIN_MS = 2_000;

const folder = temporaryFolder();
let files = 0;

async function openFile() {
  const path = join(folder, `${(files += 1)}.db`);
  const heard: StorageNotice[] = [];
  const storage = await openSqliteStorage(`sqlite:${path}`, {
    timeoutMs: 5000,
    pageCacheBytes: 1_000_000,
    onNotice: (notice) => void heard.push(notice),
  });
  const map = await seedMap(storage);
  return { path, storage, heard, map };
}

/** Waits until every call fails, or none; fails itself when the contract's time is over. */
async function until(what: 'unavailable' | 'available', call: () => Promise<unknown>): Promise<void> {
  const begun = performance.now();
  for (;;) {
    const isAvailable = await call().then(
      () => true,
      () => false,
    );
    if (isAvailable === (what === 'available')) return;
    expect(performance.now() - begun).toBeLessThan(NOTICED_WITHIN_MS);
    await delay(20);
  }
}

const page = { limit: 10, fromEnd: false, after: null, before: null };
const template = createTemplate([{ value: 'name' }]);

/** Everything that is remembered of a map, and its list. */
const reads = (storage: Storage, mapId: string, hash: string) => [
  () => storage.getMaps([mapId]),
  () => storage.findTokenByHash(hash),
  () => storage.listLocationsJson(mapId, page, template),
  () => storage.countLocations(mapId),
  () => storage.ping(),
];

describe('a database file that is gone', () => {
  const ways: Record<string, (path: string) => void> = {
    deleted: (path) => rmSync(path),
    'moved away': (path) => renameSync(path, `${path}.moved`),
    'replaced by a backup': (path) => {
      copyFileSync(path, `${path}.backup`);
      renameSync(`${path}.backup`, path);
    },
    'without its log': (path) => rmSync(`${path}-wal`),
  };
  for (const [name, remove] of Object.entries(ways)) {
    it(`takes no write from the first on: ${name}`, async () => {
      const { path, storage, heard, map } = await openFile();
      await append(storage, map.id);
      remove(path);
      await expectUnavailable(append(storage, map.id));
      await expectUnavailable(storage.updateMap(map.id, { name: 'New' }, { evenIfDeleted: false }));
      await expectUnavailable(Promise.all([append(storage, map.id), append(storage, map.id)]));
      expect(heard).toEqual([
        {
          level: 'error',
          message: expect.stringContaining(`The database file was deleted or replaced: ${path}`),
        },
      ]);
      await storage.close();
    });

    it(`is read no more within two seconds, nor from memory: ${name}`, async () => {
      const { path, storage, heard, map } = await openFile();
      const token = aToken(map.ownerId);
      await storage.insertToken(token);
      await append(storage, map.id);
      const calls = reads(storage, map.id, token.hash);
      for (let again = 0; again < 3; again += 1) await Promise.all(calls.map((call) => call()));
      remove(path);
      for (const call of calls) await until('unavailable', call);
      expect(heard.map(({ level }) => level)).toEqual(['error']);
      await storage.close();
    });
  }

  it('works again when it is back, and says so', async () => {
    const { path, storage, heard, map } = await openFile();
    const location = await append(storage, map.id);
    renameSync(path, `${path}.moved`);
    await expectUnavailable(append(storage, map.id));
    renameSync(`${path}.moved`, path);
    await until('available', () => append(storage, map.id));
    expect(await listPage(storage, map.id)).toContainEqual(location);
    expect(heard.map(({ level }) => level)).toEqual(['error', 'info']);
    await storage.close();
  });

  it('leaves alone what has taken its place', async () => {
    const { path, storage, map } = await openFile();
    rmSync(path);
    writeFileSync(path, 'other');
    await expectUnavailable(append(storage, map.id));
    await storage.close();
    expect(existsSync(path)).toBe(true);
  });
});

describe('a store in memory', () => {
  it('has no file that could go', async () => {
    const storage = await openSqliteStorage('sqlite::memory:', { timeoutMs: 1000 });
    const map = await seedMap(storage);
    await append(storage, map.id);
    expect(await storage.countLocations(map.id)).toBe(1);
    await storage.close();
  });
});
