/**
 * Identifies a file before it is opened for writing. Files of other programs and of newer releases stay unchanged to
 * the byte.
 */

import { closeSync, openSync, readSync, statSync } from 'node:fs';

import { IncompatibleStorageError } from '../../incompatible.ts';
import type { DriverDatabase } from './driver.ts';
import { openDatabase, openReadOnly } from './driver.ts';
import { isDamaged, isLocked, isReadOnly, lockPause, translate } from '../errors.ts';
import { assertKnownVersion, TABLES_OF_VERSION } from '../migrations/migrate.ts';
import { APPLICATION_ID } from '../schema.ts';

/** Database header (https://www.sqlite.org/fileformat.html, section 1.3). */
const HEADER_BYTES = 100;
const MAGIC = 'SQLite format 3\0';
const USER_VERSION_AT = 60;
const APPLICATION_ID_AT = 68;

/** Evidence of whose file it is. */
interface FileIdentity {
  readonly applicationId: number;
  readonly userVersion: number;
  /** Null where it was not needed. */
  readonly schema: readonly SchemaEntry[] | null;
}

interface SchemaEntry {
  readonly type: string;
  readonly name: string;
}

/**
 * @param timeoutMs how long to wait for another process's lock
 * @throws IncompatibleStorageError for a file that is no database, of another program or of a newer release;
 *   ServiceError STORAGE_UNAVAILABLE for one that cannot be read
 */
export async function inspectFile(path: string, timeoutMs: number): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    try {
      const identity = readIdentity(path);
      if (identity !== null) assertOurs(identity);
      return;
    } catch (error) {
      if (isDamaged(error)) throw notADatabase(error);
      if (!isLocked(error) || performance.now() >= deadline) throw translate(error);
    }
    await lockPause();
  }
}

function assertOurs({ applicationId, userVersion, schema }: FileIdentity): void {
  if (applicationId === APPLICATION_ID) return assertKnownVersion(userVersion);
  if (applicationId !== 0 || schema === null) throw foreignFile();
  const isNew = userVersion === 0 && schema.length === 0;
  if (!isNew && !isOlderRelease(userVersion, schema)) throw foreignFile();
}

/**
 * Files up to version 3 have no application id, and are recognized by their tables. They may have more, from backup
 * tools.
 */
function isOlderRelease(version: number, schema: readonly SchemaEntry[]): boolean {
  const expected = TABLES_OF_VERSION.get(version);
  const tables = schema.filter(({ type }) => type === 'table').map(({ name }) => name);
  return expected?.every((name) => tables.includes(name)) ?? false;
}

function foreignFile(): IncompatibleStorageError {
  return new IncompatibleStorageError('The file is a database of another program. Nothing was changed.');
}

function notADatabase(cause: unknown): IncompatibleStorageError {
  return new IncompatibleStorageError('The file is not an SQLite database, or it is damaged.', { cause });
}

/** @returns null for a missing or empty file */
function readIdentity(path: string): FileIdentity | null {
  const size = sizeOf(path);
  if (size === 0) return null;
  const header = readHeader(path);
  if (header.toString('latin1', 0, MAGIC.length) !== MAGIC) throw notADatabase(undefined);
  // The log may contain a newer header.
  if (sizeOf(`${path}-wal`) > 0) return queryIdentity(path, 'with its log');
  const applicationId = header.readUInt32BE(APPLICATION_ID_AT);
  if (applicationId !== 0) {
    return { applicationId, userVersion: header.readUInt32BE(USER_VERSION_AT), schema: null };
  }
  return queryIdentity(path, 'alone');
}

/** Bytes; 0 for a missing file. */
function sizeOf(path: string): number {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    return stats?.isFile() === true ? stats.size : 0;
  } catch {
    // Opening the file reports it.
    return 0;
  }
}

function readHeader(path: string): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  const file = openSync(path, 'r');
  try {
    readSync(file, header, 0, HEADER_BYTES, 0);
    return header;
  } finally {
    closeSync(file);
  }
}

function queryIdentity(path: string, how: 'alone' | 'with its log'): FileIdentity {
  try {
    return queryAndClose(openReadOnly(path, { isAlone: how === 'alone' }));
  } catch (error) {
    // A transaction of another program was interrupted; SQLite must roll it back before it can read.
    if (isReadOnly(error)) return queryAndClose(openDatabase(path));
    throw error;
  }
}

function queryAndClose(database: DriverDatabase): FileIdentity {
  try {
    return {
      applicationId: Number(database.prepare('PRAGMA application_id').get()?.application_id),
      userVersion: Number(database.prepare('PRAGMA user_version').get()?.user_version),
      schema: database
        .prepare("SELECT type, name FROM sqlite_schema WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\'")
        .all()
        .map(({ type, name }) => ({ type: String(type), name: String(name) })),
    };
  } finally {
    database.close();
  }
}
