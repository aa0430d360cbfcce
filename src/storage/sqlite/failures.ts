/** What SQLite's errors mean to this adapter and to its callers. */

import { storageUnavailable } from '../../errors.ts';
import { resultCode } from './driver.ts';

const SQLITE_BUSY = 5;
const SQLITE_READONLY = 8;
/** CORRUPT, NOTADB. */
const DAMAGED = new Set([11, 26]);
/** Codes that speak of the file or the disk, not of what was asked: PERM, BUSY, LOCKED, NOMEM, READONLY, IOERR, FULL, CANTOPEN, PROTOCOL. */
const UNAVAILABLE = new Set([3, SQLITE_BUSY, 6, 7, SQLITE_READONLY, 10, 13, 14, 15, ...DAMAGED]);

/** Another connection has the lock; what failed may be tried again. */
export function isLocked(error: unknown): boolean {
  return resultCode(error) === SQLITE_BUSY;
}

/** The file may not be written, also where SQLite would have to before it can be read. */
export function isReadOnly(error: unknown): boolean {
  return resultCode(error) === SQLITE_READONLY;
}

/** What the file holds is no database, or no whole one. */
export function isDamaged(error: unknown): boolean {
  const code = resultCode(error);
  return code !== undefined && DAMAGED.has(code);
}

/** The error is the database's as a whole, whatever was asked of it. */
export function isUnavailable(error: unknown): boolean {
  const code = resultCode(error);
  return code !== undefined && UNAVAILABLE.has(code);
}

/** What leaves the adapter: a ServiceError for a database that cannot be had, else the error itself. */
export function translate(error: unknown): unknown {
  const isFileError = error instanceof Error && 'syscall' in error;
  if (!isFileError && !isUnavailable(error)) return error;
  return storageUnavailable(error);
}
