/** Classifies SQLite's errors, and translates those of the file and the disk. */

import { setTimeout as delay } from 'node:timers/promises';

import { ServiceError, storageUnavailable } from '../../errors.ts';
import { resultCode } from './engine/driver.ts';

const SQLITE_BUSY = 5;
const SQLITE_READONLY = 8;
/** SQLITE_CORRUPT and SQLITE_NOTADB. */
const DAMAGED = new Set([11, 26]);
/**
 * Errors of the file or the disk, whatever the statement. The others are SQLITE_PERM (3), LOCKED (6), NOMEM (7), IOERR
 * (10), FULL (13), CANTOPEN (14) and PROTOCOL (15).
 */
const UNAVAILABLE = new Set([3, SQLITE_BUSY, 6, 7, SQLITE_READONLY, 10, 13, 14, 15, ...DAMAGED]);

/** Another connection holds the lock; a retry may succeed. */
export function isLocked(error: unknown): boolean {
  return resultCode(error) === SQLITE_BUSY;
}

/** The file is not writable. SQLite may have to write before it can read. */
export function isReadOnly(error: unknown): boolean {
  return resultCode(error) === SQLITE_READONLY;
}

/** The file is damaged, or not a database. */
export function isDamaged(error: unknown): boolean {
  const code = resultCode(error);
  return code !== undefined && DAMAGED.has(code);
}

/** The error is of the file or the disk, whatever the statement. */
export function isUnavailable(error: unknown): boolean {
  const code = resultCode(error);
  return code !== undefined && UNAVAILABLE.has(code);
}

/** ServiceError STORAGE_UNAVAILABLE for an error of the file or the disk; any other error unchanged. */
export function translate(error: unknown): unknown {
  const isFileError = error instanceof Error && 'syscall' in error;
  if (!isFileError && !isUnavailable(error)) return error;
  return storageUnavailable(error);
}

/** The error of calls after the store was closed. */
export function databaseClosed(): ServiceError {
  return new ServiceError('STORAGE_UNAVAILABLE', 'The database is closed.', { retryAfterSeconds: 1 });
}

const LONGEST_PAUSE_MS = 20;

/** Pauses before another attempt to get a lock. */
export async function lockPause(): Promise<void> {
  // Random, because SQLite has no queue: processes in step would starve each other.
  await delay(1 + Math.random() * LONGEST_PAUSE_MS);
}
