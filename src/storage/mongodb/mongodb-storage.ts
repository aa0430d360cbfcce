/**
 * The store of deployments: MongoDB 5.0 or later, one server, a replica set or a sharded cluster. No transaction is
 * needed; insert.ts says why, statement by statement. `mongodb://` and `mongodb+srv://` URLs are the driver's own; the
 * path names the database, `map-locations` by default. In filters a caller's value stands under `$eq` or `$in`, where it
 * is data whatever it is.
 */

import type { Storage, StorageOptions } from '../storage.ts';
import { Database } from './database.ts';
import { dumpCalls } from './dump.ts';
import { isDuplicateKey } from './failures.ts';
import { geocodeCalls } from './geocodes.ts';
import { insertCalls } from './insert.ts';
import { locationCalls } from './locations.ts';
import { mapCalls } from './maps.ts';
import { ownerCalls } from './owners.ts';
import { prepareDatabase } from './prepare.ts';

/** @throws ServiceError STORAGE_UNAVAILABLE when the server cannot be reached; Error when it is not fit for us */
export async function openMongodbStorage(url: string, options: StorageOptions): Promise<Storage> {
  const database = new Database(url, options);
  try {
    await prepareDatabase(database);
  } catch (error) {
    await database.close();
    throw error;
  }
  return mongodbStorage(database);
}

function mongodbStorage(database: Database): Storage {
  return {
    ping: () => database.ping(),
    close: () => database.close(),

    isEmpty: () =>
      database.run(async ({ owners, tokens, maps }) => {
        const any = { hint: '_id_', projection: { _id: 1 } };
        const found = await Promise.all([
          owners.findOne({}, any),
          tokens.findOne({}, any),
          maps.findOne({}, any),
        ]);
        return found.every((document) => document === null);
      }),

    getMeta: (key) =>
      database.run(async ({ meta }) => (await meta.findOne({ _id: { $eq: key } }))?.value ?? null),

    setMetaIfAbsent: (key, value) =>
      database.run(async ({ meta }) => {
        try {
          await meta.insertOne({ _id: key, value });
          return true;
        } catch (error) {
          if (isDuplicateKey(error)) return false;
          throw error;
        }
      }),

    ...ownerCalls(database),
    ...mapCalls(database),
    ...locationCalls(database),
    ...insertCalls(database),
    ...geocodeCalls(database),
    ...dumpCalls(database),
  };
}
