/** SQLite files in a folder, for tests that need a persistent store. */

import { join } from 'node:path';

import { openSqliteStorage } from '../../src/storage/sqlite/storage.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { leftToFull } from '../support/scope.ts';
import { concurrency } from './storage/concurrency.ts';
import { copies } from './storage/copies.ts';
import { exports } from './storage/exports.ts';
import { SCALE_CASES } from './storage/search-scale.ts';
import type { StorageAdapter, StorageCase } from './storage/harness.ts';
import { reopening } from './storage/reopening.ts';
import { store } from './storage/store.ts';

const OPTIONS = { timeoutMs: 30_000 };
/** The topics in which a file differs from memory: several connections, close, snapshots, and reads in threads. */
const FILE_TOPICS: readonly string[] = [concurrency, copies, exports, reopening, store].map(
  ({ name }) => name,
);
const differs = (topic: string, storageCase: StorageCase): boolean =>
  FILE_TOPICS.includes(topic) || storageCase.needs !== undefined || SCALE_CASES.includes(storageCase);

/** A store that knows its file; copies such as mutants do too. */
interface FileStorage extends Storage {
  readonly url: string;
}

async function openFile(url: string, options: Pick<StorageCase, 'mostChanges'> = {}): Promise<FileStorage> {
  return { ...(await openSqliteStorage(url, { ...OPTIONS, ...options })), url };
}

/** Opens every store in a new file. */
export function fileAdapter(folder: string): StorageAdapter {
  let files = 0;
  return {
    name: 'sqlite, in a file',
    open: (options) => openFile(`sqlite:${join(folder, `${(files += 1)}.db`)}`, options),
    async reopen(storage) {
      await storage.close();
      return openFile((storage as FileStorage).url);
    },
    reasonToSkip: (topic, storageCase) =>
      differs(topic, storageCase) ? undefined : leftToFull('the same in a file as in memory'),
    openAgain: (storage) => openFile((storage as FileStorage).url),
  };
}
