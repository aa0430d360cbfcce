/** Files with reader threads. */

import { join } from 'node:path';

import { Database } from '../../../../src/storage/sqlite/database.ts';
import { migrate } from '../../../../src/storage/sqlite/migrations/migrate.ts';
import { ownerStore } from '../../../../src/storage/sqlite/owners.ts';
import type { ThreadedOptions } from '../../../../src/storage/sqlite/threads/threaded-reads.ts';
import { ThreadedReads } from '../../../../src/storage/sqlite/threads/threaded-reads.ts';
import type { StorageNotice } from '../../../../src/storage/storage.ts';

/** A thread's program with the tests' tasks. */
export const PROGRAM = new URL('./program.ts', import.meta.url);

export interface OpenFile {
  readonly path: string;
  readonly connection: Database;
  readonly reads: ThreadedReads;
  readonly notices: readonly StorageNotice[];
  addOwner(name: string): Promise<void>;
}

let files = 0;

/** One thread with the tests' tasks. */
export async function openFile(folder: string, options: Partial<ThreadedOptions> = {}): Promise<OpenFile> {
  const path = join(folder, `${(files += 1)}.db`);
  const notices: StorageNotice[] = [];
  const connection = Database.open(path, {
    timeoutMs: 5000,
    onNotice: (notice) => void notices.push(notice),
  });
  await connection.configure();
  await migrate(connection);
  const reads = new ThreadedReads(connection, path, { threads: 1, program: PROGRAM, ...options });
  connection.addCompanions(reads);
  const owners = ownerStore(connection);
  const addOwner = async (name: string) => {
    await owners.findOrCreateOwner({ id: name, name, createdAt: 0 });
  };
  return { path, connection, reads, notices, addOwner };
}
