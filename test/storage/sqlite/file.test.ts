/** The database file: how it is opened, who can read it, and its schema. */

import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

import { openDatabase } from '../../../src/storage/sqlite/engine/driver.ts';
import { openSqliteStorage } from '../../../src/storage/sqlite/storage.ts';
import { ServiceError } from '../../../src/errors.ts';
import {
  append,
  expectUnavailable,
  listPage,
  rejectionOf,
  seedMap,
} from '../../contract/storage/fixtures.ts';
import { itUnless } from '../../support/skip.ts';
import { openConnection, temporaryFolder, valueOf } from './temporary.ts';

const OPTIONS = { timeoutMs: 5000 };
const folder = temporaryFolder();
let files = 0;
const newPath = () => join(folder, `${(files += 1)}.db`);
const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

describe('a connection', () => {
  it('uses a write-ahead log, syncs at every commit, checks references and waits for locks', async () => {
    const connection = await openConnection(newPath());
    expect(valueOf(connection, 'PRAGMA journal_mode')).toBe('wal');
    expect(valueOf(connection, 'PRAGMA synchronous')).toBe(2);
    expect(valueOf(connection, 'PRAGMA foreign_keys')).toBe(1);
    expect(valueOf(connection, 'PRAGMA busy_timeout')).toBeGreaterThan(0);
    await connection.close();
  });

  it('compares text by bytes', async () => {
    const connection = await openConnection(newPath());
    expect(valueOf(connection, 'PRAGMA encoding')).toBe('UTF-8');
    const schema = JSON.stringify(connection.all('SELECT sql FROM sqlite_schema'));
    expect(schema).not.toMatch(/COLLATE/i);
    await connection.close();
  });

  it('rejects rows with missing references', async () => {
    const connection = await openConnection(newPath());
    const insert =
      "INSERT INTO tokens (id, owner_id, hash, scope, created_at) VALUES ('t', 'nobody', 'h', 'read', 0)";
    await expect(connection.write(() => connection.run(insert))).rejects.toThrow(/FOREIGN KEY/);
    await connection.close();
  });
});

describe('the file', () => {
  itUnless(
    process.platform !== 'linux' && 'needs /proc, which lists the mapped files of a process',
    'is memory-mapped only on request',
    async () => {
      const path = newPath();
      const written = await openSqliteStorage(`sqlite:${path}`, OPTIONS);
      const { id } = await seedMap(written);
      await append(written, id);
      await written.close();
      const isMapped = () => readFileSync('/proc/self/maps', 'utf8').includes(`${path}\n`);
      for (const mappedFileBytes of [undefined, 0, 1024 * 1024 * 1024]) {
        const options = { ...OPTIONS, ...(mappedFileBytes !== undefined && { mappedFileBytes }) };
        const storage = await openSqliteStorage(`sqlite:${path}`, options);
        expect(await listPage(storage, id)).toHaveLength(1);
        expect([mappedFileBytes, isMapped()]).toEqual([mappedFileBytes, (mappedFileBytes ?? 0) > 0]);
        await storage.close();
      }
    },
  );

  it('is readable by its owner only, with its companion files', async () => {
    const path = newPath();
    const storage = await openSqliteStorage(`sqlite:${path}`, OPTIONS);
    await seedMap(storage);
    expect([path, `${path}-wal`, `${path}-shm`].map(modeOf)).toEqual(['600', '600', '600']);
    await storage.close();
  });

  it('keeps the mode that an operator set', async () => {
    const path = newPath();
    writeFileSync(path, '');
    chmodSync(path, 0o640);
    await (await openSqliteStorage(`sqlite:${path}`, OPTIONS)).close();
    expect(modeOf(path)).toBe('640');
  });

  it('is created with its folder', async () => {
    const path = join(folder, 'a', 'b', 'c.db');
    await (await openSqliteStorage(`sqlite:${path}`, OPTIONS)).close();
    expect(existsSync(path)).toBe(true);
  });

  it('is named by a path after one colon, with or without an empty host', async () => {
    const path = newPath();
    const one = await openSqliteStorage(`sqlite:${path}`, OPTIONS);
    const map = await seedMap(one);
    const two = await openSqliteStorage(`sqlite://${path}`, OPTIONS);
    expect(await two.getMaps([map.id])).toEqual([map]);
    await Promise.all([one.close(), two.close()]);
  });

  it('is complete after close, and can be copied alone', async () => {
    const [path, copy] = [newPath(), newPath()];
    const storage = await openSqliteStorage(`sqlite:${path}`, OPTIONS);
    const map = await seedMap(storage);
    const location = await append(storage, map.id);
    await storage.close();
    copyFileSync(path, copy);
    const again = await openSqliteStorage(`sqlite:${copy}`, OPTIONS);
    expect(await listPage(again, map.id)).toEqual([location]);
    await again.close();
  });

  it('that cannot be opened fails with STORAGE_UNAVAILABLE', async () => {
    const file = newPath();
    writeFileSync(file, '');
    mkdirSync(join(folder, 'a-folder'), { recursive: true });
    for (const path of [join(file, 'below-a-file.db'), join(folder, 'a-folder')]) {
      await expectUnavailable(openSqliteStorage(`sqlite:${path}`, OPTIONS));
    }
  });

  it('that is not a database is rejected and not changed', async () => {
    const path = newPath();
    const text = 'This is no database, but somebody’s notes. '.repeat(200);
    writeFileSync(path, text);
    await rejectionOf(openSqliteStorage(`sqlite:${path}`, OPTIONS));
    expect(readFileSync(path, 'utf8')).toBe(text);
  });
});

describe('the schema', () => {
  const schemaOf = async (path: string) => {
    const connection = await openConnection(path);
    const rows = connection.all('SELECT type, name, sql FROM sqlite_schema ORDER BY name');
    const version = valueOf(connection, 'PRAGMA user_version');
    await connection.close();
    return { rows, version };
  };

  it('is created at the first open, and not changed later', async () => {
    const path = newPath();
    const storage = await openSqliteStorage(`sqlite:${path}`, OPTIONS);
    const map = await seedMap(storage);
    await storage.close();
    const before = await schemaOf(path);
    expect(before.version).toBeGreaterThan(0);
    expect(before.rows.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['maps', 'locations', 'tokens']),
    );
    const again = await openSqliteStorage(`sqlite:${path}`, OPTIONS);
    expect(await again.getMaps([map.id])).toEqual([map]);
    await again.close();
    expect(await schemaOf(path)).toEqual(before);
  });

  it('is strict in every table', async () => {
    const { rows } = await schemaOf(newPath());
    // FTS5 owns the tables of the word index.
    const tables = rows.filter(
      ({ type, name }) => type === 'table' && !String(name).startsWith('location_words'),
    );
    expect(tables.length).toBeGreaterThan(0);
    for (const { name, sql } of tables)
      expect([name, sql]).toEqual([name, expect.stringMatching(/\) STRICT/)]);
  });

  it('of a newer release is rejected with a clear message, and not changed', async () => {
    const path = newPath();
    const connection = await openConnection(path);
    connection.exec('PRAGMA user_version = 99');
    connection.exec('CREATE TABLE future (x INTEGER) STRICT');
    await connection.close();
    const error = await rejectionOf(openSqliteStorage(`sqlite:${path}`, OPTIONS));
    expect(error).not.toBeInstanceOf(ServiceError);
    expect((error as Error).message).toMatch(/version 99.*newer release/);
    const database = openDatabase(path);
    expect(database.prepare('PRAGMA user_version').get()).toEqual({ user_version: 99 });
    expect(database.prepare("SELECT COUNT(*) AS n FROM sqlite_schema WHERE name = 'future'").get()).toEqual({
      n: 1,
    });
    database.close();
  });

  it('is created atomically', async () => {
    const path = newPath();
    const database = openDatabase(path);
    // Conflicts with a table of the schema.
    database.exec('CREATE TABLE tokens (x INTEGER)');
    database.close();
    await rejectionOf(openSqliteStorage(`sqlite:${path}`, OPTIONS));
    const again = openDatabase(path);
    expect(again.prepare('SELECT name FROM sqlite_schema').all()).toEqual([{ name: 'tokens' }]);
    expect(again.prepare('PRAGMA user_version').get()).toEqual({ user_version: 0 });
    again.close();
  });

  it('is created once by several concurrent opens', async () => {
    const path = newPath();
    const stores = await Promise.all(
      Array.from({ length: 6 }, () => openSqliteStorage(`sqlite:${path}`, OPTIONS)),
    );
    const map = await seedMap(stores[0]!);
    for (const storage of stores) expect(await storage.getMaps([map.id])).toEqual([map]);
    await Promise.all(stores.map((storage) => storage.close()));
  });
});
