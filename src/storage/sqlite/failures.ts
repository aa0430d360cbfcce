/** What SQLite's errors mean to this adapter and to its callers. */

import { storageUnavailable } from '../../errors.ts';
import { UnfitStorageError } from '../unfit.ts';
import { resultCode } from './driver.ts';

const SQLITE_BUSY = 5;
const SQLITE_NOTADB = 26;
/** Codes that speak of the file or the disk, not of what was asked: PERM, BUSY, LOCKED, NOMEM, READONLY, IOERR, FULL, CANTOPEN, PROTOCOL. */
const UNAVAILABLE = new Set([3, 5, 6, 7, 8, 10, 13, 14, 15]);

/** Another connection has the lock; what failed may be tried again. */
export function isLocked(error: unknown): boolean {
  return resultCode(error) === SQLITE_BUSY;
}

/** The error is the database's as a whole, whatever was asked of it. */
export function isUnavailable(error: unknown): boolean {
  const code = resultCode(error);
  return code !== undefined && UNAVAILABLE.has(code);
}

/** What leaves the adapter: a ServiceError for a database that cannot be had, else the error itself. */
export function translate(error: unknown): unknown {
  const isFileError = error instanceof Error && 'syscall' in error;
  if (resultCode(error) === SQLITE_NOTADB)
    return new UnfitStorageError('The file is not a database of SQLite.');
  if (!isFileError && !isUnavailable(error)) return error;
  return storageUnavailable(error);
}
