/** Concurrent writes: what they share, and what stays separate. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { Deadline } from '../../../../src/storage/deadline.ts';
import { openDatabase } from '../../../../src/storage/sqlite/engine/driver.ts';
import { openSqliteStorage, sqliteStorage } from '../../../../src/storage/sqlite/storage.ts';
import {
  append,
  expectUnavailable,
  listPage,
  rejectionOf,
  seedMap,
} from '../../../contract/storage/fixtures.ts';
import { commitsInLog } from '../../../support/wal.ts';
import { openConnection, temporaryFolder, valueOf } from '../temporary.ts';

const folder = temporaryFolder();
let files = 0;
const newPath = () => join(folder, `${(files += 1)}.db`);

/** A store with a map, and a counter of its transactions. */
async function openStore() {
  const path = newPath();
  const connection = await openConnection(path);
  const storage = sqliteStorage(connection);
  const map = await seedMap(storage);
  const before = commitsInLog(path);
  return { path, connection, storage, map, commits: () => commitsInLog(path) - before };
}

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

/** A table of texts: the stored writes in order. */
async function openNotes() {
  const path = newPath();
  const connection = await openConnection(path);
  await connection.write(() => connection.exec('CREATE TABLE notes (text TEXT NOT NULL) STRICT'));
  const before = commitsInLog(path);
  const note = (text: string) => connection.run('INSERT INTO notes VALUES (?)', text);
  return {
    path,
    connection,
    note,
    write: (text: string) => connection.write(() => note(text)),
    stored: () => connection.all('SELECT text FROM notes ORDER BY rowid').map(({ text }) => text),
    commits: () => commitsInLog(path) - before,
  };
}

/** Keeps a busy machine from ending a transaction early. */
function stopClock(): void {
  jest.spyOn(performance, 'now').mockReturnValue(0);
}
afterEach(() => {
  jest.restoreAllMocks();
});

/** Makes one call per event-loop turn, before anything scheduled for that turn. */
function inFollowingTurns<T>(calls: readonly (() => Promise<T>)[]): Promise<Promise<T>[]> {
  return new Promise((resolve) => {
    const responses: Promise<T>[] = [];
    const makeNext = () => {
      const call = calls[responses.length];
      if (call === undefined) return resolve(responses);
      setImmediate(makeNext);
      responses.push(call());
    };
    makeNext();
  });
}

function spin(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

describe('concurrent writes', () => {
  it('share one transaction', async () => {
    stopClock();
    const { storage, map, commits } = await openStore();
    await Promise.all(times(32, () => append(storage, map.id)));
    expect(commits()).toBe(1);
    expect(await storage.countLocations(map.id)).toBe(32);
    await storage.close();
  });

  it('include those that arrive while each event-loop turn adds one', async () => {
    stopClock();
    const { write, stored, commits, connection } = await openNotes();
    const texts = times(20, String);
    await Promise.all(await inFollowingTurns(texts.map((text) => () => write(text))));
    expect(commits()).toBe(1);
    expect(stored()).toEqual(texts);
    await connection.close();
  });

  it('are committed after some milliseconds, even if more keep arriving', async () => {
    let turns = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => turns);
    const { connection } = await openNotes();
    let doneAfter: number | null = null;
    const write = () => {
      turns += 1;
      return connection.write(() => {}).then(() => (doneAfter ??= turns));
    };
    await Promise.all(await inFollowingTurns(times(40, () => write)));
    expect(doneAfter).toBeGreaterThan(5);
    expect(doneAfter).toBeLessThan(15);
    await connection.close();
  });

  it('of 32 clients take at most 125 transactions for 1,000 locations', async () => {
    const { storage, map, commits } = await openStore();
    const clients = times(32, async () => {
      for (let count = 0; count < 32; count += 1) await append(storage, map.id);
    });
    await Promise.all(clients);
    expect(await storage.countLocations(map.id)).toBe(1024);
    expect(commits()).toBeLessThanOrEqual(125);
    await storage.close();
  });

  it('complete when they are in the log, and not earlier', async () => {
    const { path, write, connection } = await openNotes();
    const isLogged = (text: string) => readFileSync(`${path}-wal`).includes(text);
    const seen = await Promise.all(
      times(20, async (index) => {
        const done = write(`note-${index}`);
        const early = isLogged(`note-${index}`);
        await done;
        return [early, isLogged(`note-${index}`)];
      }),
    );
    expect(seen).toEqual(times(20, () => [false, true]));
    await connection.close();
  });

  it('run in call order, and earlier reads see none of them', async () => {
    const { connection, write, stored } = await openNotes();
    const texts = times(40, (index) => `note ${index}`);
    const done = texts.map(write);
    expect(connection.read(stored)).toEqual([]);
    await Promise.all(done);
    expect(connection.read(stored)).toEqual(texts);
    await connection.close();
  });

  it('each resolve to the result of their own work', async () => {
    const { connection } = await openNotes();
    expect(await Promise.all(times(10, (index) => connection.write(() => index)))).toEqual(times(10, Number));
    await connection.close();
  });

  it('are split into several transactions if there are very many', async () => {
    const { write, stored, commits, connection } = await openNotes();
    await Promise.all(times(1000, (index) => write(String(index))));
    expect(stored()).toHaveLength(1000);
    expect(commits()).toBeGreaterThanOrEqual(5);
    expect(commits()).toBeLessThan(100);
    await connection.close();
  });

  it('let other work run in between if they take long', async () => {
    const { note, stored, commits, connection } = await openNotes();
    const slow = (text: string) =>
      connection.write(() => {
        spin(6);
        note(text);
      });
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 1);
    await Promise.all(times(10, (index) => slow(String(index))));
    clearInterval(timer);
    expect(stored()).toEqual(times(10, String));
    expect(commits()).toBeGreaterThanOrEqual(5);
    expect(turns).toBeGreaterThanOrEqual(3);
    await connection.close();
  });
});

describe('a write that fails among others', () => {
  it('is not stored, while the others are, in the same transaction', async () => {
    stopClock();
    const { connection, note, write, stored, commits } = await openNotes();
    const failing = (text: string) =>
      connection.write(() => {
        note(text);
        throw new Error(`of ${text}`);
      });
    const settled = await Promise.allSettled([
      write('a'),
      failing('b'),
      write('c'),
      failing('d'),
      write('e'),
    ]);
    expect(settled.map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
      'rejected',
      'fulfilled',
    ]);
    expect(settled[1]).toMatchObject({ reason: { message: 'of b' } });
    expect(settled[3]).toMatchObject({ reason: { message: 'of d' } });
    expect(stored()).toEqual(['a', 'c', 'e']);
    expect(commits()).toBe(1);
    await connection.close();
  });

  it('on a full disk fails the transaction: no write is stored or reported as stored', async () => {
    stopClock();
    const { connection, note, write, stored } = await openNotes();
    const pages = Number(valueOf(connection, 'PRAGMA page_count'));
    connection.get(`PRAGMA max_page_count = ${pages}`);
    const large = connection.write(() => note('x'.repeat(100_000)));
    await Promise.all([
      expectUnavailable(write('a')),
      expectUnavailable(large),
      expectUnavailable(write('b')),
    ]);
    expect(stored()).toEqual([]);
    expect(connection.isTransaction).toBe(false);
    connection.get('PRAGMA max_page_count = 1000000');
    await Promise.all([write('c'), write('d')]);
    expect(stored()).toEqual(['c', 'd']);
    await connection.close();
  });
});

describe('a transaction', () => {
  it('that cannot be committed fails all of its writes', async () => {
    stopClock();
    const { connection, write, stored } = await openNotes();
    const untrue = connection.write(() => {
      // The reference is checked at the commit, which then fails.
      connection.exec('PRAGMA defer_foreign_keys = ON');
      connection.run(
        "INSERT INTO tokens (id, owner_id, hash, scope, created_at) VALUES ('t', 'nobody', 'h', 'read', 0)",
      );
    });
    const settled = await Promise.allSettled([write('a'), untrue, write('b')]);
    for (const result of settled) {
      expect(result.status === 'rejected' && String(result.reason)).toMatch(/FOREIGN KEY/);
    }
    expect(stored()).toEqual([]);
    expect(connection.isTransaction).toBe(false);
    await write('c');
    expect(stored()).toEqual(['c']);
    await connection.close();
  });

  it('that SQLite rolled back by itself fails all of its writes', async () => {
    stopClock();
    const { connection, note, write, stored } = await openNotes();
    const ending = connection.write(() => {
      note('b');
      connection.run('INSERT OR ROLLBACK INTO notes VALUES (?)', null);
    });
    const settled = await Promise.allSettled([write('a'), ending, write('c')]);
    for (const result of settled) expect(result.status).toBe('rejected');
    expect(stored()).toEqual([]);
    await write('d');
    expect(stored()).toEqual(['d']);
    await connection.close();
  });
});

describe('several writes while another process holds the write lock', () => {
  it('time out one by one, and those with time left are stored', async () => {
    const { connection, path, note, stored } = await openNotes();
    const other = openDatabase(path);
    other.exec('BEGIN IMMEDIATE');
    const write = (text: string, storageMs: number) => {
      const deadline = new Deadline({ totalMs: Infinity, storageMs });
      return connection.write(() => note(text), { deadline });
    };
    const begun = performance.now();
    const hasty = [write('a', 200), write('b', 200)];
    const patient = Promise.all([write('c', 60_000), write('d', 60_000)]);
    await Promise.all(hasty.map(expectUnavailable));
    expect(performance.now() - begun).toBeGreaterThanOrEqual(199);
    expect(stored()).toEqual([]);
    other.exec('ROLLBACK');
    await patient;
    expect(stored()).toEqual(['c', 'd']);
    other.close();
    await connection.close();
  });
});

describe('close', () => {
  it('waits for earlier writes', async () => {
    const { path, storage, map } = await openStore();
    const appended = Promise.all(times(300, () => append(storage, map.id)));
    const closed = storage.close();
    await expectUnavailable(append(storage, map.id));
    await closed;
    const locations = await appended;
    const again = await openSqliteStorage(`sqlite:${path}`, { timeoutMs: 5000 });
    expect(await listPage(again, map.id)).toEqual(locations);
    await again.close();
  });

  it('waits for writes that wait for a lock, until their timeout', async () => {
    const path = newPath();
    const connection = await openConnection(path, 300);
    const other = openDatabase(path);
    other.exec('BEGIN IMMEDIATE');
    const ended: string[] = [];
    const waiting = rejectionOf(connection.write(() => undefined)).finally(() => ended.push('write'));
    await connection.close().finally(() => ended.push('close'));
    expect(await waiting).toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
    expect(ended).toEqual(['write', 'close']);
    other.close();
  });
});
