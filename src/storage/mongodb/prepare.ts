/** What a start does to the database: looks whether it is fit, makes the indexes that are missing, and migrates. */

import { setTimeout as delay } from 'node:timers/promises';

import type { Collection, Document } from 'mongodb';
import { MongoServerError } from 'mongodb';
import PQueue from 'p-queue';

import type { StorageNotice } from '../storage.ts';
import { IncompatibleStorageError } from '../incompatible.ts';
import type { Database } from './database.ts';
import type { IndexDefinition } from './indexes.ts';
import { INDEXES } from './indexes.ts';
import { migrate } from './migrations.ts';
import { assertKnownVersion, readVersion } from './schema-version.ts';

/** Wire version 13 is MongoDB 5.0 (https://github.com/mongodb/specifications, wire versions). */
const OLDEST_WIRE_VERSION = 13;
/**
 * Collections whose indexes are made at once. Each may wait for the majority; but each also takes a connection, and to open
 * one costs more than to ask for indexes that are there.
 */
const INDEXED_AT_ONCE = 3;
/** Two gateways that start on an empty database make the same collections and indexes at once. */
const ATTEMPTS = 5;
const PAUSE_MS = 100;
/** Unauthorized, AuthenticationFailed, IndexOptionsConflict, IndexKeySpecsConflict: no better the second time. */
const FINAL_CODES = new Set([13, 18, 85, 86]);

/** @throws IncompatibleStorageError when the server is too old, or a newer release has written the database */
export async function prepareDatabase(
  database: Database,
  onNotice: (notice: StorageNotice) => void = () => {},
): Promise<void> {
  const server = await database.hello();
  if (server === null || server.maxWireVersion < OLDEST_WIRE_VERSION) {
    throw new IncompatibleStorageError('The MongoDB server is too old: version 5.0 or later is needed.');
  }
  // Before anything is made in it.
  const version = await database.run(readVersion);
  assertKnownVersion(version);
  const names = [...new Set(INDEXES.map(({ collection }) => collection))];
  const queue = new PQueue({ concurrency: INDEXED_AT_ONCE });
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
    // Typed by its documents, but an index is made alike on every collection.
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
