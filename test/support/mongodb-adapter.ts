/** MongoDB for the contract suite: one database for all cases, emptied before each. */

import type { Db } from 'mongodb';
import { MongoClient } from 'mongodb';

import { openMongodbStorage } from '../../src/storage/mongodb/storage.ts';
import type { Storage } from '../../src/storage/storage.ts';
import type { StorageAdapter, StorageCase } from '../contract/storage/harness.ts';

const OPTIONS = { timeoutMs: 30_000 };
const COLLECTIONS = [
  'meta',
  'owners',
  'accounts',
  'oneTimeSecrets',
  'sessions',
  'signInAttempts',
  'tokens',
  'maps',
  'locations',
  'externalIds',
  'claims',
  'keyedCalls',
  'changes',
  'history',
  'versions',
  'logos',
  'geocodes',
  'quotas',
  'webhooks',
  'leases',
];

export interface MongodbAdapter extends StorageAdapter {
  readonly close: () => Promise<void>;
}

/** Cases must run sequentially. */
export function mongodbAdapter(url: string): MongodbAdapter {
  const client = new MongoClient(url);
  const open = (options: Pick<StorageCase, 'mostChanges'> = {}): Promise<Storage> =>
    openMongodbStorage(url, { ...OPTIONS, ...options });
  return {
    name: 'mongodb',
    // Creating a database takes ten times as long as emptying one.
    async open(options) {
      await emptyDatabase(client.db());
      return open(options);
    },
    async reopen(storage) {
      await storage.close();
      return open();
    },
    openAgain: () => open(),
    close: () => client.close(),
  };
}

/** Deletes everything except the indexes. */
export async function emptyDatabase(database: Db): Promise<void> {
  await Promise.all(COLLECTIONS.map((name) => database.collection(name).deleteMany({})));
}
