/** SQLite in files of a folder, for the tests that need a store that persists. */

import { join } from 'node:path';

import { openSqliteStorage } from '../../src/storage/sqlite/sqlite-storage.ts';
import type { Storage } from '../../src/storage/storage.ts';
import type { StorageAdapter } from './storage/harness.ts';

const OPTIONS = { timeoutMs: 10_000 };

/** A store is a file of its own; which file an open store is of is found by its identity, or by that of its copy. */
export function fileAdapter(folder: string): StorageAdapter {
  let files = 0;
  // Keyed by a method: a mutant is another object, with most methods of the store that it is made of.
  const urls = new WeakMap<Storage['ping'], string>();

  const openFile = async (url: string): Promise<Storage> => {
    const storage = await openSqliteStorage(url, OPTIONS);
    urls.set(storage.ping, url);
    return storage;
  };

  return {
    name: 'sqlite, in a file',
    open: () => openFile(`sqlite:${join(folder, `${(files += 1)}.db`)}`),
    async reopen(storage) {
      await storage.close();
      return openFile(urls.get(storage.ping)!);
    },
    openAgain: (storage) => openFile(urls.get(storage.ping)!),
  };
}
