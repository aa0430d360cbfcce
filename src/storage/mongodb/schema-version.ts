/** The version of the documents in a database, which the database itself says. */

import { IncompatibleStorageError } from '../incompatible.ts';
import type { Collections } from './database.ts';
import { isDuplicateKey } from './failures.ts';

/** In `meta`. It is part of the store and not of what it holds: no copy carries it. */
export const SCHEMA_VERSION_KEY = 'schema-version';

/** The version that this program writes. */
export const NEWEST_VERSION = 7;

/** That of a database which does not say it. */
const FIRST_VERSION = 1;

/** 1 for a database that does not say it: an empty one, or one of the first version. */
export async function readVersion({ meta }: Collections): Promise<number> {
  const found = await meta.findOne({ _id: { $eq: SCHEMA_VERSION_KEY } });
  return found === null ? FIRST_VERSION : Number(found.value);
}

/** @throws IncompatibleStorageError when a newer release has written the database */
export function assertKnownVersion(version: number): void {
  if (version <= NEWEST_VERSION) return;
  throw new IncompatibleStorageError(
    `The database is of version ${version}, written by a newer release; this one knows versions up to ${NEWEST_VERSION}. It was left as it is.`,
  );
}

/**
 * Says the newest version. Several gateways may do so at once; none makes it smaller.
 *
 * @throws IncompatibleStorageError where a newer release has said another meanwhile
 */
export async function writeNewestVersion(collections: Collections): Promise<void> {
  const { meta } = collections;
  try {
    await meta.insertOne({ _id: SCHEMA_VERSION_KEY, value: String(NEWEST_VERSION) });
    return;
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
  }
  const version = await readVersion(collections);
  assertKnownVersion(version);
  // Only over the version that was read: a newer one stays.
  await meta.updateOne(
    { _id: SCHEMA_VERSION_KEY, value: String(version) },
    { $set: { value: String(NEWEST_VERSION) } },
  );
}
