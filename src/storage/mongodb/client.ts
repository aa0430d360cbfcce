/** Sets up the driver's client. */

import type { MongoClientOptions } from 'mongodb';
import { MongoClient } from 'mongodb';

import { IncompatibleStorageError } from '../incompatible.ts';
import type { StorageOptions } from '../storage.ts';

/** Marks the commands of change streams. */
export const CHANGE_STREAM_COMMENT = 'change stream';

/** @throws IncompatibleStorageError for a URL that the driver rejects; the message never quotes credentials */
export function createClient(url: string, options: StorageOptions): MongoClient {
  try {
    return new MongoClient(url, clientOptions(options));
  } catch (error) {
    const message = error instanceof Error ? error.message : '';
    const userInfo = /^[^/]+\/\/(.*)@/.exec(url)?.[1] ?? '';
    const quotes = userInfo.split(':').some((part) => part !== '' && message.includes(part));
    // Without the cause, which may quote the URL.
    throw new IncompatibleStorageError(`The MongoDB URL cannot be used${quotes ? '' : `: ${message}`}`);
  }
}

function clientOptions(options: StorageOptions): MongoClientOptions {
  const { timeoutMs, connectTimeoutMs = timeoutMs, poolSize, onCommand } = options;
  return {
    ...(poolSize === undefined ? {} : { maxPoolSize: poolSize }),
    monitorCommands: onCommand !== undefined,
    appName: 'map-locations',
    // An acknowledged write survives the loss of a member.
    writeConcern: { w: 'majority', journal: true },
    // Reads include every acknowledged write, and nothing that a failover rolls back.
    readConcern: { level: 'majority' },
    readPreference: 'primary',
    retryReads: true,
    retryWrites: true,
    // Shorter than the call's own limit, so that the log names the reason.
    serverSelectionTimeoutMS: Math.ceil(connectTimeoutMs * 0.9),
    connectTimeoutMS: connectTimeoutMs,
    waitQueueTimeoutMS: timeoutMs,
    // Frees the connection of an abandoned call.
    socketTimeoutMS: Math.max(4 * timeoutMs, 2 * searchTimeOf(options)),
    ignoreUndefined: true,
  };
}

export function searchTimeOf({ timeoutMs, searchTimeoutMs = timeoutMs }: StorageOptions): number {
  return searchTimeoutMs;
}

/**
 * Reports names and durations only: the commands themselves hold users' data. Change streams are left out: they wait for
 * the next change, and their failure on a server without change streams is expected.
 */
export function observeCommands(
  client: MongoClient,
  onCommand: NonNullable<StorageOptions['onCommand']>,
): void {
  const ofStreams = new Set<number>();
  client.on('commandStarted', ({ command, requestId }) => {
    if (command.comment === CHANGE_STREAM_COMMENT) ofStreams.add(requestId);
  });
  client.on('commandSucceeded', ({ commandName, duration, requestId }) => {
    if (ofStreams.delete(requestId)) return;
    onCommand({ command: commandName, milliseconds: duration, isFailed: false });
  });
  client.on('commandFailed', ({ commandName, duration, requestId }) => {
    if (ofStreams.delete(requestId)) return;
    onCommand({ command: commandName, milliseconds: duration, isFailed: true });
  });
}
