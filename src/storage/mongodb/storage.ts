/**
 * Opens MongoDB 5.0 or later: a standalone server, a replica set or a sharded cluster. The URL is the driver's; its path
 * names the database, `map-locations` by default. In filters, callers' values are operands of `$eq` or `$in`, so that they
 * never act as operators.
 */

import { setTimeout as delay } from 'node:timers/promises';

import type { Collection, Document } from 'mongodb';
import { MongoServerError } from 'mongodb';
import PQueue from 'p-queue';

import { IncompatibleStorageError } from '../incompatible.ts';
import type { Storage, StorageNotice, StorageOptions } from '../storage.ts';
import { accountStore } from './accounts.ts';
import { dumpStore } from './backup/dump.ts';
import { Loader } from './backup/load.ts';
import { ChangeStreamNotifier } from './change-stream-notifier.ts';
import { changeStore } from './changes.ts';
import { Database } from './database.ts';
import { expiryStore } from './expiry.ts';
import { exportStore } from './locations/exports.ts';
import { geocodeStore } from './geocodes.ts';
import { historyStore } from './history/history-store.ts';
import { idempotencyStore } from './idempotency.ts';
import { invitationStore } from './invitations.ts';
import { keyedCallStore } from './keyed-calls.ts';
import { leaseStore } from './leases.ts';
import { logoStore } from './logos.ts';
import { locationStore } from './locations/locations.ts';
import { mapLinkStore } from './map-links.ts';
import { mapStore } from './maps.ts';
import { memberStore } from './members.ts';
import { metaStore } from './meta.ts';
import { assertKnownVersion, migrate, readVersion } from './migrations.ts';
import { ownerStore } from './owners.ts';
import type { IndexDefinition } from './schema.ts';
import { INDEXES } from './schema.ts';
import { searchStore } from './search/search-store.ts';
import { sessionStore } from './sessions.ts';
import { tokenStore } from './tokens.ts';
import { webhookStore } from './webhooks.ts';
import { MapWrites } from './writes/map-writes.ts';

/** @throws ServiceError STORAGE_UNAVAILABLE; IncompatibleStorageError for an unsuitable server or a newer database */
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
  const writes = new MapWrites(database);
  const loader = new Loader(database, writes);
  const notifier = new ChangeStreamNotifier(database);
  const close = async () => {
    loader.end();
    await Promise.all([writes.close(), notifier.close()]);
  };
  return {
    ping: () => database.ping(),
    close: () => database.close(close),

    ...metaStore(database),
    ...ownerStore(database),
    ...tokenStore(database),
    ...accountStore(database),
    ...sessionStore(database),
    ...mapStore(database),
    ...logoStore(database),
    ...memberStore(database),
    ...invitationStore(database),
    ...mapLinkStore(database),
    ...locationStore(database, writes),
    ...idempotencyStore(database, writes),
    ...keyedCallStore(database),
    ...geocodeStore(database),
    ...historyStore(database, writes),
    ...changeStore(database, writes, notifier),
    ...webhookStore(database),
    ...leaseStore(database),
    ...expiryStore(database),
    ...searchStore(database),
    ...exportStore(database),
    ...dumpStore(database, writes),
    load: (items) => loader.load(items),
    removeAll: (keptMetaKeys) => loader.removeAll(keptMetaKeys),
  };
}

/** MongoDB 5.0 (https://github.com/mongodb/specifications, wire versions). */
const MIN_WIRE_VERSION = 13;
/**
 * Concurrent createIndexes commands. Each may wait for the majority, but each also needs a connection, which costs more to
 * open than a command about existing indexes.
 */
const INDEX_CONCURRENCY = 3;
/** Several gateways that start on an empty database create the same collections and indexes. */
const ATTEMPTS = 5;
const PAUSE_MS = 100;
/** Unauthorized, AuthenticationFailed, IndexOptionsConflict, IndexKeySpecsConflict: a retry does not help. */
const FINAL_CODES = new Set([13, 18, 85, 86]);

/** Checks the server and the database's version, creates missing indexes, and migrates. */
async function prepareDatabase(
  database: Database,
  onNotice: (notice: StorageNotice) => void = () => {},
): Promise<void> {
  const server = await database.hello();
  if (server === null || server.maxWireVersion < MIN_WIRE_VERSION) {
    throw new IncompatibleStorageError('The MongoDB server is too old: version 5.0 or later is needed.');
  }
  // Before the first write.
  const version = await database.run(readVersion);
  assertKnownVersion(version);
  const names = [...new Set(INDEXES.map(({ collection }) => collection))];
  const queue = new PQueue({ concurrency: INDEX_CONCURRENCY });
  await queue.addAll(names.map((name) => () => retryCollisions(() => createIndexes(database, name))));
  await migrate(database, version, onNotice);
}

async function createIndexes(database: Database, name: IndexDefinition['collection']): Promise<void> {
  const specifications = INDEXES.filter(({ collection }) => collection === name).map((index) => ({
    key: { ...index.key },
    name: index.name,
    ...index.options,
  }));
  await database.run(async (collections) => {
    const collection = collections[name] as unknown as Collection<Document>;
    await collection.createIndexes(specifications);
  });
}

async function retryCollisions(work: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await work();
      return;
    } catch (error) {
      const isCollision = error instanceof MongoServerError && !FINAL_CODES.has(Number(error.code));
      if (!isCollision || attempt === ATTEMPTS) throw error;
    }
    await delay(PAUSE_MS * attempt * (1 + Math.random()));
  }
}
