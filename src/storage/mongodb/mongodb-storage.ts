/**
 * The store of deployments: MongoDB 5.0 or later, one server, a replica set or a sharded cluster. Transactions are
 * used for moves alone, where there are any; insert.ts says why nothing else needs one. `mongodb://` and `mongodb+srv://` URLs are the driver's own; the
 * path names the database, `map-locations` by default. In filters a caller's value stands under `$eq` or `$in`, where it
 * is data whatever it is.
 */

import type { Storage, StorageOptions } from '../storage.ts';
import { ChangeStreamNotifier } from './change-stream-notifier.ts';
import { changeStore } from './change-log.ts';
import { Database } from './database.ts';
import { dumpStore } from './dump.ts';
import { exportStore } from './exports.ts';
import { expiryStore } from './expiry.ts';
import { searchStore } from './search/search-store.ts';
import { geocodeStore } from './geocodes.ts';
import { idempotencyStore } from './idempotency.ts';
import { leaseStore } from './leases.ts';
import { ListStates } from './list-state.ts';
import { Loader } from './load.ts';
import { locationStore } from './locations.ts';
import { mapStore } from './maps.ts';
import { metaStore } from './meta.ts';
import { ownerStore } from './owners.ts';
import { prepareDatabase } from './prepare.ts';
import { tokenStore } from './tokens.ts';
import { webhookStore } from './webhooks.ts';

/** @throws ServiceError STORAGE_UNAVAILABLE when the server cannot be reached; IncompatibleStorageError when it is not fit for us */
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
  const notifier = new ChangeStreamNotifier(database);
  const close = async () => {
    loader.end();
    await Promise.all([lists.close(), notifier.close()]);
  };
  return {
    ping: () => database.ping(),
    close: () => database.close(close),

    ...metaStore(database),
    ...ownerStore(database),
    ...tokenStore(database),
    ...mapStore(database),
    ...locationStore(database, lists),
    ...idempotencyStore(database, lists),
    ...geocodeStore(database),
    ...changeStore(database, lists, notifier),
    ...webhookStore(database),
    ...leaseStore(database),
    ...expiryStore(database),
    ...searchStore(database),
    ...exportStore(database),
    ...dumpStore(database, lists),
    load: (items) => loader.load(items),
    removeAll: (keptMetaKeys) => loader.removeAll(keptMetaKeys),
  };
}
