/**
 * The embedded store: one SQLite file with a write-ahead log, synced to disk at every commit. Any number of processes
 * on one machine can share it. `sqlite:PATH` names the file, relative to the current directory; `sqlite::memory:` keeps
 * everything in memory.
 */

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

import { ServiceError } from '../../errors.ts';
import type { Storage, StorageOptions } from '../storage.ts';
import { IncompatibleStorageError } from '../incompatible.ts';
import { accountStore } from './accounts.ts';
import { changeStore } from './changes.ts';
import { Database } from './database.ts';
import { dumpStore } from './backup/dump.ts';
import { loadStore } from './backup/load.ts';
import { exportStore } from './locations/exports.ts';
import { expiryStore } from './expiry.ts';
import { isDamaged } from './errors.ts';
import { searchStore } from './search/search-store.ts';
import { geocodeStore } from './geocodes.ts';
import { historyStore } from './history/history-store.ts';
import { idempotencyStore } from './idempotency.ts';
import { inspectFile } from './engine/inspect-file.ts';
import { invitationStore } from './invitations.ts';
import { keyedCallStore } from './keyed-calls.ts';
import { leaseStore } from './leases.ts';
import { logoStore } from './logos.ts';
import { locationStore } from './locations/locations.ts';
import { mapLinkStore } from './map-links.ts';
import { mapStore } from './maps.ts';
import { memberStore } from './members.ts';
import { metaStore } from './meta.ts';
import { migrate } from './migrations/migrate.ts';
import { ownerStore } from './owners.ts';
import { createPageCache } from './caches.ts';
import { sessionStore } from './sessions.ts';
import { openLongReads } from './threads/threaded-reads.ts';
import { tokenStore } from './tokens.ts';
import { webhookStore } from './webhooks.ts';

/**
 * @throws ServiceError STORAGE_UNAVAILABLE when the file cannot be opened; IncompatibleStorageError for a file that is
 *   not a database, is damaged, belongs to another program or was written by a newer release
 */
export async function openSqliteStorage(url: string, options: StorageOptions): Promise<Storage> {
  const path = pathOf(url);
  if (path !== ':memory:') await inspectFile(path, options.timeoutMs);
  const database = Database.open(path, options);
  try {
    await database.configure();
    await migrate(database, options.onNotice);
  } catch (error) {
    await database.close();
    throw atOpening(error);
  }
  return sqliteStorage(database, options);
}

/** Damage needs the operator; a retry does not help. */
function atOpening(error: unknown): unknown {
  const isOfTheFile = error instanceof ServiceError && isDamaged(error.cause);
  return isOfTheFile
    ? new IncompatibleStorageError('The database file is damaged.', { cause: error })
    : error;
}

/** `sqlite:data/x.db` is relative; `sqlite:/var/x.db` and `sqlite:///var/x.db` are absolute. */
function pathOf(url: string): string {
  return url.replace(/^sqlite:(\/\/(?=\/))?/, '');
}

/** False for a missing file, and for a store in memory. */
export function isSqliteFile(url: string): boolean {
  return existsSync(pathOf(url));
}

/** Null for a store in memory. */
export function absolutePathOf(url: string): string | null {
  return isInMemory(url) ? null : resolve(pathOf(url));
}

/** True for a store that only the process that opens it can see. */
export function isInMemory(url: string): boolean {
  return pathOf(url) === ':memory:';
}

/** The storage port on an open database. Tests pass their own to look inside. */
export function sqliteStorage(
  database: Database,
  {
    pageCacheBytes = 0,
    readerThreads = 2,
    searchTimeoutMs = database.timeoutMs,
  }: Pick<StorageOptions, 'pageCacheBytes' | 'readerThreads' | 'searchTimeoutMs'> = {},
): Storage {
  const searches = openLongReads(database, { threads: readerThreads });
  // Running downloads are never rejected; their number is limited when they start.
  const exports = openLongReads(database, { threads: readerThreads, waiting: Infinity });
  return {
    ping: async () => database.read(() => void database.get('SELECT 1')),
    close: () => database.close(),
    ...metaStore(database),
    ...ownerStore(database),
    ...tokenStore(database),
    ...accountStore(database),
    ...sessionStore(database),
    ...mapStore(database),
    ...logoStore(database),
    ...memberStore(database),
    ...invitationStore(database),
    ...mapLinkStore(database),
    ...locationStore(database, createPageCache(pageCacheBytes)),
    ...searchStore(database, searches, searchTimeoutMs),
    ...exportStore(database, exports),
    ...idempotencyStore(database),
    ...keyedCallStore(database),
    ...geocodeStore(database),
    ...changeStore(database),
    ...historyStore(database),
    ...webhookStore(database),
    ...leaseStore(database),
    ...expiryStore(database),
    ...dumpStore(database),
    ...loadStore(database),
  };
}
