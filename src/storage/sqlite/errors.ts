/** What SQLite's errors mean. */

import { setTimeout as delay } from 'node:timers/promises';

import { ServiceError, storageUnavailable } from '../../errors.ts';
import { resultCode } from './engine/driver.ts';

const SQLITE_BUSY = 5;
const SQLITE_READONLY = 8;
/** SQLITE_CORRUPT and SQLITE_NOTADB. */
const DAMAGED = new Set([11, 26]);
/**
 * Codes that are about the file or the disk, not about what was asked. The others are SQLITE_PERM (3), LOCKED (6),
 * NOMEM (7), IOERR (10), FULL (13), CANTOPEN (14) and PROTOCOL (15).
 */
const UNAVAILABLE = new Set([3, SQLITE_BUSY, 6, 7, SQLITE_READONLY, 10, 13, 14, 15, ...DAMAGED]);

/** Another connection has the lock. What failed can be tried again. */
export function isLocked(error: unknown): boolean {
  return resultCode(error) === SQLITE_BUSY;
}

/** The file may not be written. SQLite may have to write before it can read. */
export function isReadOnly(error: unknown): boolean {
  return resultCode(error) === SQLITE_READONLY;
}

/** The file is not a database, or is a damaged one. */
export function isDamaged(error: unknown): boolean {
  const code = resultCode(error);
  return code !== undefined && DAMAGED.has(code);
}

/** The error is about the file or the disk, whatever was asked. */
export function isUnavailable(error: unknown): boolean {
  const code = resultCode(error);
  return code !== undefined && UNAVAILABLE.has(code);
}

/** A ServiceError STORAGE_UNAVAILABLE for an error of the file or the disk; any other error as it is. */
export function translate(error: unknown): unknown {
  const isFileError = error instanceof Error && 'syscall' in error;
  if (!isFileError && !isUnavailable(error)) return error;
  return storageUnavailable(error);
}

/** What calls get once the store is being closed. */
export function databaseClosed(): ServiceError {
  return new ServiceError('STORAGE_UNAVAILABLE', 'The database is closed.', { retryAfterSeconds: 1 });
}

const LONGEST_PAUSE_MS = 20;

/** Lets other work of this process go on before it tries again to get a lock. */
export async function lockPause(): Promise<void> {
  // The time is random: SQLite has no queue, so processes in step would starve one another.
  await delay(1 + Math.random() * LONGEST_PAUSE_MS);
}
