/** SQLite in files of a folder, for the tests that need a store that persists. */

import { join } from 'node:path';

import { openSqliteStorage } from '../../src/storage/sqlite/storage.ts';
import type { Storage } from '../../src/storage/storage.ts';
import type { StorageAdapter, StorageCase } from './storage/harness.ts';

const OPTIONS = { timeoutMs: 30_000 };

/** An open store that says where its data is; a copy of it, such as a mutant, says so too. */
interface FileStorage extends Storage {
  readonly url: string;
}

async function openFile(url: string, options: Pick<StorageCase, 'mostChanges'> = {}): Promise<FileStorage> {
  return { ...(await openSqliteStorage(url, { ...OPTIONS, ...options })), url };
}

/** Every store opened is a file of its own. */
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
