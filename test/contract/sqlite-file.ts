/** SQLite files in a folder, for tests that need a persistent store. */

import { join } from 'node:path';

import { openSqliteStorage } from '../../src/storage/sqlite/storage.ts';
import type { Storage } from '../../src/storage/storage.ts';
import type { StorageAdapter, StorageCase } from './storage/harness.ts';

const OPTIONS = { timeoutMs: 30_000 };

/** A store that knows its file, and so do copies of it, such as mutants. */
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
    openAgain: (storage) => openFile((storage as FileStorage).url),
  };
}
