/**
 * The store of deployments: MongoDB 5.0 or later, one server, a replica set or a sharded cluster. Transactions are
 * used for moves alone, where there are any; insert.ts says why nothing else needs one. `mongodb://` and `mongodb+srv://` URLs are the driver's own; the
 * path names the database, `map-locations` by default. In filters a caller's value stands under `$eq` or `$in`, where it
 * is data whatever it is.
 */

import type { Storage, StorageOptions } from '../storage.ts';
import { ChangeBell } from './change-bell.ts';
import { changeCalls } from './change-log.ts';
import { Database } from './database.ts';
import { dumpCalls } from './dump.ts';
import { exportCalls } from './exports.ts';
import { expiryCalls } from './expiry.ts';
import { searchStore } from './search/finder.ts';
import { geocodeCalls } from './geocodes.ts';
import { idempotencyCalls } from './idempotency.ts';
import { leaseCalls } from './leases.ts';
import { ListStates } from './list-state.ts';
import { Loader } from './load.ts';
import { locationCalls } from './locations.ts';
import { mapCalls } from './maps.ts';
import { metaCalls } from './meta.ts';
import { ownerCalls } from './owners.ts';
import { prepareDatabase } from './prepare.ts';
import { tokenCalls } from './tokens.ts';
import { webhookCalls } from './webhooks.ts';

/** @throws ServiceError STORAGE_UNAVAILABLE when the server cannot be reached; UnfitStorageError when it is not fit for us */
export async function openMongodbStorage(url: string, options: StorageOptions): Promise<Storage> {
  const database = new Database(url, options);
  try {
    await prepareDatabase(database, options.onNotice);
  } catch (error) {
    await database.close();
    throw error;
  }
  return mongodbStorage(database);
}

function mongodbStorage(database: Database): Storage {
  const lists = new ListStates(database);
  const loader = new Loader(database, lists);
  const bell = new ChangeBell(database);
  const close = async () => {
    loader.end();
    await Promise.all([lists.close(), bell.close()]);
  };
  return {
    ping: () => database.ping(),
    close: () => database.close(close),

    ...metaCalls(database),
    ...ownerCalls(database),
    ...tokenCalls(database),
    ...mapCalls(database),
    ...locationCalls(database, lists),
    ...idempotencyCalls(database, lists),
    ...geocodeCalls(database),
    ...changeCalls(database, lists, bell),
    ...webhookCalls(database),
    ...leaseCalls(database),
    ...expiryCalls(database),
    ...searchStore(database),
    ...exportCalls(database),
    ...dumpCalls(database, lists),
    load: (items) => loader.load(items),
    removeAll: (keptMetaKeys) => loader.removeAll(keptMetaKeys),
  };
}
