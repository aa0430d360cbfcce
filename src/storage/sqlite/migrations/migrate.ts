/**
 * Brings a file to the newest version of the schema, in one transaction: an interrupted start leaves the old version
 * intact. `user_version` is the version of a file.
 */

import type { StorageNotice } from '../../storage.ts';
import { IncompatibleStorageError } from '../../incompatible.ts';
import type { Database } from '../database.ts';
import { APPLICATION_ID, SCHEMA } from '../schema.ts';
import { MIGRATIONS } from './steps.ts';

/** Milliseconds after which a migration, or the wait for another process's, is reported. */
const LONG_MS = 1_000;

/** The version that this program writes. */
export const NEWEST_VERSION = MIGRATIONS.length;

const FIRST_TABLES = ['meta', 'owners', 'maps', 'tokens', 'locations', 'idempotency_records'];
const TABLES = [...FIRST_TABLES, 'geocodes', 'quotas'];

/** Tables of the versions without an application id. */
export const TABLES_OF_VERSION: ReadonlyMap<number, readonly string[]> = new Map([
  [1, FIRST_TABLES],
  [2, TABLES],
  [3, TABLES],
]);

/** @throws IncompatibleStorageError when a newer release has written the file */
export function assertKnownVersion(version: number): void {
  if (version <= NEWEST_VERSION) return;
  throw new IncompatibleStorageError(
    `The database has version ${version}, written by a newer release; this release supports versions up to ${NEWEST_VERSION}. Nothing was changed.`,
  );
}

/**
 * Several processes may call it at once: one migrates, and the others wait, however long that takes.
 *
 * @param onNotice called after a migration, during one that takes longer than `longMs`, and during a long wait
 * @throws IncompatibleStorageError when a newer release has written the file
 */
export async function migrate(
  database: Database,
  onNotice: (notice: StorageNotice) => void = () => {},
  longMs = LONG_MS,
): Promise<void> {
  if (database.read(() => versionOf(database)) === NEWEST_VERSION) return;
  const report = (message: string) => onNotice({ level: 'info', message });
  const waiting = setTimeout(
    report,
    LONG_MS,
    'Another process is writing to the database, perhaps to migrate it; waiting for it.',
  );
  const made = { from: 0, startedAt: 0, isReported: false };
  try {
    await database.write(
      () => {
        clearTimeout(waiting);
        const startedAt = performance.now();
        // Another process may have migrated the file meanwhile.
        const version = versionOf(database);
        assertKnownVersion(version);
        if (version < NEWEST_VERSION) Object.assign(made, { from: version, startedAt });
        updateSchema(database, version, () => {
          if (made.isReported || version === 0 || performance.now() - startedAt < longMs) return;
          made.isReported = true;
          report(
            `The database is being migrated from version ${version} to ${NEWEST_VERSION}, which takes a while.`,
          );
        });
      },
      { timeoutMs: Infinity },
    );
  } finally {
    clearTimeout(waiting);
  }
  // The file is new, or another process migrated it.
  if (made.from === 0) return;
  const seconds = ((performance.now() - made.startedAt) / 1000).toFixed(1);
  report(`The database was migrated from version ${made.from} to ${NEWEST_VERSION} in ${seconds} s.`);
}

function updateSchema(database: Database, version: number, onProgress: () => void): void {
  if (version === NEWEST_VERSION) return;
  if (version === 0) database.exec(SCHEMA);
  else runSteps(database, version, onProgress);
  database.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
  database.exec(`PRAGMA user_version = ${NEWEST_VERSION}`);
}

/** Runs the steps that a file of that version lacks. */
export function runSteps(database: Database, version: number, onProgress: () => void = () => {}): void {
  for (const migration of MIGRATIONS.slice(version)) {
    if (typeof migration === 'string') database.exec(migration);
    else migration(database, onProgress);
  }
}

function versionOf(database: Database): number {
  return Number(database.get('PRAGMA user_version')?.user_version);
}
