/** Examines a database with reads only. It uses no hints, since an index may be missing. */

import { MongoServerError } from 'mongodb';

import type { Examination, Finding, Unlooked } from '../../examination.ts';
import { RESTORE_LAST, olderVersion } from '../../examination.ts';
import { IncompatibleStorageError } from '../../incompatible.ts';
import type { StorageOptions } from '../../storage.ts';
import { Database, documentsOf } from '../database.ts';
import { NEWEST_VERSION, SCHEMA_VERSION_KEY, assertKnownVersion, readVersion } from '../migrations.ts';
import type { Collections } from '../schema.ts';
import { findDuplicates } from './duplicates.ts';
import { examineHistory } from './history.ts';
import { examineIndexes } from './indexes.ts';
import { examineMaps } from './lists.ts';
import { examineMembers } from './members.ts';
import { findOrphans } from './orphans.ts';

/** @throws IncompatibleStorageError for a database of another version; ServiceError STORAGE_UNAVAILABLE */
export async function examineMongodb(url: string, options: StorageOptions): Promise<Examination> {
  const database = new Database(url, options);
  try {
    await database.hello();
    await assertVersion(database);
  } catch (error) {
    await database.close();
    throw error;
  }
  return {
    getMeta: (key) =>
      database.run(async ({ meta }) => (await meta.findOne({ _id: { $eq: key } }))?.value ?? null),
    async *listMapsWithKeys() {
      const withKeys = database.collections.maps.find({
        $or: [{ providerMapApiKey: { $exists: true } }, { geocodingApiKey: { $exists: true } }],
      });
      for await (const { _id: id, providerMapApiKey = null, geocodingApiKey = null } of documentsOf(
        database,
        withKeys,
      )) {
        yield { id, providerMapApiKey, geocodingApiKey };
      }
    },
    async *listWebhookSecrets() {
      const withSecrets = database.collections.webhooks.find({
        $or: [{ secret: { $exists: true } }, { formerSecret: { $exists: true } }],
      });
      for await (const { id, secret, formerSecret } of documentsOf(database, withSecrets)) {
        const stored = [secret, formerSecret?.secret];
        yield { id, secrets: stored.filter((each) => each !== undefined) };
      }
    },
    findings: () => findings(database),
    // Every check tolerates concurrent writes.
    assertUnchanged: () => {},
    close: () => database.close(),
  };
}

async function assertVersion(database: Database): Promise<void> {
  const stored = await database.run(({ meta }) => meta.findOne({ _id: { $eq: SCHEMA_VERSION_KEY } }));
  const version = await database.run(readVersion);
  assertKnownVersion(version);
  if (version === NEWEST_VERSION) return;
  throw new IncompatibleStorageError(
    stored === null
      ? 'There is no store yet, or one of version 1. Run the check again after the next start.'
      : olderVersion(version, NEWEST_VERSION),
  );
}

async function* findings(database: Database): AsyncGenerator<Finding | Unlooked> {
  for (const examine of [
    findDamage,
    examineIndexes,
    findOrphans,
    findDuplicates,
    examineMembers,
    examineMaps,
    examineHistory,
  ]) {
    yield* examine(database);
  }
}

/** The collection does not exist. */
const NAMESPACE_NOT_FOUND = 26;

export async function* findDamage(database: Database): AsyncGenerator<Finding | Unlooked> {
  for (const name of Object.keys(database.collections) as (keyof Collections)[]) {
    try {
      const result = await database.validate(name);
      if (result.valid !== false) continue;
      const errors = Array.isArray(result.errors) ? result.errors.map(String) : [];
      yield {
        check: 'integrity',
        message: `The collection ${name} is damaged: ${errors.slice(0, 3).join('; ')}.`,
        remedy: RESTORE_LAST,
      };
    } catch (error) {
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
      if (!(cause instanceof MongoServerError)) throw error;
      if (cause.code === NAMESPACE_NOT_FOUND) continue;
      yield {
        check: 'integrity',
        unlooked: `The server did not check the collection ${name}: ${cause.message}`,
      };
      return;
    }
  }
}
