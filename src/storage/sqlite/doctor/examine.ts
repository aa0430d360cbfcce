/** Examines a database file without changing a byte of it. */

import { statSync } from 'node:fs';

import { storageUnavailable } from '../../../errors.ts';
import type { Examination, Finding } from '../../examination.ts';
import { DamagedStoreError, olderVersion, RESTORE_LAST } from '../../examination.ts';
import type { StorageOptions } from '../../storage.ts';
import { IncompatibleStorageError } from '../../incompatible.ts';
import { isDamaged, translate } from '../errors.ts';
import type { SqlRow, SqlValue } from '../engine/driver.ts';
import { inspectFile } from '../engine/inspect-file.ts';
import { NEWEST_VERSION } from '../migrations/migrate.ts';
import { numberOf, textOf, textOrNull } from '../engine/statements.ts';
import { FileReader } from '../engine/file-reader.ts';
import { findDuplicates } from './duplicates.ts';
import { examineHistory } from './history.ts';
import { examineWordIndex } from './word-index.ts';
import { examineMaps } from './lists.ts';
import { examineMembers } from './members.ts';
import { findOrphans } from './orphans.ts';
import { examineSchema } from './indexes.ts';

/**
 * @throws IncompatibleStorageError for a file that is missing, of another program or of another version; ServiceError
 *   STORAGE_UNAVAILABLE for one that cannot be read
 */
export async function examineSqlite(
  path: string,
  { timeoutMs }: Pick<StorageOptions, 'timeoutMs'>,
): Promise<Examination> {
  if (sizeOf(path) === 0) throw new IncompatibleStorageError('There is no store yet.');
  await inspectFile(path, timeoutMs);
  const before = stateOf(path);
  // Reading a log creates its index (-shm) where that is missing. Without a log, the file is opened as immutable.
  const isAlone = before.log === 0;
  let reader: FileReader;
  try {
    reader = openReader(path, isAlone);
  } catch (error) {
    if (isDamaged(error)) return unreadable(error);
    throw translate(error);
  }
  return {
    getMeta: async (key) => {
      const [row] = readRows(reader, 'SELECT value FROM meta WHERE key = ?', key);
      return row === undefined ? null : textOf(row, 'value');
    },
    async *listMapsWithKeys() {
      const rows = readRows(
        reader,
        `SELECT id, provider_map_api_key, geocoding_api_key FROM maps
         WHERE provider_map_api_key IS NOT NULL OR geocoding_api_key IS NOT NULL`,
      );
      for (const row of rows) {
        yield {
          id: textOf(row, 'id'),
          providerMapApiKey: textOrNull(row, 'provider_map_api_key'),
          geocodingApiKey: textOrNull(row, 'geocoding_api_key'),
        };
      }
    },
    async *listWebhookSecrets() {
      const rows = readRows(
        reader,
        'SELECT id, secret, former_secret FROM webhooks WHERE secret IS NOT NULL OR former_secret IS NOT NULL',
      );
      for (const row of rows) {
        const stored = [textOrNull(row, 'secret'), textOrNull(row, 'former_secret')];
        yield { id: textOf(row, 'id'), secrets: stored.filter((secret) => secret !== null) };
      }
    },
    findings: () => findings(reader),
    assertUnchanged: () => {
      const after = stateOf(path);
      const isSame = after.log === 0 && after.changedAt === before.changedAt && after.size === before.size;
      if (isAlone && !isSame)
        throw storageUnavailable(new Error('A server opened the file during the examination.'));
    },
    close: async () => {
      try {
        reader.end();
      } catch {
        // A scan of a damaged file stopped early; the finding is reported already.
      }
      reader.close();
    },
  };
}

/** @throws DamagedStoreError */
function* readRows(reader: FileReader, sql: string, ...values: SqlValue[]): Generator<SqlRow> {
  try {
    yield* reader.iterate(sql, ...values);
  } catch (error) {
    throw isDamaged(error) ? new DamagedStoreError(damageOf(error)) : translate(error);
  }
}

function openReader(path: string, isAlone: boolean): FileReader {
  const reader = new FileReader(path, { isAlone });
  try {
    // Sums and sorts may cover the whole store.
    reader.get('PRAGMA temp_store = FILE');
    reader.begin();
    assertVersion(reader);
    return reader;
  } catch (error) {
    reader.end();
    reader.close();
    throw error;
  }
}

/** The file is too damaged for any further check. */
function unreadable(error: unknown): Examination {
  return {
    getMeta: () => Promise.resolve(null),
    async *listMapsWithKeys() {},
    async *listWebhookSecrets() {},
    async *findings() {
      yield damageOf(error);
    },
    assertUnchanged: () => {},
    close: () => Promise.resolve(),
  };
}

function stateOf(path: string) {
  const { size, mtimeMs: changedAt } = statSync(path);
  return { size, changedAt, log: sizeOf(`${path}-wal`) };
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

function assertVersion(reader: FileReader): void {
  const version = numberOf(reader.get('PRAGMA user_version') ?? {}, 'user_version');
  if (version === NEWEST_VERSION) return;
  throw new IncompatibleStorageError(olderVersion(version, NEWEST_VERSION));
}

async function* findings(reader: FileReader): AsyncGenerator<Finding> {
  try {
    for (const examine of [
      findDamage,
      examineSchema,
      findOrphans,
      findDuplicates,
      examineMembers,
      examineMaps,
      examineHistory,
      examineWordIndex,
    ]) {
      for await (const finding of examine(reader)) yield finding;
    }
  } catch (error) {
    if (!isDamaged(error)) throw translate(error);
    yield damageOf(error);
  }
}

/** Lines of SQLite's own check to report. */
const MAX_LINES = 20;

function* findDamage(reader: FileReader): Generator<Finding> {
  for (const row of reader.all(`PRAGMA integrity_check(${MAX_LINES})`)) {
    const line = textOf(row, 'integrity_check');
    if (line !== 'ok') yield damage(line);
  }
}

function damageOf(error: unknown): Finding {
  return damage(error instanceof Error ? error.message : String(error));
}

function damage(message: string): Finding {
  return {
    check: 'integrity',
    message: `The database file is damaged: ${message.trim().replaceAll('\n', '; ')}.`,
    remedy: RESTORE_LAST,
  };
}
