/**
 * Finds the MongoDB server for the tests, in this order:
 *
 * 1. `TEST_MONGODB_URL`; 2. a `mongod` named by `MONGOMS_SYSTEM_BINARY` or on the PATH, run by mongodb-memory-server;
 * 3. mongodb-memory-server's own download, tried once for at most a minute.
 *
 * The test files read `TEST_MONGODB_URL`, which they inherit; without it their suites are skipped.
 */

import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { promisify } from 'node:util';

import type { MongoMemoryServer } from 'mongodb-memory-server';

import { findMongod, MONGOD_ARGUMENTS, START_TIMEOUT_MS } from '../mongod-binary.ts';

const DOWNLOAD_LIMIT_MS = 60_000;

let stop = async (): Promise<void> => {};

/** Sets `TEST_MONGODB_URL` for the processes of the test files, if there is a server. */
export async function provideMongodb(): Promise<void> {
  if (process.env['TEST_MONGODB_URL']) return;
  const systemBinary = findMongod() ?? (await download());
  if (systemBinary === undefined) {
    console.log('\n  !!  NO MONGODB: the suites that need it are skipped.\n');
    return;
  }
  // Some tests start their own server.
  process.env['MONGOMS_SYSTEM_BINARY'] = systemBinary;
  // Any version from 5.0 on is as good as the one that the package would download.
  process.env['MONGOMS_SYSTEM_BINARY_VERSION_CHECK'] ??= 'false';
  const { MongoMemoryReplSet } = await import('mongodb-memory-server');
  // A replica set of one, so that mongod supports retryable writes and majority write concern. Its data is on disk: in
  // memory (/dev/shm), the storage contract took as long.
  const server = await MongoMemoryReplSet.create({
    binary: { systemBinary },
    instanceOpts: [{ launchTimeout: START_TIMEOUT_MS }],
    replSet: { count: 1, storageEngine: 'wiredTiger', args: MONGOD_ARGUMENTS },
  });
  process.env['TEST_MONGODB_URL'] = server.getUri();
  // Its folder is large, and an interrupted run does not reach the teardown.
  process.once('exit', () => server.servers.forEach(end));
  stop = async () => void (await server.stop());
}

/** Stops the server unless it was given by its URL. */
export async function stopMongodb(): Promise<void> {
  await stop();
}

/** Ends it without waiting, and deletes its data. */
function end({ instanceInfo }: MongoMemoryServer): void {
  if (instanceInfo === undefined) return;
  instanceInfo.instance.mongodProcess?.kill('SIGKILL');
  rmSync(instanceInfo.dbPath, { recursive: true, force: true, maxRetries: 5 });
}

/** In a child process, since a download in progress cannot be cancelled. */
async function download(): Promise<string | undefined> {
  console.log('Looking for MongoDB: mongodb-memory-server may download it, for at most a minute …');
  const program =
    "import { MongoBinary } from 'mongodb-memory-server'; console.log('\\n' + (await MongoBinary.getPath()));";
  try {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--input-type=module', '--eval', program],
      {
        timeout: DOWNLOAD_LIMIT_MS,
        killSignal: 'SIGKILL',
      },
    );
    // The path is the last line that the package prints.
    return stdout.trim().split('\n').at(-1);
  } catch {
    return undefined;
  }
}
