/** A database file that is deleted or replaced while it is open. */

import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, linkSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { createTemplate } from '../../../src/domain/location-template.ts';
import { openSqliteStorage } from '../../../src/storage/sqlite/storage.ts';
import type { Storage, StorageNotice } from '../../../src/storage/storage.ts';
import { append, aToken, expectUnavailable, listPage, seedMap } from '../../contract/storage/fixtures.ts';
import { openConnection, temporaryFolder, valueOf } from './temporary.ts';
import { argumentsOf } from '../../support/own-program.ts';

const APPEND = new URL('../../support/append-process.ts', import.meta.url);
const PAUSE_MS = 20;
/** In two seconds, the limit of the contract; a busy machine takes longer for them. */
const MOST_TRIES = 2_000 / PAUSE_MS;

const folder = temporaryFolder();
let files = 0;

async function openFile() {
  const path = join(folder, `${(files += 1)}.db`);
  const notices: StorageNotice[] = [];
  const storage = await openSqliteStorage(`sqlite:${path}`, {
    timeoutMs: 5000,
    pageCacheBytes: 1_000_000,
    onNotice: (notice) => void notices.push(notice),
  });
  const map = await seedMap(storage);
  return { path, storage, notices, map };
}

/** Waits until a call fails, or succeeds. */
async function until(what: 'unavailable' | 'available', call: () => Promise<unknown>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    const isAvailable = await call().then(
      () => true,
      () => false,
    );
    if (isAvailable === (what === 'available')) return;
    expect(tries).toBeLessThan(MOST_TRIES);
    await delay(PAUSE_MS);
  }
}

const page = { limit: 10, fromEnd: false, after: null, before: null };
const template = createTemplate([{ value: 'name' }]);

/** All cached reads of a map, and its list. */
const reads = (storage: Storage, mapId: string, hash: string) => [
  () => storage.getMaps([mapId]),
  () => storage.findTokenByHash(hash),
  () => storage.listLocationsJson(mapId, page, template),
  () => storage.countLocations(mapId),
  () => storage.ping(),
];

function replace(path: string): void {
  copyFileSync(path, `${path}.backup`);
  renameSync(`${path}.backup`, path);
}

describe('a deleted or replaced database file', () => {
  const ways: Record<string, (path: string) => void> = {
    deleted: (path) => rmSync(path),
    'moved away': (path) => renameSync(path, `${path}.moved`),
    'replaced by a backup': (path) => replace(path),
    'without its log': (path) => rmSync(`${path}-wal`),
    'with another log': (path) => replace(`${path}-wal`),
    'without the index of its log': (path) => rmSync(`${path}-shm`),
    'with another index of its log': (path) => replace(`${path}-shm`),
  };
  for (const [name, remove] of Object.entries(ways)) {
    it(`accepts no write: ${name}`, async () => {
      const { path, storage, notices, map } = await openFile();
      await append(storage, map.id);
      remove(path);
      await expectUnavailable(append(storage, map.id));
      await expectUnavailable(storage.updateMap(map.id, { name: 'New' }, { evenIfDeleted: false }));
      await expectUnavailable(Promise.all([append(storage, map.id), append(storage, map.id)]));
      expect(notices).toEqual([
        {
          level: 'error',
          message: expect.stringContaining(`The database file was deleted or replaced: ${path}`),
        },
      ]);
      await storage.close();
    });

    it(`is not read after two seconds, not even from caches: ${name}`, async () => {
      const { path, storage, notices, map } = await openFile();
      const token = aToken(map.ownerId);
      await storage.insertToken(token);
      await append(storage, map.id);
      const calls = reads(storage, map.id, token.hash);
      for (let again = 0; again < 3; again += 1) await Promise.all(calls.map((call) => call()));
      remove(path);
      for (const call of calls) await until('unavailable', call);
      expect(notices.map(({ level }) => level)).toEqual(['error']);
      await storage.close();
    });
  }

  it('works again, with a notice, when it is back', async () => {
    const { path, storage, notices, map } = await openFile();
    const location = await append(storage, map.id);
    renameSync(path, `${path}.moved`);
    await expectUnavailable(append(storage, map.id));
    renameSync(`${path}.moved`, path);
    await until('available', () => append(storage, map.id));
    expect(await listPage(storage, map.id)).toContainEqual(location);
    expect(notices.map(({ level }) => level)).toEqual(['error', 'info']);
    await storage.close();
  });

  it('does not change the file that replaced it', async () => {
    const { path, storage, map } = await openFile();
    rmSync(path);
    writeFileSync(path, 'other');
    await expectUnavailable(append(storage, map.id));
    await storage.close();
    expect(existsSync(path)).toBe(true);
  });
});

describe('a deleted log', () => {
  it('prevents writes, which would go to the log of other processes', async () => {
    const path = join(folder, `${(files += 1)}.db`);
    const connection = await openConnection(path);
    let begun = 0;
    const write = () => connection.write(() => (begun += 1));
    await write();
    rmSync(`${path}-shm`);
    await expectUnavailable(write());
    expect(begun).toBe(1);
    await connection.close();
  });

  for (const suffixes of [['-shm'], ['-wal', '-shm']]) {
    it(`does not make close overwrite what other processes have stored: ${suffixes.join(', ')}`, async () => {
      const { path, storage: first, map } = await openFile();
      await first.close();
      const url = `sqlite:${path}`;
      const storage = await openSqliteStorage(url, { timeoutMs: 5000 });
      await append(storage, map.id);
      for (const suffix of suffixes) rmSync(`${path}${suffix}`);
      const other = spawnSync(process.execPath, [...argumentsOf(APPEND), url, map.id, '40', '1'], {
        encoding: 'utf8',
      });
      const stored = other.stdout
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as { id: string }).id);
      expect(stored).toHaveLength(40);
      await expectUnavailable(append(storage, map.id));
      await storage.close();

      // What another process would see: here the old -shm file may still be in use.
      const copy = `${path}.copy`;
      for (const suffix of ['', '-wal']) {
        if (existsSync(`${path}${suffix}`)) copyFileSync(`${path}${suffix}`, `${copy}${suffix}`);
      }
      const connection = await openConnection(copy);
      expect(valueOf(connection, 'PRAGMA integrity_check')).toBe('ok');
      const found = connection.all('SELECT id FROM locations').map(({ id }) => id);
      expect(found).toEqual(expect.arrayContaining(stored));
      await connection.close();
    });
  }
});

describe('a database file that cannot be checked', () => {
  it('is unavailable meanwhile, and not reported as replaced', async () => {
    const { path, storage, notices, map } = await openFile();
    const location = await append(storage, map.id);
    linkSync(path, `${path}.kept`);
    // A symbolic link to itself: stat fails with ELOOP, like EIO or EACCES.
    symlinkSync(path, `${path}.loop`);
    renameSync(`${path}.loop`, path);
    await expectUnavailable(append(storage, map.id));
    await until('unavailable', () => storage.ping());
    expect(notices).toEqual([
      {
        level: 'error',
        message: expect.stringMatching(/^The database file cannot be checked: ELOOP.* while that lasts\.$/),
      },
    ]);
    renameSync(`${path}.kept`, path);
    await until('available', () => append(storage, map.id));
    expect(await listPage(storage, map.id)).toContainEqual(location);
    expect(notices.map(({ level }) => level)).toEqual(['error', 'info']);
    await storage.close();
  });
});

describe('a store in memory', () => {
  it('has no file that could be deleted', async () => {
    const storage = await openSqliteStorage('sqlite::memory:', { timeoutMs: 1000 });
    const map = await seedMap(storage);
    await append(storage, map.id);
    expect(await storage.countLocations(map.id)).toBe(1);
    await storage.close();
  });
});
