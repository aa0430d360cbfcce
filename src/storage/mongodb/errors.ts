/** Maps driver errors to ServiceErrors. Outside this folder, a driver error appears only as a cause, for the log. */

import type { WriteError } from 'mongodb';
import {
  MongoBulkWriteError,
  MongoError,
  MongoNetworkError,
  MongoOperationTimeoutError,
  MongoServerError,
  MongoServerSelectionError,
  MongoWriteConcernError,
} from 'mongodb';

import { storageUnavailable } from '../../errors.ts';

const DUPLICATE_KEY = 11000;
/** NamespaceNotFound, IndexNotFound. */
const MISSING_INDEX = [26, 27];

/**
 * Error codes about the server's state rather than the command
 * (https://www.mongodb.com/docs/manual/reference/error-codes/): HostUnreachable, HostNotFound, LockTimeout, CursorNotFound,
 * MaxTimeMSExpired, NetworkTimeout, ShutdownInProgress, WriteConflict, PrimarySteppedDown, WriteConcernFailed,
 * QueryPlanKilled, SocketException, NotWritablePrimary, Interrupted*, NotPrimary*, TransactionTooOld, CursorKilled,
 * SnapshotTooOld, SnapshotUnavailable, NoSuchTransaction, ReadConcernMajorityNotAvailableYet, TemporarilyUnavailable.
 */
const UNAVAILABLE = new Set([
  6, 7, 24, 43, 50, 64, 89, 91, 100, 112, 133, 134, 175, 189, 202, 225, 237, 239, 246, 251, 262, 317, 358,
  365, 384, 9001, 10107, 11600, 11601, 11602, 13435, 13436, 10058,
]);

/** Node.js error codes of a connection that ended during a write; the driver passes them on unwrapped. */
const OF_CONNECTIONS = new Set([
  'EPIPE',
  'ECONNRESET',
  'ECONNABORTED',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);

export function isDuplicateKey(error: unknown): boolean {
  return error instanceof MongoServerError && error.code === DUPLICATE_KEY;
}

/** The index to drop, or its collection, does not exist. */
export function isMissingIndex(error: unknown): boolean {
  return error instanceof MongoServerError && MISSING_INDEX.includes(Number(error.code));
}

/** The indexes of the documents that a bulk insert rejected for a duplicate key; null for any other error. */
export function duplicatesOf(error: unknown): number[] | null {
  if (!(error instanceof MongoBulkWriteError)) return null;
  const errors: WriteError[] = [error.writeErrors].flat();
  const isOnlyDuplicates = errors.length > 0 && errors.every(({ code }) => code === DUPLICATE_KEY);
  return isOnlyDuplicates && !hasWriteConcernError(error) ? errors.map(({ index }) => index) : null;
}

function hasWriteConcernError(error: unknown): boolean {
  return error instanceof MongoBulkWriteError && error.result.getWriteConcernError() !== undefined;
}

/**
 * A bulk write that failed in the client: the driver throws the same class as for the server's errors, but without a code
 * and without errors of documents.
 */
function isLostInBulk(error: unknown): boolean {
  if (!(error instanceof MongoBulkWriteError) || error.code !== undefined) return false;
  return [error.writeErrors].flat().length === 0;
}

function isOfConnection(error: unknown): boolean {
  return error instanceof Error && 'code' in error && OF_CONNECTIONS.has(String(error.code));
}

export function isUnavailable(error: unknown): boolean {
  if (error instanceof MongoNetworkError) return true;
  if (error instanceof MongoServerSelectionError || error instanceof MongoOperationTimeoutError) return true;
  // Written, but not acknowledged by the majority in time: a failover may roll it back.
  if (error instanceof MongoWriteConcernError || hasWriteConcernError(error)) return true;
  if (isLostInBulk(error) || isOfConnection(error)) return true;
  if (error instanceof MongoServerError) return UNAVAILABLE.has(Number(error.code));
  // Errors of the driver's pool and topology.
  return (
    error instanceof MongoError &&
    /^Mongo(Pool|Topology|NotConnected|WaitQueue|ClientClosed)/.test(error.name)
  );
}

export function translate(error: unknown): unknown {
  return isUnavailable(error) ? storageUnavailable(error) : error;
}
