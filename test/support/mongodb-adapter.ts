/** MongoDB for the storage suite: one database for all cases, emptied before each. */

import type { Db } from 'mongodb';
import { MongoClient } from 'mongodb';

import { openMongodbStorage } from '../../src/storage/mongodb/mongodb-storage.ts';
import type { Storage } from '../../src/storage/storage.ts';
import type { StorageAdapter } from '../contract/storage/harness.ts';

const OPTIONS = { timeoutMs: 30_000 };
const COLLECTIONS = [
  'meta',
  'owners',
  'tokens',
  'maps',
  'locations',
  'claims',
  'externalIds',
  'geocodes',
  'quotas',
];

export interface MongodbAdapter extends StorageAdapter {
  readonly close: () => Promise<void>;
}

/** Cases have to run one after the other. */
export function mongodbAdapter(url: string): MongodbAdapter {
  const client = new MongoClient(url);
  const openAgain = (): Promise<Storage> => openMongodbStorage(url, OPTIONS);
  return {
    name: 'mongodb',
    // Making a database takes ten times as long as emptying it.
    async open() {
      await emptyDatabase(client.db());
      return openAgain();
    },
    async reopen(storage) {
      await storage.close();
      return openAgain();
    },
    openAgain,
    close: () => client.close(),
  };
}

/** Removes everything but the indexes. */
export async function emptyDatabase(database: Db): Promise<void> {
  await Promise.all(COLLECTIONS.map((name) => database.collection(name).deleteMany({})));
}
