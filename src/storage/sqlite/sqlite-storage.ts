/**
 * The embedded store: one SQLite file under WAL, with a full sync at every commit, shared by any number of processes
 * of one machine. `sqlite:PATH` names the file relative to the current directory; `sqlite::memory:` keeps all in memory.
 */

import { existsSync } from 'node:fs';

import type { Storage, StorageOptions } from '../storage.ts';
import { Connection } from './connection.ts';
import { dumpStatements } from './dump.ts';
import { geocodeStatements } from './geocodes.ts';
import { migrate } from './migrations.ts';
import { locationStatements } from './locations.ts';
import { mapStatements } from './maps.ts';
import { ownerStatements } from './owners.ts';
import { createPageCache } from './page-cache.ts';

/** @throws ServiceError STORAGE_UNAVAILABLE when the file cannot be opened; Error when a newer release wrote it */
export async function openSqliteStorage(url: string, options: StorageOptions): Promise<Storage> {
  const connection = Connection.open(pathOf(url), options.timeoutMs);
  try {
    await connection.configure();
    await migrate(connection);
  } catch (error) {
    await connection.close();
    throw error;
  }
  return sqliteStorage(connection, options.pageCacheBytes);
}

/** `sqlite:data/x.db`, `sqlite:/var/x.db` and `sqlite:///var/x.db` name files as they read. */
function pathOf(url: string): string {
  return url.replace(/^sqlite:(\/\/(?=\/))?/, '');
}

/** False for a file that opening would make, and for a store in memory, which nobody else sees. */
export function isSqliteFile(url: string): boolean {
  return existsSync(pathOf(url));
}

/** A store that is seen by the process alone that opens it. */
export function isInMemory(url: string): boolean {
  return pathOf(url) === ':memory:';
}

/** The port over an open connection; tests pass their own to look underneath. */
export function sqliteStorage(connection: Connection, pageCacheBytes = 0): Storage {
  return {
    ping: async () => connection.read(() => void connection.get('SELECT 1')),
    close: () => connection.close(),
    isEmpty: async () => connection.read(() => isEmpty(connection)),
    getMeta: async (key) => connection.read(() => getMeta(connection, key)),
    setMetaIfAbsent: (key, value) =>
      connection.write(
        () => connection.run('INSERT INTO meta VALUES (?, ?) ON CONFLICT DO NOTHING', key, value) === 1,
      ),
    ...ownerStatements(connection),
    ...mapStatements(connection),
    ...locationStatements(connection, createPageCache(pageCacheBytes)),
    ...geocodeStatements(connection),
    ...dumpStatements(connection),
  };
}

function isEmpty(connection: Connection): boolean {
  const row = connection.get(
    'SELECT EXISTS (SELECT 1 FROM owners) OR EXISTS (SELECT 1 FROM tokens) OR EXISTS (SELECT 1 FROM maps) AS used',
  );
  return row?.used === 0;
}

function getMeta(connection: Connection, key: string): string | null {
  const row = connection.get('SELECT value FROM meta WHERE key = ?', key);
  return row === undefined ? null : String(row.value);
}
