/** Looks through a database by reads alone. It goes by no hint, since an index may be what is missing. */

import type { Examination, Finding, Unlooked } from '../../examination.ts';
import { olderVersion } from '../../examination.ts';
import type { StorageOptions } from '../../storage.ts';
import { IncompatibleStorageError } from '../../incompatible.ts';
import { Database } from '../database.ts';
import { assertKnownVersion, NEWEST_VERSION, readVersion, SCHEMA_VERSION_KEY } from '../schema-version.ts';
import { findDamage } from './damage.ts';
import { findDuplicates } from './duplicates.ts';
import { examineIndexes } from './index-definitions.ts';
import { examineMaps } from './lists.ts';
import { findOrphans } from './orphans.ts';
import { documentsOf } from '../for-each-batch.ts';

/** @throws IncompatibleStorageError for a database that is of another version; ServiceError STORAGE_UNAVAILABLE */
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
    // Each finding was looked at so that what others write meanwhile is none.
    assertUnchanged: () => {},
    close: () => database.close(),
  };
}

async function assertVersion(database: Database): Promise<void> {
  const isSaid = await database.run(({ meta }) => meta.findOne({ _id: { $eq: SCHEMA_VERSION_KEY } }));
  const version = await database.run(readVersion);
  assertKnownVersion(version);
  if (version === NEWEST_VERSION) return;
  throw new IncompatibleStorageError(
    isSaid === null
      ? 'There is no store yet, or one of the first version; look again after the next start.'
      : olderVersion(version, NEWEST_VERSION),
  );
}

async function* findings(database: Database): AsyncGenerator<Finding | Unlooked> {
  for (const examine of [findDamage, examineIndexes, findOrphans, findDuplicates, examineMaps]) {
    yield* examine(database);
  }
}
