/** Driver errors, translated: nothing of MongoDB leaves this folder but as the cause of a ServiceError, for the log. */

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

/**
 * Server codes that speak of the server's state rather than of what was asked
 * (https://www.mongodb.com/docs/manual/reference/error-codes/): HostUnreachable, HostNotFound, LockTimeout, CursorNotFound,
 * MaxTimeMSExpired, NetworkTimeout, ShutdownInProgress, WriteConflict, PrimarySteppedDown, WriteConcernFailed,
 * QueryPlanKilled, SocketException, NotWritablePrimary, Interrupted*, NotPrimary*, TransactionTooOld, CursorKilled,
 * SnapshotTooOld, SnapshotUnavailable, NoSuchTransaction, ReadConcernMajorityNotAvailableYet, TemporarilyUnavailable.
 */
const UNAVAILABLE = new Set([
  6, 7, 24, 43, 50, 64, 89, 91, 100, 112, 133, 134, 175, 189, 202, 225, 237, 239, 246, 251, 262, 317, 358,
  365, 384, 9001, 10107, 11600, 11601, 11602, 13435, 13436, 10058,
]);

/** Node's own, of a connection that ended while a command was written to it: these the driver hands on as they are. */
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

/** The indexes of the documents that a bulk insert left out because their unique key was taken. */
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
 * A bulk write that failed on this side, at the connection or before it: the driver makes an error of the server's class
 * of it, with neither the server's code nor the errors of single documents.
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
  // Written, but not by the majority in time: it may be taken back.
  if (error instanceof MongoWriteConcernError || hasWriteConcernError(error)) return true;
  if (isLostInBulk(error) || isOfConnection(error)) return true;
  if (error instanceof MongoServerError) return UNAVAILABLE.has(Number(error.code));
  // The driver's own: a pool that was cleared or closed, a topology that was closed.
  return (
    error instanceof MongoError &&
    /^Mongo(Pool|Topology|NotConnected|WaitQueue|ClientClosed)/.test(error.name)
  );
}

export function translate(error: unknown): unknown {
  return isUnavailable(error) ? storageUnavailable(error) : error;
}
