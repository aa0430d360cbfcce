/**
 * Files of earlier and later versions, and of other programs. `versions/` has files made by version 0.1 of the program.
 */

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gunzipSync } from 'node:zlib';

import { cellOf } from '../../../src/domain/filter/cell.ts';
import { NOTHING } from '../../../src/domain/filter/index-lookup.ts';
import { presenceOf } from '../../../src/domain/filter/property-presence.ts';
import { termsOf } from '../../../src/domain/filter/terms.ts';
import type { JsonObject } from '../../../src/domain/json/json.ts';
import { examineSqlite } from '../../../src/storage/sqlite/doctor/examine.ts';
import { openDatabase } from '../../../src/storage/sqlite/engine/driver.ts';
import { LEVELS } from '../../../src/storage/sqlite/search/cell-sums.ts';
import { numbersWithin } from '../../../src/storage/sqlite/search/index-lookups.ts';
import { termOfPresence } from '../../../src/storage/sqlite/search/search-index.ts';
import { migrate, NEWEST_VERSION } from '../../../src/storage/sqlite/migrations/migrate.ts';
import { openSqliteStorage } from '../../../src/storage/sqlite/storage.ts';
import type { Storage, StorageNotice } from '../../../src/storage/storage.ts';
import { IncompatibleStorageError } from '../../../src/storage/incompatible.ts';
import { append, collect, NOW, rejectionOf } from '../../contract/storage/fixtures.ts';
import { DELETED_MAP, expectJoinedWords, MAP, namesFound } from '../versions/apostrophes.ts';
import { lockVersion3, writeVersion3 } from '../../support/sqlite-version-3.ts';
import { DELETED, EMPTY, expectContent, expectContinues, NUMBERS } from '../versions/content.ts';
import { openConnection, temporaryFolder, valueOf } from './temporary.ts';

const OPTIONS = { timeoutMs: 5000 };

const folder = temporaryFolder();
let files = 0;
const newPath = () => join(folder, `${(files += 1)}.db`);

function version3(): string {
  const path = newPath();
  writeVersion3(path);
  return path;
}

/** The file and its companions, by suffix. */
function filesOf(path: string): ReadonlyMap<string, Buffer> {
  const names = readdirSync(folder).filter((name) => name.startsWith(basename(path)));
  return new Map(names.map((name) => [name.slice(basename(path).length), readFileSync(join(folder, name))]));
}

async function expectRefused(path: string, message: RegExp): Promise<void> {
  const before = filesOf(path);
  const error = await rejectionOf(openSqliteStorage(`sqlite:${path}`, OPTIONS));
  expect(error).toBeInstanceOf(IncompatibleStorageError);
  expect((error as Error).message).toMatch(message);
  expect(filesOf(path)).toEqual(before);
}

/** Reported after migrating a file of version 3. */
const DONE: unknown = expect.stringMatching(
  /^The database was migrated from version 3 to \d+ in [\d.]+ s\.$/,
);

describe('a file of version 3', () => {
  it('opens with all of its content, and works as before', async () => {
    const path = version3();
    const storage = await openSqliteStorage(`sqlite:${path}`, OPTIONS);
    await expectContent(storage);
    await expectContinues(storage);
    expect((await storage.insertLocations(DELETED, [], NOW)).kind).toBe('map-deleted');
    await storage.updateMap(DELETED, { isDeleted: false }, { evenIfDeleted: true });
    expect((await append(storage, DELETED)).order).toBe('3');
    expect((await append(storage, EMPTY)).order).toBe('1');
    await storage.close();
  });

  it('has all of its locations in the indexes', async () => {
    const connection = await openConnection(version3());
    const locations = connection.all('SELECT * FROM locations ORDER BY number');
    expect(locations.length).toBeGreaterThan(9);
    expect(locations.map(({ number }) => number)).toEqual(locations.map((_, index) => index + 1));
    for (const row of locations) {
      const { map_number: number, name, latitude, longitude } = row;
      const point = { latitude: Number(latitude), longitude: Number(longitude) };
      expect(row.cell).toBe(cellOf(point));
      const terms = termsOf({ name: String(name), properties: {} }).map((text) => ({
        text,
        isPrefix: false,
      }));
      const map = { number: Number(number), accepts: () => true };
      const shape = termOfPresence(presenceOf(JSON.parse(String(row.properties)) as JsonObject));
      for (const cover of [
        { terms },
        { terms: [shape] },
        { cells: [{ first: cellOf(point), last: cellOf(point) }] },
      ]) {
        const found = numbersWithin(connection, map, { ...NOTHING, ...cover }, 1_000);
        expect(terms.length === 0 || found?.has(Number(row.number))).toBe(true);
      }
    }
    for (const level of LEVELS) {
      expect(valueOf(connection, `SELECT sum(count) FROM cell_sums WHERE level = ${level}`)).toBe(
        locations.length,
      );
    }
    await connection.close();
  });

  it('gets the newest version and our application id', async () => {
    const path = version3();
    const stores = await Promise.all(
      Array.from({ length: 4 }, () => openSqliteStorage(`sqlite:${path}`, OPTIONS)),
    );
    for (const storage of stores) expect(await storage.countLocations(NUMBERS)).toBe(9);
    await Promise.all(stores.map((storage) => storage.close()));
    const database = openDatabase(path);
    expect(database.prepare('PRAGMA user_version').get()).toEqual({ user_version: NEWEST_VERSION });
    expect(database.prepare('PRAGMA application_id').get()).toEqual({ application_id: 0x4d4c4f43 });
    database.close();
  });

  it('keeps its version and content if the migration fails', async () => {
    const path = version3();
    const database = openDatabase(path);
    // Makes the last step fail.
    database.exec('ALTER TABLE maps ADD COLUMN location_count INTEGER');
    database.close();
    await rejectionOf(openSqliteStorage(`sqlite:${path}`, OPTIONS));
    const again = openDatabase(path);
    expect(again.prepare('PRAGMA user_version').get()).toEqual({ user_version: 3 });
    expect(again.prepare('PRAGMA application_id').get()).toEqual({ application_id: 0 });
    again.close();
  });

  it('reports its migration, and a long one while it runs', async () => {
    const notices: StorageNotice[] = [];
    const listen = (notice: StorageNotice) => void notices.push(notice);
    const quick = await openSqliteStorage(`sqlite:${version3()}`, { ...OPTIONS, onNotice: listen });
    await quick.close();
    expect(notices.map(({ message }) => message)).toEqual([DONE]);
    const again = await openSqliteStorage(`sqlite:${newPath()}`, { ...OPTIONS, onNotice: listen });
    await again.close();
    expect(notices).toHaveLength(1);
    notices.length = 0;

    const connection = await openConnection(version3(), 5000, async (opened) => migrate(opened, listen, 0));
    expect(notices.map(({ level }) => level)).toEqual(['info', 'info']);
    expect(notices[0]?.message).toBe(
      `The database is being migrated from version 3 to ${NEWEST_VERSION}, which takes a while.`,
    );
    expect(notices[1]?.message).toEqual(DONE);
    await connection.close();
  });
});

describe('a file of version 10', () => {
  function version10(): string {
    const path = newPath();
    writeFileSync(path, gunzipSync(readFileSync(new URL('../versions/sqlite-10.db.gz', import.meta.url))));
    return path;
  }

  /** A hundred copies of each of the map's eight locations, with their words. */
  function largeVersion10(): string {
    const path = version10();
    const database = openDatabase(path);
    const own = database.prepare('SELECT number FROM locations WHERE map_number = 1').all();
    const numbers = own.map(({ number }) => Number(number));
    const wordsOf = database.prepare(
      "SELECT group_concat(term, ' ') AS words FROM location_words_seen WHERE doc = ?",
    );
    const copy = database.prepare(`
      INSERT INTO locations SELECT number + ?, map_number, order_key, sequence + ?, cell, id || ?, position, name, place_id,
        latitude, longitude, lat, lng, properties, NULL, version, created_at, updated_at, provider, "precision"
      FROM locations WHERE number = ?`);
    const index = database.prepare('INSERT INTO location_words (rowid, words) VALUES (?, ?)');
    database.exec('BEGIN');
    for (const number of numbers) {
      const words = wordsOf.get(number)?.words as string;
      for (let added = 100; added <= 10_000; added += 100) {
        copy.run(added, added, added, number);
        index.run(number + added, words);
      }
    }
    database.exec('UPDATE maps SET location_count = location_count * 101 WHERE number = 1');
    database.exec('COMMIT');
    database.close();
    return path;
  }

  const wordsIn = (path: string) => {
    const database = openDatabase(path);
    const words = database.prepare('SELECT term, doc FROM location_words_seen ORDER BY doc, term').all();
    database.close();
    return words.map(({ term, doc }) => `${String(doc)} ${String(term)}`);
  };

  it('has exactly the words of the current version', async () => {
    const path = version10();
    const storage = await openSqliteStorage(`sqlite:${path}`, OPTIONS);
    await expectJoinedWords(storage);
    await storage.updateMap(DELETED_MAP, { isDeleted: false }, { evenIfDeleted: true });
    await append(storage, DELETED_MAP);
    await storage.close();
    const examination = await examineSqlite(path, OPTIONS);
    expect(await collect(examination.findings())).toEqual([]);
  });

  it('that is large has them too, opened by several processes at once', async () => {
    const path = largeVersion10();
    const before = wordsIn(path);
    const stores = await Promise.all(
      Array.from({ length: 3 }, () => openSqliteStorage(`sqlite:${path}`, OPTIONS)),
    );
    for (const storage of stores) {
      expect(await namesFound(storage, MAP, 'oneill')).toHaveLength(101);
      expect(await namesFound(storage, MAP, 'guys')).toHaveLength(202);
    }
    await Promise.all(stores.map((storage) => storage.close()));
    const after = new Set(wordsIn(path));
    expect([...after].filter((word) => word.endsWith(' 1zwoneill'))).toHaveLength(101);
    // `guy` of "Guy's" and similar words are removed; locations without an apostrophe keep their words.
    const lost = before.filter((word) => !after.has(word)).map((word) => word.replace(/^\d+ /, ''));
    expect(lost.filter((word) => word === '1zwguy')).toHaveLength(101);
    expect(lost.some((word) => ['1zwguys', '1zwroll', '1zw90'].includes(word))).toBe(false);
  });

  it('does not change if its migration is interrupted, and is migrated the next time', async () => {
    const path = largeVersion10();
    const before = wordsIn(path);
    const interrupt = () => {
      throw new Error('interrupted');
    };
    const interrupted = openConnection(path, 5000, (opened) => migrate(opened, interrupt, 0));
    expect(await rejectionOf(interrupted)).toEqual(new Error('interrupted'));
    expect(wordsIn(path)).toEqual(before);
    await (await openSqliteStorage(`sqlite:${path}`, OPTIONS)).close();
    expect(wordsIn(path).filter((word) => word.endsWith(' 1zwoneill'))).toHaveLength(101);
  });
});

describe('a file that another process is migrating', () => {
  it('opens when the migration is done, however long it takes, and reports the wait once', async () => {
    const path = newPath();
    const unlock = lockVersion3(path);
    const notices: StorageNotice[] = [];
    let opened: Promise<Storage> | null = null;
    await new Promise<void>((resolve) => {
      const onNotice = (notice: StorageNotice) => {
        notices.push(notice);
        resolve();
      };
      // Longer than the timeout of a call.
      opened = openSqliteStorage(`sqlite:${path}`, { timeoutMs: 1, onNotice });
      void opened.catch(resolve);
    });
    unlock();
    const storage = await opened!;
    expect(await storage.countLocations(NUMBERS)).toBe(9);
    expect(notices).toEqual([
      { level: 'info', message: expect.stringMatching(/^Another process is writing to the database/) },
      { level: 'info', message: DONE },
    ]);
    await storage.close();
  });
});

describe('a file of a later version', () => {
  const later = async () => {
    const path = newPath();
    const connection = await openConnection(path);
    connection.exec('CREATE TABLE future (x INTEGER) STRICT');
    connection.exec('PRAGMA user_version = 99');
    return { path, connection };
  };

  it('is rejected, and not changed by a byte', async () => {
    const { path, connection } = await later();
    await connection.close();
    await expectRefused(path, /version 99, written by a newer release/);
  });

  it('is rejected even if its last changes are only in its log', async () => {
    const { path, connection } = await later();
    const copy = newPath();
    for (const end of ['', '-wal']) writeFileSync(`${copy}${end}`, readFileSync(`${path}${end}`));
    await connection.close();
    const before = filesOf(copy);
    const error = await rejectionOf(openSqliteStorage(`sqlite:${copy}`, OPTIONS));
    expect((error as Error).message).toMatch(/version 99, written by a newer release/);
    const after = filesOf(copy);
    for (const end of ['', '-wal']) expect(after.get(end)).toEqual(before.get(end));
  });
});

describe("another program's file", () => {
  const foreign = (...statements: readonly string[]) => {
    const path = newPath();
    const database = openDatabase(path);
    for (const statement of statements) database.exec(statement);
    database.close();
    return path;
  };
  const tables = { theirs: 'CREATE TABLE notes (x TEXT)', ours: 'CREATE TABLE maps (id TEXT)' };

  for (const [name, statements] of Object.entries({
    'with its own tables': [tables.theirs],
    'with a table named like one of ours': [tables.ours],
    'with its own version': [tables.theirs, 'PRAGMA user_version = 3'],
    'that writes ahead': ['PRAGMA journal_mode = WAL', tables.theirs],
    'with an application id': ['PRAGMA application_id = 252006674', tables.theirs],
    'with only a view': ['CREATE VIEW one AS SELECT 1'],
  })) {
    it(`is rejected, and not changed by a byte: ${name}`, () =>
      expectRefused(foreign(...statements), /another program/));
  }

  it('does not include our file with a table of a backup tool', async () => {
    const path = version3();
    const database = openDatabase(path);
    database.exec(tables.theirs);
    database.close();
    const storage = await openSqliteStorage(`sqlite:${path}`, OPTIONS);
    expect(await storage.isEmpty()).toBe(false);
    await storage.close();
  });

  it('that is empty is used', async () => {
    for (const path of [foreign('VACUUM'), foreign(tables.theirs, 'DROP TABLE notes')]) {
      const storage = await openSqliteStorage(`sqlite:${path}`, OPTIONS);
      expect(await storage.isEmpty()).toBe(true);
      await storage.close();
    }
  });

  it('that is not an SQLite database is rejected, however short', async () => {
    for (const text of ['x', 'SQLite format 3', 'Somebody’s notes. '.repeat(200)]) {
      const path = newPath();
      writeFileSync(path, text);
      await expectRefused(path, /not an SQLite database/);
    }
  });
});

describe('a damaged file', () => {
  const damaged = async () => {
    const path = newPath();
    const connection = await openConnection(path);
    await connection.write(() =>
      connection.run("INSERT INTO owners (id, name, created_at) VALUES ('o', 'someone', 0)"),
    );
    const page = Number(valueOf(connection, "SELECT rootpage FROM sqlite_schema WHERE name = 'owners'"));
    await connection.close();
    const bytes = readFileSync(path);
    bytes.fill(0x5a, (page - 1) * 4096, page * 4096);
    writeFileSync(path, bytes);
    return path;
  };

  it('is STORAGE_UNAVAILABLE to callers, and reported to the operator once', async () => {
    const notices: StorageNotice[] = [];
    const storage = await openSqliteStorage(`sqlite:${await damaged()}`, {
      ...OPTIONS,
      onNotice: (notice) => void notices.push(notice),
    });
    for (let again = 0; again < 2; again += 1) {
      const failures = [
        await rejectionOf(storage.listOwners()),
        await rejectionOf(storage.findOrCreateOwner({ id: 'x', name: 'y', createdAt: 0 })),
      ];
      for (const error of failures) expect(error).toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
    }
    expect(notices).toEqual([
      { level: 'error', message: expect.stringMatching(/^The database file is damaged/) },
    ]);
    await storage.close();
  });

  it('fails at startup, with a clear message, if opening finds the damage', async () => {
    const path = await damaged();
    const bytes = readFileSync(path);
    bytes.fill(0x5a, 100, 4096);
    writeFileSync(path, bytes);
    const error = await rejectionOf(openSqliteStorage(`sqlite:${path}`, OPTIONS));
    expect(error).toBeInstanceOf(IncompatibleStorageError);
    expect((error as Error).message).toMatch(/damaged/);
  });
});
